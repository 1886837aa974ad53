// Machine code of AArch64 as words: general instructions one by one, vector instructions by their forms, jumps to labels,
// literals behind the code. Every form that kernels use is compared with GNU as.

import { Unsupported } from '../machine/unsupported.ts'
import { FORMS, type VectorName, widthBits } from './forms.ts'
import { isLiteral, type Literal, type Memory, SP, ZERO } from './registers.ts'

/** Conditions of jumps and choices, by their code. */
const CONDITIONS = { equal: 0x0, notEqual: 0x1, greaterEqual: 0xa, less: 0xb, greater: 0xc, lessEqual: 0xd } as const
export type Condition = keyof typeof CONDITIONS

/** A place in code, known when it is set. */
export interface Label {
  at: number | undefined
  /** Words that jump there, and where their distance stands. */
  readonly jumps: { readonly at: number; readonly low: number; readonly bits: number }[]
}

/** Loads and stores of vector registers, or of what a few bytes fill of them, by bytes. */
const VECTOR_LOADS: Readonly<Record<number, number>> = {
  1: 0x3d400000,
  2: 0x7d400000,
  4: 0xbd400000,
  8: 0xfd400000,
  16: 0x3dc00000,
}

/** Loads of general registers by bytes; zeros stand above. */
const LOADS: Readonly<Record<number, number>> = { 1: 0x39400000, 2: 0x79400000, 4: 0xb9400000, 8: 0xf9400000 }

/** The bit that makes a store of a load, of whole vectors and of others. */
const LOADING = 0x00400000

const WIDE = 0x80000000

/** A lane by its number, as the field that names it and its width. */
const lane = (width: number, index: number): number => ((index * 2 + 1) * width) << 16

export class Assembler {
  readonly #words: number[] = []
  readonly #literals: number[] = []
  readonly #known = new Map<string, Literal>()
  readonly #references: { readonly at: number; readonly literal: number }[] = []

