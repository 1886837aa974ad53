// Many elements to one is no program. Each backend that knows a way of its own has it in a table here, by its name, so
// that only programs that reduce carry it.
import { checkReach } from '../tensor/placed.ts'
import type { Outcome } from './backend.ts'
import { backends } from './backends.ts'
import { reduce as interpreted, reduceAsync as interpretedAsync } from './interpreter/reduce.ts'
import type { ReduceJob, ReduceOn } from './reduce-job.ts'
import type { Adding } from './repeat.ts'
import { reduceOnWebAssembly } from './webassembly/reduce/reduce.ts'

const ways: Readonly<Record<string, ReduceOn>> = {
  webassembly: reduceOnWebAssembly,
  interpreter: { run: (_, job) => interpreted(job), runAsync: (_, job, check) => interpretedAsync(job, check) },
}

const checkOperands = ({ shape, operands }: ReduceJob): void => {
  for (const operand of operands) checkReach(shape, operand)
}

/** Kernels only know that some element has no value; the interpreter finds the first one. */
const positionOf = (outcome: Outcome, job: ReduceJob): number => {
  const found = outcome === 'fault' ? interpreted(job) : outcome
  return typeof found === 'number' ? found : -1
}

/** Computes a job. Gives the lowest row-major position of an element without a value, or -1. */
export function reduce(job: ReduceJob): number {
  checkOperands(job)
  for (const backend of backends()) {
    const outcome = ways[backend.name]?.run(backend, job) ?? 'unable'
    if (outcome !== 'unable') return positionOf(outcome, job)
  }
  return -1
}

/** The same without keeping the calling thread; only in turn. */
export async function reduceAsync(job: ReduceJob): Promise<number> {
  const check = (): void => checkOperands(job)
  check()
  for (const backend of backends()) {
    const outcome = (await ways[backend.name]?.runAsync(backend, job, check)) ?? 'unable'
    if (outcome !== 'unable') return positionOf(outcome, job)
  }
  return -1
}

/** Adds it to calls that are repeated; false where it has to be computed anew each time. */
export function repeatReduce(repetition: Adding, job: ReduceJob): boolean {
  checkOperands(job)
  return ways[repetition.backend.name]?.repeat?.(repetition, job) ?? false
}
