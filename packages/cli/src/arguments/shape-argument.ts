// Shapes as people type them: `2,3,4` or `2x3x4`, `()` for a scalar, `N,3` with names, `?` for unknown, `2..8` for an
// interval, `?…` or `...` when not even the rank is known.
import type { Dim, SymbolicShape } from 'bcast'
import { UsageError } from '../errors/usage-error.ts'

const EXPECTED =
  'A shape is sizes with commas, such as 2,3,4; a scalar is (); N names a size, ? is unknown, 2..8 an interval.'

function parseDim(text: string, shape: string): Dim {
  if (
    /^[\d.]+$/.test(text) &&
    !text
      .split('..')
      .map(Number)
      .every((size) => size <= Number.MAX_SAFE_INTEGER)
  ) {
    throw new UsageError(
      `${JSON.stringify(text)} in shape ${JSON.stringify(shape)} is above 2^53 - 1, the largest size.`,
    )
  }
  if (/^\d+$/.test(text)) return Number(text)
  if (text === '?') return null
  const interval = /^(\d+)\.\.(\d*)$/.exec(text)
  if (interval !== null) {
    const [min, max] = [Number(interval[1]), interval[2] === '' ? null : Number(interval[2])]
    if (max === null || min <= max) return { min, max }
    throw new UsageError(
      `${JSON.stringify(text)} in shape ${JSON.stringify(shape)} holds no size: ${min} is above ${max}.`,
    )
  }
  if (/^[A-Za-z_]\w*$/.test(text)) return text
  throw new UsageError(`${JSON.stringify(text)} in shape ${JSON.stringify(shape)} is no size. ${EXPECTED}`)
}

/** Sizes as they stand in a text, without brackets. */
function sizesIn(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim())
  // NumPy writes a shape of one size with a comma behind it.
  if (parts.length > 1 && parts.at(-1) === '') parts.pop()
  return parts
}

/** `separator` is x where commas have no place. */
function shapeIn(text: string, separator?: 'x'): SymbolicShape {
  const inner = /^[([](.*)[)\]]$/.exec(text.trim())?.[1] ?? text.trim()
  if (inner.trim() === '') {
    if (inner === text.trim()) throw new UsageError(`an empty shape. ${EXPECTED}`)
    return []
  }
  if (/^\??(\.\.\.|…)$/.test(inner.trim())) return null
  const isCutAtX = separator === 'x' || /^\d+(x\d+)+$/.test(inner)
  const parts = isCutAtX ? inner.split('x').map((part) => part.trim()) : sizesIn(inner)
  return parts.map((part) => parseDim(part, text))
}

export const parseShape = (text: string): SymbolicShape => shapeIn(text)

/** `x=1x3x224x224`: an input's name and its shape. Without commas every x is a separator, so that Nx3xHxW has names. */
export function parseInput(text: string): readonly [name: string, shape: SymbolicShape] {
  const [, name, shape] = /^(.+)=(.*)$/.exec(text) ?? []
  if (name === undefined) {
    throw new UsageError(`--input is ${JSON.stringify(text)}; it is a name and a shape, such as --input x=1x3x224x224.`)
  }
  return [name, shapeIn(shape!, /[,([]/.test(shape!) ? undefined : 'x')]
}
