// Broadcasting before it was general: up to opset 6 the attributes `broadcast` and `axis` asked for it, up to opset 7
// operators of any number of operands had none. Files that keep the attributes beyond are read as they were meant.
import { none, numpy, onnxLegacy, pdpd, type Rule, unidirectional } from 'bcast'
import { isLegacyName } from '../../model/elementwise-operators.ts'
import type { Said } from './said.ts'

/** How the operands of a binary operator meet: by the general rule, of equal shapes, or the second placed on the first. */
export type Meeting = 'general' | 'equal' | 'placed'

type Named = Pick<Said, 'attributes'> & { readonly node: Pick<Said['node'], 'domain' | 'opType'> }

/** Attributes of old sets that a node has. */
export function legacyAttributes({ node: { domain, opType }, attributes }: Named): readonly string[] {
  const names = opType === 'Gemm' ? ['broadcast'] : isLegacyName(opType) ? ['broadcast', 'axis'] : []
  return domain === '' ? names.filter((name) => attributes.has(name)) : []
}

/** Whether broadcasting is asked for. */
const asks = ({ attributes }: Pick<Said, 'attributes'>): boolean => attributes.int('broadcast', 0) !== 0

export function meetingOf(said: Said): Meeting {
  if (said.opset >= 7 && legacyAttributes(said).length === 0) return 'general'
  return asks(said) ? 'placed' : 'equal'
}

/** Where the second operand starts, in the axes of the first; undefined for the end. */
export const placeOf = (said: Pick<Said, 'attributes'>): number | undefined =>
  asks(said) ? said.attributes.int('axis', undefined) : undefined

/**
 * The rule of a binary operator. The text leaves ones inside the second operand alone, but exporters of the time wrote
 * (2,3) + (2,1) and ONNX's own tests expect it to stretch; such an operand, and only such a one, goes on as under pdpd.
 */
export function binaryRule(said: Said, secondHasOnes: boolean, fits: (rule: Rule) => boolean): Rule {
  const meeting = meetingOf(said)
  if (meeting !== 'placed') return meeting === 'general' ? numpy : onnxLegacy()
  const axis = placeOf(said)
  const at = axis === undefined ? {} : { axis }
  const rule = onnxLegacy({ broadcast: true, ...at })
  return secondHasOnes && !fits(rule) ? pdpd(at) : rule
}

/** Of Max, Min, Sum and Mean. */
export const variadicRule = ({ opset }: Said): Rule => (opset >= 8 ? numpy : none)

/** Before opset 7 a slope of PRelu has one element, or one for each channel. */
export function slopeRule({ opset }: Said, rank: number | undefined): Rule {
  if (opset >= 7) return unidirectional
  return onnxLegacy(rank === undefined || rank < 2 ? { broadcast: true } : { broadcast: true, axis: 1 })
}

/** The rule for C of Gemm. */
export function addendRule(said: Said): Rule {
  const meeting = meetingOf(said)
  if (meeting === 'general') return unidirectional
  return meeting === 'placed' ? onnxLegacy({ broadcast: true }) : none
}
