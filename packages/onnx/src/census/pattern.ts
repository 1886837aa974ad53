// How an operand stretches, by name: what the census counts. Everything follows from the axes of the result that the
// operand keeps, which are those where it has the result's size and that size is not 1.
import { matmulBatch } from 'bcast'
import type { CheckedBroadcast } from '../check/verdict.ts'
import { isEqual } from '../dims/index.ts'

/** What a broadcast looks like, by the axes that stretch. */
export type Pattern = 'scalar' | 'row' | 'column' | 'channel' | 'outer' | 'both' | 'batch' | 'rank' | 'other'

/** Every pattern, in the order of reports, with what it means. */
export const patternMeanings: Readonly<Record<Pattern, string>> = {
  scalar: 'one element for all: (), (1) or (1,1) with (m,n)',
  row: 'the last axis alone is kept: (n) or (1,n) with (m,n)',
  column: 'the last axis alone is repeated: (m,1) with (m,n), (N,T,1) with (N,T,D)',
  channel:
    'axis 1 is kept and none behind it: (C,1,1) or (N,C,1,1) with (N,C,H,W), (C,1) with (N,C,L); (N,C,1) with (N,C,L) is a column',
  outer: 'no operand has all axes of the result, and no axis is kept twice: (n,1) with (m)',
  both: 'no operand has all axes of the result, and they share one: (n,1,k) with (m,k)',
  batch: 'a matrix that serves several of a batch: (k,n) with (B,m,k) in MatMul',
  rank: 'nothing is repeated, only axes of size 1 are missing: (n) with (1,n)',
  other: 'all else: (H,W) with (N,H,W), (N,1,1,T) with (N,H,T,T)',
}

export const patterns: readonly Pattern[] = Object.keys(patternMeanings) as Pattern[]

/** The pattern of one operand beside another that has every axis; axes are counted from the left. */
function patternAlone(kept: readonly number[], long: readonly number[], rank: number): Pattern {
  const last = rank - 1
  if (kept.length === 0) return 'scalar'
  if (kept.length === 1 && kept[0] === last) return 'row'
  const isRepeated = (axis: number): boolean => long.includes(axis) && !kept.includes(axis)
  const endsAtChannel = rank >= 3 && kept.at(-1) === 1
  if (endsAtChannel && (rank > 3 || isRepeated(0))) return 'channel'
  return kept.length === long.length - 1 && isRepeated(last) ? 'column' : 'other'
}

/** The pattern of each operand of a broadcast; undefined for one that has the shape of the result already. */
export function patternsOf({ verdict, operands, shape, rule }: CheckedBroadcast): readonly (Pattern | undefined)[] {
  if (verdict !== 'broadcast' || !shape) return operands.map(() => undefined)
  const rank = shape.length
  const long = [...shape.keys()].filter((axis) => isEqual(shape[axis] ?? 0, 1) !== true)
  const kept = operands.map(({ stretched, padded }) =>
    long.filter((axis) => !stretched.includes(axis - rank) && !padded.includes(axis - rank)),
  )
  const isWhole = (axes: readonly number[]): boolean => axes.length === long.length
  // Every axis is kept by some operand; if none is kept twice, they sum up to all.
  const isShared = kept.reduce((sum, axes) => sum + axes.length, 0) > long.length
  return operands.map(({ stretched, padded }, i) => {
    if (stretched.length + padded.length === 0) return undefined
    const own = kept[i]!
    if (isWhole(own)) return 'rank'
    if (rule === matmulBatch.label) return 'batch'
    if (own.length === 0 || kept.some(isWhole)) return patternAlone(own, long, rank)
    return isShared ? 'both' : 'outer'
  })
}
