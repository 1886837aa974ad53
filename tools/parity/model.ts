// A call as a node of an ONNX model, where ONNX has the operator for these types.
import { readModel, runModel } from '@bcast/onnx'
import { Tensor } from 'bcast'
import { onnxTypes } from '../../packages/bcast/src/expr/row.ts'
import { modelOf } from '../judges/onnxruntime/model.ts'
import type { Question } from './question.ts'

const OPSET = 22

/** Whether ONNX can say these attributes: it has them, and its numbers have 32 bits, which float64 sees. */
const isSayable = ({ row, operands, attributes }: Question): boolean =>
  Object.entries(row.attributes ?? {}).every(([name, fact]) => {
    const value = attributes[name] ?? fact.default
    if (fact.onnx === false) return value === fact.default
    return typeof value !== 'number' || Math.fround(value) === value || (operands[0] as Tensor).dtype !== 'float64'
  })

/** Undefined where ONNX has no such node. */
export function runAsNode(question: Question): Promise<Tensor> | undefined {
  const { row, operands, attributes } = question
  if (!isSayable(question) || !operands.every((operand) => operand instanceof Tensor)) return undefined
  const takes = operands.every((operand, i) => {
    const types = i === row.own?.operand ? row.own.types : row.types
    return onnxTypes(types, OPSET)?.includes((operand as Tensor).dtype)
  })
  if (!takes) return undefined
  const dtypes = (operands as Tensor[]).map(({ dtype }) => dtype)
  const model = readModel(modelOf({ op: row.name, attrs: attributes } as never, dtypes as never))
  const inputs = Object.fromEntries(operands.map((operand, i) => [`x${i}`, operand]))
  return Promise.resolve(runModel(model, inputs as never)).then((outputs) => outputs['y'] as Tensor)
}
