// What tells an operand inside `fuse` from a tensor, for the compiler only.

declare const expression: unique symbol

/** Something that stands for a tensor inside `fuse`. */
export interface Standing<E = unknown> {
  /** What is known of its expression. */
  readonly [expression]: E
}
