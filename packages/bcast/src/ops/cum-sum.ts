// Running sums along an axis: exclusive ones are those of all places but the last, put one place further, and backward
// ones run over the axis turned round. Rows of many elements are added by kernels, one onto the next; all else runs line
// by line. What has no loop of its own is summed in a wider type: 16-bit floats in float32, small integers in int32.
import { add, cast, instructionsOf } from '../backend/instructions.ts'
import { type ScanJob, scan, scanAsync } from '../backend/scan.ts'
import { addRows, addRowsAsync, areRowsWorth, type RowsJob, repeatRows, rowAt, rowShape } from '../backend/scan-rows.ts'
import { bitsOf, type DType, isHalf, isInteger, isWide, makeStorage, type Storage } from '../dtype/dtype.ts'
import { toStored } from '../dtype/element.ts'
import { OperandError, typeNotTaken, wrongOption } from '../errors/index.ts'
import { FLAG } from '../expr/attributes.ts'
import { Builder, type Program } from '../expr/ir.ts'
import { sum as row } from '../expr/reductions.ts'
import { formatShape, type Shape } from '../shape/dim.ts'
import { isOptions } from '../shape/options.ts'
import { normalAxis } from '../tensor/layout.ts'
import { type Placed, placedOf } from '../tensor/placed.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Allowed, checkOptions, checkTensors, described } from './arguments.ts'
import { checkOut } from './checks.ts'
import { type Computation, type Execution, executionOf } from './computation.ts'
import { copying } from './compute.ts'
import { bothWays } from './elementwise.ts'
import type { OutOption } from './options.ts'
import { overlaps } from './overlap.ts'
import { freshTensor } from './result.ts'
import type { Given, When, WithAsync } from './when.ts'

/** What `cumSum` takes behind its tensor. */
export interface CumSumOptions extends OutOption {
  /** The axis along which sums run, counted from either end; it has to be said unless there is one alone. */
  readonly axis?: number
  /** Whether each sum leaves out the element at its own place. */
  readonly exclusive?: boolean
  /** Whether sums run from the end to the beginning. */
  readonly reverse?: boolean
}

type CumSumCall<W extends When> = <D extends DType, S extends Shape>(
  x: Tensor<D, S>,
  options?: CumSumOptions,
) => Given<W, Tensor<D, S>>

const NAME = 'cumSum'
const OPTIONS: Allowed = { axis: undefined, exclusive: FLAG, reverse: FLAG, out: undefined }

const instructions = /* @__PURE__ */ instructionsOf(add, cast)
const programs = new Map<string, Program>()

function programOf(key: string, types: readonly DType[], build: (b: Builder) => Program): Program {
  let program = programs.get(key)
  if (program === undefined) programs.set(key, (program = build(new Builder(types))))
  return program
}

const adding = (dtype: DType): Program =>
  programOf(`add ${dtype}`, [dtype, dtype], (b) => b.program(b.op('add', b.input(0), b.input(1))))

const casting = (from: DType, to: DType): Program =>
  programOf(`${from} ${to}`, [from], (b) => b.program(b.cast(b.input(0), to)))

/** The type that sums are computed in. */
const summedType = (dtype: DType): DType =>
  isHalf(dtype) ? 'float32' : isInteger(dtype) && bitsOf(dtype) < 32 ? 'int32' : dtype

function axisOf(axis: unknown, shape: Shape): number {
  const rank = shape.length
  if (axis === undefined && rank !== 1) {
    const all = rank === 0 ? 'a scalar is a row of one as x.reshape(1)' : 'all in one row are x.reshape(-1)'
    throw wrongOption(
      NAME,
      'axis',
      `is missing, and x has shape ${formatShape(shape)}`,
      `name one, such as { axis: 0 }; ${all}`,
    )
  }
  if (axis !== undefined && typeof axis !== 'number') {
    throw wrongOption(NAME, 'axis', `is ${described(axis)}`, 'it is a number')
  }
  return normalAxis(axis ?? 0, rank, NAME)
}

/** Elements from a place of an axis on. */
const fromPlace = (placed: Placed, axis: number, place: number): Placed => ({
  ...placed,
  offset: placed.offset + place * placed.strides[axis]!,
})

/** Elements with an axis turned round. */
const turned = (placed: Placed, axis: number, size: number): Placed => ({
  ...fromPlace(placed, axis, size - 1),
  strides: placed.strides.with(axis, -placed.strides[axis]!),
})

const executionOfScan = (job: ScanJob): Execution => ({
  now: () => {
    scan(job)
    return -1
  },
  async: async () => {
    await scanAsync(job)
    return -1
  },
  arrays: [],
  repeated: () => false,
})

