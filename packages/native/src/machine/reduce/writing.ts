// What a processor's code brings to reductions: vectors that meet, general instructions, the loops around rows. The order
// in which elements meet, and what loops count, is the same on all of them.
import type { Virtual } from '../homes.ts'
import type { Vector } from '../vector.ts'

/** A place in memory: base + index * scale + displacement. */
export interface Place {
  readonly base: number
  readonly index?: number
  readonly scale?: 1 | 2 | 4 | 8
  readonly displacement?: number
}

export type Condition = 'equal' | 'notEqual' | 'less' | 'lessEqual' | 'greater' | 'greaterEqual'

/** General instructions, which change their first operand; one of two may lie in memory. */
export interface Control<Label> {
  label(): Label
  set(label: Label): this
  jump(label: Label): this
  /** By what was compared last, or by what the last subtraction of a constant left and zero. */
  jumpIf(condition: Condition, label: Label): this
  /** Halves a register; jumps, leaving anything there, where it was even. */
  halve(register: number, even: Label): this
  move(to: number, from: number | Place): this
  moveIf(condition: Condition, to: number, from: number): this
  store(to: Place, from: number): this
  number(to: number, value: number): this
  clear(register: number): this
  add(to: number, operand: number | Place): this
  addTo(to: Place, from: number): this
  subtract(to: number, operand: number | Place): this
  addConstant(operand: number | Place, value: number): this
  subtractConstant(operand: number | Place, value: number): this
  andConstant(register: number, value: number): this
  shiftRight(register: number, count: number): this
  times(to: number, operand: number | Place, factor: number): this
  multiply(to: number, operand: number | Place): this
  compare(a: number, b: number | Place): this
  compareConstant(operand: number | Place, value: number): this
}

/** What reductions do to vectors, of which each has so many lanes of the tree. */
export interface Combiner {
  /** Bytes of an element, and of a vector. */
  readonly width: 1 | 2 | 4 | 8
  readonly bytes: number
  readonly lanes: number
  /** Registers that a vector takes. */
  readonly parts: number
  /** What changes nothing, in every lane. */
  readonly none: Virtual
  pair(a: Vector, b: Vector): Vector
  /** Vectors in pairs, as the tree has them: one is left. */
  pairs(vectors: readonly Vector[]): Vector
  /** A vector of whole registers, each of which has a number. */
  vector(parts: readonly Virtual[]): Vector
  /** Moves a vector into registers that a loop carries. */
  carry(vector: Vector, to: readonly Virtual[]): void
  load(at: Place): Vector
  store(vector: Vector, at: Place): void
  /** A vector of the program's own lanes with what changes nothing in those that do not count. */
  counted(vector: Vector): Vector
  /** Stores all lanes of a vector as one element. */
  storeFolded(vector: Vector, at: Place): void
}

/** Where something begins, and how far its rows are apart. */
export interface RowPlace {
  readonly address: Place
  readonly rowStep: Place
}

/** The loops around stretches of code. */
export interface Loops<Step, Label> {
  readonly asm: Control<Label>
  /** Those of operands that are read, of the result, and of scratch memory. */
  readonly cursors: readonly RowPlace[]
  readonly rowsLeft: Place
  /** Where the parameters' address is. */
  readonly told: number | Place
  /** Room for so many operands. */
  places(operands: number): readonly RowPlace[]
  /** The function around code; parameters count from `base`. */
  function(base: bigint, code: () => void): Uint8Array
  /** Computes what is the same along rows, and has pointers begin at them. */
  beginRows(places: readonly RowPlace[]): void
  /** Moves addresses on by so many rows as a register says. */
  advance(places: readonly RowPlace[], steps: readonly RowPlace[], rows: number): void
  /** The outer loops: the first that is not at its end steps on and jumps. */
  odometer(again: Label): void
  emit(steps: readonly Step[]): void
}

/** What writes the elements of a reduction. */
export interface Writing<Step> {
  readonly combiner: Combiner
  readonly w: { steps: Step[]; virtual(): Virtual }
  /** The program's results in vector `i` of some rows; memory so many bytes `ahead` is asked for, if any. */
  results(i: number, pass: 'whole' | 'partial', rows: number, ahead?: number): readonly Vector[]
  room(bytes: number): Place
}

/** The steps that `emit` writes. */
export function stretch<Step>(w: { steps: Step[] }, emit: () => void): readonly Step[] {
  w.steps = []
  emit()
  return w.steps
}
