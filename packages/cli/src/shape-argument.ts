// Shapes as people type them: `2,3,4`, `()` for a scalar, `N,3` with names, `?` for unknown, `2..8` for an interval.
import type { Dim, SymbolicShape } from 'bcast'
import { UsageError } from './usage-error.ts'

const EXPECTED =
  'A shape is sizes with commas, such as 2,3,4; a scalar is (); N names a size, ? is unknown, 2..8 an interval.'

function parseDim(text: string, shape: string): Dim {
  if (/^\d+$/.test(text)) return Number(text)
  if (text === '?') return null
  const interval = /^(\d+)\.\.(\d*)$/.exec(text)
  if (interval !== null) return { min: Number(interval[1]), max: interval[2] === '' ? null : Number(interval[2]) }
  if (/^[A-Za-z_]\w*$/.test(text)) return text
  throw new UsageError(`${JSON.stringify(text)} in shape ${JSON.stringify(shape)} is no size. ${EXPECTED}`)
}

export function parseShape(text: string): SymbolicShape {
  const inner = /^[([](.*)[)\]]$/.exec(text.trim())?.[1] ?? text.trim()
  if (inner.trim() === '') {
    if (inner === text.trim()) throw new UsageError(`an empty shape. ${EXPECTED}`)
    return []
  }
  const parts = inner.split(',').map((part) => part.trim())
  // NumPy writes a shape of one size with a comma behind it.
  if (parts.length > 1 && parts.at(-1) === '') parts.pop()
  return parts.map((part) => parseDim(part, text))
}
