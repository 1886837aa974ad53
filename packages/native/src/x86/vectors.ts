// Values of a kernel as vectors: so many elements in one or more registers. Truth values are masks, all bits or none, as
// wide as what was compared.
import { bitsOf, type DType } from 'bcast/kernels'
import type { VectorName } from './forms.ts'
import type { Bits, Literal, Memory } from './registers.ts'
import type { Step, Virtual } from './steps.ts'

/** Which instructions the processor has. */
export type Level = 'avx2' | 'avx512'

/** Bytes of a whole register. */
export const BYTES: Readonly<Record<Level, 32 | 64>> = { avx2: 32, avx512: 64 }

export interface Vector {
  /** Bytes of one element. */
  readonly width: number
  /** The elements in order; fewer than fill a register lie at its start. */
  readonly parts: readonly Virtual[]
  /** The same element in every lane of a whole register: one part stands for all. */
  readonly uniform: boolean
}

/** Said where there is no machine code for an instruction; another backend computes it then. */
export class Unsupported extends Error {
  override name = 'Unsupported'
}

export const bytesOf = (dtype: DType): number => bitsOf(dtype) / 8

/** The mask register of comparisons, which lasts until the next step. */
const COMPARED = 7

/** Writes steps. */
export class Writer {
  readonly level: Level
  /** What is constant, by its bytes. */
  readonly constants: Map<string, { readonly bytes: Uint8Array; readonly virtual: Virtual }> = new Map()
  steps: Step[] = []
  #lanes: number
  #last = 0

  constructor(level: Level, lanes: number) {
    this.level = level
    this.#lanes = lanes
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
  step(step: Omit<Step, 'to'>): Virtual {
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
    const width = bytesOf(dtype)
    const element = new DataView(new ArrayBuffer(8))
    if (dtype === 'float32') element.setFloat32(0, Number(value), true)
    else if (dtype === 'float64') element.setFloat64(0, Number(value), true)
    else element.setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true)
    const bytes = Uint8Array.from({ length: BYTES[this.level] }, (_, i) => element.getUint8(i % width))
    return this.literal(bytes)
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
  emit: (parts: readonly Virtual[], bits: Bits) => Virtual,
): Vector {
  const uniform = operands.every((operand) => operand.uniform)
  const count = uniform ? 1 : w.parts(width)
  // What is the same in every lane is so in a whole register.
  const bits = uniform ? w.whole : w.bits(width)
  const parts = Array.from({ length: count }, (_, i) =>
    emit(
      operands.map((operand) => partAt(operand, i)),
      bits,
    ),
  )
  return { width, parts, uniform }
}
