// Reductions on WebAssembly: kernels along or across the run; where the run is cut, programs of pairs combine what its
// parts left. What kernels cannot read where it lies is computed into scratch memory first, in chunks.
import { arrayOver, bitsOf, type TypedArray } from '../../../dtype/dtype.ts'
import { Builder, type Program } from '../../../expr/ir.ts'
import { SHARE } from '../../../plan/kernels.ts'
import { partsOfResults, type ReducePlan } from '../../../plan/reduce.ts'
import { BLOCK, LANES } from '../../../plan/tree.ts'
import { elementCount, type Shape } from '../../../shape/dim.ts'
import { rowMajorStrides } from '../../../tensor/layout.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { Backend, Outcome } from '../../backend.ts'
import { canShareWork } from '../../platform.ts'
import type { ReduceJob, ReduceOn } from '../../reduce-job.ts'
import type { Adding } from '../../repeat.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import { neutral } from '../codegen/reduce-parts.ts'
import type { Keeping } from '../keeping.ts'
import { machine } from '../machine/seam.ts'
import type { Use } from '../task.ts'
import type { QueueStep } from '../threads/queue.ts'
import { subtreeSteps } from './subtrees.ts'
import {
  pairing,
  planOf,
  resultStrides,
  runTask,
  type ScratchMemory,
  type Steps,
  sameProgram,
  typeOf,
} from './tasks.ts'

/** Results up to which, and elements of a run up to which, it is an element-wise program. */
const TINY_RUN = LANES
/** Operands of one program. */
const MOST_OPERANDS = 32
/** Elements that are computed into scratch memory at once. */
const STAGED = 1 << 18

/** A program over the elements of a short run, which are operands of their own. */
const unrolled = new WeakMap<Program, Map<string, Program>>()

function unrolledProgram({ program, combine }: ReduceJob, count: number): Program {
  let known = unrolled.get(program)
  if (known === undefined) unrolled.set(program, (known = new Map()))
  const key = `${combine} ${count}`
  let made = known.get(key)
  if (made === undefined) {
    const inputs = program.inputs.length
    const b = new Builder(Array.from({ length: count }, () => program.inputs).flat())
    const elements = Array.from({ length: count }, (_, i) => append(b, program, i * inputs))
    const pair = (own: readonly number[]): number => {
      if (own.length === 1) return own[0]!
      const half = 2 ** Math.ceil(Math.log2(own.length) - 1)
      return b.op(combine, pair(own.slice(0, half)), pair(own.slice(half)))
    }
    const lanes = elements
      .slice(0, LANES)
      .map((_, lane) =>
        elements.filter((__, i) => i % LANES === lane).reduce((value, next) => b.op(combine, value, next)),
      )
    known.set(key, (made = b.program(pair(lanes))))
  }
  return made
}

/** Appends a program whose inputs begin at another. */
function append(b: Builder, { code }: Program, from: number): number {
  const values: number[] = []
  for (const { op, dtype, args, value, blamed } of code) {
    b.blamed = blamed
    const own = args.map((arg) => values[arg]!)
    if (op === 'input') values.push(b.input(from + (value as number)))
    else if (op === 'constant') values.push(b.constant(dtype, value!))
    else if (op === 'cast') values.push(b.cast(own[0]!, dtype))
    else if (op === 'select') values.push(b.select(own[0]!, own[1]!, own[2]!))
    else if (op === 'equal' || op === 'less' || op === 'lessEqual') values.push(b.compare(op, own[0]!, own[1]!))
    else values.push(b.op(op, ...own))
  }
  return values.at(-1)!
}

/** A run of few elements as an element-wise job; undefined where it is long, or has too many operands. */
function tinyJob(job: ReduceJob) {
  const { shape, run, operands, program, instructions } = job
  const along = shape.slice(...run)
  const count = elementCount(along)
  const isKept = (_: unknown, axis: number): boolean => axis < run[0] || axis >= run[1]
  // Machine code reads more rows at once than it has registers for pointers.
  const isAcross = machine !== undefined && operands.every(({ strides }) => strides.filter(isKept).at(-1) === 1)
  const most = isAcross ? BLOCK : TINY_RUN
  if (count > most || count * program.inputs.length >= MOST_OPERANDS) return undefined
  const places = [...offsets(along)]
  const kept = (operand: Placed, at: readonly number[]): Placed => ({
    storage: operand.storage,
    offset: operand.strides.slice(...run).reduce((sum, stride, i) => sum + stride * at[i]!, operand.offset),
    strides: operand.strides.filter(isKept),
  })
  const read = places.flatMap((at) => operands.slice(0, -1).map((operand) => kept(operand, at)))
  return {
    program: unrolledProgram(job, count),
    instructions,
    shape: shape.filter(isKept),
    operands: [...read, kept(operands.at(-1)!, places[0]!)],
  }
}

