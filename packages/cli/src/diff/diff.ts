// Two arrays in files, compared: their types, their shapes, and their elements in bounded memory.

import { rewindable } from '../files/blocks/spool.ts'
import { bytesPerElement, countOf, type StoredDType } from '../files/element.ts'
import { openSource } from '../files/open.ts'
import type { ArraySource } from '../files/source.ts'
import { isTiled, piecesOf, unitOf } from './blocks.ts'
import { Comparison, type Tolerance } from './comparison.ts'

/** Bytes for the elements that are compared, and as many for what the files hold for themselves. */
const MEMORY = 2 ** 26

/** What is kept beside the elements of a chunk, or more. */
const ENTRY = 2 ** 10

export interface Side {
  readonly file: string
  readonly dtype: StoredDType
  readonly shape: readonly number[]
}

export interface Diff {
  readonly a: Side
  readonly b: Side
  /** Undefined where types or shapes differ, so that elements have no counterparts. */
  readonly comparison: Comparison | undefined
  readonly equal: boolean
}

/** Elements of each array at a time: two pairs of pieces, each of which may take as much again to turn its order. */
const pieceLength = ({ dtype }: ArraySource): number => MEMORY / 8 / bytesPerElement(dtype)

async function compared(a: ArraySource, b: ArraySource, tolerance: Tolerance, shown: number): Promise<Comparison> {
  const comparison = new Comparison(a.dtype, tolerance, shown)
  for await (const piece of piecesOf(a, b, pieceLength(a))) comparison.take(piece.a, piece.b, piece.positionOf)
  return comparison
}

const sideOf = ({ label, dtype, shape }: ArraySource): Side => ({ file: label, dtype, shape })

async function diffSources(a: ArraySource, b: ArraySource, tolerance: Tolerance, shown: number): Promise<Diff> {
  const sides = { a: sideOf(a), b: sideOf(b) }
  if (a.dtype !== b.dtype || a.shape.join() !== b.shape.join()) return { ...sides, comparison: undefined, equal: false }
  const comparison = await compared(a, b, tolerance, shown)
  return { ...sides, comparison, equal: comparison.beyond === 0 }
}

/** A source that keeps what tiles in turn need of it, a chunk at least: decoding one for each would take minutes. */
async function openKeeping(spec: string): Promise<ArraySource> {
  const source = await openSource(spec, { memory: MEMORY / 2 })
  const unit = unitOf(source)
  if (unit === undefined) return source
  // Half of it is for chunks that are kept.
  const memory = 2 * (countOf(unit) * bytesPerElement(source.dtype) + ENTRY)
  if (memory <= MEMORY / 2) return source
  await source.close()
  return openSource(spec, { memory })
}

/** Opens, uses and closes one array after the other. */
async function withSource<T>(spec: string, use: (source: ArraySource) => Promise<T>): Promise<T> {
  const source = await openKeeping(spec)
  try {
    return await use(source)
  } finally {
    await source.close()
  }
}

/** Tiles go back and forth, which streams cannot. */
const turnable = async (source: ArraySource, other: ArraySource): Promise<ArraySource> =>
  isTiled(source, other) ? rewindable(source, MEMORY / 2) : source

/** Compares two files; `shown` of the first differences are kept. */
export function diffFiles(specA: string, specB: string, tolerance: Tolerance, shown: number): Promise<Diff> {
  return withSource(specA, (openedA) =>
    withSource(specB, async (openedB) => {
      const [a, b] = [await turnable(openedA, openedB), await turnable(openedB, openedA)]
      try {
        return await diffSources(a, b, tolerance, shown)
      } finally {
        if (a !== openedA) await a.close()
        if (b !== openedB) await b.close()
      }
    }),
  )
}
