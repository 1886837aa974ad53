// Equations of Einsum: `...ij,...jk->...ik`, the labels of each operand's axes and of the result's.
import type { Judging } from './said.ts'

/** Stands for any number of axes, right-aligned. */
export const ELLIPSIS = '...'

export interface Equation {
  readonly operands: readonly (readonly string[])[]
  readonly result: readonly string[]
}

/** Letters, and at most one ellipsis. */
function labelsOf(text: string, fail: (message: string) => never): readonly string[] {
  const labels = text.match(/\.\.\.|[A-Za-z]/g) ?? []
  const isWhole = labels.join('') === text && labels.filter((label) => label === ELLIPSIS).length <= 1
  return isWhole ? labels : fail(`the equation has the part ${JSON.stringify(text)}.`)
}

/** Without an arrow the result has the labels that stand once, in the order of the alphabet. */
function impliedResult(operands: readonly (readonly string[])[]): readonly string[] {
  const all = operands.flat()
  const once = all.filter((name) => name !== ELLIPSIS && all.indexOf(name) === all.lastIndexOf(name)).sort()
  return all.includes(ELLIPSIS) ? [ELLIPSIS, ...once] : once
}

/** The equation of a node with so many operands. */
export function equationOf(judging: Judging, count: number): Equation {
  const fail = (message: string): never => judging.fail(message)
  const [left, right] = judging.attributes.string('equation').replaceAll(/\s/g, '').split('->') as [string, string?]
  const operands = left.split(',').map((part) => labelsOf(part, fail))
  if (operands.length !== count) fail(`the equation has ${operands.length} operands.`)
  const result = right === undefined ? impliedResult(operands) : labelsOf(right, fail)
  const known = new Set(operands.flat())
  const unlabelled = result.find((name) => name !== ELLIPSIS && !known.has(name))
  if (unlabelled !== undefined) fail(`the result's label ${unlabelled} is in no operand.`)
  return { operands, result }
}