/** Indices of a shape in row-major order. */
function* offsets(shape: Shape): Generator<number[]> {
  const [size, ...rest] = shape
  if (size === undefined) yield []
  else for (let i = 0; i < size; i++) for (const tail of offsets(rest)) yield [i, ...tail]
}

/** The steps of a job; undefined without room. */
function stepsOn(
  backend: WebAssemblyBackend,
  threads: number,
  job: ReduceJob,
  use: Use,
  memory: ScratchMemory = backend.arena,
): Steps | undefined {
  const tiny = tinyJob(job)
  if (tiny !== undefined) {
    return { steps: [(runner, now) => backend.runOn(runner, tiny, now)], free: () => undefined }
  }
  const { arena } = backend
  const { program, combine, shape, run, operands } = job
  const seen = operands.map(({ storage, strides }) => {
    const array = storage as TypedArray
    return { strides, width: array.BYTES_PER_ELEMENT, resident: arena.holds(array) }
  })
  const known = job.shared?.plan as ReducePlan | undefined
  const plan =
    known !== undefined && known.code === machine
      ? known
      : planOf(backend, threads, { program, combine, shape, run, operands: seen }, use)
  if (job.shared !== undefined) job.shared.plan = plan
  if (!seen.at(-1)!.resident && !plan?.machine) return movedSteps(backend, threads, job, memory)
  if (plan === undefined)
    return subtreeSteps(backend, threads, job, use, memory) ?? stagedSteps(backend, threads, job, memory)
  const { split, scratch, signature, results } = plan
  const dtype = typeOf(job)
  const width = bitsOf(dtype) / 8
  const lanesLeft = signature.way === 'across' ? LANES : signature.lanes
  const partBytes = signature.open ? results * lanesLeft * width : 0
  const parts = signature.open ? 2 ** Math.ceil(Math.log2(split.parts)) : 0
  const bytes = split.parts * scratch + parts * partBytes + 64
  const at = memory.allocate(bytes)
  if (at === undefined) return undefined
  const left = at + split.parts * scratch
  const steps: QueueStep[] = [
    (runner) => {
      runTask(backend, job, plan, runner, at, signature.open ? { at: left, bytes: partBytes } : undefined)
      return true
    },
  ]
  // Parts that are missing to a power of two.
  if (parts > split.parts) {
    steps.unshift((runner) => {
      const missing = arrayOver(dtype, arena.buffer, left + split.parts * partBytes, (parts - split.parts) * partBytes)
      runner.before(() => (missing as { fill(value: unknown): unknown }).fill(neutral(combine, dtype)), true)
      return true
    })
  }
  if (signature.open) {
    const own = arrayOver(dtype, arena.buffer, left, parts * partBytes)
    const each = results * lanesLeft
    const { instructions } = job
    steps.push((runner, now) => {
      const operand = (i: number): Placed => ({ storage: own, offset: i * each, strides: [1] })
      const all = Array.from({ length: parts }, (_, i) => operand(i))
      const together = {
        program: pairing(combine, dtype, parts),
        instructions,
        shape: [each],
        operands: [...all, operand(0)],
      }
      return backend.runOn(runner, together, now)
    })
    steps.push((runner, now) => {
      const kept = shape.map((size, axis) => (axis < run[0] || axis >= run[1] ? size : 1))
      // The order in which kernels left them.
      const order = resultStrides(job, plan)
      const lane = (i: number): Placed => ({
        storage: own,
        offset: i * { along: 1, across: results, flat: plan.sizes.at(-1)! }[signature.way],
        strides: order,
      })
      const lanes = Array.from({ length: lanesLeft }, (_, i) => lane(i))
      const last = {
        program: pairing(combine, dtype, lanesLeft),
        instructions,
        shape: kept,
        operands: [...lanes, operands.at(-1)!],
      }
      return backend.runOn(runner, last, now)
    })
  }
  return { steps, free: () => memory.free(at, bytes) }
}

