// Products of stacks of matrices, as ONNX MatMul ("behaves like numpy.matmul") and NumPy's matmul have them: a vector on
// the left is a row and one on the right a column, which the result does not have; the axes before the last two meet as
// the rule of batches says, and for each index of theirs the product is the one of Gemm.
// https://onnx.ai/onnx/operators/onnx__MatMul.html, https://numpy.org/doc/stable/reference/generated/numpy.matmul.html
import type { DType } from '../dtypes.ts'
import { SpecError } from '../error.ts'
import { matmulBatch } from '../rules/matmulBatch.ts'
import { define, type Index, type SpecTensor } from '../tensor.ts'
import { gemm } from './gemm.ts'
import { settled } from './reduce.ts'
import type { Value } from './value.ts'

/** The product of two stacks of matrices. */
export const matmul = (dtype: DType, a: SpecTensor<Value>, b: SpecTensor<Value>): SpecTensor<Value> => {
  const met = matmulBatch([a.shape, b.shape])
  if (!met.ok) throw new SpecError('shape', `${met.clause}: ${met.reason}`)
  const [isRow, isColumn] = [a.shape.length === 1, b.shape.length === 1]
  const [K, inner] = [a.shape.at(-1)!, b.shape.at(isColumn ? -1 : -2)!]
  if (K !== inner) throw new SpecError('shape', `MatMul: ${K} columns against ${inner} rows`)
  const rows = isRow ? [] : a.shape.slice(-2, -1)
  const columns = isColumn ? [] : b.shape.slice(-1)
  const matrixOfA = (batch: Index): SpecTensor<Value> =>
    isRow
      ? define([1, ...a.shape], ([, k]) => a.at([k!]))
      : define(a.shape.slice(-2), ([m, k]) => a.at([...met.maps[0]!(batch), m!, k!]))
  const matrixOfB = (batch: Index): SpecTensor<Value> =>
    isColumn
      ? define([...b.shape, 1], ([k]) => b.at([k!]))
      : define(b.shape.slice(-2), ([k, n]) => b.at([...met.maps[1]!(batch), k!, n!]))
  const products = new Map<string, SpecTensor<Value>>()
  return settled(
    define([...met.shape, ...rows, ...columns], (index) => {
      const batch = index.slice(0, met.shape.length)
      const key = batch.join()
      const product = products.get(key) ?? gemm(dtype, matrixOfA(batch), matrixOfB(batch))
      products.set(key, product)
      const place = index.slice(batch.length)
      return product.at([isRow ? 0 : place[0]!, isColumn ? 0 : place.at(-1)!])
    }),
  )
}
