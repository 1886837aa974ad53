// The sums of a tile in registers: where they are, and how products of an element of a row with vectors of columns come to
// them.

export interface Sums {
  /** Registers that elements of rows are loaded into by turns. */
  readonly elements: readonly [number, number]
  /** The register of a sum. */
  of(row: number, vector: number): number
  /** Makes ready what sums are not loaded into, or the sums as well where they start `fromZero`. */
  clear(fromZero: boolean): void
  /** Loads vectors of a row of B. */
  columns(base: number): void
  /** Adds products of an element of a row with them. */
  add(row: number, element: number): void
  /** Makes sums of what was added. */
  settle(): void
}
