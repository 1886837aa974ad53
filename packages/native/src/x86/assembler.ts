// Machine code of x86-64 as bytes: general instructions one by one, vector instructions by their forms, jumps to labels,
// literals behind the code. Every form that kernels use is compared with GNU as.
import { FORMS, type Form, type VectorName } from './forms.ts'
import { type Bits, isLiteral, type Literal, type Memory, RBP, RSP } from './registers.ts'

/** Conditions of jumps and moves, by their code. */
const CONDITIONS = {
  below: 0x2,
  aboveEqual: 0x3,
  equal: 0x4,
  notEqual: 0x5,
  less: 0xc,
  greaterEqual: 0xd,
  lessEqual: 0xe,
  greater: 0xf,
}
export type Condition = keyof typeof CONDITIONS

/** A place in code, known when it is set. */
export interface Label {
  at: number | undefined
  readonly jumps: number[]
}

/** What an instruction takes last: a register by number, or a place in memory. */
export type Operand = number | Memory | Literal

/** Everything about a vector instruction but its name. */
export interface VectorOperands {
  readonly bits: Bits
  /** The register written, or stored. */
  readonly to: number
  /** The first source, of those that have two. */
  readonly from?: number
  readonly operand: Operand
  readonly immediate?: number
  /** The mask register that says which lanes count; the others become zero, or stay where memory is written. */
  readonly mask?: number
}

/** Encodes with the prefix of AVX-512 (32 registers, masks) or with that of AVX2. */
export type Prefix = 'evex' | 'vex'

export class Assembler {
  readonly #prefix: Prefix
  #bytes = new Uint8Array(1024)
  #length = 0
  readonly #literals: number[] = []
  readonly #known = new Map<string, Literal>()
  /** Where displacements of literals stand, which count from the end of their instruction. */
  readonly #references: { readonly at: number; readonly end: number; readonly literal: number }[] = []

  constructor(prefix: Prefix) {
    this.#prefix = prefix
  }

