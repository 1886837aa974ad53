// Cases and answers as short text for people: elements where elements differ, shapes where only shapes matter.
import type { Dim, SymbolicShape } from 'bcast'
import type { Answer, Case, ComputeCase, RuleSpec, TensorData } from './case.ts'
import type { Disagreement } from './compare.ts'
import { directed } from './directed.ts'
import { elementsOf, elementText } from './elements.ts'

const dimText = (dim: Dim): string => {
  if (dim === null) return '?'
  return typeof dim === 'object' ? `${dim.min}..${dim.max ?? ''}` : String(dim)
}

const shapeText = (shape: SymbolicShape): string =>
  shape === null ? 'unknown rank' : `(${shape.map(dimText).join(',')})`

const MAX_SHOWN = 6

/** Elements, with the shape where brackets alone do not show it. */
function valuesText(tensor: TensorData): string {
  const elements = elementsOf(tensor)
  const shown = elements.slice(0, MAX_SHOWN).map(elementText)
  const values = [...shown, ...(elements.length > MAX_SHOWN ? ['…'] : [])].join(', ')
  const { shape } = tensor
  if (shape.length === 0) return values
  return shape.length === 1 ? `[${values}]` : `${shapeText(shape)} [${values}]`
}

/** Operators whose own rule needs no mention. */
const OWN_RULE = ['Gemm', 'Expand', 'BroadcastTo', 'MatMul', 'PRelu']

function ruleText({ op, rule }: Case): string[] {
  const { name, axis, axesMapping }: RuleSpec = rule
  if (name === 'numpy' || OWN_RULE.includes(op)) return []
  if (axesMapping !== undefined) return [`${name} [${axesMapping.join(',')}]`]
  const named = name === 'onnxLegacy' ? 'opset 6' : op === 'Broadcast' && name === 'unidirectional' ? 'numpy' : name
  return [axis === undefined ? named : `${named} axis=${axis}`]
}

function headText(question: Case): string {
  const { op, attrs } = question
  const name = op === 'Broadcast' ? `Broadcast-${attrs.version}` : attrs.plain === true ? '/' : op
  const settings = Object.entries(attrs)
    .filter(([key, value]) => key !== 'plain' && key !== 'version' && value !== false && value !== 1)
    .map(([key, value]) => (value === true ? `${key}=1` : `${key}=${value}`))
  return [name, ...settings, ...ruleText(question)].join(' ')
}

const typesText = ({ op, inputs }: ComputeCase): string => {
  const types = (op === 'Where' ? inputs.slice(1) : inputs).map(({ dtype }) => dtype)
  return [...new Set(types)].join(' and ')
}

const ABOUT_VALUES = ['BCAST_DIVISION_BY_ZERO', 'BCAST_DTYPE']

/** Whether the elements of the operands have to be shown for the answers to make sense. */
function valuesMatter({ nature, question, ours, theirs }: Disagreement): boolean {
  if (nature === 'value' || nature === 'dtype') return true
  if (ours.kind === 'error') return ABOUT_VALUES.includes(ours.code ?? '')
  if (nature === 'refuses') return question.op === 'Pow' && theirs.kind === 'error' && theirs.text.includes('power')
  return nature === 'crash' && question.kind === 'compute' && question.target === undefined && !hasEmpty(question)
}

const hasEmpty = ({ inputs }: ComputeCase): boolean => inputs.some(({ shape }) => shape.includes(0))

/** The case of a disagreement: the elements that met, or all of them, or the shapes alone. */
export function inputText(disagreement: Disagreement): string {
  const { question, difference } = disagreement
  const head = headText(question)
  if (question.kind !== 'compute') return `${head}: ${question.shapes.map(shapeText).join(' with ')}`
  const { inputs, target } = question
  const goal = target === undefined ? '' : ` to ${shapeText(target)}`
  if (difference?.operands !== undefined) {
    return `${head}: ${difference.operands.map(elementText).join(', ')} in ${typesText(question)}`
  }
  if (valuesMatter(disagreement)) {
    return `${head}: ${inputs.map(valuesText).join(' with ')}${goal} in ${typesText(question)}`
  }
  return `${head}: ${inputs.map(({ shape }) => shapeText(shape)).join(' with ')}${goal}`
}

const MAX_TEXT = 120

/** The first sentence of an error, cut where it is long. */
function sentence(text: string): string {
  const [first = ''] = text.split('\n')
  const end = first.search(/\. [A-Z]/)
  const whole = end < 0 ? first : first.slice(0, end + 1)
  return whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)}…` : whole
}

function answerText(answer: Answer, values: boolean): string {
  switch (answer.kind) {
    case 'tensor':
      return values
        ? `${answer.tensor.dtype} ${valuesText(answer.tensor)}`
        : shapeText(answer.tensor.shape as readonly number[])
    case 'shape':
      return shapeText(answer.shape) + (answer.conditional === true ? ', on conditions' : '')
    case 'error':
      return `error: ${sentence(answer.text)}`
    default:
      return answer.text
  }
}

/** Both answers of a disagreement. */
export function answerTexts(disagreement: Disagreement): { readonly theirs: string; readonly ours: string } {
  const { difference, theirs, ours } = disagreement
  if (difference !== undefined) return { theirs: elementText(difference.theirs), ours: elementText(difference.ours) }
  const values = valuesMatter(disagreement)
  return { theirs: answerText(theirs, values), ours: answerText(ours, values) }
}

const isEmpty = ({ question }: Disagreement): boolean => question.kind === 'compute' && hasEmpty(question)

/** How much a reader has to take in: cases written by hand first, then the shortest text, empty operands last. */
export function readingCost(disagreement: Disagreement): number {
  const { theirs, ours } = answerTexts(disagreement)
  const length = inputText(disagreement).length + theirs.length + ours.length
  return length + (isEmpty(disagreement) ? 60 : 0) - (disagreement.question.id < directed.length ? 1000 : 0)
}
