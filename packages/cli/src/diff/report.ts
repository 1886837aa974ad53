// What a comparison found, in words and as JSON.
import { dtypeInfo } from 'bcast'
import { indexOf } from './blocks.ts'
import type { Comparison, Difference, Tolerance } from './comparison.ts'
import type { Diff, Side } from './diff.ts'
import type { Steps } from './distance.ts'

/** Lines after which what stood above them is out of sight. */
const SCREEN = 20

const shapeText = (shape: readonly number[]): string => `(${shape.join(',')})`

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const placeText = ({ shape }: Side, { position }: Difference): string => `[${indexOf(shape, position).join(', ')}]`

/** Few digits: how large, not which number. */
const roughly = (value: number): string => (Number.isFinite(value) ? String(Number(value.toPrecision(3))) : 'infinite')

const isFloat = ({ dtype }: Side): boolean => dtypeInfo(dtype).isFloat

function distanceText(side: Side, difference: Difference): string {
  const { ulp, relative } = difference
  if (Number.isNaN(ulp)) return ''
  return `   ${isFloat(side) ? `${ulp} ulp, relative ${roughly(relative)}` : `by ${ulp}`}`
}

function toleranceText({ ulp, rtol, atol }: Tolerance): string {
  const parts = [
    ...(ulp > 0 ? [`${ulp} ulp`] : []),
    ...(rtol > 0 ? [`rtol ${rtol}`] : []),
    ...(atol > 0 ? [`atol ${atol}`] : []),
  ]
  return parts.length === 0 ? '' : ` within ${parts.join(' or ')}`
}

function largestText(side: Side, { largestUlp, largestRelative }: Comparison): string[] {
  if (largestUlp === undefined || largestRelative === undefined) return []
  const between = ({ a, b }: Difference): string => `${a} against ${b}`
  const amount = isFloat(side) ? `${largestUlp.ulp} ulp` : `by ${largestUlp.ulp}`
  return [
    `largest: ${amount} at ${placeText(side, largestUlp)} (${between(largestUlp)})`,
    `largest relative: ${roughly(largestRelative.relative)} at ${placeText(side, largestRelative)} (${between(largestRelative)})`,
  ]
}

function firstLines(side: Side, { first, beyond }: Comparison): string[] {
  const rows = first.map(
    (each) => [placeText(side, each), `${each.a} against ${each.b}`, distanceText(side, each)] as const,
  )
  const width = (column: 0 | 1): number => Math.max(0, ...rows.map((row) => row[column].length))
  const lines = rows.map(([at, what, far]) => `  at ${at.padEnd(width(0))}  ${what.padEnd(width(1))}${far}`.trimEnd())
  return first.length > 0 && beyond > first.length ? [...lines, `  and ${beyond - first.length} more`] : lines
}

function elementLines({ a }: Diff, comparison: Comparison, tolerance: Tolerance): string[] {
  const { elements, differing, beyond, zeroSigns, nans } = comparison
  const within = toleranceText(tolerance)
  const head =
    beyond === 0
      ? `equal${within}: ${plural(elements, 'element')}${differing === 0 ? '' : `, ${differing} of which differ`}`
      : `${beyond} of ${plural(elements, 'element')} differ${within === '' ? '' : ` by more than${within.replace(' within', '')}`}`
  const first = firstLines(a, comparison)
  return [
    head,
    ...first,
    ...largestText(a, comparison),
    ...(nans > 0 ? [`in ${nans} of them one is NaN`] : []),
    ...(zeroSigns > 0 ? [`${plural(zeroSigns, 'zero')} of another sign, which counts as equal`] : []),
    // A long list has pushed it out of sight.
    ...(first.length > SCREEN ? [head] : []),
  ]
}

function sideLines({ a, b }: Diff): string[] {
  const width = Math.max(a.file.length, b.file.length)
  return [a, b].map(({ file, dtype, shape }, i) => `${'AB'[i]}  ${file.padEnd(width)}  ${dtype} ${shapeText(shape)}`)
}

function mismatchLines({ a, b }: Diff): string[] {
  return [
    ...(a.dtype === b.dtype ? [] : [`types differ: ${a.dtype} against ${b.dtype}`]),
    ...(a.shape.join() === b.shape.join()
      ? []
      : [`shapes differ: ${shapeText(a.shape)} against ${shapeText(b.shape)}`]),
  ]
}

export function diffText(diff: Diff, tolerance: Tolerance): string {
  const { comparison } = diff
  const found = comparison === undefined ? mismatchLines(diff) : elementLines(diff, comparison, tolerance)
  return [...sideLines(diff), ...found].join('\n')
}

/** JSON has no NaN and no infinities. */
const numberJson = (value: Steps): Steps | string =>
  typeof value === 'bigint' || Number.isFinite(value) ? value : String(value)

const differenceJson = (side: Side, difference: Difference | undefined): object | null =>
  difference === undefined
    ? null
    : {
        index: indexOf(side.shape, difference.position),
        a: difference.a,
        b: difference.b,
        ulp: numberJson(difference.ulp),
        relative: numberJson(difference.relative),
      }

function findings(diff: Diff): object {
  const { a, b, equal, comparison } = diff
  if (comparison === undefined) return { equal, a, b, elements: null }
  const { elements, differing, beyond, nans, zeroSigns, first, largestUlp, largestRelative } = comparison
  return {
    equal,
    a,
    b,
    elements,
    differing,
    beyondTolerance: beyond,
    nans,
    zeroSigns,
    first: first.map((each) => differenceJson(a, each)),
    largestUlp: differenceJson(a, largestUlp),
    largestRelative: differenceJson(a, largestRelative),
  }
}

/** As JSON. A BigInt has its digits there, which JSON.stringify refuses; no text of ours has the character before it. */
export const diffJson = (diff: Diff): string =>
  JSON.stringify(findings(diff), (_, value) => (typeof value === 'bigint' ? `\0${value}` : value), 2).replaceAll(
    /"\\u0000(\d+)"/g,
    '$1',
  )
