// What reductions do to vectors of x86-64: move them, leave the neutral element where nothing counts, fold the lanes of one.
import type { Combining, DType } from 'bcast/kernels'
import { Pairing } from '../../machine/reduce/combining.ts'
import type { Combiner as CombinerOf } from '../../machine/reduce/writing.ts'
import { COUNTED, moveName } from '../body.ts'
import { counted } from '../counts.ts'
import { emitInstruction } from '../instructions.ts'
import type { Memory } from '../registers.ts'
import { upper } from '../resize.ts'
import { isScalar, type Step, type VectorStep, type Virtual } from '../steps.ts'
import { BYTES, eachPart, type Vector, type Writer } from '../vectors.ts'

const SPREADS = { 1: 'vpmovm2b', 2: 'vpmovm2w', 4: 'vpmovm2d', 8: 'vpmovm2q' } as const
const STORES = { 1: 'vpextrb', 2: 'vpextrw', 4: 'vmovdStore', 8: 'vmovqStore' } as const

/** Whether a step makes a value of what it reads alone. */
const isMadeBy = (step: Step, { virtual }: Virtual): step is VectorStep =>
  !isScalar(step) && step.to?.virtual === virtual && step.before === undefined

export class Combiner extends Pairing<Writer> implements CombinerOf {
  constructor(w: Writer, dtype: DType, combining: Combining, lanes: number) {
    super(w, dtype, combining, lanes, emitInstruction, BYTES[w.level])
  }

  /** The program's vectors may be wider. */
  override pair(a: Vector, b: Vector): Vector {
    return this.w.withLanes(this.lanes, () => super.pair(a, b))
  }

  /** What a vector of twice the lanes holds, as two. */
  halves({ width, parts, uniform }: Vector): readonly [Vector, Vector] {
    if (uniform) return [this.vector(this.#all(parts[0]!)), this.vector(this.#all(parts[0]!))]
    const half = parts.length / 2
    if (half >= 1) return [this.vector(parts.slice(0, half)), this.vector(parts.slice(half))]
    return [this.vector(parts), this.vector([upper(this.w, parts[0]!, this.lanes * width)])]
  }

  #all(part: Virtual): readonly Virtual[] {
    return Array.from({ length: this.parts }, () => part)
  }

  carry(vector: Vector, to: readonly Virtual[]): void {
    const { w } = this
    const name = w.isWide ? 'vmovdqu32' : 'vmovdqu'
    const { steps } = w
    for (const [i, register] of to.entries()) {
      const part = vector.parts[vector.uniform ? 0 : i]!
      const last = steps.at(-1)
      // What was just made for this alone is made there.
      if (to.length === 1 && last !== undefined && isMadeBy(last, part)) {
        steps[steps.length - 1] = { ...last, to: register }
      } else steps.push({ name, bits: w.whole, to: register, operand: part })
    }
  }

  load(at: Memory): Vector {
    const { w, width, lanes } = this
    return w.withLanes(lanes, () => {
      const name = moveName(w, width, 'whole')
      const parts = Array.from({ length: this.parts }, (_, part) =>
        w.unary(name, w.bits(width), { ...at, displacement: (at.displacement ?? 0) + part * BYTES[w.level] }),
      )
      return this.vector(parts)
    })
  }

  store({ parts, uniform }: Vector, at: Memory): void {
    const { w, width, lanes } = this
    w.withLanes(lanes, () => {
      for (let part = 0; part < this.parts; part++) {
        w.steps.push({
          name: `${moveName(w, width, 'whole')}Store` as 'vmovdquStore',
          bits: w.bits(width),
          stored: parts[uniform ? 0 : part]!,
          operand: { ...at, displacement: (at.displacement ?? 0) + part * BYTES[w.level] },
        })
      }
    })
  }

  counted(vector: Vector): Vector {
    const { w, width } = this
    const masks = Array.from({ length: w.parts(width) }, (_, part) => {
      const bits = w.bits(width)
      return w.isWide
        ? w.step({ name: SPREADS[width], bits, operandMask: COUNTED[part]! })
        : counted(w, width, bits, part)
    })
    const none = { width, parts: [this.none], uniform: true }
    return eachPart(w, [{ width, parts: masks, uniform: false }, vector, none], width, ([mask, a, b], bits) =>
      w.choose(bits, mask!, a!, b!),
    )
  }

  storeFolded(vector: Vector, at: Memory): void {
    const { w, width } = this
    const stored = this.#folded(vector)
    const extracted = width <= 2 ? { immediate: 0 } : {}
    const name = width === 8 && w.isWide ? 'vmovqWideStore' : STORES[width]
    w.steps.push({ name, bits: 128, stored, operand: at, ...extracted })
  }

  /** All lanes of a vector as one, which is the first of a register. */
  #folded({ parts, uniform }: Vector): Virtual {
    const all = uniform ? this.#all(parts[0]!) : parts
    const ends = all.map((part) => this.#fold(this.#foldEach(part), Math.min(this.bytes, BYTES[this.w.level])))
    return this.#inPairs(ends)
  }

  #inPairs(parts: readonly Virtual[]): Virtual {
    if (parts.length === 1) return parts[0]!
    const half = parts.length / 2
    return this.pairParts(this.#inPairs(parts.slice(0, half)), this.#inPairs(parts.slice(half)))
  }

  /** Each 16 bytes of a register in pairs. */
  #foldEach(part: Virtual): Virtual {
    let result = part
    for (let bytes = this.width as number; bytes < Math.min(16, this.bytes); bytes *= 2) {
      result = this.pairParts(result, this.w.unary('vpsrldq', this.w.whole, result, bytes))
    }
    return result
  }

  /** The first of each 16 bytes in pairs. */
  #fold(part: Virtual, bytes: number): Virtual {
    if (bytes <= 16) return part
    const half = bytes / 2
    return this.pairParts(this.#fold(part, half), this.#fold(upper(this.w, part, half), half))
  }
}
