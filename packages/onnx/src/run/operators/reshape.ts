// Operators that give the same elements another shape or order: views, copied only where no layout can say it.
import { bidirectional, broadcastShapes, type Tensor } from 'bcast'
import { reshapeShape, squeezeAxes } from '../../infer/attributes/arguments.ts'
import { axisOf } from '../../infer/attributes/axes.ts'
import { blockSize, keepsZero, permutation } from '../../infer/attributes/forms.ts'
import { textOf } from '../../infer/attributes/said.ts'
import { dropsAtRandom } from '../../infer/attributes/training.ts'
import { countOf } from '../../model/row-major.ts'
import type { Call } from '../call.ts'
import type { Computation } from '../computation.ts'
import type { KernelRow } from '../row.ts'
import { F3, F4, MOVED, moved } from '../types.ts'

const identity: KernelRow = {
  kind: 'kernel',
  name: 'Identity',
  types: MOVED,
  views: true,
  compute(call) {
    return [call.tensor(0)]
  },
}

/** A 0 in the target stands for the data's own size there, unless `allowzero`. */
const reshape: KernelRow = {
  kind: 'kernel',
  name: 'Reshape',
  types: moved(5),
  views: true,
  *compute(call) {
    const x = call.tensor(0)
    const target = call.integersOf(reshapeShape) ?? call.fail('it has no shape.')
    const keepZero = keepsZero(call)
    const shape = target.map((size, axis) => {
      if (size !== 0 || keepZero) return size
      return x.shape[axis] ?? call.fail(`a 0 in the shape (${target.join(',')}) stands where the data has no axis.`)
    })
    if (keepZero && target.includes(0) && target.includes(-1)) return call.fail('the shape holds both 0 and -1.')
    return [yield* call.reshaped(x, shape)]
  },
}

/** All axes before one, and all from it on, as one axis each. */
function* flattened(call: Call, x: Tensor, axis: number): Computation<Tensor> {
  return yield* call.reshaped(x, [countOf(x.shape.slice(0, axis)), countOf(x.shape.slice(axis))])
}

const flatten: KernelRow = {
  kind: 'kernel',
  name: 'Flatten',
  types: moved(9),
  views: true,
  *compute(call) {
    const x = call.tensor(0)
    const axis = axisOf(call)
    return [yield* flattened(call, x, axis === x.rank ? axis : call.axis(axis, Math.max(x.rank, 1)))]
  },
}

const squeeze: KernelRow = {
  kind: 'kernel',
  name: 'Squeeze',
  types: MOVED,
  views: true,
  compute(call) {
    const x = call.tensor(0)
    const given = call.integersOf(squeezeAxes)
    const axes = given === undefined ? onesOf(x.shape) : call.axes(given, x.rank)
    const wrong = axes.find((axis) => x.shape[axis] !== 1)
    if (wrong !== undefined) return call.fail(`axis ${wrong} of shape (${x.shape.join(',')}) is not of size 1.`)
    return [call.own(x.reshape(x.shape.filter((_, axis) => !axes.includes(axis))) as Tensor)]
  },
}

const onesOf = (shape: readonly number[]): number[] => shape.flatMap((size, axis) => (size === 1 ? [axis] : []))

const unsqueeze: KernelRow = {
  kind: 'kernel',
  name: 'Unsqueeze',
  types: MOVED,
  views: true,
  compute(call) {
    const x = call.tensor(0)
    const given = call.integersOf(squeezeAxes) ?? call.fail('it has no axes.')
    const rank = x.rank + given.length
    const axes = call.axes(given, rank)
    const sizes = [...x.shape]
    const shape = Array.from({ length: rank }, (_, axis) => (axes.includes(axis) ? 1 : sizes.shift()!))
    return [call.own(x.reshape(shape) as Tensor)]
  },
}

