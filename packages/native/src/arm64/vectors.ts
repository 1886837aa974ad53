// Values of a kernel as vectors: so many elements in one or more registers of 16 bytes. Truth values are masks, all bits or
// none, as wide as what was compared.
import type { DType } from 'bcast/kernels'
import { bytesOf } from '../machine/types.ts'
import type { Vector } from '../machine/vector.ts'
import type { Assembler } from './assembler.ts'
import type { VectorName } from './forms.ts'
import type { Step, Virtual } from './steps.ts'

/** Bytes of a register. */
export const BYTES = 16

export type { Vector } from '../machine/vector.ts'

/** Writes steps. */
export class Writer {
  /** Elements of a vector. */
  readonly lanes: number
  /** What is constant, by its bytes. */
  readonly constants: Map<string, { readonly bytes: Uint8Array; readonly virtual: Virtual }> = new Map()
  steps: Step[] = []
  #last = 0

  constructor(lanes: number) {
    this.lanes = lanes
  }

  /** Registers that elements of a width take. */
  parts(width: number): number {
    return Math.max(1, (this.lanes * width) / BYTES)
  }

  /** Elements of a width that count in a register. */
  perPart(width: number): number {
    return Math.min(this.lanes, BYTES / width)
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

  /** One instruction over elements of a width. */
  op(name: VectorName, width: number, ...reads: readonly Virtual[]): Virtual {
    return this.step({ reads, write: (asm, to, from) => asm.vector(name, width, to, from) })
  }

  shift(name: VectorName, width: number, value: Virtual, amount: number): Virtual {
    return this.step({ reads: [value], write: (asm, to, from) => asm.vector(name, width, to, from, amount) })
  }

  /** An instruction that changes a register. */
  change(name: VectorName, width: number, before: Virtual, ...reads: readonly Virtual[]): Virtual {
    return this.step({ reads, before, write: (asm, to, from) => asm.vector(name, width, to, from) })
  }

  /** Work on general registers, which writes lanes one by one. */
  lanewise(reads: readonly Virtual[], write: (asm: Assembler, to: number, from: readonly number[]) => void): Virtual {
    return this.step({ reads, early: true, write })
  }

  /** An element in every lane. */
  constant(dtype: DType, value: number | bigint): Virtual {
    const width = bytesOf(dtype)
    const element = new DataView(new ArrayBuffer(8))
    if (dtype === 'float32') element.setFloat32(0, Number(value), true)
    else if (dtype === 'float64') element.setFloat64(0, Number(value), true)
    else element.setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true)
    return this.literal(Uint8Array.from({ length: BYTES }, (_, i) => element.getUint8(i % width)))
  }

  /** The bytes of a register. */
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

  and(a: Virtual, b: Virtual): Virtual {
    return this.op('and', 1, a, b)
  }

  or(a: Virtual, b: Virtual): Virtual {
    return this.op('orr', 1, a, b)
  }

  /** The bits of `a` where a mask has ones, else those of `b`. */
  choose(mask: Virtual, a: Virtual, b: Virtual): Virtual {
    return this.change('bsl', 1, mask, a, b)
  }
}

/** The part that stands for part `i`. */
export const partAt = ({ parts, uniform }: Vector, i: number): Virtual => parts[uniform ? 0 : i]!

/** Applies `emit` to each part of operands of one width. */
export function eachPart(
  w: Writer,
  operands: readonly Vector[],
  width: number,
  emit: (...parts: readonly Virtual[]) => Virtual,
): Vector {
  const uniform = operands.every((operand) => operand.uniform)
  const count = uniform ? 1 : w.parts(width)
  const parts = Array.from({ length: count }, (_, i) => emit(...operands.map((operand) => partAt(operand, i))))
  return { width, parts, uniform }
}
