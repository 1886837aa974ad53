// Operators that take axes together: reductions, arg-reductions, TopK, and those whose result data decides.
import { add, constant, constantOf, type Dim, type DimShape, mul, product } from '../../dims/index.ts'
import type { ElementType } from '../../model/element-type.ts'
import { distinctAxes, numbers } from '../arguments.ts'
import { isInput, reductionAxes, topKCount } from '../attributes/arguments.ts'
import { axisOf } from '../attributes/axes.ts'
import { keepsDims, reducesNone } from '../attributes/forms.ts'
import type { Call } from '../call.ts'
import { held, larger, placesOf, smaller, stridesOf } from '../elements.ts'
import { dimOfScalar, isFloat, type Known, type KnownTensor, type Scalar, sizesOf, tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** A shape without axes, or with 1 in their place. */
const without = (shape: readonly Dim[], axes: ReadonlySet<number>, keep: boolean): readonly Dim[] =>
  keep ? shape.map((dim, axis) => (axes.has(axis) ? constant(1) : dim)) : shape.filter((_, axis) => !axes.has(axis))

/** Whether a reduction takes all axes, however many there are. */
function isWhole(call: Call): boolean {
  const given = numbers(call, reductionAxes(call))
  return (given === undefined || given?.length === 0) && !reducesNone(call)
}

/** The axes that a reduction takes; null when they are not known, and none when it does nothing. */
function reducedAxes(call: Call, rank: number): ReadonlySet<number> | null {
  const given = numbers(call, reductionAxes(call))
  if (given === null) return null
  return isWhole(call)
    ? new Set(Array.from({ length: rank }, (_, i) => i))
    : new Set(distinctAxes(call, given ?? [], rank))
}

type Combine = (a: Scalar, b: Scalar, element: ElementType | undefined) => Scalar

/** Over integers; of floats each step may round. */
const integers =
  (combine: (a: Dim, b: Dim) => Dim): Combine =>
  (a, b, element) => {
    const [x, y] = [dimOfScalar(a), dimOfScalar(b)]
    return x === null || y === null || isFloat(element) ? null : combine(x, y)
  }

/** The elements of a reduction. */
function reducedValues(
  { element, shape, values }: KnownTensor,
  axes: ReadonlySet<number>,
  combine: Combine,
): Scalar[] | undefined {
  const sizes = sizesOf(shape)
  if (values === undefined || sizes === undefined) return undefined
  const strides = stridesOf(sizes)
  const pick = (kept: boolean, of: readonly number[]): number[] => of.filter((_, axis) => axes.has(axis) !== kept)
  const inner = placesOf(pick(false, sizes), pick(false, strides))
  if (inner.length === 0) return undefined
  return placesOf(pick(true, sizes), pick(true, strides)).map((place) => {
    const elements: readonly Scalar[] = inner.map((offset) => values[place + offset]!)
    return held(
      elements.reduce((a, b) => combine(a, b, element)),
      element,
    )
  })
}

function reduced(call: Call, combine?: Combine): Known {
  const data = call.tensor(0)
  const { element, shape } = data
  const keep = keepsDims(call)
  if (shape === null) return tensor(element, isWhole(call) && !keep ? [] : null)
  const axes = reducedAxes(call, shape.length)
  if (axes === null) return tensor(element, openShape(call, shape, keep))
  return tensor(element, without(shape, axes, keep), combine && reducedValues(data, axes, combine))
}

/** Which axes are reduced is not known, only their number perhaps. */
function openShape(call: Call, shape: readonly Dim[], keep: boolean): DimShape {
  if (keep) return call.freshShape(shape.length)
  const count = call.count(1)
  return count === undefined || count === 0 ? null : call.freshShape(shape.length - count)
}

/** What becomes of elements that are known. */
const reductions: Readonly<Record<string, Combine | undefined>> = {
  ReduceL1: undefined,
  ReduceL2: undefined,
  ReduceLogSum: undefined,
  ReduceLogSumExp: undefined,
  ReduceMax: larger,
  ReduceMean: undefined,
  ReduceMin: smaller,
  ReduceProd: integers(mul),
  ReduceSum: integers(add),
  ReduceSumSquare: undefined,
}

const reductionRows: readonly Row[] = Object.entries(reductions).map(([name, combine]) => ({
  name,
  infer: (call) => [reduced(call, combine)],
}))

const argRows: readonly Row[] = ['ArgMax', 'ArgMin'].map((name) => ({
  name,
  infer: (call) => {
    const { shape } = call.tensor(0)
    if (shape === null) return [tensor('int64', null)]
    const axis = call.axis(axisOf(call), Math.max(shape.length, 1))
    return [tensor('int64', without(shape, new Set([axis]), keepsDims(call)))]
  },
}))

const topK: Row = {
  name: 'TopK',
  infer: (call) => {
    const { element, shape } = call.tensor(0)
    if (shape === null) return [tensor(element, null), tensor('int64', null)]
    const axis = call.axis(axisOf(call), shape.length)
    const k = isInput(call, topKCount)
      ? call.dims(topKCount.input)?.[0]
      : constant(call.attributes.int(topKCount.attribute))
    const top = shape.with(axis, call.size(k, 'k'))
    return [tensor(element, top), tensor('int64', top)]
  },
}

/** How many there are is for the data to say, but never more than elements. */
function counted(call: Call, hint: string, shape: DimShape, least = 0): Dim {
  const most = shape === null ? undefined : constantOf(product(shape))
  return call.fresh(hint, { min: least, max: most ?? null })
}

const nonZero: Row = {
  name: 'NonZero',
  since: 9,
  infer: (call) => {
    const { shape } = call.tensor(0)
    const numbersIn = call.numbers(0)
    const count =
      numbersIn === undefined
        ? counted(call, 'count', shape)
        : constant(numbersIn.filter((value) => value !== 0).length)
    // Of a scalar ONNX wants no rows and engines make one.
    const rows = shape === null || shape.length === 0 ? call.fresh('rank') : constant(shape.length)
    return [tensor('int64', [rows, count])]
  },
}

const unique: Row = {
  name: 'Unique',
  since: 11,
  infer: (call) => {
    const { element, shape } = call.tensor(0)
    const axis = call.attributes.int('axis', undefined)
    const whole = shape && product(shape)
    if (axis === undefined) {
      const count = counted(call, 'count', shape)
      const indices = tensor('int64', [count])
      return [tensor(element, [count]), indices, tensor('int64', [whole ?? call.fresh('elements')]), indices]
    }
    if (shape === null) {
      const indices = tensor('int64', [call.fresh('count')])
      return [tensor(element, null), indices, tensor('int64', [call.fresh('elements')]), indices]
    }
    const at = call.axis(axis, shape.length)
    const count = counted(call, 'count', [shape[at]!])
    const indices = tensor('int64', [count])
    return [tensor(element, shape.with(at, count)), indices, tensor('int64', [shape[at]!]), indices]
  },
}

export const reduceRows: readonly Row[] = [...reductionRows, ...argRows, topK, nonZero, unique]
