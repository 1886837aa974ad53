// A picture in words, for who does not see it.
import type { Figure, FigureArray, FigureAxis } from './figure.ts'

const shapeText = (shape: readonly number[]): string => (shape.length === 0 ? 'a single element' : shape.join(' by '))

/** Where not all axes are known, none has a number. */
function openAxisText({ own, role }: FigureAxis): string {
  return role === 'unknown' ? 'other axes are not known' : `${own}${role === 'conflict' ? ' does not fit' : ''}`
}

function axisText({ axis, own, size, role }: FigureAxis): string | undefined {
  if (role === 'padded') return `axis ${axis} is added${size === 1 ? '' : ` and repeated ${size} times`}`
  if (role === 'stretched') return `axis ${axis} is stretched from ${own} to ${size}`
  return role === 'conflict' ? `axis ${axis} of size ${own} does not fit` : undefined
}

function arrayText({ name, shape, axes, shapeText: said }: FigureArray): string {
  const changes = axes.map(said === undefined ? axisText : openAxisText).filter((text) => text !== undefined)
  return `${name} is ${said ?? shapeText(shape)}${changes.length === 0 ? '' : `: ${changes.join(', ')}`}.`
}

/** What each operand does, and what comes of it. */
export const figureText = ({ operands, result }: Figure): string =>
  [
    ...operands.map(arrayText),
    result === undefined ? 'There is no result.' : `The result z is ${shapeText(result.shape)}.`,
  ].join(' ')
