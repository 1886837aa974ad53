// What messages of several frameworks come to alike, in one wording: shapes under a rule, and rules that are no broadcast.
import { none, type SymbolicShape, unidirectional } from 'bcast'
import { type Finding, type Found, shapeIn, shapeText } from './form.ts'

/** `1 axis`, `2 axes`. */
export const axesText = (count: string): string => `${count} ${count === '1' ? 'axis' : 'axes'}`

/** A shape that was to become another one, which does not change. */
export const ontoFinding = (into: string, from: string, where: string): Found => ({
  kind: 'shapes',
  shapes: [shapeIn(into), shapeIn(from)],
  rule: unidirectional,
  where,
})

/** Shapes that must be equal; `letters` says which is which. */
export const equalShapesFinding = (shapes: readonly SymbolicShape[], what: string, letters?: string): Found => ({
  kind: 'shapes',
  shapes,
  rule: none,
  where: [
    `no broadcast: ${what} wants equal shapes, and a size 1 does not stretch`,
    ...(letters === undefined ? [] : [letters]),
  ].join('; '),
})

/** Shapes that must be equal and are not named. */
export const unequalFinding = (what: string, next: string): Finding => ({
  kind: 'other',
  about: 'equal shapes',
  text: `no broadcast: ${what} wants equal shapes, a size 1 does not stretch, and the message does not name them. To see them: ${next}.`,
})

/** A matrix product whose inner sizes differ. */
export function productFinding(a: SymbolicShape, b: SymbolicShape): Finding {
  const isVector = b?.length === 1
  const [inner, other] = [a?.at(-1), b?.at(isVector ? -1 : -2)]
  const fits = b !== null && b.length > 1 && inner !== undefined && b.at(-1) === inner
  const text = [
    `a matrix product, no broadcast: ${shapeText(a)} times ${shapeText(b)} needs the last size of the left to be the`,
    `${isVector ? 'size' : 'second last'} of the right, and they are ${String(inner ?? '?')} and ${String(other ?? '?')}.`,
    ...(fits ? [`The right one transposed would fit: ${shapeText([...b.slice(0, -2), b.at(-1)!, b.at(-2)!])}.`] : []),
  ].join(' ')
  return { kind: 'other', about: 'matrix product', text, factors: [a, b] }
}

/** The same where only the sizes are known. */
export const innerSizesFinding = (a: string, b: string): Finding => ({
  kind: 'other',
  about: 'matrix product',
  text: `a matrix product, no broadcast: the last size of the left is ${a} and must be the second last of the right, which is ${b}.`,
})

/** The same where it is not known which operand has which. */
export const summedSizesFinding = (a: string, b: string): Finding => ({
  kind: 'other',
  about: 'matrix product',
  text: `a matrix product, no broadcast: the sizes that are summed over are ${a} and ${b} and must be equal.`,
})

/** Joining along an axis. */
export const concatenationFinding = (text: string): Finding => ({
  kind: 'other',
  about: 'concatenation',
  text: `a concatenation, no broadcast: ${text} Sizes must be equal on every axis but the one that is joined; a size 1 does not stretch.`,
})

/** Another shape for the same elements. */
export const reshapeFinding = (text: string): Finding => ({
  kind: 'other',
  about: 'reshape',
  text: `a reshape, no broadcast: ${text} The number of elements must stay the same.`,
})

/** A shape that is not what a model declares. */
export const declaredFinding = (text: string): Finding => ({
  kind: 'other',
  about: 'declared shape',
  text: `no broadcast: ${text} Shapes must be as the model declares them; a size 1 does not stretch here.`,
})

/** Sizes that must be equal, in an operator that is no broadcast. */
export const equalSizesFinding = (text: string): Finding => ({
  kind: 'other',
  about: 'equal sizes',
  text: `no broadcast: ${text} They must be equal; a size 1 does not stretch.`,
})

/** Writing into a part of an array, where frameworks skip axes of size 1. */
export const assignmentFinding = (text: string): Finding => ({
  kind: 'other',
  about: 'assignment',
  text: `an assignment, no broadcast: ${text} Without their axes of size 1 both sides must have the same sizes; only a single element stretches.`,
})

/** More digits than these are shown by their beginning: no size has them. */
const MOST_DIGITS = 20

/** A size that numbers here cannot hold; from 2^63 on it is a negative one of 64 bits, printed without its sign. */
export function unreadFinding(digits: string): Finding {
  const isShown = digits.length <= MOST_DIGITS
  const shown = isShown ? digits : `${digits.slice(0, MOST_DIGITS)}… (${digits.length} digits)`
  const size = isShown ? BigInt(digits) : 0n
  const isSigned = size >= 2n ** 63n && size < 2n ** 64n
  const meaning = isSigned ? ` It is ${BigInt.asIntN(64, size)}, printed as a number without a sign.` : ''
  return {
    kind: 'other',
    about: 'unread size',
    text: `the message has the number ${shown}, which is beyond every size, so bcast does not read its shapes.${meaning}`,
  }
}

/** Indexing with booleans. */
export const maskFinding = (axis: string, mask: string, array: string): Finding => ({
  kind: 'other',
  about: 'mask',
  text: `a mask, no broadcast: on axis ${axis} the mask has size ${mask} and what it selects from has ${array}. They must be equal; a size 1 does not stretch.`,
})

/** One label of an einsum on axes of one operand: a diagonal. */
export const diagonalFinding = (label: string, a: string, b: string): Finding => ({
  kind: 'other',
  about: 'diagonal',
  text: `a diagonal, no broadcast: the label ${label} stands twice at one operand, whose sizes there are ${a} and ${b}. They must be equal; a size 1 does not stretch.`,
})
