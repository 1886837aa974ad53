// Reductions as machine code: plans of their own, and operands read wherever they lie.
import { EngineError } from '../../../errors/index.ts'
import { planMachineReduce } from '../../../plan/machine-reduce.ts'
import { elementCount } from '../../../shape/dim.ts'
import { type MachineCode, type MadeKernel, numbered } from './code.ts'
import { TASK_BYTES, wideBytes, writeWideParameters } from './parameters.ts'
import type { MachineReductions } from './seam.ts'
import { shareTask, workOf } from './share.ts'

export function reductionsOf(code: MachineCode): MachineReductions {
  const kernelOf: (...given: Parameters<MachineReductions['kernel']>) => ReturnType<typeof numbered> = (
    kernels,
    program,
    combine,
    signature,
  ) => numbered(kernels, code.reduction(program, combine, signature, kernels.home.memory.buffer))
  return {
    plan(kernels, call, threads, direct) {
      const { program, combine, shape, operands } = call
      if (!code.pays(program, elementCount(shape), !direct)) return undefined
      const reached = direct ? operands.map((operand) => ({ ...operand, resident: true })) : operands
      const plan = planMachineReduce({ ...call, operands: reached }, threads, code.vectors)
      if (plan === undefined || kernelOf(kernels, program, combine, plan.signature) === undefined) return undefined
      return plan
    },
    kernel(...given) {
      const kernel = kernelOf(...given)
      if (kernel === undefined) throw new EngineError('machine code is gone; the result is incomplete')
      return kernel
    },
    parameterBytes: wideBytes,
    beside: TASK_BYTES,
    task: (task, memory, at) => ({
      ...task,
      share: (wanted) => shareTask(code, memory, task as typeof task & MadeKernel, at, wanted),
    }),
    work: workOf,
    write(memory, at, sizes, operands) {
      const words = new Int32Array(memory, at, wideBytes(operands.length, sizes.length) / 4)
      const placed = operands.map((operand) => ({
        ...operand,
        address: code.addressOf(operand.memory) + operand.address,
      }))
      writeWideParameters(words, sizes, placed, 1)
    },
  }
}
