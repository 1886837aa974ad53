// Operators whose result comes from attributes, shapes or a few numbers.
import { add, cast, equal, fromData, greaterOrEqual, less, lessOrEqual, type Tensor, tensor, where } from 'bcast'
import { axisOf } from '../../infer/attributes/axes.ts'
import { constantValue, fillValue } from '../../infer/attributes/constant.ts'
import { shapeRange } from '../../infer/attributes/forms.ts'
import { generatedNumber } from '../../infer/attributes/types.ts'
import { dtypeOf } from '../../model/element-type.ts'
import { elementsOf, tensorOf } from '../../model/tensor-data.ts'
import type { Call } from '../call.ts'
import type { Computation } from '../computation.ts'
import type { KernelRow } from '../row.ts'
import { COUNTED, MOVED } from '../types.ts'

const int64s = (values: readonly bigint[], shape = [values.length]): Tensor =>
  fromData('int64', BigInt64Array.from(values), shape) as Tensor

const constant: KernelRow = {
  kind: 'kernel',
  name: 'Constant',
  refuse: (use) => (constantValue(use)?.kind === 'sparse' ? 'a sparse tensor is not run' : undefined),
  compute(call) {
    const value = constantValue(call) ?? call.fail('it has no value.')
    if (value.kind === 'sparse') return call.fail('a sparse tensor is not run.')
    if (value.kind === 'tensor') {
      return [call.own(tensorOf(value.proto, call.files === undefined ? {} : { files: call.files }))]
    }
    const shape = value.isScalar ? [] : [value.values.length]
    return [call.own(tensor(value.values as never, { dtype: value.kind, shape } as never) as Tensor)]
  },
}

const constantOfShape: KernelRow = {
  kind: 'kernel',
  name: 'ConstantOfShape',
  since: 9,
  *compute(call) {
    const shape = call.integers(0) ?? call.fail('it has no shape.')
    const proto = fillValue(call)
    if (proto === undefined) return [yield* call.filled('float32', shape, 0)]
    const value = tensorOf(proto, call.files === undefined ? {} : { files: call.files })
    if (value.size !== 1) return call.fail(`value has ${value.size} elements, not 1.`)
    return [yield* call.filled(value.dtype, shape, elementsOf(value)[0]!)]
  },
}

const shape: KernelRow = {
  kind: 'kernel',
  name: 'Shape',
  compute(call) {
    const { shape: sizes, rank } = call.tensor(0)
    return [call.own(int64s(sizes.slice(...shapeRange(call, rank)).map(BigInt)))]
  },
}

const size: KernelRow = {
  kind: 'kernel',
  name: 'Size',
  compute(call) {
    return [call.own(int64s([BigInt(call.tensor(0).size)], []))]
  },
}

/** How many steps of delta there are from start to before limit; integers are counted exactly. */
function stepsBetween<T extends number | bigint>(start: T, limit: T, delta: T): number {
  if (typeof start !== 'bigint') return Math.max(0, Math.ceil((Number(limit) - start) / Number(delta)))
  const [whole, step] = [BigInt(limit) - start, BigInt(delta)]
  const count = whole / step + (whole % step === 0n ? 0n : 1n)
  return whole < 0n === step < 0n ? Number(count) : 0
}

/** From start, delta after delta, before limit; each step rounds to the type, as in ONNX's own definition. */
const range: KernelRow = {
  kind: 'kernel',
  name: 'Range',
  since: 11,
  types: COUNTED,
  typed: 'all',
  compute(call) {
    const [start, limit, delta] = [0, 1, 2].map((i) => {
      const elements = elementsOf(call.tensor(i))
      return elements.length === 1 ? elements[0]! : call.fail(`input ${i} has ${elements.length} elements, not 1.`)
    }) as [number, number, number]
    const { dtype } = call.tensor(0)
    const other = [1, 2].find((i) => call.tensor(i).dtype !== dtype)
    if (other !== undefined) return call.fail(`input 0 is ${dtype}, input ${other} is ${call.tensor(other).dtype}.`)
    // The elements of int64 are big integers, which add as the others do.
    if (Number(delta) === 0) return call.fail('delta is 0.')
    const count = call.places(stepsBetween(start, limit, delta))
    const values: number[] = []
    for (let value = start; values.length < count; ) {
      values.push(value)
      value = dtype === 'float32' ? Math.fround(value + delta) : value + delta
    }
    return [call.own(tensor(values, { dtype, shape: [count] }) as Tensor)]
  },
}

