// Reductions of tensors: axes become runs of elements, runs become jobs of the backends, and what is left of each run is
// finished and put where the result goes.
import type { SharedPlan } from '../backend/backend.ts'
import type { Instructions } from '../backend/instructions.ts'
import { reduce, reduceAsync, repeatReduce } from '../backend/reduce.ts'
import type { ReduceJob } from '../backend/reduce-job.ts'
import { type DType, isWide, makeStorage, type Storage } from '../dtype/dtype.ts'
import { toStored } from '../dtype/element.ts'
import { OperandError, typeNotTaken, wrongOption } from '../errors/index.ts'
import { FLAG } from '../expr/attributes.ts'
import { Builder, type Program } from '../expr/ir.ts'
import { type Combining, combinedType, finishProgram, prepareProgram, type ReductionRow } from '../expr/reductions.ts'
import { reducedShape } from '../expr/trace.ts'
import { elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { isOptions } from '../shape/options.ts'
import { normalAxis } from '../tensor/layout.ts'
import { type Lying, type Placed, placedOf } from '../tensor/placed.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Allowed, checkOptions, checkTensors, described } from './arguments.ts'
import { checkOut } from './checks.ts'
import { type Computation, type Execution, executionOf } from './computation.ts'
import { copying } from './compute.ts'
import { overlaps } from './overlap.ts'
import type { ReduceOptions } from './reduce-types.ts'
import { freshTensor } from './result.ts'
import { TracedOperand } from './traced.ts'

/** A reduction with the code of its instructions. */
export interface Reduction {
  readonly row: ReductionRow
  readonly instructions: Instructions
}

export const REDUCE_OPTIONS: Allowed = { axes: undefined, keepdims: FLAG, out: undefined }

/** Which axes of a rank are meant, in a row of flags. */
export function reducedAxes(name: string, axes: unknown, rank: number): readonly boolean[] {
  if (axes === undefined) return new Array<boolean>(rank).fill(true)
  const given = typeof axes === 'number' ? [axes] : axes
  if (!Array.isArray(given)) {
    throw wrongOption(name, 'axes', `is ${described(axes)}`, 'it is an axis or an array of axes, such as [0, -1]')
  }
  const flags = new Array<boolean>(rank).fill(false)
  for (const axis of given) {
    const own = normalAxis(axis, rank, name)
    if (flags[own]) throw wrongOption(name, 'axes', `are [${given.join(', ')}]`, `axis ${own} may be named once`)
    flags[own] = true
  }
  return flags
}

/** What a reduction does to elements of a type before they are combined, and behind it, if anything. */
interface Programs {
  readonly prepare: Program
  readonly finish: Program | undefined
}

const programs = new WeakMap<ReductionRow, Map<DType, Programs>>()

function programsOf(row: ReductionRow, dtype: DType): Programs {
  let own = programs.get(row)
  if (own === undefined) programs.set(row, (own = new Map()))
  let made = own.get(dtype)
  if (made === undefined) {
    own.set(dtype, (made = { prepare: prepareProgram(row, dtype), finish: finishProgram(row, dtype) }))
  }
  return made
}

const moves = new Map<DType, Program>()

const executionOfReduce = (job: ReduceJob, arrays: readonly Storage[]): Execution => ({
  now: () => reduce(job),
  async: () => reduceAsync(job),
  arrays,
  repeated: (repetition) => repeatReduce(repetition, job),
})

/** The last run of reduced axes that lie side by side. */
function lastRun(reduced: readonly boolean[]): [first: number, end: number] {
  const end = reduced.lastIndexOf(true) + 1
  let first = end
  while (first > 0 && reduced[first - 1]) first--
  return [first, end]
}

/** The arguments of a reduction: what is reduced, and options behind it. */
export function reductionArguments(name: string, args: readonly unknown[]): { x: unknown; options: ReduceOptions } {
  const [x, options, ...rest] = args
  if (args.length === 0 || rest.length > 0 || (options !== undefined && !isOptions(options))) {
    throw new OperandError(`${name} takes a tensor, and options such as { axes: 0 } behind it.`, { operator: name })
  }
  if (!(x instanceof TracedOperand)) checkTensors(name, [x])
  checkOptions(name, options, REDUCE_OPTIONS)
  return { x, options: (options ?? {}) as ReduceOptions }
}

/** The same where only a tensor can be reduced. */
export function reduceArguments(name: string, args: readonly unknown[]): { x: Tensor; options: ReduceOptions } {
  const { x, options } = reductionArguments(name, args)
  checkTensors(name, [x])
  return { x: x as Tensor, options }
}

/** Throws unless a reduction takes elements of a type. */
export function checkReducedType({ name, types }: ReductionRow, dtype: DType): void {
  if (!types.includes(dtype)) throw typeNotTaken(name, { operand: 0, dtype }, types)
}

export function* reduction(own: Reduction, args: readonly unknown[]): Computation {
  const { row, instructions } = own
  const { name } = row
  const { x, options } = reduceArguments(name, args)
  const { dtype, shape } = x
  checkReducedType(row, dtype)
  const reduced = reducedAxes(name, options.axes, shape.length)
  const { keepdims = false } = options
  const program = programsOf(row, dtype).prepare
  const reducing = { row, instructions, dtype, program, operands: [placedOf(x)], shape, reduced, keepdims }
  return yield* intoResult(name, x, dtype, reduced, options, (result, temporary) =>
    reduceInto(reducing, result, temporary),
  )
}

/** What is reduced: the elements that a program gives over operands that are seen in its shape. */
interface Reducing extends Reduction {
  /** Of the elements before they are prepared, and of the result. */
  readonly dtype: DType
  /** Gives prepared elements. */
  readonly program: Program
  readonly operands: readonly Placed[]
  readonly shape: Shape
  readonly reduced: readonly boolean[]
  readonly keepdims: boolean
  readonly plans?: SharedPlans | undefined
}

/** Reduces into a tensor that has the shape which is left. */
export function* reduceInto(
  reducing: Reducing,
  result: Lying,
  temporary: Runs['temporary'],
): Generator<Execution, void, number> {
  const { row, instructions, dtype, program, operands, shape, reduced, keepdims, plans } = reducing
  const count = elementCount(shape.filter((_, axis) => reduced[axis]))
  if (count === 0) {
    const empty = row.empty(dtype)
    if (empty === undefined) throw nothing(row.name, dtype, shape)
    const storage = makeStorage(dtype, 1)
    ;(storage as unknown[])[0] = toStored(dtype, dtype === 'bool' ? empty === 1 : empty)
    const { shape: left } = result.layout
    const still = { shape: left, strides: left.map(() => 0), offset: 0 }
    yield copying({ dtype, storage, layout: still }, placedOf(result))
    return
  }
  const place = placeOf(result, shape, reduced, keepdims)
  const { finish } = programsOf(row, dtype)
  const into = finish === undefined ? place : undefined
  const { combine } = row
  const left = yield* reduceRuns({ program, combine, instructions, shape, reduced, operands, temporary, into, plans })
  if (finish === undefined) return
  const type = combinedType(dtype)
  const counted = makeStorage(type, 1)
  ;(counted as unknown[])[0] = toStored(type, isWide(type) ? BigInt(count) : count)
  const counts: Placed = { storage: counted, offset: 0, strides: left.shape.map(() => 0) }
  const shared = plans?.(shape.length)
  const last = { program: finish, instructions, shape: left.shape, operands: [left.placed, counts, place], shared }
  yield executionOf(last, [left.placed.storage, place.storage])
}

/** The error of a reduction of nothing that has no value. */
export const nothing = (name: string, dtype: DType, shape: Shape): OperandError =>
  new OperandError(
    `${name}: the reduced axes of shape ${formatShape(shape)} have no elements, and ${name} of nothing has no value in ${dtype}.`,
    { operator: name },
  )

/** A result that `compute` fills: fresh, or into `out`, or beside it where x lies there. What it makes on the way goes. */
export function* intoResult(
  name: string,
  x: Tensor,
  dtype: DType,
  reduced: readonly boolean[],
  { keepdims = false, out }: ReduceOptions,
  compute: (result: Tensor, temporary: Runs['temporary']) => Generator<Execution, void, number>,
): Computation {
  const target = reducedShape(x.shape, reduced, keepdims)
  if (out !== undefined) checkOut(name, out, dtype, target)
  // Elements are read in another order than results are written.
  const elsewhere = out !== undefined && overlaps(out, x, x.layout)
  const result = out === undefined || elsewhere ? freshTensor(dtype, target) : out
  const made: Tensor[] = []
  let given: Tensor | undefined
  try {
    const temporary = (type: DType, shape: Shape): Placed => {
      const tensor = freshTensor(type, shape)
      made.push(tensor)
      return placedOf(tensor)
    }
    if (elementCount(target) > 0) yield* compute(result, temporary)
    if (elsewhere) yield copying(result, placedOf(out))
    given = out ?? result
    return given
  } finally {
    for (const each of made) each.dispose()
    if (result !== given && result !== out) result.dispose()
  }
}

/** What is combined over axes of a shape: a program over operands that are seen in it. */
export interface Runs {
  readonly program: Program
  readonly combine: Combining
  readonly instructions: Instructions
  readonly shape: Shape
  readonly reduced: readonly boolean[]
  readonly operands: readonly Placed[]
  /** Memory for what is left on the way, which is given back by whoever made it. */
  readonly temporary: (dtype: DType, shape: Shape) => Placed
  /** Where the result goes, seen in the kept axes that are not 1; memory of its own unless said. */
  readonly into?: Placed | undefined
  /** Plans for each step, where the same is reduced again and again elsewhere. */
  readonly plans?: SharedPlans | undefined
}

/** A plan for each step, by its number. */
export type SharedPlans = (step: number) => SharedPlan

/** Combines runs of axes, the last first. What is left is seen in the kept axes that are not 1. */
export function* reduceRuns(runs: Runs): Generator<Execution, { placed: Placed; shape: Shape }, number> {
  const { combine, instructions, temporary } = runs
  const { dtype } = runs.program.code.at(-1)!
  const isWider = (_: unknown, axis: number): boolean => runs.shape[axis] !== 1
  let { program } = runs
  let shape = runs.shape.filter(isWider)
  let reduced = runs.reduced.filter(isWider)
  let operands: readonly Placed[] = runs.operands.map(({ storage, offset, strides }) => ({
    storage,
    offset,
    strides: strides.filter(isWider),
  }))
  const placeFor = (kept: Shape, isLast: boolean): Placed => (isLast ? runs.into : undefined) ?? temporary(dtype, kept)
  if (!reduced.includes(true)) {
    // Every element is the only one of its run.
    const placed = placeFor(shape, true)
    const arrays = [...operands, placed].map(({ storage }) => storage)
    const shared = runs.plans?.(0)
    yield executionOf({ program, instructions, shape, operands: [...operands, placed], shared }, arrays)
    return { placed, shape }
  }
  for (let step = 0; ; step++) {
    const [first, end] = lastRun(reduced)
    const outside = <T>(values: readonly T[]): T[] => values.filter((_, axis) => axis < first || axis >= end)
    const kept = outside(shape)
    const rest = outside(reduced)
    const isLast = !rest.includes(true)
    const placed = placeFor(kept, isLast)
    const along = shape.slice(first, end).map(() => 0)
    const { storage, offset, strides } = placed
    const seen = { storage, offset, strides: [...strides.slice(0, first), ...along, ...strides.slice(first)] }
    const arrays = [...operands.map((operand) => operand.storage), storage]
    const run = [first, end] as const
    const shared = runs.plans?.(step)
    const job = { program, combine, instructions, shape, run, operands: [...operands, seen], shared }
    yield executionOfReduce(job, arrays)
    if (isLast) return { placed, shape: kept }
    operands = [placed]
    program = moveProgram(dtype)
    shape = kept
    reduced = rest
  }
}

/** A result as it is seen in the kept axes that are not 1. */
export function placeOf(result: Lying, shape: Shape, reduced: readonly boolean[], keepdims: boolean): Placed {
  const { storage, layout } = result
  const axes = shape.map((_, axis) => axis).filter((axis) => keepdims || !reduced[axis])
  const strides = layout.strides.filter((_, i) => !reduced[axes[i]!] && shape[axes[i]!] !== 1)
  return { storage, offset: layout.offset, strides }
}

/** Elements as they are. */
function moveProgram(dtype: DType): Program {
  let program = moves.get(dtype)
  if (program === undefined) {
    const b = new Builder([dtype])
    moves.set(dtype, (program = b.program(b.input(0))))
  }
  return program
}
