// How much memory a workload holds at its peak beside its operands and its result: what the process has resident,
// compared with before. The operands are made where bcast computes, and the kernel and the threads are there
// already, so that what remains is what the computation itself takes. Arguments: threads, task as JSON. Linux only.
import { readFileSync, writeFileSync } from 'node:fs'
import { configure, fromData, identity, type Tensor } from 'bcast'
import { type BenchDType, byteCount, type OperandSpec, REPLY, type Task } from '../../task.ts'
import { computeAll, computeOf } from './bcast-ops.ts'
import { makeArray } from './peer.ts'

const [threads, json] = process.argv.slice(2)
const task = JSON.parse(json!) as Omit<Task, 'foreign' | 'model'>
configure({ threads: Number(threads) })

const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})

function resident(what: 'VmRSS' | 'VmHWM'): number {
  const line = readFileSync('/proc/self/status', 'utf8').match(new RegExp(`${what}:\\s+(\\d+) kB`))
  return Number(line![1]) * 1024
}

/** From here on VmHWM is the peak since now. */
const forgetPeak = (): void => writeFileSync('/proc/self/clear_refs', '5')

/** An operand of one repeated element, made in bcast's memory and nowhere else. */
function operand({ dtype, shape }: { dtype: BenchDType; shape: readonly number[] }): Tensor {
  const one = fromData(dtype, makeArray(dtype, 1) as never, [1]) as Tensor
  return identity(one.broadcastTo(shape as never) as Tensor)
}

/** The same task over a few elements: compiles the same kernel. */
const shrunk = ({ dtype, shape }: OperandSpec): OperandSpec => ({
  dtype,
  shape: shape.map((size) => Math.min(size, shape.length > 4 ? 2 : 16)),
})

/** One call; its results are given back. */
function calling(asked: Omit<Task, 'operands' | 'foreign' | 'model'>): (operands: readonly Tensor[]) => void {
  if (asked.also.length === 0) {
    const compute = computeOf(asked)
    return (operands) => compute(operands).dispose()
  }
  const compute = computeAll(asked)
  return (operands) => {
    for (const each of compute(operands)) each.dispose()
  }
}

const small =
  task.op === 'addStrided'
    ? ([
        { dtype: 'float32', shape: [16, 16] },
        { dtype: 'float32', shape: [16, 32] },
      ] as const)
    : task.operands.map(shrunk)
const fill = operand({ dtype: 'float32', shape: [1 << 16] })
for (let i = 0; i < 200; i++) {
  identity(fill).dispose()
  const few = small.map(operand)
  calling({ ...task, result: shrunk(task.result) })(few)
  for (const one of few) one.dispose()
}
fill.dispose()
for (let i = 0; i < 4; i++) {
  collect()
  await new Promise((resolve) => setTimeout(resolve, 30))
}

const before = resident('VmRSS')
forgetPeak()
const tensors = task.operands.map(operand)
const call = calling(task)
for (let i = 0; i < 3; i++) call(tensors)
const peak = resident('VmHWM')
const needed = [...task.operands, task.result, ...task.also].reduce((sum, spec) => sum + byteCount(spec), 0)
process.stdout.write(`${REPLY}${JSON.stringify({ bytes: peak - before - needed })}\n`)
process.exit(0)
