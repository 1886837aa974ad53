// What steps of reductions share: their plans, the task of a kernel, the programs by which what is left meets.
import { bitsOf, type DType, type TypedArray } from '../../../dtype/dtype.ts'
import { Builder, type Program } from '../../../expr/ir.ts'
import type { Combining } from '../../../expr/reductions.ts'
import { parameterBytes } from '../../../plan/parameters.ts'
import { planReduce, type ReduceCall, type ReducePlan } from '../../../plan/reduce.ts'
import { elementCount } from '../../../shape/dim.ts'
import { rowMajorStrides } from '../../../tensor/layout.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { ReduceJob } from '../../reduce-job.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import { machine, type Reached } from '../machine/seam.ts'
import { writeParameters } from '../parameters.ts'
import type { Runner, Use } from '../task.ts'
import type { QueueStep } from '../threads/queue.ts'
import { reduceKernel } from './kernels.ts'

export interface Steps {
  readonly steps: readonly QueueStep[]
  readonly free: () => void
}

/** Where scratch comes from. */
export interface ScratchMemory {
  allocate(bytes: number): number | undefined
  free(address: number, bytes: number): void
}

export const typeOf = ({ program }: ReduceJob): DType => program.code.at(-1)!.dtype

const pairings = new Map<string, Program>()

/** The program that combines so many elements in pairs. */
export function pairing(combine: Combining, dtype: DType, count: number): Program {
  const key = `${combine} ${dtype} ${count}`
  let program = pairings.get(key)
  if (program === undefined) {
    const b = new Builder(Array.from({ length: count }, () => dtype))
    const pair = (first: number, end: number): number => {
      if (end - first === 1) return b.input(first)
      const half = 2 ** Math.ceil(Math.log2(end - first) - 1)
      return b.op(combine, pair(first, first + half), pair(first + half, end))
    }
    pairings.set(key, (program = b.program(pair(0, count))))
  }
  return program
}

export function planOf(
  { shared }: WebAssemblyBackend,
  threads: number,
  call: ReduceCall,
  use: Use,
): ReducePlan | undefined {
  const made = machine?.reduce.plan(shared.kernels, call, threads, use)
  const plan = made ?? planReduce(call, threads)
  return plan && { ...plan, code: machine, machine: made !== undefined }
}

const programs = new Map<DType, Program>()

/** Elements as they are. */
export function sameProgram(dtype: DType): Program {
  let program = programs.get(dtype)
  if (program === undefined) {
    const b = new Builder([dtype])
    programs.set(dtype, (program = b.program(b.input(0))))
  }
  return program
}

const runLoopOf = ({ sizes, signature }: ReducePlan): number => sizes.length - (signature.way === 'along' ? 1 : 2)

/** Strides of a plan's loops among the lanes that parts leave. */
export function leftStrides(plan: ReducePlan): number[] {
  const { sizes, signature } = plan
  const runLoop = runLoopOf(plan)
  return rowMajorStrides(sizes.with(runLoop, 1)).map((stride, i) => {
    if (i === runLoop) return 0
    return signature.way === 'across' || i > runLoop ? stride : stride * signature.lanes
  })
}

/** The same of the job's axes. */
export function resultStrides(
  {
    shape,
    operands,
    run,
  }: Pick<ReduceJob, 'shape' | 'run'> & { readonly operands: readonly Pick<Placed, 'strides'>[] },
  plan: ReducePlan,
): number[] {
  const { sizes, strides } = plan
  const runLoop = runLoopOf(plan)
  const own = leftStrides(plan)
  const result = strides.at(-1)!
  // Each kept axis is part of the loop in which the result steps as it does, or by a multiple.
  return shape.map((size, axis) => {
    if (size === 1 || (axis >= run[0] && axis < run[1])) return 0
    const step = operands.at(-1)!.strides[axis]!
    const loop = sizes.findIndex((count, i) => {
      if (i === runLoop || count === 1) return false
      const ratio = step / result[i]!
      return Number.isInteger(ratio) && ratio >= 1 && ratio < count
    })
    return own[loop]! * (step / result[loop]!)
  })
}

/** Runs the kernel in parts. */
export function runTask(
  backend: WebAssemblyBackend,
  { program, combine, instructions, operands }: ReduceJob,
  plan: ReducePlan,
  runner: Runner,
  scratchAt: number,
  open: { readonly at: number; readonly bytes: number } | undefined,
): void {
  const { signature, sizes, strides, split, scratch, results } = plan
  const made = plan.machine ? machine!.reduce : undefined
  const kernel =
    made?.kernel(backend.shared.kernels, program, combine, signature) ??
    reduceKernel(backend, program, combine, signature, instructions)
  const width = bitsOf(program.code.at(-1)!.dtype) / 8
  const size = (made?.parameterBytes ?? parameterBytes)(operands.length + 1, sizes.length)
  const at = runner.parameters(split.parts * size + (made?.beside ?? 0))
  // Read behind that, because the arena may have grown.
  const { buffer } = backend.arena
  const left = leftStrides(plan)
  const gap = sizes.map((_, i) =>
    open !== undefined && i === sizes.length - 1 && signature.way === 'across' ? results : 0,
  )
  for (let part = 0; part < split.parts; part++) {
    const begin = part * split.length
    const own = sizes.with(split.loop, Math.min(split.length, sizes[split.loop]! - begin))
    const placed = operands.map(({ storage, offset }, i): Reached => {
      const array = storage as TypedArray
      const isResult = i === operands.length - 1
      if (isResult && open !== undefined) {
        const first = begin * left[split.loop]!
        return { memory: buffer, address: open.at + part * open.bytes + first * width, width, strides: left }
      }
      const bytes = array.BYTES_PER_ELEMENT
      const first = offset + begin * strides[i]![split.loop]!
      return { memory: array.buffer, address: array.byteOffset + first * bytes, width: bytes, strides: strides[i]! }
    })
    placed.push({ memory: buffer, address: scratchAt + part * scratch, width, strides: gap })
    if (made === undefined) writeParameters(new Int32Array(buffer, at + part * size), own, placed, 1)
    else made.write(buffer, at + part * size, own, placed)
  }
  const elements = elementCount(sizes)
  const task = { ...kernel, parts: split.parts, parametersAt: at, parametersSize: size }
  if (made === undefined) {
    runner.run(task, elements)
    return
  }
  const arrays = operands.map(({ storage }, i) => (i === operands.length - 1 && open ? undefined : storage))
  const shared = made.task(task, buffer, at + split.parts * size, [...arrays, undefined])
  runner.run(shared, made.work(program, elements))
}
