// Reductions as machine code: plans of their own, and operands read wherever they lie.
import type { Program } from '../../../expr/ir.ts'
import { planMachineReduce } from '../../../plan/machine-reduce.ts'
import type { ReduceCall, ReducePlan } from '../../../plan/reduce.ts'
import { elementCount } from '../../../shape/dim.ts'
import type { Use } from '../task.ts'
import { type MachineCode, type MadeKernel, needed, numbered } from './code.ts'
import { TASK_BYTES, wideBytes, widePointers, writeWideParameters } from './parameters.ts'
import type { MachineReductions } from './seam.ts'
import { shareTask, workOf } from './share.ts'

/** Plans of one program that are kept at most; the oldest go first. */
const MOST_PLANS = 64

export function reductionsOf(code: MachineCode): MachineReductions {
  const kernelOf: (...given: Parameters<MachineReductions['kernel']>) => ReturnType<typeof numbered> = (
    kernels,
    program,
    combine,
    signature,
  ) => numbered(kernels, code.reduction(program, combine, signature, kernels.home.memory.buffer))
  const known = new WeakMap<Program, Map<string, ReducePlan | undefined>>()
  /**
   * The plan of a call, which takes longer to make than a small reduction: calls like it have the same. Undefined where
   * machine code does not pay, which it does sooner for a call that comes again.
   */
  function planned(call: ReduceCall, threads: number, use: Use): ReducePlan | undefined {
    const { program, combine, shape, run, operands, open } = call
    let own = known.get(program)
    if (own === undefined) known.set(program, (own = new Map()))
    const isStill = use !== undefined
    let key = `${combine} ${threads} ${use} ${open} ${shape} ${run}`
    for (const { strides, resident } of operands) key += ` ${strides} ${isStill || resident}`
    const plan = own.get(key)
    if (plan !== undefined) return plan
    const repeats = !isStill || own.has(key)
    const pays = use === 'again' || code.pays(program, elementCount(shape), repeats)
    const reached = isStill ? operands.map((operand) => ({ ...operand, resident: true })) : operands
    const made = pays ? planMachineReduce({ ...call, operands: reached }, threads, code.vectors) : undefined
    if (own.size >= MOST_PLANS) own.delete(own.keys().next().value!)
    own.set(key, made)
    return made
  }
  return {
    plan(kernels, call, threads, use) {
      const { program, combine } = call
      const plan = planned(call, threads, use)
      if (plan === undefined || kernelOf(kernels, program, combine, plan.signature) === undefined) return undefined
      return plan
    },
    kernel: (...given) => needed(kernelOf(...given)),
    parameterBytes: wideBytes,
    beside: TASK_BYTES,
    task: (task, memory, at, arrays) => ({
      ...task,
      pointers: widePointers(arrays),
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