const executionOfRows = (job: RowsJob): Execution => ({
  now: () => {
    addRows(job)
    return -1
  },
  async: async () => {
    await addRowsAsync(job)
    return -1
  },
  arrays: [],
  repeated: (repetition) => repeatRows(repetition, job),
})

/** What executes the sums of a job. */
function* executionsOf(job: ScanJob): Generator<Execution> {
  const { dtype, shape, axis, from, to } = job
  if (!areRowsWorth(job)) return yield executionOfScan(job)
  if (from !== to) yield copyOf(dtype, rowShape(shape, axis), rowAt(from, axis, 0), rowAt(to, axis, 0))
  yield executionOfRows({ ...job, program: adding(dtype), instructions })
}

const copyOf = (dtype: DType, shape: Shape, { storage, offset, strides }: Placed, to: Placed): Execution =>
  copying({ dtype, storage, layout: { shape, offset, strides } }, to)

const castOf = (from: DType, to: DType, shape: Shape, operands: readonly Placed[]): Execution =>
  executionOf({ program: casting(from, to), instructions, shape, operands }, [])

/** Everything that is executed for the sums of x, which has elements, in a result. */
function* executions(
  x: Tensor,
  axis: number,
  options: CumSumOptions,
  result: Tensor,
  wide?: Tensor,
): Generator<Execution> {
  const { dtype, shape } = x
  const size = shape[axis]!
  const ordered = (placed: Placed): Placed => (options.reverse === true ? turned(placed, axis, size) : placed)
  const [from, to] = [ordered(placedOf(x)), ordered(placedOf(result))]
  const shift = options.exclusive === true ? 1 : 0
  if (shift === 1) {
    const zero: Placed = { storage: zeroOf(dtype), offset: 0, strides: shape.map(() => 0) }
    yield copyOf(dtype, shape.with(axis, 1), zero, to)
  }
  const summed = shape.with(axis, size - shift)
  const target = fromPlace(to, axis, shift)
  if (size === shift) return
  const type = wide?.dtype ?? dtype
  const own = wide && ordered(placedOf(wide))
  if (own !== undefined) yield castOf(dtype, type, summed, [from, own])
  const job: ScanJob = { dtype: type, shape: summed, axis, from: own ?? from, to: own ?? target }
  yield* executionsOf(job)
  if (own !== undefined) yield castOf(type, dtype, summed, [own, target])
}

function zeroOf(dtype: DType): Storage {
  const storage = makeStorage(dtype, 1)
  ;(storage as unknown[])[0] = toStored(dtype, isWide(dtype) ? 0n : 0)
  return storage
}

function* running(...args: readonly unknown[]): Computation {
  const [given, said, ...rest] = args
  if (args.length === 0 || rest.length > 0 || (said !== undefined && !isOptions(said))) {
    throw new OperandError(`${NAME} takes a tensor, and options such as { axis: 0 } behind it.`, { operator: NAME })
  }
  checkTensors(NAME, [given])
  checkOptions(NAME, said, OPTIONS)
  const [x, options] = [given as Tensor, (said ?? {}) as CumSumOptions]
  const { dtype, shape } = x
  const { out } = options
  if (!row.types.includes(dtype)) throw typeNotTaken(NAME, { operand: 0, dtype }, row.types)
  const axis = axisOf(options.axis, shape)
  if (out !== undefined) checkOut(NAME, out, dtype, shape)
  const elsewhere = out !== undefined && overlaps(out, x, x.layout)
  const result = out === undefined || elsewhere ? freshTensor(dtype, shape) : out
  const type = summedType(dtype)
  const wide = type === dtype ? undefined : freshTensor(type, shape)
  let done: Tensor | undefined
  try {
    if (x.size > 0) {
      const arrays = [x, result, ...(wide ? [wide] : []), ...(out ? [out] : [])].map(({ storage }) => storage)
      for (const execution of executions(x, axis, options, result, wide)) yield { ...execution, arrays }
      if (elsewhere) yield copying(result, placedOf(out))
    }
    done = out ?? result
    return done
  } finally {
    wide?.dispose()
    if (result !== done && result !== out) result.dispose()
  }
}

/**
 * Sums of all elements up to each place of an axis, one after the other: floats are rounded at every step, those of 16
 * bits go on in float32, integers wrap.
 *
 * @example
 * ```ts
 * cumSum(tensor([1, 2, 3])).toArray() // [1, 3, 6]
 * cumSum(tensor([1, 2, 3]), { exclusive: true, reverse: true }).toArray() // [5, 3, 0]
 * cumSum(tensor([[1, 2], [3, 4]]), { axis: 0 }).toArray() // [[1, 2], [4, 6]]
 * ```
 */
export const cumSum: CumSumCall<'now'> & WithAsync<CumSumCall<'async'>> = /* @__PURE__ */ bothWays(NAME, running)