  #put(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length)
      longer.set(this.#bytes)
      this.#bytes = longer
    }
    this.#bytes[this.#length++] = byte
  }

  // Without a list of what is given, because the first kernels of a process are written by code nobody has compiled yet.
  #byte(first: number, second?: number, third?: number, fourth?: number, fifth?: number): this {
    this.#put(first)
    if (second !== undefined) this.#put(second)
    if (third !== undefined) this.#put(third)
    if (fourth !== undefined) this.#put(fourth)
    if (fifth !== undefined) this.#put(fifth)
    return this
  }

  #word(value: number): this {
    return this.#byte(value, value >> 8, value >> 16, value >> 24)
  }

  /** The bytes that name a register and an operand, of whose displacement eight bits count steps of `unit`. */
  #operands(register: number, operand: Operand, unit = 1, immediateBytes = 0): this {
    const field = (register & 7) << 3
    if (typeof operand === 'number') return this.#byte(0xc0 | field | (operand & 7))
    if (isLiteral(operand)) {
      this.#byte(field | 5)
      const at = this.#length
      this.#references.push({ at, end: at + 4 + immediateBytes, literal: operand.literal })
      return this.#word(0)
    }
    const { base, index, scale = 1, displacement = 0 } = operand
    const short = displacement / unit
    const isShort = Number.isInteger(short) && short >= -128 && short <= 127
    // Without a displacement these bases would mean something else.
    const isNone = displacement === 0 && (base & 7) !== RBP
    const mode = isNone ? 0 : isShort ? 0x40 : 0x80
    if (index === undefined && (base & 7) !== RSP) this.#byte(mode | field | (base & 7))
    else {
      const log = Math.log2(scale) << 6
      this.#byte(mode | field | 4, log | (((index ?? RSP) & 7) << 3) | (base & 7))
    }
    return isNone ? this : isShort ? this.#byte(short) : this.#word(displacement)
  }

  /** A general instruction over 64 bits, or 32 where `wide` is false. */
  #general(opcode: readonly number[], register: number, operand: Operand, wide = true, immediateBytes = 0): this {
    const [base, index] = parts(operand)
    const rex = (wide ? 8 : 0) | ((register >> 3) << 2) | ((index >> 3) << 1) | (base >> 3)
    if (rex !== 0) this.#byte(0x40 | rex)
    for (const byte of opcode) this.#byte(byte)
    return this.#operands(register, operand, 1, immediateBytes)
  }

  push(register: number): this {
    if (register >= 8) this.#byte(0x41)
    return this.#byte(0x50 | (register & 7))
  }

  pop(register: number): this {
    if (register >= 8) this.#byte(0x41)
    return this.#byte(0x58 | (register & 7))
  }

  ret(): this {
    return this.#byte(0xc3)
  }

  /** A constant of 64 bits. */
  constant(register: number, value: bigint): this {
    this.#byte(0x48 | (register >> 3), 0xb8 | (register & 7))
    return this.#word(Number(value & 0xffffffffn) | 0).#word(Number((value >> 32n) & 0xffffffffn) | 0)
  }

  /** A constant that is not negative and below 2 ** 31. */
  number(register: number, value: number): this {
    if (register >= 8) this.#byte(0x41)
    return this.#byte(0xb8 | (register & 7)).#word(value)
  }

  move(to: number, from: Operand): this {
    return this.#general([0x8b], to, from)
  }

  /** 32 bits, with zeros above them. */
  moveWord(to: number, from: Operand): this {
    return this.#general([0x8b], to, from, false)
  }

  /** 32 bits with their sign. */
  moveSigned(to: number, from: Operand): this {
    return this.#general([0x63], to, from)
  }

  store(to: Memory, from: number): this {
    return this.#general([0x89], from, to)
  }

  storeWord(to: Memory, from: number): this {
    return this.#general([0x89], from, to, false)
  }

  address(to: number, of: Memory | Literal): this {
    return this.#general([0x8d], to, of)
  }

  add(to: number, operand: Operand): this {
    return this.#general([0x03], to, operand)
  }

  addTo(to: Memory, from: number): this {
    return this.#general([0x01], from, to)
  }

  subtract(to: number, operand: Operand): this {
    return this.#general([0x2b], to, operand)
  }

  compare(a: number, b: Operand): this {
    return this.#general([0x3b], a, b)
  }

  /** The product with a small constant. */
  times(to: number, operand: Operand, factor: number): this {
    return this.#general([0x69], to, operand, true, 4).#word(factor)
  }

  negate(register: number): this {
    return this.#general([0xf7], 3, register)
  }

  #withConstant(extension: number, operand: number | Memory, value: number): this {
    if (value >= -128 && value <= 127) return this.#general([0x83], extension, operand, true, 1).#byte(value)
    // The accumulator has a shorter form.
    if (operand === 0) return this.#byte(0x48, 0x05 | (extension << 3)).#word(value)
    return this.#general([0x81], extension, operand, true, 4).#word(value)
  }

  addConstant(operand: number | Memory, value: number): this {
    return this.#withConstant(0, operand, value)
  }

  andConstant(operand: number, value: number): this {
    return this.#withConstant(4, operand, value)
  }

  subtractConstant(operand: number | Memory, value: number): this {
    return this.#withConstant(5, operand, value)
  }

  /** Takes bytes from a register, as many as what is given back is told in the end. */
  reserve(register: number): (bytes: number) => void {
    this.#general([0x81], 5, register).#word(0)
    const at = this.#length - 4
    return (bytes) => this.#write(at, bytes)
  }

  compareConstant(operand: number | Memory, value: number): this {
    return this.#withConstant(7, operand, value)
  }

  /** Zero, and nothing else of note. */
  clear(register: number): this {
    return this.#general([0x33], register, register, false)
  }

  shiftRight(register: number, count: number): this {
    return count === 1 ? this.#general([0xd1], 5, register) : this.#general([0xc1], 5, register, true, 1).#byte(count)
  }

  /** Halves a register; jumps, leaving anything there, where it was even. */
  halve(register: number, even: Label): this {
    return this.shiftRight(register, 1).jumpIf('aboveEqual', even)
  }

  moveIf(condition: Condition, to: number, from: Operand): this {
    return this.#general([0x0f, 0x40 | CONDITIONS[condition]], to, from)
  }

  /** Copies RCX bytes from RSI to RDI, which move on. */
  copyBytes(): this {
    return this.#byte(0xf3, 0xa4)
  }

  // What goes element by element, beside vectors.

  /** The bits that either has. */
  or(to: number, operand: Operand): this {
    return this.#general([0x0b], to, operand)
  }

  /** The product of two. */
  multiply(to: number, operand: Operand): this {
    return this.#general([0x0f, 0xaf], to, operand)
  }

  /** RDX:RAX by an operand: RAX is the quotient, RDX the rest; ends the process where the quotient has no place. */
  divideUnsigned(operand: Operand): this {
    return this.#general([0xf7], 6, operand)
  }

  divideSigned(operand: Operand): this {
    return this.#general([0xf7], 7, operand)
  }

  /** The sign of RAX all over RDX. */
  spreadSign(): this {
    return this.#byte(0x48, 0x99)
  }

  /** Compares the bits that two have in common with none. */
  test(a: number, b: number): this {
    return this.#general([0x85], b, a)
  }

  testConstant(register: number, value: number): this {
    if (register === 0) return this.#byte(0x48, 0xa9).#word(value)
    return this.#general([0xf7], 0, register, true, 4).#word(value)
  }

  /** An element of 1, 2, 4 or 8 bytes with zeros above, and one put where memory is. */
  moveElement(width: number, to: number, from: Memory): this {
    if (width >= 4) return this.#general([0x8b], to, from, width === 8)
    return this.#general([0x0f, width === 1 ? 0xb6 : 0xb7], to, from, false)
  }

  storeElement(width: number, to: Memory, from: number): this {
    if (width === 2) this.#byte(0x66)
    // Without a prefix the upper four would name other bytes.
    if (width === 1 && from >= 4 && from < 8 && to.base < 8 && (to.index ?? 0) < 8) this.#byte(0x40)
    return this.#general([width === 1 ? 0x88 : 0x89], from, to, width === 8)
  }

  /** A float64 on the stack of the old unit. */
  pushFloat(from: Memory): this {
    return this.#general([0xdd], 0, from, false)
  }

  popFloat(to: Memory): this {
    return this.#general([0xdd], 3, to, false)
  }

  dropFloat(): this {
    return this.#byte(0xdd, 0xd8)
  }

  /** Takes multiples of the second from the first, exactly; bit 10 of RAX says whether it has to be done again. */
  partialRest(): this {
    return this.#byte(0xd9, 0xf8, 0xdf, 0xe0)
  }

  /** Has a line of memory brought near; it need not be there. */
  prefetch(from: Memory): this {
    return this.#general([0x0f, 0x18], 1, from, false)
  }

  /** The lowest bits of `from`, as many as `count` says, zeros above. */
  lowBits(to: number, from: number | Literal, count: number): this {
    const byte1 = ((to < 8 ? 1 : 0) << 7) | 0x40 | ((parts(from)[0] < 8 ? 1 : 0) << 5) | 2
    return this.#byte(0xc4, byte1, 0x80 | ((~count & 15) << 3), 0xf5).#operands(to, from)
  }

  /** A mask register from a general one. */
  mask(to: number, from: number): this {
    return this.#byte(0xc4, 0xc1 | (from < 8 ? 0x20 : 0), 0xfb, 0x92).#operands(to, from)
  }

  /** A mask without its lowest bits. */
  shiftMask(to: number, from: number, count: number): this {
    return this.#byte(0xc4, 0xe3, 0xf9, 0x31).#operands(to, from).#byte(count)
  }

  /** Everything stored so far is seen before anything stored later; streaming stores need it. */
  fence(): this {
    return this.#byte(0x0f, 0xae, 0xf8)
  }

  /** Lets code of older vectors run at full speed again. */
  clearUpper(): this {
    return this.#byte(0xc5, 0xf8, 0x77)
  }

  // What threads tell each other with. All of these are seen by every thread at once.

  /** Puts a register to a place, and what was there into the register. */
  exchange(place: Memory, register: number): this {
    return this.#general([0x87], register, place)
  }

  /** The same with their sum at the place. */
  exchangeAdd(place: Memory, register: number): this {
    return this.#byte(0xf0).#general([0x0f, 0xc1], register, place)
  }

  /** Puts a register to a place that holds what RAX holds; else reads the place into RAX. Tells which by `equal`. */
  compareExchange(place: Memory, register: number): this {
    return this.#byte(0xf0).#general([0x0f, 0xb1], register, place)
  }

  /** Says that this is a loop that waits. */
  pause(): this {
    return this.#byte(0xf3, 0x90)
  }

  /** Calls the system, which leaves all registers alone but RAX, RCX and R11. */
  system(): this {
    return this.#byte(0x0f, 0x05)
  }

  call(target: Label | Memory): this {
    return 'jumps' in target ? this.#byte(0xe8).#distance(target) : this.#general([0xff], 2, target, false)
  }

  /** Bytes of code so far. */
  get length(): number {
    return this.#length
  }

  label(): Label {
    return { at: undefined, jumps: [] }
  }

  set(label: Label): this {
    label.at = this.#length
    for (const jump of label.jumps) this.#write(jump, label.at - jump - 4)
    return this
  }

  jump(label: Label): this {
    return this.#byte(0xe9).#distance(label)
  }

  jumpIf(condition: Condition, label: Label): this {
    return this.#byte(0x0f, 0x80 | CONDITIONS[condition]).#distance(label)
  }

  #distance(label: Label): this {
    const at = this.#length
    if (label.at === undefined) label.jumps.push(at)
    return this.#word(label.at === undefined ? 0 : label.at - at - 4)
  }

  #write(at: number, value: number): void {
    for (let i = 0; i < 4; i++) this.#bytes[at + i] = (value >> (8 * i)) & 0xff
  }

  /** Bytes behind the code, aligned to their number; the same are there once. */
  literal(bytes: Uint8Array): Literal {
    const key = bytes.join()
    let literal = this.#known.get(key)
    if (literal === undefined) {
      while (this.#literals.length % bytes.length !== 0) this.#literals.push(0)
      literal = { literal: this.#literals.length }
      this.#literals.push(...bytes)
      this.#known.set(key, literal)
    }
    return literal
  }

  vector(name: VectorName, operands: VectorOperands): this {
    const form: Form = FORMS[name]
    const prefix = form.only ?? this.#prefix
    return prefix === 'vex' ? this.#vex(form, operands) : this.#evex(form, operands)
  }

  #vex({ map, prefix, opcode, wide, extension }: Form, { bits, to, from, operand, immediate }: VectorOperands): this {
    const [base, index] = parts(operand)
    const [register, source] = extension === undefined ? [to, from ?? 0] : [extension, to]
    const last = ((~source & 15) << 3) | (bits === 256 ? 4 : 0) | prefix
    const isWide = wide === 'vex' || wide === 'both'
    if (map === 1 && !isWide && base < 8 && index < 8) this.#byte(0xc5, (register < 8 ? 0x80 : 0) | last)
    else {
      const first = (register < 8 ? 0x80 : 0) | (index < 8 ? 0x40 : 0) | (base < 8 ? 0x20 : 0) | map
      this.#byte(0xc4, first, (isWide ? 0x80 : 0) | last)
    }
    this.#byte(opcode).#operands(register, operand, 1, immediate === undefined ? 0 : 1)
    return immediate === undefined ? this : this.#byte(immediate)
  }

  #evex(form: Form, { bits, to, from, operand, immediate, mask }: VectorOperands): this {
    const { map, prefix, opcode, wide, extension, unit } = form
    const [base, index] = parts(operand)
    const [register, source] = extension === undefined ? [to, from ?? 0] : [extension, to]
    const isRegister = typeof operand === 'number'
    const first =
      ((register & 8) === 0 ? 0x80 : 0) |
      // A register as operand has its fifth bit where an index would have its fourth.
      ((isRegister ? base & 16 : index & 8) === 0 ? 0x40 : 0) |
      ((base & 8) === 0 ? 0x20 : 0) |
      ((register & 16) === 0 ? 0x10 : 0) |
      map
    const isWide = wide === 'evex' || wide === 'both'
    const second = (isWide ? 0x80 : 0) | ((~source & 15) << 3) | 4 | prefix
    // Where memory is written, lanes that do not count stay as they are.
    const zeroes = mask !== undefined && !(form.stores === true && !isRegister) ? 0x80 : 0
    const length = bits === 512 ? 0x40 : bits === 256 ? 0x20 : 0
    const third = zeroes | length | ((source & 16) === 0 ? 8 : 0) | (mask ?? 0)
    const step = unit === undefined ? bits / 8 : unit > 0 ? unit : bits / 8 / -unit
    this.#byte(0x62, first, second, third, opcode).#operands(register, operand, step, immediate === undefined ? 0 : 1)
    return immediate === undefined ? this : this.#byte(immediate)
  }

  /** The code, with its literals behind it. */
  finish(): Uint8Array {
    const code = this.#length
    const start = Math.ceil(code / 64) * 64
    for (const { at, end, literal } of this.#references) this.#write(at, start + literal - end)
    const bytes = new Uint8Array(start + this.#literals.length)
    bytes.set(this.#bytes.subarray(0, code))
    bytes.set(this.#literals, start)
    return bytes
  }
}

/** The registers that an operand names: its own or its base, and its index. */
function parts(operand: Operand): readonly [base: number, index: number] {
  if (typeof operand === 'number') return [operand, 0]
  return isLiteral(operand) ? [0, 0] : [operand.base, operand.index ?? 0]
}
