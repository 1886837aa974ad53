// Every reduction by name and element type. Floats of 16 bits are float32 until the end, where they are rounded once;
// integers wrap; a set of no elements gives what ONNX says (Sum 0, Prod 1, Max the least value of the type, Min the
// greatest).
import { type DType, type FloatType, type IntegerType, isFloat, isInteger } from '../dtypes.ts'
import { integerRange, roundNumber } from '../formats.ts'
import { reduce as lowest, over, ratio } from '../rational.ts'
import type { SpecTensor } from '../tensor.ts'
import { divide, squareRoot } from './arithmetic.ts'
import { computeType } from './functions.ts'
import { type ReduceOptions, type Reduction, reduceBy } from './reduce.ts'
import { scalar } from './scalar.ts'
import { asNumber, asRational, undefinedForType, type Value } from './value.ts'

type Reductions = Readonly<Record<string, Reduction>>

const floatReductions = (dtype: FloatType): Reductions => {
  const inner = computeType(dtype)
  const [plus, times] = [scalar('Add', inner), scalar('Mul', inner)]
  const finish = (x: Value): Value => roundNumber(dtype, asNumber(x))
  const sum: Reduction = { combine: plus, empty: 0, finish }
  const squares: Reduction = { ...sum, prepare: (x) => times(x, x) }
  return {
    Sum: sum,
    Mean: { ...sum, finish: (x, count) => roundNumber(dtype, divide(inner, asNumber(x), count)) },
    Prod: { combine: times, empty: 1, finish },
    Max: { combine: scalar('Max', inner), empty: -Infinity },
    Min: { combine: scalar('Min', inner), empty: Infinity },
    SumSquare: squares,
    L1: { ...sum, prepare: scalar('Abs', inner) },
    L2: { ...squares, finish: (x) => roundNumber(dtype, squareRoot(inner, asNumber(x))) },
  }
}

const integerReductions = (dtype: IntegerType): Reductions => {
  const { min, max } = integerRange(dtype)
  const own = (x: bigint): Value => (dtype.endsWith('64') ? x : Number(x))
  const times = scalar('Mul', dtype)
  const sum: Reduction = { combine: scalar('Add', dtype), empty: own(0n) }
  return {
    Sum: sum,
    Prod: { combine: times, empty: own(1n) },
    Max: { combine: scalar('Max', dtype), empty: own(min) },
    Min: { combine: scalar('Min', dtype), empty: own(max) },
    SumSquare: { ...sum, prepare: (x) => times(x, x) },
    L1: { ...sum, prepare: scalar('Abs', dtype) },
  }
}

const realReductions = (): Reductions => {
  const times = scalar('Mul', 'real')
  const sum: Reduction = { combine: scalar('Add', 'real'), empty: ratio(0n) }
  return {
    Sum: sum,
    Mean: { ...sum, empty: undefined, finish: (x, count) => lowest(over(asRational(x), ratio(BigInt(count)))) },
    Prod: { combine: times, empty: ratio(1n) },
    Max: { combine: scalar('Max', 'real'), empty: undefined },
    Min: { combine: scalar('Min', 'real'), empty: undefined },
    SumSquare: { ...sum, prepare: (x) => times(x, x) },
    L1: { ...sum, prepare: scalar('Abs', 'real') },
  }
}

const boolReductions = (): Reductions => ({
  Any: { combine: scalar('Or', 'bool'), empty: false },
  All: { combine: scalar('And', 'bool'), empty: true },
})

const reductionsOf = (dtype: DType): Reductions => {
  if (isFloat(dtype)) return floatReductions(dtype)
  if (isInteger(dtype)) return integerReductions(dtype)
  return dtype === 'real' ? realReductions() : dtype === 'bool' ? boolReductions() : {}
}

/** Sum, Mean, Prod, Max, Min, SumSquare, L1 and L2 of numbers, Any and All of truth. */
export const reduce = (
  operator: string,
  dtype: DType,
  tensor: SpecTensor<Value>,
  options: ReduceOptions = {},
): SpecTensor<Value> => reduceBy(reductionsOf(dtype)[operator] ?? undefinedForType(operator, dtype), tensor, options)
