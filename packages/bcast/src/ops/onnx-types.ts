// Which element types ONNX allows for the operands of an operator, as the rows have them: whoever runs ONNX models
// enforces ONNX's types, while the library itself takes those of every source.
import type { DType } from '../dtype/dtype.ts'
import { onnxTypes, type Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'

export interface OnnxOperandTypes {
  /** Of the operands that share one type. */
  readonly shared: readonly DType[]
  /** Of an operand that has a type of its own: the condition of Where, the exponent of Pow. */
  readonly own: { readonly operand: number; readonly types: readonly DType[] } | undefined
}

/** The types that ONNX allows an operator at an operator set; undefined before it existed, or where ONNX has none such. */
export function onnxOperandTypes(operator: string, opset: number): OnnxOperandTypes | undefined {
  const all: Readonly<Record<string, Pick<Row, 'name' | 'types' | 'own'>>> = rows
  const row = Object.values(all).find(({ name }) => name === operator)
  const shared = row && onnxTypes(row.types, opset)
  if (shared === undefined) return undefined
  const own = row?.own && { operand: row.own.operand, types: onnxTypes(row.own.types, opset) ?? [] }
  return { shared, own }
}
