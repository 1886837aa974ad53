// The code inside the loops of an element-wise kernel: one pass computes vectors of every row of a block and stores them.
import type { Program, Signature } from 'bcast/kernels'
import { maskBytes } from './casts.ts'
import { COUNTED, Elements, lanesOf, moveName, POINTERS } from './elements.ts'
import type { VectorName } from './forms.ts'
import type { StackFrame } from './frame.ts'
import type { Step } from './steps.ts'
import { bytesOf, type Level, type Pass, type Vector } from './vectors.ts'

export class Body extends Elements {
  /** Whether whole passes store past the caches: a vector of the result fills at least the smallest register. */
  readonly streams: boolean

  constructor(program: Program, signature: Signature, level: Level, streams: boolean, frame: StackFrame) {
    const dtypes = [...program.inputs, program.code.at(-1)!.dtype]
    super(program, { level, lanes: lanesOf(program, level), signature, dtypes, registers: POINTERS }, frame)
    this.streams = streams && this.w.lanes * bytesOf(dtypes.at(-1)!) >= 16
  }

  /** The steps of a pass over `vectors` vectors of each row. */
  steps(pass: Pass, vectors: number): readonly Step[] {
    const { w } = this
    w.steps = []
    for (let i = 0; i < vectors; i++) {
      for (const [row, result] of this.results(i, pass, this.signature.rows).entries())
        this.#store(result, row, i, pass)
    }
    return w.steps
  }

  #store(result: Vector, row: number, i: number, pass: Pass): void {
    const { w } = this
    const last = this.dtypes.length - 1
    const vector = this.dtypes[last] === 'bool' ? maskBytes(w, result) : result
    const { width } = vector
    for (let part = 0; part < w.parts(width); part++) {
      w.steps.push({
        ...this.placeOf(last, row, i, part, pass),
        name: this.streams && pass === 'whole' ? 'vmovntdq' : (`${moveName(w, width, pass)}Store` as VectorName),
        bits: w.bits(width),
        stored: vector.parts[vector.uniform ? 0 : part]!,
        ...(w.isWide && pass === 'partial' ? { mask: COUNTED[part]! } : {}),
      })
    }
  }
}
