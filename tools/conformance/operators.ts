// The operators by the names that ONNX, OpenVINO, nGraph and Paddle give them, from the library's own table. One lookup
// serves case files and ONNX graphs, so that a name means one function wherever it is met.

import type { Attribute, Operator, Rule, Tensor } from 'bcast'
import * as bcast from 'bcast'
import { namedOperators } from '../../testing/named-operators.ts'

/** What an operator is told besides its operands; each reads what it knows. */
export interface Settings {
  /** undefined: the operator's own rule. */
  readonly rule?: Rule | undefined
  /** Attributes that are not said are ONNX's, else OpenVINO's. */
  readonly onnx: boolean
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Names of other documents for what a standard has. */
const ALIASES: Readonly<Record<string, string>> = { FloorDiv: 'Divide' }

const standardName = (name: string): string => (Object.hasOwn(ALIASES, name) ? ALIASES[name]! : name)

/** The operator that a name means; undefined where none does. */
export const operatorNamed = (name: string | undefined): Operator | undefined =>
  name === undefined ? undefined : namedOperators.get(standardName(name))

/** What a standard takes where nothing is said: the one whose name it is, or that the case follows. */
function usual({ default: own, openvino }: Attribute, operator: Operator, name: string, onnx: boolean): unknown {
  const isOnnx = operator.openvino !== name || (onnx && operator.onnx?.name === name)
  return isOnnx ? own : (openvino ?? own)
}

/** Runs the operator of a name. */
export function runOperator(name: string, operands: readonly Tensor[], settings: Settings): Tensor {
  const operator = operatorNamed(name)
  if (operator === undefined) throw new Error(`no operator is known as ${name}`)
  const { rule, onnx, attributes: said } = settings
  const attributes = Object.entries(operator.attributes).map(([attribute, fact]) => [
    attribute,
    said[attribute] ?? usual(fact, operator, standardName(name), onnx),
  ])
  const options = { ...Object.fromEntries(attributes), ...(rule === undefined ? {} : { broadcast: rule }) }
  return operator.call(...operands, options)
}

export interface GemmSettings {
  readonly alpha?: number | undefined
  readonly beta?: number | undefined
  readonly transA: boolean
  readonly transB: boolean
  /** How C goes onto the product; undefined: as the operator itself has it. */
  readonly rule?: Rule | undefined
}

export function runGemm(
  [a, b, c]: readonly Tensor[],
  { alpha = 1, beta = 1, transA, transB, rule }: GemmSettings,
): Tensor {
  const settings = { alpha, beta, transA, transB }
  if (c === undefined || rule === undefined) return bcast.gemm(a!, b!, c, settings)
  const product = [a!.shape[transA ? 1 : 0]!, b!.shape[transB ? 0 : 1]!]
  return bcast.gemm(a!, b!, bcast.broadcastTo(c, product, { broadcast: rule }), settings)
}
