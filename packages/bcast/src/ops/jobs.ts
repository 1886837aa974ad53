// A program over placed operands as work to be done: one piece where a kernel can hold the program, else its passes.

import { runLater } from '../backend/async.ts'
import { run } from '../backend/backends.ts'
import type { Operand as Placed } from '../backend/interpreter/execute.ts'
import type { Storage } from '../dtype/dtype.ts'
import type { Program } from '../expr/ir.ts'
import type { Shape } from '../shape/dim.ts'
import type { Work } from './computation.ts'

/** A program, what it reads and where it writes, and the arrays that have to stay meanwhile. */
export type Job = readonly [
  program: Program,
  shape: Shape,
  inputs: readonly Placed[],
  out: Placed,
  arrays: readonly Storage[],
]

/** Work that is handed out; gives the lowest row-major position without a value, or -1. */
export type Works = Generator<Work, number, number>

let splitting: ((...job: Job) => Works | undefined) | undefined

/** Brings what splits programs that no kernel can hold; only operators of any number of operands make such. */
export function splitWith(inPasses: (...job: Job) => Works | undefined): void {
  splitting = inPasses
}

export const workFor = (...[program, shape, inputs, out, arrays]: Job): Work => ({
  now: () => run(program, shape, inputs, out),
  later: () => runLater(program, shape, inputs, out),
  arrays,
})

/** Hands out what computes a program into `out`. */
export function* workOf(...job: Job): Works {
  const split = splitting?.(...job)
  return split === undefined ? yield workFor(...job) : yield* split
}