/** 0, 1, 2 … along an axis of a shape. */
const counting = (call: Call, length: number, rank: number, axis: number): Tensor => {
  const values = int64s(Array.from({ length: call.places(length) }, (_, i) => BigInt(i)))
  return call.own(values.reshape(Array.from({ length: rank }, (_, at) => (at === axis ? length : 1))) as Tensor)
}

/** Rows and columns of the matrices of a shape, to be compared. */
const placesOf = (call: Call, { shape: sizes, rank }: Tensor): readonly [rows: Tensor, columns: Tensor] =>
  rank < 2
    ? call.fail(`data of rank ${rank} holds no matrices.`)
    : [counting(call, sizes.at(-2)!, rank, rank - 2), counting(call, sizes.at(-1)!, rank, rank - 1)]

const trilu: KernelRow = {
  kind: 'kernel',
  name: 'Trilu',
  since: 14,
  types: MOVED,
  *compute(call) {
    const x = call.tensor(0)
    const [rows, columns] = placesOf(call, x)
    // Beyond the corners nothing changes any more.
    const offset = BigInt(Math.max(-x.shape.at(-2)!, Math.min(x.shape.at(-1)!, call.integers(1)?.[0] ?? 0)))
    const diagonal = yield* call.apply(add, rows, offset)
    const upper = call.attributes.int('upper', 1) !== 0
    const kept = yield* call.apply(upper ? lessOrEqual : greaterOrEqual, diagonal, columns)
    const zero = call.own(tensor(x.dtype === 'string' ? '' : 0, { dtype: x.dtype }) as Tensor)
    return [yield* call.apply(where, kept, x, zero)]
  },
}

const eyeLike: KernelRow = {
  kind: 'kernel',
  name: 'EyeLike',
  since: 9,
  *compute(call) {
    const x = call.tensor(0)
    if (x.rank !== 2) return call.fail(`data has rank ${x.rank}, not 2.`)
    const [rows, columns] = placesOf(call, x)
    const diagonal = yield* call.apply(add, rows, BigInt(call.attributes.int('k', 0)))
    const ones = yield* call.apply(equal, diagonal, columns)
    const to = generatedNumber(call)
    return [yield* call.apply(cast, ones, to === undefined ? x.dtype : dtypeOf(to, 'the result of EyeLike'))]
  },
}

/** An index below 0 counts from the end; one outside switches nothing on. */
function* oneHotOf(call: Call): Computation<Tensor> {
  const [indices, values] = [call.tensor(0), call.tensor(2)]
  const depth = call.integers(1)?.[0] ?? call.fail('it has no depth.')
  const rank = indices.rank + 1
  const axis = call.axis(axisOf(call), rank)
  const whole = yield* call.apply(cast, indices, 'int64')
  const behind = yield* call.apply(add, whole, BigInt(depth))
  const isNegative = yield* call.apply(less, whole, 0n)
  const places = yield* call.apply(where, isNegative, behind, whole)
  const spread = call.own(places.reshape(indices.shape.toSpliced(axis, 0, 1)) as Tensor)
  const on = yield* call.apply(equal, spread, counting(call, depth, rank, axis))
  const [off, lit] = [0, 1].map((i) => call.own(values.slice(i) as Tensor))
  return yield* call.apply(where, on, lit, off)
}

const oneHot: KernelRow = {
  kind: 'kernel',
  name: 'OneHot',
  since: 9,
  *compute(call) {
    return [yield* oneHotOf(call)]
  },
}

export const generateRows: readonly KernelRow[] = [
  ...[constant, constantOfShape, shape, size, range, trilu, eyeLike, oneHot],
]
