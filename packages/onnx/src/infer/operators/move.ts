// Operators that permute, repeat or join whole axes: elements keep their values, sizes are sums and products.
import { bidirectional, type Rule } from 'bcast'
import { add, constantOf, type Dim, type DimShape, mul, sum } from '../../dims/index.ts'
import { integers, numbers } from '../arguments.ts'
import { isInput, padAxes, padSizes } from '../attributes/arguments.ts'
import { concatAxis } from '../attributes/axes.ts'
import { permutation } from '../attributes/forms.ts'
import type { Call } from '../call.ts'
import { placesOf, spread, stridesOf } from '../elements.ts'
import { type KnownTensor, type Scalar, sizesOf, smallCount, tensor } from '../known.ts'
import type { Row } from '../row.ts'
import { shapeFrom } from './generate.ts'

const transpose: Row = {
  name: 'Transpose',
  infer: (call) => {
    const { element, shape, values } = call.tensor(0)
    const given = permutation(call)
    if (shape === null) return [tensor(element, given === undefined ? null : call.freshShape(given.length))]
    const rank = shape.length
    const perm = given ?? shape.map((_, axis) => rank - 1 - axis)
    const isPermutation = perm.length === rank && new Set(perm).size === rank && perm.every((p) => p >= 0 && p < rank)
    if (!isPermutation) return call.fail(`perm (${perm.join(',')}) is no order of ${rank} axes.`)
    const moved = perm.map((axis) => shape[axis]!)
    const sizes = values && sizesOf(shape)
    if (sizes === undefined) return [tensor(element, moved)]
    const strides = stridesOf(sizes)
    const places = placesOf(
      perm.map((axis) => sizes[axis]!),
      perm.map((axis) => strides[axis]!),
    )
    return [
      tensor(
        element,
        moved,
        places.map((place) => values![place]!),
      ),
    ]
  },
}

/** The rule is OpenVINO's too; here ONNX demands it. */
const expandRule: Rule = { ...bidirectional, clause: 'ONNX Expand' }

const expand: Row = {
  name: 'Expand',
  since: 8,
  infer: (call) => {
    const data = call.tensor(0)
    const target = shapeFrom(call, 1)
    const asked = { ...call.operand(1), shape: target }
    const shape = call.broadcast([call.operand(0), asked], expandRule)
    const sizes = smallCount(shape) === undefined ? undefined : sizesOf(shape)
    return [tensor(data.element, shape, sizes && spread(data, sizes))]
  },
}

const tile6: Row = {
  name: 'Tile',
  since: 6,
  infer: (call) => {
    const data = call.tensor(0)
    const { element, shape } = data
    const repeats = call.dims(1)
    const count = call.count(1)
    if (shape !== null && count !== undefined && count !== shape.length) {
      return call.fail(`there are ${count} repeats for rank ${shape.length}.`)
    }
    if (shape === null || repeats === undefined) {
      const rank = shape?.length ?? count
      return [tensor(element, rank === undefined ? null : call.freshShape(rank))]
    }
    const tiled = shape.map((dim, axis) =>
      repeats[axis] ? mul(dim, call.size(repeats[axis], axis)) : call.fresh(axis),
    )
    return [tensor(element, tiled, tiledValues(data, tiled))]
  },
}

function tiledValues({ values, shape }: KnownTensor, tiled: readonly Dim[]): Scalar[] | undefined {
  const [own, sizes] = [sizesOf(shape), smallCount(tiled) === undefined ? undefined : sizesOf(tiled)]
  if (values === undefined || own === undefined || sizes === undefined) return undefined
  const strides = stridesOf(own)
  let places = [0]
  for (const [axis, size] of sizes.entries()) {
    places = places.flatMap((place) =>
      Array.from({ length: size }, (_, i) => place + (i % own[axis]!) * strides[axis]!),
    )
  }
  return places.map((place) => values[place]!)
}

/** At first Tile repeats one axis, which an input names. */
const tile1: Row = {
  name: 'Tile',
  infer: (call) => {
    const { element, shape } = call.tensor(0)
    const [times, axis] = [call.dims(1)?.[0], call.numbers(2)?.[0]]
    if (shape === null || axis === undefined) return [tensor(element, shape && call.freshShape(shape.length))]
    const at = call.axis(axis, shape.length)
    const tiled = times ? mul(shape[at]!, call.size(times, 'repeats')) : call.fresh(at)
    return [tensor(element, shape.with(at, tiled))]
  },
}

