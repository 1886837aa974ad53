// The element-wise operators of ONNX, as bcast's table has them: nothing here or above names them a second time.
import { numpy, type Operator, operators } from 'bcast'

export interface OnnxOperator extends Operator {
  readonly onnx: NonNullable<Operator['onnx']>
}

const isOnnx = (operator: Operator): operator is OnnxOperator => operator.onnx !== undefined

export const elementwiseOperators: readonly OnnxOperator[] = Object.values(operators).filter(isOnnx)

const byName: ReadonlyMap<string, OnnxOperator> = new Map(
  elementwiseOperators.map((operator) => [operator.onnx.name, operator]),
)

export const isVariadic = ({ most }: Operator): boolean => most === Number.POSITIVE_INFINITY

/** Whether an operator had the attributes `broadcast` and `axis`: those of two operands, until opset 7 came. */
export const isLegacy = ({ onnx, operands, rule }: OnnxOperator): boolean =>
  onnx.since < 7 && operands.length === 2 && rule === numpy

/** The same by name. Others have an `axis` that means something else. */
export function isLegacyName(name: string): boolean {
  const operator = byName.get(name)
  return operator !== undefined && isLegacy(operator)
}

/** Whether a name is that of an operator of any number of operands, which had to be of one shape until opset 8 came. */
export function isVariadicName(name: string): boolean {
  const operator = byName.get(name)
  return operator !== undefined && isVariadic(operator)
}
