// Which rule of the library a case names, and how its operands meet under it. The files speak of data and target,
// of broadcast_axes and axes_mapping; the library of operands that go onto one another.

import {
  bidirectional,
  explicit,
  matmulBatch,
  none,
  numpy,
  onnxLegacy,
  openvinoPrelu,
  paddle,
  pdpd,
  type Rule,
  type SymbolicShape,
  sonnx,
  unidirectional,
} from 'bcast'
import type { Case } from './case.ts'
import { type AxesMapping, axesMappingOf, targetOf } from './operator-checks.ts'
import { operatorNamed } from './operators.ts'

export interface Meeting {
  readonly shapes: readonly SymbolicShape[]
  readonly rule: Rule
  /** The operand that a one-way rule keeps. */
  readonly onto: number
  /** Which of the shapes is the data of a broadcast_to. */
  readonly data?: number
}

/** nGraph read explicit mode strictly: a size of 1 does not stretch. */
const isStrict = ({ tags }: Case): boolean => tags.includes('ngraph-vs-openvino')

function explicitRule(mapping: AxesMapping, strict: boolean): Rule {
  return explicit({ axesMapping: mapping, strict })
}

/** The rule of a case whose inputs are the operands. */
export function elementwiseRule({ rule, attrs }: Case): Rule {
  const axis = attrs.axis === undefined ? {} : { axis: attrs.axis }
  switch (rule) {
    case 'pdpd':
      return pdpd(axis)
    case 'paddle':
      return paddle(axis)
    case 'onnx_legacy':
      return onnxLegacy({ broadcast: (attrs.broadcast ?? 0) !== 0, ...axis })
    case 'sonnx_none':
      return none
    case 'openvino_prelu':
      return openvinoPrelu
    case 'matmul_batch':
      return matmulBatch
    case 'explicit':
    case 'ngraph_axes':
      throw new Error(`an elementwise case cannot have the rule ${rule}`)
    default:
      return { numpy, unidirectional, bidirectional, none, sonnx }[rule]
  }
}

/** The rule that brings data onto a target; numpy means one-directional there. */
export function broadcastToRule(read: Case): Rule {
  const { rule, attrs } = read
  switch (rule) {
    case 'numpy':
      return unidirectional
    case 'explicit':
      return explicitRule(axesMappingOf(read), isStrict(read))
    case 'ngraph_axes':
      return explicit({ broadcastAxes: attrs.broadcastAxes ?? [] })
    case 'pdpd':
      // OpenVINO's Broadcast is laxer than its elementwise pdpd: a size of 1 in the target stretches too.
      return paddle(attrs.axis === undefined ? {} : { axis: attrs.axis })
    default:
      return elementwiseRule(read)
  }
}

/** The operand that a one-way rule keeps. */
const keptOperand = ({ op }: Case, rule: Rule): number => operatorNamed(op)?.keeps(rule) ?? 0

export function meetingOf(read: Case): Meeting {
  if (read.form === 'broadcast_to') {
    const shapes = [targetOf(read), read.inputs[0]!.shape]
    return { shapes, rule: broadcastToRule(read), onto: 0, data: 1 }
  }
  const rule = elementwiseRule(read)
  return { shapes: read.inputs.map(({ shape }) => shape), rule, onto: keptOperand(read, rule) }
}
