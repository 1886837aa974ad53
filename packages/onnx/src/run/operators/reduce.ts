// Reductions over axes, what is made of them (means, norms, softmax), and the places of extremes. Floats of 16 bits are
// summed in float32 and rounded once.
import {
  abs,
  add,
  cast,
  type DType,
  div,
  equal,
  exp,
  identity,
  less,
  log,
  mul,
  notEqual,
  or,
  sqrt,
  sub,
  type Tensor,
  tensor,
  where,
} from 'bcast'
import { reductionAxes } from '../../infer/attributes/arguments.ts'
import { axisOf, softmaxAxis } from '../../infer/attributes/axes.ts'
import { keepsDims, reducesNone } from '../../infer/attributes/forms.ts'
import { isSet } from '../../infer/attributes/said.ts'
import type { Call } from '../call.ts'
import type { Computation, Operation } from '../computation.ts'
import { every, folded, kernelOf, maxima, minima, products, some, sums } from '../fold.ts'
import type { KernelRow, TypesByOpset } from '../row.ts'
import { CHOSEN, F4, floats, ORDERED, REDUCED } from '../types.ts'

const isHalf = (dtype: DType): boolean => dtype === 'float16' || dtype === 'bfloat16'

/** The tensor in the type that sums are computed in. */
export function* widened(call: Call, x: Tensor): Computation<Tensor> {
  return isHalf(x.dtype) ? yield* call.apply(cast, x, 'float32') : x
}

export function* narrowed(call: Call, x: Tensor, dtype: DType): Computation<Tensor> {
  return x.dtype === dtype ? x : yield* call.apply(cast, x, dtype)
}

const countOf = (x: Tensor, axes: readonly number[]): number => axes.reduce((n, axis) => n * x.shape[axis]!, 1)

export function* meanOf(call: Call, x: Tensor, axes: readonly number[]): Computation<Tensor> {
  const sum = yield* folded(call, sums, x, axes)
  return yield* call.apply(div, sum, tensor(countOf(x, axes), { dtype: x.dtype }))
}

const square: Operation = kernelOf(1, ([x]) => mul(x!, x!))
const powerOf: Operation = kernelOf(2, ([x, most]) => exp(sub(x!, most!)))
const logOf: Operation = kernelOf(2, ([sum, most]) => add(log(sum!), most!))
/** Infinite maxima would make infinity minus infinity. */
const finite: Operation = kernelOf(1, ([x]) => where(less(abs(x!), Number.POSITIVE_INFINITY), x!, 0))

function* logSumExp(call: Call, x: Tensor, axes: readonly number[]): Computation<Tensor> {
  const most = yield* call.apply(finite, yield* folded(call, maxima, x, axes))
  const sum = yield* folded(call, sums, yield* call.apply(powerOf, x, most), axes)
  return yield* call.apply(logOf, sum, most)
}

type Reduce = (call: Call, x: Tensor, axes: readonly number[]) => Computation<Tensor>

/** Computed in float64 for integers, which have no roots and logarithms. */
const asFloats = (reduce: Reduce): Reduce =>
  function* (call, x, axes) {
    return yield* reduce(call, F4.includes(x.dtype) ? x : yield* call.apply(cast, x, 'float64'), axes)
  }

const summed: Reduce = (call, x, axes) => folded(call, sums, x, axes)

function* summedAfter(call: Call, operation: Operation, x: Tensor, axes: readonly number[]): Computation<Tensor> {
  return yield* folded(call, sums, yield* call.apply(operation, x), axes)
}

interface Reduction {
  readonly reduce: Reduce
  readonly types?: TypesByOpset
}

const reductions: Readonly<Record<string, Reduction>> = {
  ReduceSum: { reduce: summed },
  ReduceMean: { reduce: meanOf },
  ReduceProd: { reduce: (call, x, axes) => folded(call, products, x, axes) },
  ReduceMax: {
    types: CHOSEN,
    reduce: (call, x, axes) => folded(call, x.dtype === 'bool' ? some : maxima, x, axes),
  },
  ReduceMin: {
    types: CHOSEN,
    reduce: (call, x, axes) => folded(call, x.dtype === 'bool' ? every : minima, x, axes),
  },
  ReduceL1: { reduce: (call, x, axes) => summedAfter(call, abs, x, axes) },
  ReduceSumSquare: { reduce: (call, x, axes) => summedAfter(call, square, x, axes) },
  ReduceL2: {
    reduce: asFloats(function* (call, x, axes) {
      return yield* call.apply(sqrt, yield* summedAfter(call, square, x, axes))
    }),
  },
  ReduceLogSum: {
    reduce: asFloats(function* (call, x, axes) {
      return yield* call.apply(log, yield* folded(call, sums, x, axes))
    }),
  },
  ReduceLogSumExp: { reduce: asFloats(logSumExp) },
}

