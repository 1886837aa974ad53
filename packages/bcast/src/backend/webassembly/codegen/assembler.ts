// Writes the body of one WebAssembly function, byte by byte. It does not check types: the platform validates every
// module before it runs, and the tests read kernels back as text.
import type { ValueType } from './opcodes.ts'

const TYPE_CODES: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b }

/** A block type without values. */
const NO_VALUE = 0x40

/** A local variable of the function being written. */
export interface Local {
  readonly index: number
  readonly type: ValueType
}

/** Bytes that grow. */
export class Bytes {
  #bytes: Uint8Array = new Uint8Array(1024)
  #length = 0

  byte(value: number): this {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
    return this
  }

  /** LEB128, unsigned; up to 32 bits. */
  unsigned(value: number): this {
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) this.byte((rest & 0x7f) | 0x80)
    return this.byte(rest)
  }

  /** LEB128, signed; up to 32 bits. */
  signed(value: number): this {
    let rest = value
    for (; rest < -0x40 || rest > 0x3f; rest >>= 7) this.byte((rest & 0x7f) | 0x80)
    return this.byte(rest & 0x7f)
  }

  append(bytes: ArrayLike<number>): this {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
    return this
  }

  #grow(by: number): void {
    const larger = new Uint8Array(2 * (this.#bytes.length + by))
    larger.set(this.#bytes)
    this.#bytes = larger
  }

  /** What was written. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}

export class Assembler {
  readonly #code = new Bytes()
  /** Sets the constants; goes before the code. */
  readonly #prologue = new Bytes()
  readonly #constants = new Map<string, Local>()
  /** Types of the locals behind the one parameter. */
  readonly #locals: ValueType[] = []
  /** The function's one parameter. */
  readonly parameter: Local = { index: 0, type: 'i32' }

  local(type: ValueType): Local {
    return { index: this.#locals.push(type), type }
  }

  /** A local that holds these 16 bytes from the function's start. */
  constant(bytes: Uint8Array): Local {
    const key = bytes.join()
    let local = this.#constants.get(key)
    if (local === undefined) {
      local = this.local('v128')
      this.#constants.set(key, local)
      this.#prologue.byte(0xfd).byte(12).append(bytes).byte(0x21).unsigned(local.index)
    }
    return local
  }

  get(local: Local): this {
    this.#code.byte(0x20).unsigned(local.index)
    return this
  }

  set(local: Local): this {
    this.#code.byte(0x21).unsigned(local.index)
    return this
  }

  tee(local: Local): this {
    this.#code.byte(0x22).unsigned(local.index)
    return this
  }

  i32(value: number): this {
    this.#code.byte(0x41).signed(value | 0)
    return this
  }

  /** An instruction without immediates. */
  op(code: number): this {
    if (code > 0xff) this.#code.byte(code >> 8).unsigned(code & 0xff)
    else this.#code.byte(code)
    return this
  }

  lane(code: number, lane: number): this {
    this.op(code).#code.byte(lane)
    return this
  }

  /** Bytes of the two vectors below, by position: 0 to 15 of the first, 16 to 31 of the second. */
  shuffle(bytes: readonly number[]): this {
    this.#code.byte(0xfd).byte(13).append(bytes)
    return this
  }

  /** A load or store at the address below plus `offset`. The alignment is a hint that platforms ignore. */
  memory(code: number, offset = 0): this {
    this.op(code).#code.byte(0).unsigned(offset)
    return this
  }

  laneMemory(code: number, lane: number, offset = 0): this {
    this.memory(code, offset).#code.byte(lane)
    return this
  }

  /** The remainder of the two f64 below: the module's one imported function. */
  callRemainder(): this {
    this.#code.byte(0x10).byte(0)
    return this
  }

  /** The first of the two numbers below where the condition on top holds, else the second. */
  select(): this {
    this.#code.byte(0x1b)
    return this
  }

  #nested(code: number, body: () => void): this {
    this.#code.byte(code).byte(NO_VALUE)
    body()
    this.#code.byte(0x0b)
    return this
  }

  block(body: () => void): this {
    return this.#nested(0x02, body)
  }

  loop(body: () => void): this {
    return this.#nested(0x03, body)
  }

  /** Takes the condition below. */
  if(then: () => void, otherwise?: () => void): this {
    return this.#nested(0x04, () => {
      then()
      if (otherwise === undefined) return
      this.#code.byte(0x05)
      otherwise()
    })
  }

  /** Leaves `levels` enclosing blocks, or starts that loop again. */
  br(levels: number): this {
    this.#code.byte(0x0c).unsigned(levels)
    return this
  }

  brIf(levels: number): this {
    this.#code.byte(0x0d).unsigned(levels)
    return this
  }

  /** The function's body with its locals, which are declared as runs of one type. */
  finish(): Uint8Array {
    const runs: [count: number, type: ValueType][] = []
    for (const type of this.#locals) {
      const last = runs.at(-1)
      if (last?.[1] === type) last[0]++
      else runs.push([1, type])
    }
    const body = new Bytes().unsigned(runs.length)
    for (const [count, type] of runs) body.unsigned(count).byte(TYPE_CODES[type])
    return body.append(this.#prologue.written).append(this.#code.written).byte(0x0b).written
  }
}
