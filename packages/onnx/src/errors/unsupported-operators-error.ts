// Everything in a model that cannot be run, found before anything runs.
import { OnnxError } from './onnx-error.ts'

/** An operator that cannot be run, with all nodes that are of it. */
export interface UnsupportedOperator {
  /** Empty for ONNX's own. */
  readonly domain: string
  readonly name: string
  /** The version of its operator set that the model means; undefined where the model does not say. */
  readonly opset: number | undefined
  /** What about it is not supported, where other nodes of the operator are; undefined for the whole operator. */
  readonly reason: string | undefined
  /** How many nodes there are. */
  readonly count: number
  /** The first of them, in words. */
  readonly node: string
}

const described = ({ domain, name, opset, reason, count, node }: UnsupportedOperator): string => {
  const whole = domain === '' ? name : `${domain}.${name}`
  const version = opset === undefined ? '' : ` (opset ${opset})`
  const nodes = count === 1 ? node : `${count} nodes, the first is ${node}`
  return `  ${whole}${version}: ${nodes}${reason === undefined ? '' : `; ${reason}`}`
}

/** Operators of a model that the package does not run, and where they are. */
export class UnsupportedOperatorsError extends OnnxError {
  readonly code = 'ONNX_OPERATORS'
  readonly operators: readonly UnsupportedOperator[]

  constructor(operators: readonly UnsupportedOperator[]) {
    const count = operators.length === 1 ? 'one operator' : `${operators.length} operators`
    super(`the model cannot be run, for ${count} in it:\n${operators.map(described).join('\n')}`)
    this.operators = operators
  }
}
