// Normalisations and the pooling of whole channels, from means over axes.
import { add, div, mul, pow, sqrt, sub, type Tensor, unidirectional } from 'bcast'
import { axisOf } from '../../infer/attributes/axes.ts'
import { isPerElement } from '../../infer/attributes/forms.ts'
import { trains } from '../../infer/attributes/training.ts'
import { stashNumber } from '../../infer/attributes/types.ts'
import { dtypeOf } from '../../model/element-type.ts'
import { type Call, scalarOf } from '../call.ts'
import type { Computation, Operation } from '../computation.ts'
import { folded, kernelOf, maxima } from '../fold.ts'
import type { KernelRow } from '../row.ts'
import { floats } from '../types.ts'
import type { NodeUse } from '../use.ts'
import { along } from './join.ts'
import { meanOf, narrowed, widened } from './reduce.ts'

/** One over the square root of a variance and an epsilon. */
const inverseOf: Operation = kernelOf(2, ([variance, epsilon]) => div(1, sqrt(add(variance!, epsilon!))))
const squared: Operation = kernelOf(2, ([x, mean]) => {
  const difference = sub(x!, mean!)
  return mul(difference, difference)
})
/** What a channel is multiplied by, and then everything of a batch normalisation. */
const factorOf: Operation = kernelOf(3, ([variance, epsilon, scale]) =>
  mul(div(1, sqrt(add(variance!, epsilon!))), scale!),
)
const batchNormal: Operation = kernelOf(4, ([x, mean, factor, bias]) => add(mul(sub(x!, mean!), factor!), bias!))
const centred: Operation = kernelOf(3, ([x, mean, inverse]) => mul(sub(x!, mean!), inverse!))
const ontoData = { broadcast: unidirectional } as const
const scaled: Operation = kernelOf(2, ([x, scale]) => mul(x!, scale!, ontoData))
const shifted: Operation = kernelOf(3, ([x, scale, bias]) => add(mul(x!, scale!, ontoData), bias!, ontoData))

const epsilonOf = (call: Call, x: Tensor): Tensor =>
  scalarOf(x.dtype, call.attributes.float('epsilon', Math.fround(1e-5)))

interface Normalised {
  readonly normal: Tensor
  readonly mean: Tensor
  readonly inverse: Tensor
}

/** Mean 0 and variance 1 over axes. */
function* normalised(call: Call, x: Tensor, axes: readonly number[]): Computation<Normalised> {
  const mean = yield* meanOf(call, x, axes)
  const variance = yield* meanOf(call, yield* call.apply(squared, x, mean), axes)
  const inverse = yield* call.apply(inverseOf, variance, epsilonOf(call, x))
  return { normal: yield* call.apply(centred, x, mean, inverse), mean, inverse }
}

const from = (first: number, rank: number): number[] =>
  Array.from({ length: Math.max(0, rank - first) }, (_, i) => first + i)

/** One element for each channel, along axis 1. */
function* perChannel(call: Call, i: number, x: Tensor): Computation<Tensor> {
  const given = call.tensor(i)
  if (given.rank !== 1 || given.size !== x.shape[1]) {
    call.fail(`input ${i} has shape (${given.shape.join(',')}); it has one element for each of ${x.shape[1]} channels.`)
  }
  const spread = call.own(given.reshape(x.shape.map((_, axis) => (axis === 1 ? given.size : 1))) as Tensor)
  return yield* narrowed(call, spread, x.dtype)
}

function refusesTraining(use: NodeUse): string | undefined {
  if (trains(use)) return 'it is run without training only'
  return isPerElement(use) ? 'it is run with one statistic for each channel only' : undefined
}

const batchNormalization: KernelRow = {
  kind: 'kernel',
  name: 'BatchNormalization',
  types: floats(14),
  refuse: refusesTraining,
  *compute(call) {
    const x = yield* widened(call, call.tensor(0))
    const [scale, bias, mean, variance] = [
      yield* perChannel(call, 1, x),
      yield* perChannel(call, 2, x),
      yield* perChannel(call, 3, x),
      yield* perChannel(call, 4, x),
    ]
    const factor = yield* call.apply(factorOf, variance, epsilonOf(call, x), scale)
    const normal = yield* call.apply(batchNormal, x, mean, factor, bias)
    return [yield* narrowed(call, normal, call.tensor(0).dtype)]
  },
}

/** Statistics are computed in a type of their own; scale and bias go onto the result in the data's. */
const layerNormalization: KernelRow = {
  kind: 'kernel',
  name: 'LayerNormalization',
  since: 17,
  types: floats(1),
  *compute(call) {
    const data = call.tensor(0)
    const stash = dtypeOf(stashNumber(call), 'stash_type of LayerNormalization')
    const x = yield* narrowed(call, data, stash)
    const axes = from(call.axis(axisOf(call), x.rank), x.rank)
    const { normal, mean, inverse } = yield* normalised(call, x, axes)
    const typed = yield* narrowed(call, normal, data.dtype)
    const result = call.has(2)
      ? yield* call.apply(shifted, typed, call.tensor(1), call.tensor(2))
      : yield* call.apply(scaled, typed, call.tensor(1))
    return [result, mean, inverse]
  },
}