/** Results that do not lie in the arena are computed there, and moved. */
function movedSteps(
  backend: WebAssemblyBackend,
  threads: number,
  job: ReduceJob,
  memory: ScratchMemory,
): Steps | undefined {
  const { shape, run, operands } = job
  const dtype = typeOf(job)
  const kept = shape.map((size, axis) => (axis < run[0] || axis >= run[1] ? size : 1))
  const bytes = (elementCount(kept) * bitsOf(dtype)) / 8
  const at = memory.allocate(bytes)
  if (at === undefined) return undefined
  const strides = rowMajorStrides(kept).map((stride, axis) => (axis < run[0] || axis >= run[1] ? stride : 0))
  const results: Placed = { storage: arrayOver(dtype, backend.arena.buffer, at, bytes), offset: 0, strides }
  // Another plan than that of the job.
  const inside = { ...job, shared: undefined, operands: [...operands.slice(0, -1), results] }
  const own = stepsOn(backend, threads, inside, undefined, memory)
  const free = (): void => {
    own?.free()
    memory.free(at, bytes)
  }
  if (own === undefined) {
    free()
    return undefined
  }
  const moving = { ...job, program: sameProgram(dtype), shape: kept, operands: [results, operands.at(-1)!] }
  return { steps: [...own.steps, (runner, now) => backend.runOn(runner, moving, now)], free }
}

/** Elements computed into scratch memory, those of some results at a time, and reduced there. */
function stagedSteps(
  backend: WebAssemblyBackend,
  threads: number,
  job: ReduceJob,
  memory: ScratchMemory,
): Steps | undefined {
  const { program, instructions, shape, run, operands } = job
  const dtype = typeOf(job)
  const parts = [
    ...partsOfResults(
      shape,
      run,
      operands.map(({ strides }) => strides),
      STAGED,
    ),
  ]
  const bytes = (Math.max(...parts.map((part) => elementCount(part.shape))) * bitsOf(dtype)) / 8
  const at = memory.allocate(bytes)
  if (at === undefined) return undefined
  const inner: Steps[] = []
  const free = (): void => {
    for (const each of inner) each.free()
    memory.free(at, bytes)
  }
  const steps: QueueStep[] = []
  for (const part of parts) {
    const moved = operands.map((operand, i) => ({ ...operand, offset: operand.offset + part.shifts[i]! }))
    const storage = arrayOver(dtype, backend.arena.buffer, at, bytes)
    const elements: Placed = { storage, offset: 0, strides: rowMajorStrides(part.shape) }
    const filling = { program, instructions, shape: part.shape, operands: [...moved.slice(0, -1), elements] }
    const same = { program: sameProgram(dtype), shape: part.shape, operands: [elements, moved.at(-1)!] }
    const rest = { ...job, ...same, shared: undefined }
    const own = stepsOn(backend, threads, rest, undefined, memory)
    if (own === undefined) {
      free()
      return undefined
    }
    inner.push(own)
    steps.push((runner, now) => backend.runOn(runner, filling, now), ...own.steps)
  }
  return { steps, free }
}

const isTaken = ({ program }: ReduceJob): boolean => program.code.every(({ dtype }) => bitsOf(dtype) > 0)

export const reduceOnWebAssembly: ReduceOn = {
  run: (backend, job): Outcome => {
    const own = backend as Backend as WebAssemblyBackend
    const planned = isTaken(job) ? stepsOn(own, canShareWork ? own.threads : 1, job, 'once') : undefined
    if (planned === undefined) return 'unable'
    try {
      return planned.steps.every((step) => step(own.runner, true)) ? 'done' : 'fault'
    } finally {
      planned.free()
    }
  },
  runAsync: async (backend, job, check): Promise<Outcome> => {
    const own = backend as Backend as WebAssemblyBackend
    if (elementCount(job.shape) <= SHARE || !own.hasThreads) return reduceOnWebAssembly.run(backend, job)
    const planned = isTaken(job) ? stepsOn(own, own.threads, job, undefined) : undefined
    if (planned === undefined) return 'unable'
    try {
      return (await own.runSteps(planned.steps, check)) ? 'done' : 'fault'
    } finally {
      planned.free()
    }
  },
  repeat: (repetition, job) => {
    const tasks = repetition as Adding as Keeping & Adding
    const memory = { allocate: (bytes: number) => tasks.borrow(bytes), free: () => undefined }
    return tasks.describe(() => {
      const { backend } = tasks
      const planned = isTaken(job)
        ? stepsOn(backend, canShareWork ? tasks.threads : 1, job, tasks.use, memory)
        : undefined
      return planned?.steps.every((step) => step(tasks, true)) ?? false
    })
  },
}
