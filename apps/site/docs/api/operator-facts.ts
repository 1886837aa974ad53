// What the library's own table of operators says of one: how it is called, its types, its rule, its names elsewhere.
import { type DType, type OperatorName, operators } from 'bcast'
import { escaped } from '../escape.ts'

export interface OperatorHtml {
  readonly call: string
  readonly facts: string
}

const codes = (words: readonly string[]): string => words.map((word) => `<code>${word}</code>`).join(' ')

export const factsHtml = (facts: readonly (readonly [what: string, html: string])[]): string =>
  facts.length === 0
    ? ''
    : `<dl class="facts">${facts.map(([what, html]) => `<dt>${what}</dt><dd>${html}</dd>`).join('')}</dl>\n`

export const callHtml = (call: string): string => `<p class="call"><code>${escaped(call)}</code></p>\n`

/** Undefined for a name that is no operator. */
export function operatorHtml(name: string, nameLink: (name: string) => string | undefined): OperatorHtml | undefined {
  if (!Object.hasOwn(operators, name)) return undefined
  const { operands, least, most, types, rule, onnx, openvino, attributes } = operators[name as OperatorName]
  const isMany = most > operands.length
  const words = isMany ? ['...operands'] : operands.map((operand, i) => `${operand}${i < least ? '' : '?'}`)
  const typesOf = (list: readonly DType[]): string => codes(list)
  const facts: (readonly [string, string])[] = [['Element types', typesOf(types.shared)]]
  if (types.own !== undefined) facts.push([`Types of ${operands[types.own.operand]}`, typesOf(types.own.types)])
  if (operands.length > 1 || isMany) {
    facts.push([
      'Rule',
      `<a href="${nameLink(rule.name)}"><code>${rule.name}</code></a>, unless <code>broadcast</code> says another`,
    ])
  }
  if (Object.keys(attributes).length > 0) facts.push(['Attributes', codes(Object.keys(attributes))])
  if (onnx !== undefined) facts.push(['ONNX', `${onnx.name}, from opset ${onnx.since}`])
  if (openvino !== undefined) facts.push(['OpenVINO', openvino])
  return { call: callHtml(`${name}(${[...words, 'options?'].join(', ')})`), facts: factsHtml(facts) }
}
