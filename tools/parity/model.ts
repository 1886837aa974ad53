// A call as a node of an ONNX model, where ONNX has the operator for these types.
import { readModel, runModel } from '@bcast/onnx'
import { Tensor } from 'bcast'
import { onnxTypes } from '../../packages/bcast/src/expr/row.ts'
import { modelOf } from '../judges/onnxruntime/model.ts'
import type { Question } from './question.ts'

const OPSET = 22

/** Undefined where ONNX has no such node. */
export function runAsNode({ row, operands, attributes }: Question): Promise<Tensor> | undefined {
  if (attributes['pythondiv'] === true || !operands.every((operand) => operand instanceof Tensor)) return undefined
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
