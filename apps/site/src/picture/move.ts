// From one element of the result to another by arrow keys, over the elements that are shown.
import { SHOWN, trackOf } from './lattice.ts'

/** The indices that a picture shows along each axis. */
export const shownIndices = (shape: readonly number[]): number[][] =>
  shape.map((size, place) =>
    trackOf(size, SHOWN[shape.length]![shape.length - place - 1]!, 1, 1).marks.map(({ index }) => index),
  )

/** For each key the axis counted from the right, and the direction. */
const KEYS: Readonly<Record<string, readonly [axis: number, by: number]>> = {
  ArrowRight: [-1, 1],
  ArrowLeft: [-1, -1],
  ArrowDown: [-2, 1],
  ArrowUp: [-2, -1],
  PageDown: [-3, 1],
  PageUp: [-3, -1],
  'Shift+PageDown': [-4, 1],
  'Shift+PageUp': [-4, -1],
}

/** Moves by one along an axis; at its end to the next of the same direction, which is two axes further out. */
function moved(shown: readonly (readonly number[])[], places: readonly number[], axis: number, by: number): number[] {
  const next = [...places]
  for (let at = shown.length + axis; at >= 0; at -= 2) {
    const place = next[at]! + by
    if (place >= 0 && place < shown[at]!.length) {
      next[at] = place
      return next
    }
    next[at] = by > 0 ? 0 : shown[at]!.length - 1
  }
  return [...places]
}

/** The element that a key leads to; undefined where the key means nothing here. */
export function moveCell(
  shape: readonly number[],
  from: readonly number[] | undefined,
  key: string,
): readonly number[] | undefined {
  const shown = shownIndices(shape)
  if (shown.some(({ length }) => length === 0)) return undefined
  const first = shown.map((indices) => indices[0]!)
  if (key === 'Home') return first
  if (key === 'End') return shown.map((indices) => indices.at(-1)!)
  const move = KEYS[key]
  if (move === undefined || shape.length + move[0] < 0) return undefined
  if (from === undefined) return first
  const places = from.map((index, axis) => Math.max(0, shown[axis]!.indexOf(index)))
  return moved(shown, places, ...move).map((place, axis) => shown[axis]![place]!)
}
