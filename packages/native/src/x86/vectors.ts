// Values of a kernel as vectors: so many elements in one or more registers. Truth values are masks, all bits or none, as
// wide as what was compared.
import type { DType } from 'bcast/kernels'
import { bytesOf } from '../machine/types.ts'
import type { Vector } from '../machine/vector.ts'
import type { VectorName } from './forms.ts'
import type { StackFrame } from './frame.ts'
import type { Bits, Literal, Memory } from './registers.ts'
import type { Step, VectorStep, Virtual } from './steps.ts'

/** Which instructions the processor has. */
export type Level = 'avx2' | 'avx512'

/** Bytes of a whole register. */
export const BYTES: Readonly<Record<Level, 32 | 64>> = { avx2: 32, avx512: 64 }

export { bytesOf } from '../machine/types.ts'
export { Unsupported } from '../machine/unsupported.ts'
export type { Vector } from '../machine/vector.ts'

/** A pass of the inner loop computes whole vectors, or as many elements as are counted. */
export type Pass = 'whole' | 'partial'

/** An element again and again. */
function everywhere(dtype: DType, value: number | bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  const element = new DataView(bytes.buffer)
  if (dtype === 'float32') element.setFloat32(0, Number(value), true)
  else if (dtype === 'float64') element.setFloat64(0, Number(value), true)
  else element.setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true)
  for (let i = bytesOf(dtype); i < length; i *= 2) bytes.copyWithin(i, 0, i)
  return bytes
}

/** The mask register of comparisons, which lasts until the next step. */
const COMPARED = 7

/** Writes steps. */
export class Writer {
  readonly level: Level
  /** What is constant, by its bytes. */
  readonly constants: Map<string, { readonly bytes: Uint8Array; readonly virtual: Virtual }> = new Map()
  steps: Step[] = []
  #lanes: number
  /** What is written: what is the same along a row, whole vectors, or as many elements as are counted. */
  pass: 'still' | Pass = 'still'
  /** Where the number of elements of a partial pass lies. */
  readonly counted: Memory
  /** Where masks of elements without a value are gathered, once some instruction has any. */
  fault: Memory | undefined
  readonly #frame: StackFrame
  readonly #buffers: Memory[] = []
  readonly #splats = new Map<string, Virtual>()
  #last = 0

  constructor(level: Level, lanes: number, frame: StackFrame) {
    this.level = level
    this.#lanes = lanes
    this.counted = frame.room(8)
    this.#frame = frame
  }

  /** Elements of a vector. */
  get lanes(): number {
    return this.#lanes
  }

  /** Lets `emit` write steps over vectors of so many elements. */
  withLanes<T>(lanes: number, emit: () => T): T {
    const own = this.#lanes
    this.#lanes = lanes
    try {
      return emit()
    } finally {
      this.#lanes = own
    }
  }

  /** A place as long as a register, by number, for steps that lie close together. */
  buffer(i: number): Memory {
    this.#buffers[i] ??= this.#frame.room(64)
    return this.#buffers[i]
  }

  get isWide(): boolean {
    return this.level === 'avx512'
  }

  /** Bits of a whole register. */
  get whole(): Bits {
    return this.isWide ? 512 : 256
  }

  /** Bits of the registers that elements of a width lie in, and how many there are. */
  bits(width: number): Bits {
    return Math.min(this.whole, Math.max(128, this.lanes * width * 8)) as Bits
  }

  parts(width: number): number {
    return Math.max(1, (this.lanes * width) / BYTES[this.level])
  }