/** Without axes all are reduced, or none: then what is done to every element is still done, as by ReduceSumSquare. */
function axesOf(call: Call, rank: number): readonly number[] {
  const given = call.integersOf(reductionAxes(call)) ?? []
  if (given.length > 0) return call.axes(given, rank)
  if (reducesNone(call)) return []
  return Array.from({ length: rank }, (_, axis) => axis)
}

const reductionRows: readonly KernelRow[] = Object.entries(reductions).map(
  ([name, { reduce, types = REDUCED }]): KernelRow => ({
    kind: 'kernel',
    name,
    types,
    *compute(call) {
      const x = call.tensor(0)
      const axes = axesOf(call, x.rank)
      const whole = yield* narrowed(call, yield* reduce(call, yield* widened(call, x), axes), x.dtype)
      // Where all axes are of size 1 it may be the data itself.
      const result = countOf(x, axes) === 1 ? yield* call.apply(identity, whole) : whole
      if (keepsDims(call)) return [result]
      return [
        yield* call.reshaped(
          result,
          x.shape.filter((_, axis) => !axes.includes(axis)),
        ),
      ]
    },
  }),
)

/** Whether an element is the extreme of its axis; a NaN is, before all others. */
const isExtreme: Operation = kernelOf(2, ([x, most]) => or(equal(x!, most!), notEqual(x!, x!)))

const argRows: readonly KernelRow[] = [['ArgMax', maxima] as const, ['ArgMin', minima] as const].map(
  ([name, fold]): KernelRow => ({
    kind: 'kernel',
    name,
    types: ORDERED,
    *compute(call) {
      const x = call.tensor(0)
      const axis = call.axis(axisOf(call), x.rank)
      const size = x.shape[axis]!
      if (size === 0) return call.fail(`axis ${axis} holds nothing.`)
      const isFound = yield* call.apply(isExtreme, x, yield* folded(call, fold, x, axis))
      const shape = x.shape.map((_, at) => (at === axis ? size : 1))
      const places = tensor(
        Array.from({ length: size }, (_, i) => BigInt(i)),
        { dtype: 'int64', shape },
      )
      const last = isSet(call, 'select_last_index')
      const beyond = tensor(last ? -1n : BigInt(size))
      const candidates = yield* call.apply(where, isFound, places, beyond)
      const found = yield* folded(call, last ? maxima : minima, candidates, axis)
      return [keepsDims(call) ? found : yield* call.reshaped(found, x.shape.toSpliced(axis, 1))]
    },
  }),
)

/** Powers of what lies below the largest element, so that none overflows, and their sum. */
function* softmaxOf(call: Call, x: Tensor, axes: readonly number[]): Computation<Tensor> {
  const powers = yield* call.apply(powerOf, x, yield* folded(call, maxima, x, axes))
  return yield* call.apply(div, powers, yield* folded(call, sums, powers, axes))
}

const difference: Operation = kernelOf(3, ([x, most, sum]) => sub(sub(x!, most!), log(sum!)))

function* logSoftmaxOf(call: Call, x: Tensor, axes: readonly number[]): Computation<Tensor> {
  const most = yield* folded(call, maxima, x, axes)
  const sum = yield* folded(call, sums, yield* call.apply(powerOf, x, most), axes)
  return yield* call.apply(difference, x, most, sum)
}

/** Over one axis; before opset 13 over all axes from one on. */
const softmaxRows: readonly KernelRow[] = [['Softmax', softmaxOf] as const, ['LogSoftmax', logSoftmaxOf] as const].map(
  ([name, compute]): KernelRow => ({
    kind: 'kernel',
    name,
    types: floats(13),
    *compute(call) {
      const x = call.tensor(0)
      const { axis: given, andBehind } = softmaxAxis(call)
      const axis = andBehind && given === x.rank ? given : call.axis(given, Math.max(x.rank, 1))
      const axes = andBehind ? x.shape.flatMap((_, at) => (at < axis ? [] : [at])) : x.rank === 0 ? [] : [axis]
      const result = yield* compute(call, yield* widened(call, x), axes)
      return [yield* narrowed(call, result, x.dtype)]
    },
  }),
)

export const reduceRows: readonly KernelRow[] = [...reductionRows, ...argRows, ...softmaxRows]
