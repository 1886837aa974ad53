// Where the greatest or least element is along an axis.
import type { DType } from '../dtypes.ts'
import { SpecError } from '../error.ts'
import { define, type SpecTensor } from '../tensor.ts'
import { axesOf, settled, without } from './reduce.ts'
import { scalar } from './scalar.ts'
import type { Value } from './value.ts'

/** The place of the greatest or least element along an axis, the first of several or the last; NaN is beyond all. */
export const argReduce = (
  operator: 'ArgMax' | 'ArgMin',
  dtype: DType,
  tensor: SpecTensor<Value>,
  options: { readonly axis: number; readonly keepdims?: boolean; readonly last?: boolean },
): SpecTensor<bigint> => {
  const axes = axesOf(tensor.shape.length, [options.axis])
  const [axis] = [...axes] as [number]
  if (tensor.shape[axis] === 0) throw new SpecError('shape', `${operator} of no elements`)
  const isNan = (x: Value): boolean => typeof x === 'number' && Number.isNaN(x)
  const beyond = (x: Value, y: Value): boolean => {
    if (isNan(x) || isNan(y)) return isNan(x) && !isNan(y)
    return scalar(operator === 'ArgMax' ? 'Greater' : 'Less', dtype)(x, y) === true
  }
  const kept = tensor.shape.map((size, each) => (each === axis ? 1 : size))
  const places = define(kept, (index): bigint => {
    const at = (i: number): Value => tensor.at(index.with(axis, i))
    let best = 0
    for (let i = 1; i < tensor.shape[axis]!; i++) {
      if (beyond(at(i), at(best)) || (options.last && !beyond(at(best), at(i)))) best = i
    }
    return BigInt(best)
  })
  return settled(options.keepdims ? places : without(places, axes))
}