  virtual(): Virtual {
    return { virtual: this.#last++ }
  }

  /** Writes a step whose result is a new value. */
  step(step: Omit<VectorStep, 'to'>): Virtual {
    const to = this.virtual()
    this.steps.push({ ...step, to })
    return to
  }

  op(name: VectorName, bits: Bits, from: Virtual, operand: Virtual, immediate?: number): Virtual {
    return this.step({ name, bits, from, operand, ...(immediate === undefined ? {} : { immediate }) })
  }

  unary(name: VectorName, bits: Bits, operand: Virtual | Memory | Literal, immediate?: number): Virtual {
    return this.step({ name, bits, operand, ...(immediate === undefined ? {} : { immediate }) })
  }

  /** What makes elements narrower, or takes a part of a register. */
  narrow(name: VectorName, bits: Bits, stored: Virtual, immediate?: number): Virtual {
    return this.step({ name, bits, stored, ...(immediate === undefined ? {} : { immediate }) })
  }

  /** A comparison that writes a mask register, as a vector. */
  compared(name: VectorName, width: number, bits: Bits, from: Virtual, operand: Virtual, immediate: number): Virtual {
    this.steps.push({ name, bits, from, operand, immediate, toMask: COMPARED })
    const spread = ({ 1: 'vpmovm2b', 2: 'vpmovm2w', 4: 'vpmovm2d', 8: 'vpmovm2q' } as const)[width as 1 | 2 | 4 | 8]
    return this.step({ name: spread, bits, operandMask: COMPARED })
  }

  /** An element in every lane. */
  constant(dtype: DType, value: number | bigint): Virtual {
    const key = `${dtype} ${Object.is(value, -0) ? '-0' : value}`
    let known = this.#splats.get(key)
    if (known === undefined) this.#splats.set(key, (known = this.literal(everywhere(dtype, value, BYTES[this.level]))))
    return known
  }

  /** The bytes of a whole register. */
  literal(bytes: Uint8Array): Virtual {
    const key = bytes.join()
    let known = this.constants.get(key)
    if (known === undefined) {
      known = { bytes, virtual: this.virtual() }
      this.constants.set(key, known)
    }
    return known.virtual
  }

  /** Puts a register where memory is. */
  put(bits: Bits, value: Virtual, place: Memory): void {
    this.steps.push({ name: this.isWide ? 'vmovdqu32Store' : 'vmovdquStore', bits, stored: value, operand: place })
  }

  /** What lies in memory, as a register. */
  take(bits: Bits, place: Memory): Virtual {
    return this.step({ name: this.isWide ? 'vmovdqu32' : 'vmovdqu', bits, operand: place })
  }

  /** A place of its own, as long as a register. */
  place(): Memory {
    return this.#frame.room(64)
  }

  not(bits: Bits, mask: Virtual): Virtual {
    return this.xor(bits, mask, this.ones())
  }

  /** The elements of `a` where a mask has none, else 0. */
  without(bits: Bits, mask: Virtual, a: Virtual): Virtual {
    return this.op(this.isWide ? 'vpandnd' : 'vpandn', bits, mask, a)
  }

  zeros(): Virtual {
    return this.constant('uint8', 0)
  }

  ones(): Virtual {
    return this.constant('uint8', 255)
  }

  and(bits: Bits, a: Virtual, b: Virtual): Virtual {
    return this.op(this.isWide ? 'vpandd' : 'vpand', bits, a, b)
  }

  or(bits: Bits, a: Virtual, b: Virtual): Virtual {
    return this.op(this.isWide ? 'vpord' : 'vpor', bits, a, b)
  }

  xor(bits: Bits, a: Virtual, b: Virtual): Virtual {
    return this.op(this.isWide ? 'vpxord' : 'vpxor', bits, a, b)
  }

  /** The bits of `a` where others are ones, else those of `b`. */
  chooseBits(bits: Bits, ones: Virtual, a: Virtual, b: Virtual): Virtual {
    if (this.isWide) return this.choose(bits, ones, a, b)
    return this.or(bits, this.and(bits, ones, a), this.op('vpandn', bits, ones, b))
  }

  /** The elements of `a` where a mask has ones, else those of `b`. */
  choose(bits: Bits, mask: Virtual, a: Virtual, b: Virtual): Virtual {
    if (this.isWide) return this.step({ name: 'vpternlogd', bits, before: mask, from: a, operand: b, immediate: 0xca })
    return this.step({ name: 'vpblendvb', bits, from: b, operand: a, selector: mask })
  }
}

/** The part that stands for part `i`. */
export const partAt = ({ parts, uniform }: Vector, i: number): Virtual => parts[uniform ? 0 : i]!

/** Applies `emit` to each part of operands of one width. */
export function eachPart(
  w: Writer,
  operands: readonly Vector[],
  width: number,
  emit: (parts: readonly Virtual[], bits: Bits, part: number) => Virtual,
): Vector {
  const uniform = operands.every((operand) => operand.uniform)
  const count = uniform ? 1 : w.parts(width)
  // What is the same in every lane is so in a whole register.
  const bits = uniform ? w.whole : w.bits(width)
  const parts = Array.from({ length: count }, (_, i) =>
    emit(
      operands.map((operand) => partAt(operand, i)),
      bits,
      i,
    ),
  )
  return { width, parts, uniform }
}
