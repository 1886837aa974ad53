// Numbers of few bits with a scale and a zero point: to and from floats, and products of matrices of them.
import { add, cast, type DType, div, matmul, max, min, mul, round, sub, type Tensor } from 'bcast'
import { axisOf } from '../../infer/attributes/axes.ts'
import { intOf } from '../../infer/attributes/said.ts'
import { quantizedNumber } from '../../infer/attributes/types.ts'
import { dtypeOf } from '../../model/element-type.ts'
import type { Call } from '../call.ts'
import type { Computation, Operation } from '../computation.ts'
import { folded, kernelOf, maxima, minima } from '../fold.ts'
import type { KernelRow, TypesByOpset } from '../row.ts'
import { gathered } from './join.ts'
import { narrowed, widened } from './reduce.ts'

const SCALED: TypesByOpset = [
  [10, ['float32', 'int32']],
  [19, ['float32', 'int32', 'float16', 'bfloat16']],
]
const QUANTIZED: TypesByOpset = [
  [10, ['int8', 'uint8', 'int32']],
  [21, ['int8', 'uint8', 'int32', 'int16', 'uint16']],
]
const BYTES: TypesByOpset = [[10, ['int8', 'uint8']]]

/** A scale or zero point beside the data: one for all, one for each place on an axis, or one for each block of places. */
function* beside(call: Call, i: number, x: Tensor): Computation<Tensor> {
  const given = call.tensor(i)
  if (given.size === 1 && given.rank <= 1) return call.own(given.reshape([]) as Tensor)
  const axis = call.axis(axisOf(call), x.rank)
  const block = intOf(call, 'block_size', 0)
  if (block < 0) call.fail(`block_size is ${block}.`)
  const shape = block === 0 ? [x.shape[axis]!] : x.shape.with(axis, Math.ceil(x.shape[axis]! / block))
  if (given.shape.join() !== shape.join()) {
    call.fail(
      `input ${i} has shape (${given.shape.join(',')}); on axis ${axis} of the data it is (${shape.join(',')}).`,
    )
  }
  if (block === 0) return call.own(given.reshape(x.shape.map((size, at) => (at === axis ? size : 1))) as Tensor)
  const blocks = Array.from({ length: x.shape[axis]! }, (_, place) => Math.floor(place / block))
  return yield* gathered(call, given, axis, blocks)
}

/** The type that an attribute names; undefined where it is left out. */
function namedType(call: Call): DType | undefined {
  const named = quantizedNumber(call)
  return named === 0 ? undefined : dtypeOf(named, 'output_dtype')
}

/** Converting to the narrow type keeps what is beyond it at its ends. */
const scaledDown: Operation = kernelOf(3, ([x, scale, zero]) => add(round(div(x!, scale!)), zero!))
const scaledUp: Operation = kernelOf(3, ([x, scale, zero]) => mul(sub(x!, zero!), scale!))

/** Zero points as floats; 0 where they are left out. */
function* zerosOf(call: Call, x: Tensor): Computation<Tensor> {
  if (!call.has(2)) return yield* call.filled('float32', [], 0)
  return yield* call.apply(cast, yield* beside(call, 2, x), 'float32')
}

const quantizeLinear: KernelRow = {
  kind: 'kernel',
  name: 'QuantizeLinear',
  since: 10,
  types: SCALED,
  *compute(call) {
    const given = call.tensor(0)
    const dtype = call.has(2) ? call.tensor(2).dtype : (namedType(call) ?? 'uint8')
    const x = yield* narrowed(call, given, 'float32')
    const scale = yield* narrowed(call, yield* beside(call, 1, x), 'float32')
    return [yield* call.apply(cast, yield* call.apply(scaledDown, x, scale, yield* zerosOf(call, x)), dtype)]
  },
}

const dequantizeLinear: KernelRow = {
  kind: 'kernel',
  name: 'DequantizeLinear',
  since: 10,
  types: QUANTIZED,
  *compute(call) {
    const given = call.tensor(0)
    const x = yield* call.apply(cast, given, 'float32')
    const scale = yield* widened(call, yield* beside(call, 1, x))
    const result = yield* call.apply(scaledUp, x, scale, yield* zerosOf(call, x))
    return [yield* narrowed(call, result, namedType(call) ?? call.tensor(1).dtype)]
  },
}

const spanOf: Operation = kernelOf(2, ([low, high]) => div(sub(max(high!, 0), min(low!, 0)), 255))
const zeroOf: Operation = kernelOf(2, ([low, scale]) => round(sub(0, div(min(low!, 0), scale!))))

/** Into uint8, from the least to the largest element, with 0 among them. */
const dynamicQuantizeLinear: KernelRow = {
  kind: 'kernel',
  name: 'DynamicQuantizeLinear',
  since: 11,
  types: [[11, ['float32']]],
  *compute(call) {
    const x = call.tensor(0)
    const axes = x.shape.map((_, axis) => axis)
    const extreme = function* (fold: typeof maxima): Computation<Tensor> {
      return call.own((yield* folded(call, fold, x, axes)).reshape([]) as Tensor)
    }
    const [low, high] = [yield* extreme(minima), yield* extreme(maxima)]
    const scale = yield* call.apply(spanOf, low, high)
    const zero = yield* call.apply(cast, yield* call.apply(zeroOf, low, scale), 'uint8')
    const moved = yield* call.apply(scaledDown, x, scale, yield* call.apply(cast, zero, 'float32'))
    return [yield* call.apply(cast, moved, 'uint8'), scale, zero]
  },
}

/** A matrix as int32, without its zero point: one for all, or one for each row of A or column of B. */
function* centred(call: Call, i: number, shapeOf: (count: number) => readonly number[]): Computation<Tensor> {
  const x = yield* call.apply(cast, call.tensor(i), 'int32')
  if (!call.has(i + 2)) return x
  const zero = yield* call.apply(cast, call.tensor(i + 2), 'int32')
  const placed = zero.rank === 1 ? call.own(zero.reshape([...shapeOf(zero.size)]) as Tensor) : zero
  return yield* call.apply(sub, x, placed)
}

const matMulInteger: KernelRow = {
  kind: 'kernel',
  name: 'MatMulInteger',
  since: 10,
  types: BYTES,
  typed: [0, 1],
  *compute(call) {
    const a = yield* centred(call, 0, (rows) => (rows === 1 ? [] : [rows, 1]))
    const b = yield* centred(call, 1, (columns) => (columns === 1 ? [] : [columns]))
    return [yield* call.apply(matmul, a, b)]
  },
}

export const quantisationRows: readonly KernelRow[] = [
  quantizeLinear,
  dequantizeLinear,
  dynamicQuantizeLinear,
  matMulInteger,
]