const rmsNormalization: KernelRow = {
  kind: 'kernel',
  name: 'RMSNormalization',
  since: 23,
  types: floats(1),
  *compute(call) {
    const data = call.tensor(0)
    const stash = dtypeOf(stashNumber(call), 'stash_type of RMSNormalization')
    const x = yield* narrowed(call, data, stash)
    const axes = from(call.axis(axisOf(call), x.rank), x.rank)
    const mean = yield* meanOf(call, yield* call.apply(mul, x, x), axes)
    const inverse = yield* call.apply(inverseOf, mean, epsilonOf(call, x))
    const typed = yield* narrowed(call, yield* call.apply(mul, x, inverse), data.dtype)
    return [yield* call.apply(scaled, typed, call.tensor(1))]
  },
}

const instanceNormalization: KernelRow = {
  kind: 'kernel',
  name: 'InstanceNormalization',
  types: floats(22),
  *compute(call) {
    const x = yield* widened(call, call.tensor(0))
    const { normal } = yield* normalised(call, x, from(2, x.rank))
    const [scale, bias] = [yield* perChannel(call, 1, x), yield* perChannel(call, 2, x)]
    return [yield* narrowed(call, yield* call.apply(shifted, normal, scale, bias), call.tensor(0).dtype)]
  },
}

/** Channels in groups, each with its own mean and variance; scale and bias are for every channel. */
const groupNormalization: KernelRow = {
  kind: 'kernel',
  name: 'GroupNormalization',
  since: 21,
  types: floats(1),
  *compute(call) {
    const x = yield* widened(call, call.tensor(0))
    const groups = call.attributes.int('num_groups')
    const [batch, channels] = x.shape as readonly [number, number]
    if (x.rank < 2 || channels % groups !== 0) call.fail(`${channels} channels do not make ${groups} groups.`)
    const grouped = yield* call.reshaped(x, [batch, groups, batch * groups === 0 ? 0 : x.size / (batch * groups)])
    const { normal } = yield* normalised(call, grouped, [2])
    const whole = yield* call.reshaped(normal, x.shape)
    const [scale, bias] = [yield* perChannel(call, 1, x), yield* perChannel(call, 2, x)]
    return [yield* narrowed(call, yield* call.apply(shifted, whole, scale, bias), call.tensor(0).dtype)]
  },
}

const globalAveragePool: KernelRow = {
  kind: 'kernel',
  name: 'GlobalAveragePool',
  types: floats(22),
  *compute(call) {
    const x = yield* widened(call, call.tensor(0))
    return [yield* narrowed(call, yield* meanOf(call, x, from(2, x.rank)), call.tensor(0).dtype)]
  },
}

const globalMaxPool: KernelRow = {
  kind: 'kernel',
  name: 'GlobalMaxPool',
  types: floats(22),
  views: true,
  *compute(call) {
    const x = call.tensor(0)
    return [yield* folded(call, maxima, x, from(2, x.rank))]
  },
}

const byNeighbours: Operation = kernelOf(5, ([x, sum, scale, bias, beta]) =>
  div(x!, pow(add(mul(sum!, scale!), bias!), beta!)),
)

/** Squares of the channels around each one, added up; beyond the first and the last there is nothing. */
function* squaresAround(call: Call, x: Tensor, size: number): Computation<Tensor> {
  const [channels, before] = [x.shape[1]!, Math.floor((size - 1) / 2)]
  const squares = yield* call.apply(mul, x, x)
  const sum = yield* call.room(scalarOf(x.dtype, 0), x.shape)
  const [first, end] = [Math.max(-before, 1 - channels), Math.min(size - before, channels)]
  for (let offset = first; offset < end; offset++) {
    const count = channels - Math.abs(offset)
    const [from, onto] = [
      along(call, squares, 1, Math.max(offset, 0), count),
      along(call, sum, 1, Math.max(-offset, 0), count),
    ]
    yield* call.apply(add, onto, from, { out: onto })
  }
  return sum
}

/** Each element by what the same place of neighbouring channels holds. */
const lrn: KernelRow = {
  kind: 'kernel',
  name: 'LRN',
  types: floats(13),
  *compute(call) {
    const { attributes } = call
    const { dtype, rank } = call.tensor(0)
    if (rank < 2) call.fail(`X has rank ${rank}; its second axis is the channels.`)
    const x = yield* widened(call, call.tensor(0))
    const size = attributes.int('size')
    if (size < 1) call.fail(`size is ${size}.`)
    const sum = yield* squaresAround(call, x, size)
    const scale = attributes.float('alpha', Math.fround(1e-4)) / size
    const scalar = (value: number): Computation<Tensor> => call.filled(x.dtype, [], value)
    const bias = yield* scalar(attributes.float('bias', 1))
    const beta = yield* scalar(attributes.float('beta', 0.75))
    const result = yield* call.apply(byNeighbours, x, sum, yield* scalar(scale), bias, beta)
    return [yield* narrowed(call, result, dtype)]
  },
}

export const normalisationRows: readonly KernelRow[] = [
  ...[batchNormalization, layerNormalization, rmsNormalization, instanceNormalization, groupNormalization],
  ...[globalAveragePool, globalMaxPool, lrn],
]