const transpose: KernelRow = {
  kind: 'kernel',
  name: 'Transpose',
  types: MOVED,
  views: true,
  compute(call) {
    const x = call.tensor(0)
    const perm = permutation(call)
    return [call.own((perm === undefined ? x.transpose() : x.transpose([...perm])) as Tensor)]
  },
}

/** Data and shape stretch to meet; nothing is copied until somebody needs the elements one after another. */
const expand: KernelRow = {
  kind: 'kernel',
  name: 'Expand',
  since: 8,
  types: MOVED,
  views: true,
  compute(call) {
    const x = call.tensor(0)
    const target = call.integers(1) ?? call.fail('it has no shape.')
    const shape = broadcastShapes([x.shape, target], { broadcast: bidirectional })
    return [call.own(x.broadcastTo(shape as number[]) as Tensor)]
  },
}

/** Blocks of an axis become two axes of the image, and back. */
function* rearranged(
  call: Call,
  x: Tensor,
  split: readonly number[],
  order: readonly number[],
  shape: number[],
): Computation<Tensor> {
  const parts = yield* call.reshaped(x, split)
  return yield* call.reshaped(call.own(parts.transpose([...order]) as Tensor), shape)
}

function imageOf(call: Call): readonly [n: number, c: number, h: number, w: number] {
  const { shape } = call.tensor(0)
  return shape.length === 4 ? (shape as [number, number, number, number]) : call.fail('the data has to have rank 4.')
}

const depthToSpace: KernelRow = {
  kind: 'kernel',
  name: 'DepthToSpace',
  types: MOVED,
  views: true,
  *compute(call) {
    const [n, c, h, w] = imageOf(call)
    const block = blockSize(call)
    const depth = c / block ** 2
    const shape = [n, depth, h * block, w * block]
    if (!Number.isInteger(depth)) return call.fail(`${c} channels are no multiple of ${block ** 2}.`)
    const byColumn = textOf(call, 'mode', 'DCR') === 'CRD'
    return [
      byColumn
        ? yield* rearranged(call, call.tensor(0), [n, depth, block, block, h, w], [0, 1, 4, 2, 5, 3], shape)
        : yield* rearranged(call, call.tensor(0), [n, block, block, depth, h, w], [0, 3, 4, 1, 5, 2], shape),
    ]
  },
}

const spaceToDepth: KernelRow = {
  kind: 'kernel',
  name: 'SpaceToDepth',
  types: MOVED,
  views: true,
  *compute(call) {
    const [n, c, h, w] = imageOf(call)
    const block = blockSize(call)
    const [rows, columns] = [h / block, w / block]
    if (!Number.isInteger(rows) || !Number.isInteger(columns))
      return call.fail(`${h} by ${w} is no multiple of ${block}.`)
    const shape = [n, c * block ** 2, rows, columns]
    return [yield* rearranged(call, call.tensor(0), [n, c, rows, block, columns, block], [0, 3, 5, 1, 2, 4], shape)]
  },
}

/** As in inference: the data itself, and a mask that drops nothing. */
const dropout: KernelRow = {
  kind: 'kernel',
  name: 'Dropout',
  types: [
    [1, F3],
    [13, F4],
  ],
  views: true,
  refuse: (use) => (dropsAtRandom(use) ? 'it is run without training only' : undefined),
  *compute(call) {
    const x = call.tensor(0)
    if (
      call.opset >= 12 &&
      call.has(2) &&
      call.tensor(2).get(...new Array<number>(call.tensor(2).rank).fill(0)) === true
    )
      return call.fail('it is run without training only.')
    if (call.node.outputs.length < 2) return [x]
    return [x, yield* call.filled(call.opset < 10 ? x.dtype : 'bool', x.shape, 1)]
  },
}

export const reshapeRows: readonly KernelRow[] = [
  ...[identity, reshape, flatten, squeeze, unsqueeze, transpose, expand, depthToSpace, spaceToDepth, dropout],
]
