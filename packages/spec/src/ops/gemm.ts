// Gemm: alpha * A * B + beta * C, in the order of operations that makes its rounding definite.
import { broadcast } from '../broadcast.ts'
import { type DType, isFloat, isInteger } from '../dtypes.ts'
import { SpecError } from '../error.ts'
import { exact, roundNumber, wrap } from '../formats.ts'
import { isIntegral, plus, type Rational, ratio, reduce, times } from '../rational.ts'
import { unidirectional } from '../rules/unidirectional.ts'
import { define, fromFlat, indices, type SpecTensor } from '../tensor.ts'
import { add, multiply } from './arithmetic.ts'
import { computeType } from './functions.ts'
import { asInteger, asNumber, asRational, undefinedForType, type Value } from './value.ts'

/** The attributes of Gemm. */
export interface GemmAttributes {
  readonly alpha?: number | Rational
  readonly beta?: number | Rational
  readonly transA?: boolean
  readonly transB?: boolean
}

/** One element: the row of A', the column of B', the element of C that stands there. */
type Element = (row: readonly Value[], column: readonly Value[], c: Value | undefined) => Value

const factor = (x: number | Rational | undefined): Rational =>
  x === undefined ? ratio(1n) : typeof x === 'number' ? exact(x) : x

const floatElement = (dtype: Parameters<typeof computeType>[0], attributes: GemmAttributes): Element => {
  const format = computeType(dtype)
  const attribute = (x: number | Rational | undefined): number => roundNumber(format, asNumber(x ?? 1))
  const alpha = attribute(attributes.alpha)
  const beta = attribute(attributes.beta)
  return (row, column, c) => {
    let accumulator = 0
    for (const [k, a] of row.entries()) {
      accumulator = add(format, accumulator, multiply(format, asNumber(a), asNumber(column[k])))
    }
    const product = multiply(format, alpha, accumulator)
    if (c === undefined) return roundNumber(dtype, product)
    return roundNumber(dtype, add(format, product, multiply(format, beta, asNumber(c))))
  }
}

/** alpha * sum + beta * c without any rounding. */
const exactly = (
  attributes: GemmAttributes,
  row: readonly Rational[],
  column: readonly Rational[],
  c: Rational | undefined,
): Rational => {
  const sum = row.reduce((total, a, k) => plus(total, times(a, column[k]!)), ratio(0n))
  const product = times(factor(attributes.alpha), sum)
  return reduce(c === undefined ? product : plus(product, times(factor(attributes.beta), c)))
}

const elementOf = (dtype: DType, attributes: GemmAttributes): Element => {
  if (isFloat(dtype)) return floatElement(dtype, attributes)
  if (dtype === 'real') {
    return (row, column, c) =>
      exactly(attributes, row.map(asRational), column.map(asRational), c === undefined ? undefined : asRational(c))
  }
  if (!isInteger(dtype)) return undefinedForType('Gemm', dtype)
  if (!isIntegral(factor(attributes.alpha)) || !isIntegral(factor(attributes.beta))) {
    throw new SpecError('value', 'Gemm of integers needs an integral alpha and beta')
  }
  const integer = (x: Value): Rational => ratio(asInteger(dtype, x))
  return (row, column, c) =>
    wrap(dtype, exactly(attributes, row.map(integer), column.map(integer), c === undefined ? undefined : integer(c)).n)
}

const matrix = (tensor: SpecTensor<Value>, transposed: boolean | undefined): SpecTensor<Value> => {
  if (tensor.shape.length !== 2) throw new SpecError('shape', 'Gemm multiplies matrices')
  return transposed ? define([...tensor.shape].reverse(), ([i, j]) => tensor.at([j!, i!])) : tensor
}

/** C stretches one way onto the product. @clause onnx.uni.op.gemm */
export const gemm = (
  dtype: DType,
  a: SpecTensor<Value>,
  b: SpecTensor<Value>,
  c?: SpecTensor<Value>,
  attributes: GemmAttributes = {},
): SpecTensor<Value> => {
  const element = elementOf(dtype, attributes)
  const left = matrix(a, attributes.transA)
  const right = matrix(b, attributes.transB)
  const [M, K] = left.shape as [number, number]
  const [inner, N] = right.shape as [number, number]
  if (K !== inner) throw new SpecError('shape', `Gemm: ${K} columns against ${inner} rows`)
  const product: SpecTensor<Value> = define([M, N], ([m, n]) => {
    const along = Array.from({ length: K }, (_, k) => k)
    const row = along.map((k) => left.at([m!, k]))
    const column = along.map((k) => right.at([k, n!]))
    return element(row, column, stretched?.at([m!, n!]))
  })
  const stretched = c && broadcast(unidirectional([product.shape, c.shape]), [product, c])[1]
  return fromFlat(
    product.shape,
    [...indices(product.shape)].map((index) => product.at(index)),
  )
}
