// Writes one WebAssembly function and checks types as it goes: every instruction names what it takes from the stack,
// so a mistake in code generation stops at the instruction that makes it and not in the engine's validator.
import { laneMemoryOpcodes, laneOpcodes, memoryOpcodes, type Opcode, opcodes, type ValueType } from './opcodes.ts'

const TYPE_CODES: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b }

/** LEB128, unsigned. */
export function unsigned(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  do {
    const byte = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? byte | 0x80 : byte)
  } while (rest > 0)
  return bytes
}

/** LEB128, signed. */
export function signed(value: bigint): number[] {
  const bytes: number[] = []
  let rest = value
  for (;;) {
    const byte = Number(rest & 0x7fn)
    rest >>= 7n
    const done = (rest === 0n && (byte & 0x40) === 0) || (rest === -1n && (byte & 0x40) !== 0)
    bytes.push(done ? byte : byte | 0x80)
    if (done) return bytes
  }
}

/** A local variable of the function being written. */
export interface Local {
  readonly index: number
  readonly type: ValueType
}

class AssemblyError extends Error {
  override name = 'AssemblyError'
}

export class Assembler {
  readonly #bytes: number[] = []
  readonly #lines: string[] = []
  readonly #locals: ValueType[]
  readonly #parameters: number
  #stack: ValueType[] = []
  #depth = 0

  constructor(parameters: readonly ValueType[]) {
    this.#locals = [...parameters]
    this.#parameters = parameters.length
  }

  parameter(index: number): Local {
    return { index, type: this.#locals[index]! }
  }

  local(type: ValueType): Local {
    return { index: this.#locals.push(type) - 1, type }
  }

  #write(text: string, ...bytes: readonly (readonly number[])[]): void {
    for (const part of bytes) this.#bytes.push(...part)
    this.#lines.push('  '.repeat(this.#depth + 1) + text)
  }

  #pop(expected: ValueType, text: string): void {
    const found = this.#stack.pop()
    if (found !== expected)
      throw new AssemblyError(`${text} takes ${expected}, and the stack has ${found ?? 'nothing'}`)
  }

