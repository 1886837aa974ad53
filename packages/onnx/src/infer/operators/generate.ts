// Tensors that come from attributes, shapes or chance: constants, shapes as values, ranges, random numbers.
import {
  add,
  bounds,
  ceilDiv,
  constant,
  constantOf,
  type Dim,
  type DimShape,
  max,
  mul,
  product,
  sub,
} from '../../dims/index.ts'
import { type ElementType, elementTypeOf } from '../../model/element-type.ts'
import { constantValue, fillValue } from '../attributes/constant.ts'
import { isWholeShape, shapeRange } from '../attributes/forms.ts'
import { generatedNumber } from '../attributes/types.ts'
import type { Call } from '../call.ts'
import { knownOfProto, knownOfSparse } from '../constants.ts'
import { held } from '../elements.ts'
import { dimOfScalar, isFloat, type Known, numberOfScalar, type Scalar, smallCount, tensor } from '../known.ts'
import type { Row } from '../row.ts'

const scalar = (element: ElementType, value?: Scalar): Known =>
  tensor(element, [], value === undefined ? undefined : [value])

/** Exactly one attribute holds the value. */
const constantRow: Row = {
  name: 'Constant',
  infer: (call) => {
    const value = constantValue(call) ?? call.fail('it has no value.')
    if (value.kind === 'tensor') return [knownOfProto(value.proto, call.files)]
    if (value.kind === 'sparse') return [knownOfSparse(value.proto)]
    const scalars: Scalar[] | undefined =
      value.kind === 'string'
        ? undefined
        : value.values.map((each) => (typeof each === 'bigint' ? constant(each) : each))
    return [tensor(value.kind, value.isScalar ? [] : [constant(value.values.length)], scalars)]
  },
}

/** The shape that the elements of input i say; only their number may be known. */
export function shapeFrom(call: Call, i: number): DimShape {
  const given = call.ranked(i, 1, 1)
  const count = call.count(i)
  const sizes = call.dims(i)
  if (sizes !== undefined) return sizes.map((size, axis) => call.size(size, axis))
  return given === null || count === undefined ? null : call.freshShape(count)
}

const constantOfShape: Row = {
  name: 'ConstantOfShape',
  since: 9,
  infer: (call) => {
    const proto = fillValue(call)
    const value = proto && knownOfProto(proto, call.files)
    const shape = shapeFrom(call, 0)
    const count = smallCount(shape)
    const fill: Scalar = value === undefined ? 0 : (value.values?.[0] ?? null)
    const element = value === undefined ? 'float32' : value.element
    return [tensor(element, shape, count === undefined ? undefined : new Array<Scalar>(count).fill(fill))]
  },
}

const shapeRow: Row = {
  name: 'Shape',
  infer: (call) => {
    const { shape } = call.tensor(0)
    if (shape === null) return [tensor('int64', [call.fresh(isWholeShape(call) ? 'rank' : 'count')])]
    const sizes = shape.slice(...shapeRange(call, shape.length))
    return [tensor('int64', [constant(sizes.length)], sizes)]
  },
}

const size: Row = {
  name: 'Size',
  infer: (call) => {
    const { shape } = call.tensor(0)
    return [scalar('int64', shape === null ? undefined : held(product(shape), 'int64'))]
  },
}

/** How many numbers there are from start to limit; undefined where that is not known. */
function rangeCount(ends: readonly Scalar[], element: ElementType | undefined): Dim | undefined {
  const [start, limit, delta] = ends.map(dimOfScalar)
  if (start && limit && delta && (constantOf(delta) !== undefined || bounds(delta).min > 0)) {
    return constantOf(delta) === 0n ? undefined : max(ceilDiv(sub(limit, start), delta), 0)
  }
  const [from, to, by] = ends.map(numberOfScalar)
  // Other floats take the difference in their own precision.
  if (from === undefined || to === undefined || !by || (element !== 'float32' && element !== 'float64'))
    return undefined
  const steps = Math.ceil((to - from) / by)
  return Number.isSafeInteger(steps) ? constant(Math.max(steps, 0)) : undefined
}

const range: Row = {
  name: 'Range',
  since: 11,
  infer: (call) => {
    const inputs = [call.tensor(0), call.tensor(1), call.tensor(2)] as const
    const element = inputs.map((input) => input.element).find((type) => type !== undefined)
    const ends = inputs.map(({ values }) => values?.[0] ?? null)
    const count = rangeCount(ends, element) ?? call.fresh('count')
    const [start, , delta] = ends.map(dimOfScalar)
    const small = smallCount([count])
    if (small === undefined || !start || !delta || isFloat(element)) return [tensor(element, [count])]
    const values = Array.from({ length: small }, (_, i) => add(start, mul(delta, i)))
    return [tensor(element, [count], values)]
  },
}

/** A type named by a number in an attribute; `otherwise` where it is left out. */
export const typeAttribute = (
  { attributes }: Call,
  name: string,
  otherwise: ElementType | undefined,
): ElementType | undefined => (attributes.has(name) ? elementTypeOf(attributes.int(name)) : otherwise)

/** A type named by attribute `dtype`; `otherwise` where it is left out. */
const generatedType = (call: Call, otherwise: ElementType | undefined): ElementType | undefined => {
  const named = generatedNumber(call)
  return named === undefined ? otherwise : elementTypeOf(named)
}

const eyeLike: Row = {
  name: 'EyeLike',
  since: 9,
  infer: (call) => {
    const shape = call.ranked(0, 2, 2)
    return [tensor(generatedType(call, call.element(0)), shape)]
  },
}

const randomRows: readonly Row[] = ['RandomNormal', 'RandomUniform'].map((name) => ({
  name,
  infer: (call) => {
    const shape = call.attributes.ints('shape').map((each) => call.size(constant(each), 'size'))
    return [tensor(generatedType(call, 'float32'), shape)]
  },
}))

const randomLikeRows: readonly Row[] = ['RandomNormalLike', 'RandomUniformLike', 'Bernoulli'].map((name) => ({
  name,
  infer: (call) => [tensor(generatedType(call, call.element(0)), call.shape(0))],
}))

const multinomial: Row = {
  name: 'Multinomial',
  since: 7,
  infer: (call) => {
    const shape = call.ranked(0, 2, 2)
    const samples = constant(call.attributes.int('sample_size', 1))
    return [tensor(generatedType(call, 'int32'), [shape?.[0] ?? call.fresh('batch'), samples])]
  },
}

/** Windows of a length that an input says. */
const windowRows: readonly Row[] = ['BlackmanWindow', 'HammingWindow', 'HannWindow'].map((name) => ({
  name,
  since: 17,
  infer: (call) => [
    tensor(typeAttribute(call, 'output_datatype', 'float32'), [call.size(call.dims(0)?.[0], 'length')]),
  ],
}))

export const generateRows: readonly Row[] = [
  ...[constantRow, constantOfShape, shapeRow, size, range, eyeLike, multinomial],
  ...[...randomRows, ...randomLikeRows, ...windowRows],
]
