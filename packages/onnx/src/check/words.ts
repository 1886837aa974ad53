// Places, producers and pictures in words: every report speaks the same way.
import { type Dim, type DimShape, format, type Meeting } from '../dims/index.ts'
import type { Frame } from '../infer/frame.ts'
import { type Node, nodeLabel, type Resolved } from '../model/scope.ts'
import type { CheckedBroadcast, CheckedOperand } from './verdict.ts'

export const quote = (name: string): string => JSON.stringify(name)

/** `(2,N)`, `()` for a scalar, `(?…)` where the rank is not known. */
export const shapeText = (shape: readonly (Dim | null)[] | DimShape | undefined): string =>
  shape === null || shape === undefined
    ? '(?…)'
    : `(${shape.map((dim) => (dim === null ? '?' : format(dim))).join(',')})`

/** Where a value comes from: `input`, `initializer`, `node 3 "conv" (Conv)`. */
export function producerText(producer: Resolved | undefined): string {
  if (producer === undefined) return 'nothing'
  const { definition } = producer
  return definition.kind === 'output' ? nodeLabel(definition.node) : definition.kind
}

/** The nodes that lead from the model's graph into a frame: callers of functions, and owners of subgraphs. */
export function callersOf(frame: Frame | undefined): readonly Node[] {
  const callers: Node[] = []
  for (let at = frame?.caller; at !== undefined; at = at.frame.caller) callers.unshift(at.node)
  return callers
}

/** A node with the calls that lead to it: `node 1 (Add) in functions[0], called by node 4 "gelu" (Gelu)`. */
export function placeText(node: Node, frame: Frame | undefined): string {
  const callers = callersOf(frame).filter((caller) => caller.scope !== node.scope)
  const last = callers.at(-1)
  return node.scope.kind === 'function' && last !== undefined
    ? `${nodeLabel(node)}, called by ${nodeLabel(last)}`
    : nodeLabel(node)
}

/** What an operand is, beside its line of the picture. */
const operandNote = ({ name, input, producer }: CheckedOperand): string =>
  input === undefined ? name : `${quote(name)}, ${producerText(producer)}`

// Most nodes of a model meet as others do, and share what was said of it.
const drawn = new WeakMap<Meeting, readonly string[]>()

function linesOf(meeting: Meeting): readonly string[] {
  const before = drawn.get(meeting)
  if (before !== undefined) return before
  const text = meeting.explanation.toString().split('\n')
  const lines = text.filter((line) => line.startsWith('  ')).map((line) => line.slice(2))
  drawn.set(meeting, lines)
  return lines
}

/** The aligned shapes as `explain` prints them, each line with its operand's name and producer. */
export function pictureOf({ meeting, operands }: CheckedBroadcast): readonly string[] {
  const { explanation, legend } = meeting
  const lines = linesOf(meeting)
  const first = explanation.axes.length === 0 ? 0 : 1
  const width = Math.max(...lines.slice(0, first + operands.length).map(({ length }) => length))
  const noted = lines.map((line, i) => {
    const operand = operands[i - first]
    const isOperand = operand !== undefined && i >= first && /^([A-Z]|operand \d+) /.test(`${line} `)
    return isOperand ? `${line.padEnd(width)}   ${operandNote(operand)}` : line
  })
  return [...noted, ...legend]
}

/** Shapes of operands that are not aligned, one a line. */
export function listOf(operands: readonly CheckedOperand[]): readonly string[] {
  const shapes = operands.map(({ shape }) => shapeText(shape))
  const width = Math.max(0, ...shapes.map(({ length }) => length))
  return operands.map((operand, i) => `input ${operand.input}  ${shapes[i]!.padEnd(width)}   ${operandNote(operand)}`)
}
