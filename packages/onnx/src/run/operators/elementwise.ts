// Operators that the library has, element by element: every one of its table that ONNX has. What one meant depends on
// its version: before opset 7 (8 for the variadic ones) broadcasting was asked for by attributes.
import {
  BroadcastError,
  broadcastShapes,
  broadcastTo,
  dtypeInfo,
  type OperatorName,
  onnxLegacy,
  operators,
  type Rule,
  type Tensor,
} from 'bcast'
import { clipMax, clipMin, isInput } from '../../infer/attributes/arguments.ts'
import { attributesOf } from '../../infer/attributes/elementwise.ts'
import { binaryRule, meetingOf, slopeRule, variadicRule } from '../../infer/attributes/legacy.ts'
import { elementwiseOperators, isLegacy, isVariadic, type OnnxOperator } from '../../model/elementwise-operators.ts'
import type { ElementwiseRow } from '../row.ts'
import type { NodeUse } from '../use.ts'

/** Whether the shapes of tensors meet under a rule. */
function meet(x: Tensor, y: Tensor, rule: Rule): boolean {
  try {
    broadcastShapes([x.shape, y.shape], { broadcast: rule })
    return true
  } catch (error) {
    if (error instanceof BroadcastError) return false
    throw error
  }
}

const ruleFor = (use: NodeUse, x: Tensor, y: Tensor): Rule =>
  binaryRule(use, y.shape.includes(1), (rule) => meet(x, y, rule))

type Parts = Partial<Pick<ElementwiseRow, 'arrange' | 'compute'>>

/** An operator that broadcasts by attributes in old files; without them shapes have to be equal. */
const legacy = ({ call }: OnnxOperator): Parts => ({
  arrange: (use) => {
    if (meetingOf(use) !== 'placed') return undefined
    return ([x, y]) => [x!, broadcastTo(y!, x!.shape, { broadcast: ruleFor(use, x!, y!) })]
  },
  compute: (operands, use) => call(...operands, ...(meetingOf(use) === 'equal' ? [{ broadcast: onnxLegacy() }] : [])),
})

/** From opset 8 on by the general rule; before, shapes must be equal. */
const variadic = ({ call }: OnnxOperator): Parts => ({
  compute: (operands, use) => call(operands, { broadcast: variadicRule(use) }),
})

/** What is special about some operators. */
const special: Partial<Record<OperatorName, Parts>> = {
  /** Bounds were attributes at first: of 32 bits, whatever the type of x. */
  clip: {
    compute: ([x, low, high], use) => {
      if (isInput(use, clipMin)) return operators.clip.call(x, low, high)
      const { min, max } = dtypeInfo('float32')
      const { attributes } = use
      return operators.clip.call(
        x,
        attributes.float(clipMin.attribute, Number(min)),
        attributes.float(clipMax.attribute, Number(max)),
      )
    },
  },
  /** Before opset 7 a slope has one element, or one for each channel (axis 1). */
  prelu: {
    arrange: (use) => {
      if (use.opset >= 7) return undefined
      return ([x, slope]) => [x!, broadcastTo(slope!, x!.shape, { broadcast: slopeRule(use, x!.rank) })]
    },
  },
}

function partsOf(operator: OnnxOperator): Parts {
  if (isVariadic(operator)) return variadic(operator)
  return isLegacy(operator) ? legacy(operator) : (special[operator.name as OperatorName] ?? {})
}

const rowOf = (operator: OnnxOperator): ElementwiseRow => ({
  kind: 'elementwise',
  ...operator.onnx,
  operands: [operator.least, operator.most],
  typesAt: operator.onnxTypes,
  compute: (operands, use) => {
    const attributes = attributesOf(use, operator)
    return operator.call(...operands, ...(Object.keys(attributes).length === 0 ? [] : [attributes]))
  },
  ...partsOf(operator),
})

/** Identity is none of them: it gives its input itself, whatever kind of value that is. */
export const elementwiseRows: readonly ElementwiseRow[] = elementwiseOperators
  .filter(({ name }) => name !== operators.identity.name)
  .map(rowOf)
