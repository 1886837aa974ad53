// The names of AArch64: general registers by number, and places in memory.

/** What a kernel is told by, and what its function gives. */
export const X0 = 0
/** Registers that belong to nobody beyond a few instructions. */
export const X9 = 9
export const X10 = 10
export const X11 = 11
export const X12 = 12
export const X13 = 13
export const X14 = 14
export const X16 = 16
export const X17 = 17
/** The frame that whoever calls has, and where it goes on. */
export const X29 = 29
export const X30 = 30
/** Nothing but zeros; as a base, the stack. */
export const ZERO = 31
export const SP = 31

/** A place in memory, a multiple of what is read there behind a base. */
export interface Memory {
  readonly base: number
  readonly displacement: number
}

/** Bytes behind the code that do not change while it runs, by where they begin among them. */
export interface Literal {
  readonly literal: number
}

export const isLiteral = (place: Memory | Literal): place is Literal => 'literal' in place