  #apply({ takes, gives }: Opcode, text: string): void {
    for (const type of takes.toReversed()) this.#pop(type, text)
    this.#stack.push(...gives)
  }

  get(local: Local): this {
    this.#stack.push(local.type)
    this.#write(`local.get ${local.index}`, [0x20], unsigned(local.index))
    return this
  }

  set(local: Local): this {
    this.#pop(local.type, `local.set ${local.index}`)
    this.#write(`local.set ${local.index}`, [0x21], unsigned(local.index))
    return this
  }

  tee(local: Local): this {
    this.#pop(local.type, `local.tee ${local.index}`)
    this.#stack.push(local.type)
    this.#write(`local.tee ${local.index}`, [0x22], unsigned(local.index))
    return this
  }

  i32(value: number): this {
    this.#stack.push('i32')
    this.#write(`i32.const ${value | 0}`, [0x41], signed(BigInt(value | 0)))
    return this
  }

  i64(value: bigint): this {
    const wrapped = BigInt.asIntN(64, value)
    this.#stack.push('i64')
    this.#write(`i64.const ${wrapped}`, [0x42], signed(wrapped))
    return this
  }

  v128(bytes: Uint8Array): this {
    this.#stack.push('v128')
    const words = new Uint32Array(bytes.slice().buffer)
    this.#write(
      `v128.const i32x4 ${[...words].map((word) => `0x${word.toString(16).padStart(8, '0')}`).join(' ')}`,
      [0xfd, 12],
      [...bytes],
    )
    return this
  }

  /** An instruction without immediates. */
  op(name: string): this {
    const opcode = opcodes.get(name)
    if (opcode === undefined) throw new AssemblyError(`no instruction ${name}`)
    this.#apply(opcode, name)
    this.#write(name, opcode.code)
    return this
  }

  lane(name: string, lane: number): this {
    const opcode = laneOpcodes.get(name)
    if (opcode === undefined) throw new AssemblyError(`no instruction ${name}`)
    this.#apply(opcode, name)
    this.#write(`${name} ${lane}`, opcode.code, [lane])
    return this
  }

  /** Bytes of the two vectors below, by position: 0 to 15 of the first, 16 to 31 of the second. */
  shuffle(bytes: readonly number[]): this {
    this.#apply({ code: [], takes: ['v128', 'v128'], gives: ['v128'] }, 'i8x16.shuffle')
    this.#write(`i8x16.shuffle ${bytes.join(' ')}`, [0xfd, 13], bytes)
    return this
  }

  /** A load or store at the address below plus `offset`. Alignment is a hint only; elements decide it. */
  memory(name: string, offset = 0, align?: number): this {
    const opcode = memoryOpcodes.get(name)
    if (opcode === undefined) throw new AssemblyError(`no instruction ${name}`)
    this.#apply(opcode, name)
    this.#write(
      `${name} offset=${offset}`,
      opcode.code,
      unsigned(Math.min(align ?? opcode.align, opcode.align)),
      unsigned(offset),
    )
    return this
  }

  laneMemory(name: string, lane: number, offset = 0): this {
    const opcode = laneMemoryOpcodes.get(name)
    if (opcode === undefined) throw new AssemblyError(`no instruction ${name}`)
    this.#apply(opcode, name)
    this.#write(`${name} offset=${offset} ${lane}`, opcode.code, [0], unsigned(offset), [lane])
    return this
  }

  /** The remainder of the two f64 below: the module's one imported function. */
  callRemainder(): this {
    this.#apply({ code: [], takes: ['f64', 'f64'], gives: ['f64'] }, 'call remainder')
    this.#write('call $remainder', [0x10, 0])
    return this
  }

  /** The first of the two values below where the condition on top holds, else the second. */
  select(): this {
    this.#pop('i32', 'select')
    const type = this.#stack.at(-1)
    if (type === undefined) throw new AssemblyError('select takes two values')
    this.#pop(type, 'select')
    this.#pop(type, 'select')
    this.#stack.push(type)
    if (type === 'v128') this.#write('select (result v128)', [0x1c, 1, TYPE_CODES.v128])
    else this.#write('select', [0x1b])
    return this
  }

  #nested(text: string, code: number, body: () => void): void {
    const outer = this.#stack
    this.#stack = []
    this.#write(text, [code, 0x40])
    this.#depth++
    body()
    if (this.#stack.length !== 0) throw new AssemblyError(`${text} leaves ${this.#stack.join(' ')} on the stack`)
    this.#depth--
    this.#stack = outer
  }

  block(body: () => void): this {
    this.#nested('block', 0x02, body)
    this.#write('end', [0x0b])
    return this
  }

  loop(body: () => void): this {
    this.#nested('loop', 0x03, body)
    this.#write('end', [0x0b])
    return this
  }

  /** Takes the condition below. */
  if(then: () => void, otherwise?: () => void): this {
    this.#pop('i32', 'if')
    this.#nested('if', 0x04, then)
    if (otherwise !== undefined) this.#nestedElse(otherwise)
    this.#write('end', [0x0b])
    return this
  }

  #nestedElse(body: () => void): void {
    const outer = this.#stack
    this.#stack = []
    this.#write('else', [0x05])
    this.#depth++
    body()
    if (this.#stack.length !== 0) throw new AssemblyError(`else leaves ${this.#stack.join(' ')} on the stack`)
    this.#depth--
    this.#stack = outer
  }

  /** Leaves `levels` enclosing blocks, or starts that loop again. Code behind it up to the block's end is not reached. */
  br(levels: number): this {
    this.#write(`br ${levels}`, [0x0c], unsigned(levels))
    this.#stack = []
    return this
  }

  brIf(levels: number): this {
    this.#pop('i32', 'br_if')
    this.#write(`br_if ${levels}`, [0x0d], unsigned(levels))
    return this
  }

  return(): this {
    this.#write('return', [0x0f])
    this.#stack = []
    return this
  }

  /** The text form of what was written, for tests and people. */
  get text(): string {
    const locals = this.#locals.slice(this.#parameters)
    const header = locals.length === 0 ? [] : [`  (local ${locals.join(' ')})`]
    return [...header, ...this.#lines].join('\n')
  }

  /** The function's body, with its locals; `gives` must be what is left on the stack. */
  finish(gives: readonly ValueType[]): number[] {
    if (this.#stack.join() !== gives.join())
      throw new AssemblyError(`the function gives ${gives.join(' ')} and the stack has ${this.#stack.join(' ')}`)
    const locals: number[] = []
    let groups = 0
    const own = this.#locals.slice(this.#parameters)
    for (let i = 0; i < own.length; groups++) {
      let end = i
      while (own[end] === own[i]) end++
      locals.push(...unsigned(end - i), TYPE_CODES[own[i]!])
      i = end
    }
    return [...unsigned(groups), ...locals, ...this.#bytes, 0x0b]
  }

  static types(types: readonly ValueType[]): number[] {
    return [...unsigned(types.length), ...types.map((type) => TYPE_CODES[type])]
  }
}
