// Reductions of tensors: axes become runs of elements, runs become jobs of the backends, and what is left of each run is
// finished and put where the result goes.
import { type InstructionList, type Instructions, instructionsOf } from '../backend/instructions.ts'
import { reduce, reduceAsync, repeatReduce } from '../backend/reduce.ts'
import type { ReduceJob } from '../backend/reduce-job.ts'
import { type DType, isWide, makeStorage, type Storage } from '../dtype/dtype.ts'
import { toStored } from '../dtype/element.ts'
import { OperandError, typeNotTaken, wrongOption } from '../errors/index.ts'
import { FLAG } from '../expr/attributes.ts'
import { Builder, type Program } from '../expr/ir.ts'
import { combinedType, finishProgram, prepareProgram, type ReductionRow } from '../expr/reductions.ts'
import { elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { isOptions } from '../shape/options.ts'
import { normalAxis } from '../tensor/layout.ts'
import type { Placed } from '../tensor/placed.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Allowed, checkOptions, checkTensors, described } from './arguments.ts'
import { checkOut } from './checks.ts'
import { type Computation, type Execution, executionOf } from './computation.ts'
import { copying } from './compute.ts'
import { overlaps } from './overlap.ts'
import { freshTensor } from './result.ts'

export interface ReduceOptions {
  /** Axes that are reduced, negative ones counted from the end; all unless said. */
  readonly axes?: number | readonly number[]
  /** Whether reduced axes stay, with size 1. */
  readonly keepdims?: boolean
  /** Where the result goes. */
  readonly out?: Tensor
}

/** A reduction with the code of its instructions. */
export interface Reduction {
  readonly row: ReductionRow
  readonly instructions: Instructions
}

export const reductionOf = (row: ReductionRow, ...list: InstructionList): Reduction => ({
  row,
  instructions: instructionsOf(...list),
})

export const REDUCE_OPTIONS: Allowed = { axes: undefined, keepdims: FLAG, out: undefined }

/** Which axes of a rank are meant, in a row of flags. */
export function reducedAxes(name: string, axes: unknown, rank: number): readonly boolean[] {
  if (axes === undefined) return Array.from({ length: rank }, () => true)
  const given = typeof axes === 'number' ? [axes] : axes
  if (!Array.isArray(given)) {
    throw wrongOption(name, 'axes', `is ${described(axes)}`, 'it is an axis or an array of axes, such as [0, -1]')
  }
  const flags = Array.from({ length: rank }, () => false)
  for (const axis of given) {
    const own = normalAxis(axis, rank, name)
    if (flags[own]) throw wrongOption(name, 'axes', `are [${given.join(', ')}]`, `axis ${own} may be named once`)
    flags[own] = true
  }
  return flags
}

/** The shape of a result. */
export const reducedShape = (shape: Shape, reduced: readonly boolean[], keepdims: boolean): Shape =>
  keepdims ? shape.map((size, axis) => (reduced[axis] ? 1 : size)) : shape.filter((_, axis) => !reduced[axis])

/** Elements on the way: axes of size 1 are left out, because they neither move nor part anything. */
interface Stage {
  readonly placed: Placed
  readonly shape: Shape
  readonly reduced: readonly boolean[]
}

const programs = new WeakMap<ReductionRow, Map<string, Program | undefined>>()

function programOf(row: ReductionRow, what: 'prepare' | 'finish', dtype: DType): Program | undefined {
  let own = programs.get(row)
  if (own === undefined) programs.set(row, (own = new Map()))
  const key = `${what} ${dtype}`
  if (!own.has(key)) own.set(key, what === 'prepare' ? prepareProgram(row, dtype) : finishProgram(row, dtype))
  return own.get(key)
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

const placedOf = ({ storage, layout: { offset, strides } }: Tensor): Placed => ({ storage, offset, strides })

/** The arguments of a reduction: a tensor, and options behind it. */
export function reduceArguments(name: string, args: readonly unknown[]): { x: Tensor; options: ReduceOptions } {
  const [x, options, ...rest] = args
  if (args.length === 0 || rest.length > 0 || (options !== undefined && !isOptions(options))) {
    throw new OperandError(`${name} takes a tensor, and options such as { axes: 0 } behind it.`, { operator: name })
  }
  checkTensors(name, [x])
  checkOptions(name, options, REDUCE_OPTIONS)
  return { x: x as Tensor, options: (options ?? {}) as ReduceOptions }
}

export function* reduction({ row, instructions }: Reduction, args: readonly unknown[]): Computation {
  const { name } = row
  const { x, options } = reduceArguments(name, args)
  const { dtype, shape } = x
  if (!row.types.includes(dtype)) throw typeNotTaken(name, { operand: 0, dtype }, row.types)
  const reduced = reducedAxes(name, options.axes, shape.length)
  const target = reducedShape(shape, reduced, options.keepdims === true)
  const { out } = options
  if (out !== undefined) checkOut(name, out, dtype, target)
  const count = elementCount(shape.filter((_, axis) => reduced[axis]))
  const empty = count === 0 ? row.empty(dtype) : undefined
  if (count === 0 && empty === undefined && elementCount(target) > 0) {
    throw new OperandError(
      `${name}: the reduced axes of shape ${formatShape(shape)} have no elements, and ${name} of nothing has no value in ${dtype}.`,
      { operator: name },
    )
  }
  // Elements are read in another order than results are written.
  const elsewhere = out !== undefined && overlaps(out, x, x.layout)
  const result = out === undefined || elsewhere ? freshTensor(dtype, target) : out
  const made: Tensor[] = result === out ? [] : [result]
  let done = false
  try {
    if (count === 0) {
      const storage = makeStorage(dtype, 1)
      ;(storage as unknown[])[0] =
        empty === undefined ? undefined : toStored(dtype, dtype === 'bool' ? empty === 1 : empty)
      const still = { shape: target, strides: target.map(() => 0), offset: 0 }
      if (elementCount(target) > 0) yield copying({ dtype, storage, layout: still }, placedOf(result))
    } else if (elementCount(target) > 0)
      yield* computing({ row, instructions }, x, reduced, count, result, options.keepdims === true, made)
    if (elsewhere) yield copying(result, placedOf(out))
    done = true
    return out ?? result
  } finally {
    for (const each of made) if (!(done && each === result && !elsewhere)) each.dispose()
  }
}

function* computing(
  { row, instructions }: Reduction,
  x: Tensor,
  reduced: readonly boolean[],
  count: number,
  result: Tensor,
  keepdims: boolean,
  made: Tensor[],
): Generator<Execution, void, number> {
  const { dtype } = x
  const type = combinedType(dtype)
  const wide = x.shape.map((size) => size !== 1)
  let stage: Stage = {
    placed: { ...placedOf(x), strides: x.layout.strides.filter((_, axis) => wide[axis]) },
    shape: x.shape.filter((_, axis) => wide[axis]),
    reduced: reduced.filter((_, axis) => wide[axis]),
  }
  const kept = keepdims ? reduced.map((is) => !is) : result.shape.map(() => true)
  const steps = result.layout.strides.filter((_, i) => kept[i])
  const sizes = x.shape.filter((_, axis) => !reduced[axis])
  // The result as it is seen among the kept axes that are not 1.
  const place: Placed = { ...placedOf(result), strides: steps.filter((_, i) => sizes[i] !== 1) }
  const finish = programOf(row, 'finish', dtype)
  let program = programOf(row, 'prepare', dtype)!
  const temporary = (shape: Shape): Placed => {
    const tensor = freshTensor(type, shape)
    made.push(tensor)
    return placedOf(tensor)
  }
  while (stage.reduced.includes(true)) {
    const run = lastRun(stage.reduced)
    const outside = <T>(values: readonly T[]): T[] => values.filter((_, axis) => axis < run[0] || axis >= run[1])
    const next = { shape: outside(stage.shape), reduced: outside(stage.reduced) }
    const isLast = !next.reduced.includes(true) && finish === undefined
    const into = isLast ? place : temporary(next.shape)
    const [before, behind] = [into.strides.slice(0, run[0]), into.strides.slice(run[0])]
    const along = stage.shape.slice(...run).map(() => 0)
    const seen = { ...into, strides: [...before, ...along, ...behind] }
    const operands = [stage.placed, seen]
    yield executionOfReduce({ program, combine: row.combine, instructions, shape: stage.shape, run, operands }, [
      x.storage,
      into.storage,
    ])
    stage = { ...next, placed: into }
    program = moveProgram(type)
    if (isLast) return
  }
  // Nothing was to be combined: every element is the only one of its run.
  if (stage.placed.storage === x.storage) {
    const prepared = finish === undefined ? place : temporary(stage.shape)
    yield executionOf({ program, instructions, shape: stage.shape, operands: [stage.placed, prepared] }, [x.storage])
    stage = { ...stage, placed: prepared }
  }
  if (finish === undefined) return
  const counted = makeStorage(type, 1)
  ;(counted as unknown[])[0] = toStored(type, isWide(type) ? BigInt(count) : count)
  const counts: Placed = { storage: counted, offset: 0, strides: stage.shape.map(() => 0) }
  yield executionOf({ program: finish, instructions, shape: stage.shape, operands: [stage.placed, counts, place] }, [
    place.storage,
  ])
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
