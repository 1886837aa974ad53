// Operators that the library has, element by element: every one of its table that ONNX has. Those of several operands
// broadcast by ONNX's general rule, and before it came by attributes.
import { none, type OperatorName, operators, type Rule } from 'bcast'
import { constantOf } from '../../dims/index.ts'
import { elementwiseOperators, isVariadic, type OnnxOperator } from '../../model/elementwise-operators.ts'
import { computations } from '../arithmetic.ts'
import { type Argument, clipMax, clipMin, isInput } from '../attributes/arguments.ts'
import { attributesOf } from '../attributes/elementwise.ts'
import { binaryRule, meetingOf, slopeRule, variadicRule } from '../attributes/legacy.ts'
import type { Call } from '../call.ts'
import { elementwise, held, larger, smaller } from '../elements.ts'
import { type Known, type KnownTensor, type Scalar, tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** Whether it had rules of its own before the general one came. */
const isBinary = ({ most, name }: OnnxOperator): boolean => most === 2 && name !== operators.prelu.name

/** The rule under which the operands of a node meet. */
function ruleOf(call: Call, operator: OnnxOperator): Rule {
  if (isVariadic(operator)) return variadicRule(call)
  if (operator.name === operators.prelu.name) return slopeRule(call, call.shape(0)?.length)
  if (!isBinary(operator)) return operator.rule
  const holdsOnes = call.shape(1)?.some((dim) => constantOf(dim) === 1n) === true
  return binaryRule(call, holdsOnes, (rule) => call.canMeet([call.operand(0), call.operand(1)], rule))
}

/** The inputs that are operands; the node fails where one is missing. */
function operandsOf(call: Call, operator: OnnxOperator): readonly KnownTensor[] {
  const { length } = call.inputs
  if (isVariadic(operator) && length === 0) return call.fail('it has no inputs.')
  if (isBinary(operator) && length !== 2) return call.fail(`it has ${length} input${length === 1 ? '' : 's'}, not 2.`)
  const count = isVariadic(operator) ? length : operator.least
  return Array.from({ length: count }, (_, i) => call.tensor(i))
}

/** The one result of an operator: its operands meet, and elements that are known are computed. */
function infer(call: Call, operator: OnnxOperator): readonly Known[] {
  const tensors = operandsOf(call, operator)
  const shape =
    operator.most === 1
      ? tensors[0]!.shape
      : call.broadcast(
          tensors.map((_, i) => call.operand(i)),
          ruleOf(call, operator),
        )
  const shared = tensors.filter((_, i) => i !== operator.types.own?.operand)
  const element = shared.find((each) => each.element !== undefined)?.element
  const result = operator.result === 'bool' ? 'bool' : element
  // By the rules of old files elements lie elsewhere.
  const isPlaced = isBinary(operator) && meetingOf(call) !== 'general'
  const compute = isPlaced ? undefined : computations[operator.name as OperatorName]
  if (compute === undefined) return [tensor(result, shape)]
  const attributes = attributesOf(call, operator)
  const values = elementwise(tensors, shape, (elements) => held(compute(elements, element, attributes), result))
  return [tensor(result, shape, values)]
}

/** Bounds are attributes at first, then inputs; either may be left out. They are scalars, so nothing has to meet. */
function inferClip(call: Call): readonly Known[] {
  const { element, shape, values } = call.tensor(0)
  const bound = (argument: Argument): Scalar | undefined => {
    if (!isInput(call, argument)) return call.attributes.float(argument.attribute, undefined)
    return call.has(argument.input) ? (call.tensor(argument.input).values?.[0] ?? null) : undefined
  }
  const [low, high] = [bound(clipMin), bound(clipMax)]
  const clipped = values?.map((value) => {
    const raised = low === undefined ? value : larger(value, low)
    return held(high === undefined ? raised : smaller(raised, high), element)
  })
  return [tensor(element, shape, clipped)]
}

/**
 * Identity is none of them: its input may be any kind of value. A file that has an operator before its opset is read as
 * it was meant.
 */
const tableRows = elementwiseOperators
  .filter(({ name }) => name !== operators.identity.name)
  .map(
    (operator): Row => ({
      name: operator.onnx.name,
      infer: operator.name === operators.clip.name ? inferClip : (call) => infer(call, operator),
    }),
  )

/** Of two tensors of one shape. */
const swiglu: Row = {
  name: 'SwiGLU',
  since: 28,
  infer: (call) => [tensor(call.element(0), call.broadcast([call.operand(0), call.operand(1)], none))],
}

export const elementwiseRows: readonly Row[] = [...tableRows, swiglu]
