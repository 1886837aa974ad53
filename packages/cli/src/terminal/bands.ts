// Aligned pictures that are wider than a terminal: their axes in bands, one below the other, each with the names of the
// operands before it.
import { columns } from './columns.ts'

const AXES = /^\s*axis(?:\s+-?\d+)+$/
/** A line of a picture: a name, and sizes far apart. */
const SIZES = /^\s+\S+(?:\s{2,}\S.*)?$/

/** Where each column of a picture ends, the marks behind its sizes included. */
const endsOf = (axes: string): number[] =>
  [...axes.matchAll(/-?\d+/g)].map(({ 0: axis, index }) => index + axis.length + 1)

function inBands(picture: readonly string[], width: number): readonly string[] {
  const ends = endsOf(picture[0]!)
  const names = 1 + Math.max(...picture.map((line) => /^\s*\S+/.exec(line)![0].length))
  // What stands behind the last axis belongs to no band.
  if (picture.some((line) => line.length > ends.at(-1)!)) return picture
  const lines: string[] = []
  for (let first = 0; first < ends.length; ) {
    const from = first === 0 ? names : ends[first - 1]!
    let last = first
    while (last + 1 < ends.length && names + ends[last + 1]! - from <= width) last++
    const band = picture.map((line) => (line.slice(0, names).padEnd(names) + line.slice(from, ends[last]!)).trimEnd())
    lines.push(...(first === 0 ? [] : ['']), ...band)
    first = last + 1
  }
  return lines
}

/** Lines of a text with the pictures that are too wide in bands. */
export function banded(lines: readonly string[], width: number): readonly string[] {
  const made: string[] = []
  for (let at = 0; at < lines.length; ) {
    let end = at
    if (AXES.test(lines[at]!))
      while (end < lines.length && SIZES.test(lines[end]!) && !/^\s*\(/.test(lines[end]!)) end++
    const picture = lines.slice(at, Math.max(end, at + 1))
    const isWide = end > at && picture.some((line) => columns(line) > width)
    made.push(...(isWide ? inBands(picture, width) : picture))
    at += picture.length
  }
  return made
}
