// The logarithm of a sum of exponentials, from the greatest element on so that nothing overflows. It is made of other
// operators in the type that 16-bit floats compute in, and rounded once.
import { type DType, isFloat } from '../dtypes.ts'
import { roundNumber } from '../formats.ts'
import { correctlyRounded } from '../functions.ts'
import { define, type Index, type SpecTensor } from '../tensor.ts'
import { add, subtract } from './arithmetic.ts'
import { computeType } from './functions.ts'
import { axesOf, type ReduceOptions, settled, without } from './reduce.ts'
import { reduce } from './reductions.ts'
import { asNumber, undefinedForType, type Value } from './value.ts'

/** Where the greatest is infinite, 0 stands for it. */
export const logSumExp = (dtype: DType, tensor: SpecTensor<Value>, options: ReduceOptions = {}): SpecTensor<Value> => {
  if (!isFloat(dtype)) return undefinedForType('LogSumExp', dtype)
  const inner = computeType(dtype)
  const kept = { ...options, keepdims: true }
  const greatest = reduce('Max', inner, tensor, kept)
  const shift = (index: Index): number => {
    const own = asNumber(greatest.at(index.map((i, axis) => (greatest.shape[axis] === 1 ? 0 : i))))
    return Number.isFinite(own) || Number.isNaN(own) ? own : 0
  }
  const powers = define(
    tensor.shape,
    (index): Value => correctlyRounded('Exp', [subtract(inner, asNumber(tensor.at(index)), shift(index))], inner),
  )
  const sums = reduce('Sum', inner, settled(powers), kept)
  const results = settled(
    define(sums.shape, (index): Value => {
      const logarithm = correctlyRounded('Log', [asNumber(sums.at(index))], inner)
      return roundNumber(dtype, add(inner, logarithm, shift(index)))
    }),
  )
  return options.keepdims ? results : settled(without(results, axesOf(tensor.shape.length, options.axes)))
}
