// What combining vectors is on every processor: the instruction over two, pairs of pairs, the element that changes nothing.
import { type Combining, type DType, type Instruction, neutral } from 'bcast/kernels'
import type { EmitInstruction } from '../emission.ts'
import type { Virtual } from '../homes.ts'
import { bytesOf } from '../types.ts'
import type { Vector } from '../vector.ts'

/** What writes steps of a processor. */
interface Writer {
  constant(dtype: DType, value: number | bigint): Virtual
}

export class Pairing<W extends Writer> {
  readonly w: W
  readonly width: 1 | 2 | 4 | 8
  readonly lanes: number
  readonly parts: number
  readonly none: Virtual
  readonly #code: readonly Instruction[]
  readonly #emit: EmitInstruction<W>

  /** Registers have so many bytes. */
  constructor(
    w: W,
    dtype: DType,
    combining: Combining,
    lanes: number,
    emit: EmitInstruction<W>,
    registerBytes: number,
  ) {
    this.w = w
    this.width = bytesOf(dtype) as 1 | 2 | 4 | 8
    this.lanes = lanes
    this.parts = Math.max(1, this.bytes / registerBytes)
    this.none = w.constant(dtype, neutral(combining, dtype))
    this.#emit = emit
    this.#code = [
      { op: 'input', dtype, args: [], value: 0 },
      { op: 'input', dtype, args: [], value: 1 },
      { op: combining, dtype, args: [0, 1] },
    ]
  }

  get bytes(): number {
    return this.lanes * this.width
  }

  pair(a: Vector, b: Vector): Vector {
    return this.#emit(this.w, this.#code, 2, [a, b], () => {
      throw new TypeError('what is combined is there already')
    })
  }

  pairs(vectors: readonly Vector[]): Vector {
    if (vectors.length === 1) return vectors[0]!
    const half = vectors.length / 2
    return this.pair(this.pairs(vectors.slice(0, half)), this.pairs(vectors.slice(half)))
  }

  vector(parts: readonly Virtual[]): Vector {
    return { width: this.width, parts, uniform: false }
  }

  /** One part, of which the first lanes alone may count, combined with another. */
  protected pairParts(a: Virtual, b: Virtual): Virtual {
    const single = (part: Virtual): Vector => ({ width: this.width, parts: [part], uniform: true })
    return this.pair(single(a), single(b)).parts[0]!
  }
}
