// What stands for a tensor inside `fuse`, as the types of operands know it: that it does, and no more.

/** The key under which the compiler keeps what is known of an expression. */
export declare const expression: unique symbol

/** Something that stands for a tensor inside `fuse`. */
export interface Standing {
  /** What is known of its expression, for the compiler only. */
  readonly [expression]: unknown
}
