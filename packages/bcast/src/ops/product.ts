// What products of matrices have in common: A and B, and C if there is one, with options behind them, and how a job of
// theirs is executed.
import { gemm, gemmAsync, repeatGemm } from '../backend/gemm.ts'
import type { GemmJob } from '../backend/gemm-job.ts'
import type { Storage } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import { isOptions } from '../shape/options.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Allowed, checkOptions, checkTensors } from './arguments.ts'
import type { Execution } from './computation.ts'

/** The tensors and options of a call. */
export function productArguments<O extends object>(
  name: string,
  args: readonly unknown[],
  allowed: Allowed,
): { readonly tensors: readonly Tensor[]; readonly options: Partial<O> } {
  if (args.length > 4) throw new OperandError(`${name} takes A, B and C, and options behind them.`)
  const last = args.at(-1)
  const given = args.slice(0, isOptions(last) ? -1 : undefined).filter((arg, i) => i < 2 || arg !== undefined)
  if (given.length < 2)
    throw new OperandError(`${name} takes A and B, and C if there is one, not ${given.length} operands.`)
  const options = isOptions(last) ? last : {}
  checkOptions(name, options, allowed)
  checkTensors(name, given)
  return { tensors: given, options: options as Partial<O> }
}

/** A product always has a value for every element. */
export const productExecution = (job: GemmJob, arrays: readonly Storage[]): Execution => ({
  now: () => {
    gemm(job)
    return -1
  },
  async: async () => {
    await gemmAsync(job)
    return -1
  },
  arrays,
  repeated: (repetition) => repeatGemm(repetition, job),
})
