// Axes as callers name them: one or several, from either end, each once.
import { IndexError } from '../../errors/index.ts'
import { normalAxis } from '../../tensor/layout.ts'
import { checkNoMore, described } from '../arguments.ts'
import type { Axes } from './types.ts'

/** Throws where axes are given one by one, of which the first would be taken and the others not. */
export const checkTogether = (name: string, rest: readonly unknown[]): void =>
  checkNoMore(name, rest, `a tensor and axes, several of them in one array: ${name}(x, [0, 1])`)

/** The axes counted from the left. */
export function axesOf(name: string, axes: Axes, rank: number): number[] {
  const given = typeof axes === 'number' ? [axes] : axes
  if (!Array.isArray(given)) {
    throw new IndexError(`${name}: axes are ${described(axes)}; they are a number, or an array such as [0, -1].`, {
      value: axes,
      size: rank,
    })
  }
  const normal = given.map((axis) => normalAxis(axis, rank, name))
  if (new Set(normal).size < normal.length) {
    throw new IndexError(`${name}: axes [${given.join(', ')}] of rank ${rank} name an axis twice.`, {
      value: axes,
      size: rank,
    })
  }
  return normal
}
