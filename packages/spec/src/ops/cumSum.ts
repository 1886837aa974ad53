// Running sums along an axis, as ONNX CumSum: https://onnx.ai/onnx/operators/onnx__CumSum.html
import { type DType, isFloat, isInteger } from '../dtypes.ts'
import { roundNumber } from '../formats.ts'
import { ratio } from '../rational.ts'
import { define, type SpecTensor } from '../tensor.ts'
import { computeType } from './functions.ts'
import { axesOf, settled } from './reduce.ts'
import { scalar } from './scalar.ts'
import { asNumber, type Value } from './value.ts'

const zero = (dtype: DType): Value => {
  if (dtype === 'real') return ratio(0n)
  return isInteger(dtype) && dtype.endsWith('64') ? 0n : 0
}

/** Sums of all elements up to each place of an axis, one after the other, each rounded; the place itself may not count. */
export const cumSum = (
  dtype: DType,
  tensor: SpecTensor<Value>,
  axisGiven: number,
  { exclusive = false, reverse = false }: { readonly exclusive?: boolean; readonly reverse?: boolean } = {},
): SpecTensor<Value> => {
  const [axis] = [...axesOf(tensor.shape.length, [axisGiven])] as [number]
  const inner = isFloat(dtype) ? computeType(dtype) : dtype
  const plus = scalar('Add', inner)
  const size = tensor.shape[axis]!
  return settled(
    define(tensor.shape, (index): Value => {
      const place = index[axis]!
      const count = (reverse ? size - 1 - place : place) + (exclusive ? 0 : 1)
      const values = Array.from({ length: count }, (_, i) => tensor.at(index.with(axis, reverse ? size - 1 - i : i)))
      if (values.length === 0) return zero(dtype)
      const sum = values.reduce((x, y) => plus(x, y))
      return isFloat(dtype) ? roundNumber(dtype, asNumber(sum)) : sum
    }),
  )
}
