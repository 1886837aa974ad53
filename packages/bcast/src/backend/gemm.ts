// alpha * A B + beta * C is no program. Each backend that knows a way of its own has it in a table here, by its name, so
// that only programs that multiply matrices carry it.
import type { DType, Storage } from '../dtype/dtype.ts'
import { checkReach } from '../tensor/placed.ts'
import { backends } from './backends.ts'
import type { GemmJob, GemmOn, RepeatGemm } from './gemm-job.ts'
import { gemm as interpreted } from './interpreter/gemm.ts'
import { gemmOnWebAssembly } from './webassembly/gemm/gemm.ts'

const byElement = (job: GemmJob): boolean => {
  interpreted(job)
  return true
}

const ways: Readonly<Record<string, GemmOn>> = {
  webassembly: gemmOnWebAssembly,
  interpreter: { gathers: () => true, run: (_, job) => byElement(job), runAsync: async (_, job) => byElement(job) },
}

function checkOperands({ sizes: { m, n, k }, a, b, gathered, c, out }: GemmJob): void {
  checkReach([m, k], a)
  checkReach(gathered === undefined ? [k, n] : [...gathered.along.shape, ...gathered.across.shape], b)
  for (const operand of c === undefined ? [out] : [c, out]) checkReach([m, n], operand)
}

/** Whether B may be no matrix; otherwise it has to be copied first. */
export function canGather(dtype: DType, storage: Storage): boolean {
  const [backend] = backends()
  return ways[backend!.name]?.gathers?.(backend!, dtype, storage) ?? false
}

export function gemm(job: GemmJob): void {
  checkOperands(job)
  for (const backend of backends()) if (ways[backend.name]?.run(backend, job) === true) return
}

/** Adds it to calls that are repeated; false where it has to be computed anew each time. */
export const repeatGemm: RepeatGemm = (repetition, job) => {
  checkOperands(job)
  return ways[repetition.backend.name]?.repeat?.(repetition, job) ?? false
}

/** The same without keeping the calling thread; only in turn. */
export async function gemmAsync(job: GemmJob): Promise<void> {
  const check = (): void => checkOperands(job)
  check()
  for (const backend of backends()) if ((await ways[backend.name]?.runAsync(backend, job, check)) === true) return
}