  #word(word: number): this {
    this.#words.push(word)
    return this
  }

  /** An instruction of general registers over 64 bits, or 32 where `wide` is false. */
  #general(word: number, to: number, a: number, b: number, wide: boolean): this {
    return this.#word((wide ? word | WIDE : word) | (b << 16) | (a << 5) | to)
  }

  ret(): this {
    return this.#word(0xd65f03c0)
  }

  /** A constant of 64 bits. */
  constant(to: number, value: bigint): this {
    this.#word(0xd2800000 | (Number(value & 0xffffn) << 5) | to)
    for (let i = 1; i < 4; i++) {
      const part = Number((value >> BigInt(16 * i)) & 0xffffn)
      if (part !== 0) this.#word(0xf2800000 | (i << 21) | (part << 5) | to)
    }
    return this
  }

  move(to: number, from: number): this {
    return this.#general(0x2a000000, to, ZERO, from, true)
  }

  /** The address of a place. */
  address(to: number, { base, displacement }: Memory): this {
    if (displacement < 4096) return this.#word(0x91000000 | (displacement << 10) | (base << 5) | to)
    this.#word(0x91400000 | ((displacement >> 12) << 10) | (base << 5) | to)
    return (displacement & 4095) === 0 ? this : this.#word(0x91000000 | ((displacement & 4095) << 10) | (to << 5) | to)
  }

  /** More of the stack, in whole steps of 4096 bytes. */
  takeStack(bytes: number): this {
    return this.#word(0xd1400000 | ((bytes >> 12) << 10) | (SP << 5) | SP)
  }

  /** The stack as it was when another register held it. */
  giveStack(from: number): this {
    return this.#word(0x91000000 | (from << 5) | SP)
  }

  addConstant(to: number, from: number, value: number): this {
    return this.#word(0x91000000 | (value << 10) | (from << 5) | to)
  }

  subtractConstant(to: number, from: number, value: number): this {
    return this.#word(0xd1000000 | (value << 10) | (from << 5) | to)
  }

  /** The same, and compares what is left with zero. */
  countDown(to: number, from: number, value: number): this {
    return this.#word(0xf1000000 | (value << 10) | (from << 5) | to)
  }

  compareConstant(a: number, value: number, wide = true): this {
    return this.#word((wide ? 0xf1000000 : 0x71000000) | (value << 10) | (a << 5) | ZERO)
  }

  /** Compares with a number below zero. */
  compareNegative(a: number, value: number, wide = true): this {
    return this.#word((wide ? 0xb1000000 : 0x31000000) | (-value << 10) | (a << 5) | ZERO)
  }

  compare(a: number, b: number): this {
    return this.#general(0x6b000000, ZERO, a, b, true)
  }

  add(to: number, a: number, b: number, wide = true): this {
    return this.#general(0x0b000000, to, a, b, wide)
  }

  /** The sum with a register whose bits are moved up by so many. */
  addShifted(to: number, a: number, b: number, count: number): this {
    return this.#general(0x0b000000 | (count << 10), to, a, b, true)
  }

  /** The sum with the lower 32 bits of a register, of which nothing else is known. */
  addWord(to: number, a: number, b: number): this {
    return this.#general(0x0b204000, to, a, b, true)
  }

  /** The sum with the sign of a register: -1 or 0. */
  addSign(to: number, a: number, b: number, wide: boolean): this {
    return this.#general(0x0b800000 | ((wide ? 63 : 31) << 10), to, a, b, wide)
  }

  /** One register where the sign of another is set, else 0. */
  andSign(to: number, a: number, b: number, wide: boolean): this {
    return this.#general(0x0a800000 | ((wide ? 63 : 31) << 10), to, a, b, wide)
  }

  subtract(to: number, a: number, b: number): this {
    return this.#general(0x4b000000, to, a, b, true)
  }

  and(to: number, a: number, b: number): this {
    return this.#general(0x0a000000, to, a, b, true)
  }

  xor(to: number, a: number, b: number, wide: boolean): this {
    return this.#general(0x4a000000, to, a, b, wide)
  }

  multiply(to: number, a: number, b: number, wide = true): this {
    return this.#general(0x1b000000 | (ZERO << 10), to, a, b, wide)
  }

  /** What `from` has beyond the product of two others. */
  multiplySubtract(to: number, a: number, b: number, from: number, wide: boolean): this {
    return this.#general(0x1b008000 | (from << 10), to, a, b, wide)
  }

  /** The quotient, truncated; 0 where the divisor is 0, and the least number for its quotient with -1. */
  divide(to: number, a: number, b: number, signed: boolean, wide: boolean): this {
    return this.#general(0x1ac00800 | (signed ? 0x400 : 0), to, a, b, wide)
  }

  /** `a` where the condition holds, else `b`. */
  choose(condition: Condition, to: number, a: number, b: number, wide = true): this {
    return this.#general(0x1a800000 | (CONDITIONS[condition] << 12), to, a, b, wide)
  }

  /** `a` where the condition holds, else one more than `b`. */
  chooseNext(condition: Condition, to: number, a: number, b: number): this {
    return this.#general(0x1a800400 | (CONDITIONS[condition] << 12), to, a, b, true)
  }

  /** So many bits from bit `at` on, with zeros above. */
  bits(to: number, from: number, at: number, count: number, wide: boolean): this {
    return this.#word((wide ? 0xd3400000 : 0x53000000) | (at << 16) | ((at + count - 1) << 10) | (from << 5) | to)
  }

  shiftLeft(to: number, from: number, count: number): this {
    return this.#word(0xd3400000 | ((64 - count) << 16) | ((63 - count) << 10) | (from << 5) | to)
  }

  /** The same by as many bits as a register says. */
  shiftLeftBy(to: number, from: number, by: number): this {
    return this.#general(0x1ac02000, to, from, by, true)
  }

  leadingZeros(to: number, from: number): this {
    return this.#word(0xdac01000 | (from << 5) | to)
  }

  #access(word: number, register: number, { base, displacement }: Memory, bytes: number): this {
    return this.#word(word | ((displacement / bytes) << 10) | (base << 5) | register)
  }

  load(to: number, from: Memory, bytes = 8): this {
    return this.#access(LOADS[bytes]!, to, from, bytes)
  }

  store(to: Memory, from: number, bytes = 8): this {
    return this.#access(LOADS[bytes]! ^ LOADING, from, to, bytes)
  }

  /** Loads an element, and moves its address on by so many bytes. */
  loadNext(to: number, base: number, bytes: number, step: number): this {
    return this.#word((LOADS[bytes]! & 0xfe400000) | 0x400 | (step << 12) | (base << 5) | to)
  }

  storeNext(base: number, from: number, bytes: number): this {
    return this.#word((LOADS[bytes]! & 0xfe000000) | 0x400 | (bytes << 12) | (base << 5) | from)
  }

  /** Two general registers at a place, or two lower halves of vector registers. */
  storePair(to: Memory, a: number, b: number, vectors = false): this {
    return this.#pair(vectors ? 0x6d000000 : 0xa9000000, a, b, to)
  }

  loadPair(a: number, b: number, from: Memory, vectors = false): this {
    return this.#pair(vectors ? 0x6d400000 : 0xa9400000, a, b, from)
  }

  #pair(word: number, a: number, b: number, { base, displacement }: Memory): this {
    return this.#word(word | (((displacement / 8) & 127) << 15) | (b << 10) | (base << 5) | a)
  }

  /** Takes so many bytes of the stack, and puts two registers there; or the other way round. */
  pushPair(a: number, b: number, bytes: number): this {
    return this.#pair(0xa9800000, a, b, { base: SP, displacement: -bytes })
  }

  popPair(a: number, b: number, bytes: number): this {
    return this.#pair(0xa8c00000, a, b, { base: SP, displacement: bytes })
  }

  /** Loads that nothing after them is done before, and stores that nothing before them is done after. */
  loadAcquire(to: number, base: number): this {
    return this.#word(0xc8dffc00 | (base << 5) | to)
  }

  storeRelease(base: number, from: number): this {
    return this.#word(0xc89ffc00 | (base << 5) | from)
  }

  /** Reads a word, which may be written as long as nobody else wrote it; 0 says that it was. */
  loadExclusive(to: number, base: number): this {
    return this.#word(0xc85ffc00 | (base << 5) | to)
  }

  storeExclusive(failed: number, base: number, from: number): this {
    return this.#word(0xc800fc00 | (failed << 16) | (base << 5) | from)
  }

  /** Gives up writing what was read so. */
  clearExclusive(): this {
    return this.#word(0xd5033f5f)
  }

  /** Everything before is seen by all threads before anything after. */
  barrier(): this {
    return this.#word(0xd5033bbf)
  }

  /** Says that this is a loop that waits. */
  pause(): this {
    return this.#word(0xd503203f)
  }

  /** Calls the system, whose result is in X0. */
  system(): this {
    return this.#word(0xd4000001)
  }

  call(label: Label): this {
    return this.#jump(0x94000000, label, 0, 26)
  }

  callRegister(register: number): this {
    return this.#word(0xd63f0000 | (register << 5))
  }

  jumpTo(register: number): this {
    return this.#word(0xd61f0000 | (register << 5))
  }

  label(): Label {
    return { at: undefined, jumps: [] }
  }

  set(label: Label): this {
    label.at = this.#words.length
    for (const { at, low, bits } of label.jumps) this.#words[at]! |= distance(label.at - at, low, bits)
    return this
  }

  /** Jumps, whose distance has so many bits from bit `low` on. */
  #jump(word: number, label: Label, low: number, bits: number): this {
    const at = this.#words.length
    if (label.at === undefined) label.jumps.push({ at, low, bits })
    return this.#word(word | (label.at === undefined ? 0 : distance(label.at - at, low, bits)))
  }

  jump(label: Label): this {
    return this.#jump(0x14000000, label, 0, 26)
  }

  jumpIf(condition: Condition, label: Label): this {
    return this.#jump(0x54000000 | CONDITIONS[condition], label, 5, 19)
  }

  jumpIfZero(register: number, label: Label, wide = true): this {
    return this.#jump((wide ? 0xb4000000 : 0x34000000) | register, label, 5, 19)
  }

  jumpUnlessZero(register: number, label: Label): this {
    return this.#jump(0xb5000000 | register, label, 5, 19)
  }

  /** Jumps where a bit of a register is zero. */
  jumpIfClear(register: number, bit: number, label: Label): this {
    return this.#jump(0x36000000 | ((bit >> 5) << 31) | ((bit & 31) << 19) | register, label, 5, 14)
  }

  /** A vector instruction; `width` says how many bytes an element has. */
  vector(name: VectorName, width: number, to: number, sources: readonly number[], amount = 0): this {
    const form = FORMS[name]
    const [a, b = 0] = sources as [number, number?]
    return this.#word(form.word | widthBits(form, width, amount) | (b << 16) | (a << 5) | to)
  }

  moveVector(to: number, from: number): this {
    return this.vector('orr', 1, to, [from, from])
  }

  loadVector(to: number, from: Memory | Literal, bytes = 16): this {
    if (!isLiteral(from)) return this.#access(VECTOR_LOADS[bytes]!, to, from, bytes)
    this.#references.push({ at: this.#words.length, literal: from.literal })
    return this.#word(0x9c000000 | to)
  }

  storeVector(to: Memory, from: number, bytes = 16): this {
    return this.#access(VECTOR_LOADS[bytes]! ^ LOADING, from, to, bytes)
  }

  /** Stores two registers one behind the other, past the caches. */
  storePast(a: number, b: number, { base, displacement }: Memory): this {
    return this.#word(0xac000000 | ((displacement / 16) << 15) | (b << 10) | (base << 5) | a)
  }

  /** An element of memory in every lane. */
  spread(to: number, base: number, width: number): this {
    return this.#word(0x4d40c000 | (Math.log2(width) << 10) | (base << 5) | to)
  }

  /** Reads a lane from memory, and moves the address on by a register. */
  loadLane(to: number, index: number, width: number, base: number, step: number): this {
    const at = (index * width) & 7
    const [opcode, low] = { 1: [0, at], 2: [0x4000, at], 4: [0x8000, at], 8: [0x8400, at] }[width] as [number, number]
    const upper = index * width >= 8 ? 0x40000000 : 0
    return this.#word(0x0dc00000 | upper | opcode | (low << 10) | (step << 16) | (base << 5) | to)
  }

  /** A lane, with its sign or zeros in front. */
  takeLane(to: number, from: number, index: number, width: number, signed: boolean): this {
    const word = width === 8 ? 0x4e003c00 : signed && width < 4 ? 0x0e002c00 : 0x0e003c00
    return this.#word(word | lane(width, index) | (from << 5) | to)
  }

  putLane(to: number, index: number, width: number, from: number): this {
    return this.#word(0x4e001c00 | lane(width, index) | (from << 5) | to)
  }

  /** A general register in every lane. */
  putLanes(to: number, width: number, from: number): this {
    return this.#word(0x4e000c00 | lane(width, 0) | (from << 5) | to)
  }

  clearVector(to: number): this {
    return this.#word(0x6f00e400 | to)
  }

  /** Loads what lies so far behind a base as a register says. */
  loadVectorAt(to: number, base: number, index: number, bytes: 4 | 8 | 16): this {
    const word = { 4: 0xbc606800, 8: 0xfc606800, 16: 0x3ce06800 }[bytes]
    return this.#word(word | (index << 16) | (base << 5) | to)
  }

  /** Writes a lane of four bytes or eight to memory, and moves the address on by as much. */
  storeLane(base: number, from: number, index: number, width: 4 | 8): this {
    const at = (index * width) & 7
    const low = width === 4 ? 0x8000 | (at << 10) : 0x8400
    return this.#word(0x0d9f0000 | (index * width >= 8 ? 0x40000000 : 0) | low | (base << 5) | from)
  }

  /** Loads four bytes with their sign in front. */
  loadSigned(to: number, from: Memory): this {
    return this.#access(0xb9800000, to, from, 4)
  }

  /** Sixteen bytes behind the code; the same are there once. */
  literal(bytes: Uint8Array): Literal {
    const key = bytes.join()
    let literal = this.#known.get(key)
    if (literal === undefined) {
      literal = { literal: this.#literals.length }
      this.#literals.push(...bytes)
      this.#known.set(key, literal)
    }
    return literal
  }

  /** Bytes of code so far. */
  get length(): number {
    return 4 * this.#words.length
  }

  /** The code, with its literals behind it. */
  finish(): Uint8Array {
    const start = Math.ceil(this.length / 16) * 16
    for (const { at, literal } of this.#references) {
      this.#words[at]! |= distance((start + literal) / 4 - at, 5, 19)
    }
    const bytes = new Uint8Array(start + this.#literals.length)
    const view = new DataView(bytes.buffer)
    for (const [i, word] of this.#words.entries()) view.setUint32(4 * i, word >>> 0, true)
    bytes.set(this.#literals, start)
    return bytes
  }
}

/** A distance in words as a field. */
function distance(words: number, low: number, bits: number): number {
  if (words < -(2 ** (bits - 1)) || words >= 2 ** (bits - 1)) throw new Unsupported('so long a program')
  return (words & (2 ** bits - 1)) << low
}
