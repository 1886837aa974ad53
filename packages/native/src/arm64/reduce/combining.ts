// What reductions do to vectors of NEON: move them, leave the neutral element where nothing counts, fold the lanes of one.
import type { Combining, DType } from 'bcast/kernels'
import { Pairing } from '../../machine/reduce/combining.ts'
import type { Combiner as CombinerOf, Place } from '../../machine/reduce/writing.ts'
import { LEFT } from '../context.ts'
import { emitInstruction } from '../instructions.ts'
import { readsOf, type Step, type Virtual } from '../steps.ts'
import { BYTES, eachPart, partAt, type Vector, type Writer } from '../vectors.ts'
import { reach } from './control.ts'

export class Combiner extends Pairing<Writer> implements CombinerOf {
  constructor(w: Writer, dtype: DType, combining: Combining, lanes: number) {
    super(w, dtype, combining, lanes, emitInstruction, BYTES)
  }

  /** Bytes of a register that count. */
  get #perPart(): number {
    return Math.min(BYTES, this.bytes)
  }

  carry({ parts, uniform }: Vector, to: readonly Virtual[]): void {
    const { steps } = this.w
    const made = steps.slice(-to.length)
    // What was just made for this alone is made there.
    if (
      !uniform &&
      made.length === to.length &&
      made.every((step, i) => isMade(step, parts[i]!, made.slice(i + 1), to[i]!))
    ) {
      steps.splice(-made.length, made.length, ...made.map((step, i) => ({ ...step, to: to[i]! })))
      return
    }
    for (const [i, register] of to.entries()) {
      const part = parts[uniform ? 0 : i]!
      steps.push({ to: register, reads: [part], write: (asm, own, [from]) => asm.moveVector(own, from!) })
    }
  }

  load(at: Place): Vector {
    const bytes = this.#perPart
    const parts = Array.from({ length: this.parts }, (_, part) => {
      const place = behind(at, part)
      return this.w.step({ reads: [], write: (asm, to) => asm.loadVector(to, reach(asm, place, bytes), bytes) })
    })
    return this.vector(parts)
  }

  store(vector: Vector, at: Place): void {
    for (let part = 0; part < this.parts; part++) this.#store(partAt(vector, part), behind(at, part), this.#perPart)
  }

  #store(value: Virtual, at: Place, bytes: number): void {
    this.w.steps.push({
      reads: [value],
      write: (asm, _, [from]) => asm.storeVector(reach(asm, at, bytes), from!, bytes),
    })
  }

  /** As many lanes count as elements are left. */
  counted(vector: Vector): Vector {
    const { w, width } = this
    const left = w.step({ reads: [], write: (asm, to) => asm.putLanes(to, width, LEFT) })
    const none = { width, parts: [this.none], uniform: true }
    const perPart = w.perPart(width)
    const numbers = Array.from({ length: w.parts(width) }, (_, part) =>
      w.literal(Uint8Array.from({ length: BYTES }, (__, i) => (i % width === 0 ? part * perPart + i / width : 0))),
    )
    return eachPart(w, [{ width, parts: numbers, uniform: false }, vector, none], width, (number, a, b) =>
      w.choose(w.op('cmgt', width, left, number!), a!, b!),
    )
  }

  /** Lanes in pairs, each with the one beside it: half as many, one behind the other, until one is left. */
  storeFolded(vector: Vector, at: Place): void {
    const { w, width, lanes } = this
    let parts = Array.from({ length: this.parts }, (_, part) => partAt(vector, part))
    for (let left = lanes; left > 1; left /= 2) {
      const pairs = parts.length === 1 ? [[parts[0]!, parts[0]!] as const] : twoByTwo(parts)
      parts = pairs.map(([a, b]) => this.pairParts(w.op('uzp1', width, a, b), w.op('uzp2', width, a, b)))
    }
    this.#store(parts[0]!, at, width)
  }
}

/** Whether a step makes a value of what it reads alone, and later ones need neither that nor what is in a register. */
function isMade(step: Step, part: Virtual, later: readonly Step[], register: Virtual): boolean {
  const isNeeded = (value: Virtual): boolean =>
    later.some((other) => readsOf(other).some(({ virtual }) => virtual === value.virtual))
  if (step.to?.virtual !== part.virtual || step.before !== undefined || step.early === true) return false
  return !isNeeded(part) && !isNeeded(register)
}

/** The place of a part of a vector. */
const behind = (at: Place, part: number): Place => ({ ...at, displacement: (at.displacement ?? 0) + part * BYTES })

const twoByTwo = <T>(list: readonly T[]): (readonly [T, T])[] =>
  Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i]!, list[2 * i + 1]!])