/** The sizes of all inputs on an axis that they must agree on: a number if one of them is. */
function agreed(call: Call, dims: readonly Dim[], axis: number): Dim {
  const [first, ...others] = dims
  for (const other of others) call.learn(first!, other, () => `axis ${axis} has different sizes.`)
  return dims.find((dim) => constantOf(dim) !== undefined) ?? first!
}

/** Tensors of one rank put together along an axis. */
export function concatenated(call: Call, tensors: readonly KnownTensor[], given: number): KnownTensor {
  const element = tensors.map((each) => each.element).find((type) => type !== undefined)
  const shapes = tensors.map(({ shape }) => shape)
  const ranked = shapes.filter((shape) => shape !== null)
  const rank = ranked[0]?.length
  if (rank === undefined) return tensor(element, null)
  if (ranked.some(({ length }) => length !== rank)) return call.fail('the inputs have different ranks.')
  const axis = call.axis(given, rank)
  const complete = ranked.length === shapes.length
  const joined = Array.from({ length: rank }, (_, at) => {
    const dims = ranked.map((shape) => shape[at]!)
    if (at !== axis) return agreed(call, dims, at)
    return complete ? sum(dims) : call.fresh(at)
  })
  return tensor(element, joined, complete ? concatenatedValues(tensors, joined, axis) : undefined)
}

function concatenatedValues(tensors: readonly KnownTensor[], joined: DimShape, axis: number): Scalar[] | undefined {
  if (smallCount(joined) === undefined || tensors.every(({ values }) => values === undefined)) return undefined
  const sizes = sizesOf(joined)!
  const outer = sizes.slice(0, axis).reduce((a, b) => a * b, 1)
  const inner = sizes.slice(axis + 1).reduce((a, b) => a * b, 1)
  // What the inputs agree on is a number if one of them knows it; on the axis each has a size of its own.
  const own = tensors.map(({ shape }) => constantOf(shape![axis]!))
  if (!own.every((size) => size !== undefined)) return undefined
  const parts = tensors.map(({ values }, i) => ({ values, length: Number(own[i]) * inner }))
  return Array.from({ length: outer }, (_, i) =>
    parts.flatMap(({ values, length }) =>
      Array.from({ length }, (_unused, j): Scalar => values?.[i * length + j] ?? null),
    ),
  ).flat()
}

const concat: Row = {
  name: 'Concat',
  infer: (call) => {
    if (call.inputs.length === 0) return call.fail('it has no inputs.')
    const tensors = call.inputs.map((_, i) => call.tensor(i))
    return [concatenated(call, tensors, concatAxis(call))]
  },
}

/** Pads come as all that stand before the axes, then all behind; they may be negative. */
const pad: Row = {
  name: 'Pad',
  infer: (call) => {
    const { element, shape } = call.tensor(0)
    const pads = integers(call, padSizes(call))
    if (pads === undefined || (pads?.length ?? 0) % 2 !== 0) return call.fail('pads come in pairs.')
    const axes = isInput(call, padAxes) ? numbers(call, padAxes) : undefined
    if (shape === null) {
      const rank = axes === undefined && pads !== null ? pads.length / 2 : undefined
      return [tensor(element, rank === undefined ? null : call.freshShape(rank))]
    }
    const all = axes === undefined ? shape.map((_, axis) => axis) : axes?.map((axis) => call.axis(axis, shape.length))
    if (pads === null || all === undefined || all === null) {
      const touched = all === undefined || all === null ? undefined : new Set(all)
      return [
        tensor(
          element,
          call.freshShape(shape.length, (axis) => (touched?.has(axis) === false ? shape[axis] : null)),
        ),
      ]
    }
    if (pads.length !== 2 * all.length) return call.fail(`there are ${pads.length} pads for ${all.length} axes.`)
    const padded = [...shape]
    for (const [i, axis] of all.entries()) {
      const [before, behind] = [pads[i], pads[i + all.length]]
      padded[axis] = before && behind ? call.size(add(add(padded[axis]!, before), behind), axis) : call.fresh(axis)
    }
    return [tensor(element, padded)]
  },
}

const centerCropPad: Row = {
  name: 'CenterCropPad',
  since: 18,
  infer: (call) => {
    const { element, shape } = call.tensor(0)
    if (shape === null) return [tensor(element, null)]
    const axes = call.attributes
      .ints(
        'axes',
        shape.map((_, axis) => axis),
      )
      .map((axis) => call.axis(axis, shape.length))
    const sizes = call.dims(1)
    const cropped = [...shape]
    for (const [i, axis] of axes.entries()) cropped[axis] = call.size(sizes?.[i], axis)
    return [tensor(element, cropped)]
  },
}

export const moveRows: readonly Row[] = [transpose, expand, tile6, tile1, concat, pad, centerCropPad]
