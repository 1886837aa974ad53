// The names of x86-64: general registers by number, and places in memory.

export const RAX = 0
export const RCX = 1
export const RDX = 2
export const RBX = 3
export const RSP = 4
export const RBP = 5
export const RSI = 6
export const RDI = 7
export const R8 = 8
export const R9 = 9
export const R10 = 10
export const R11 = 11
export const R12 = 12
export const R13 = 13
export const R14 = 14
export const R15 = 15

/** A place in memory: base + index * scale + displacement. */
export interface Memory {
  readonly base: number
  /** Any register but RSP. */
  readonly index?: number
  readonly scale?: 1 | 2 | 4 | 8
  readonly displacement?: number
}

/** Bytes behind the code that do not change while it runs, by where they begin among them. */
export interface Literal {
  readonly literal: number
}

export const isLiteral = (place: Memory | Literal): place is Literal => 'literal' in place

/** Bits of a vector. */
export type Bits = 128 | 256 | 512
