// Stretched operands of a census by operator, which is what its table and its chart show.
import type { Census, CensusStretch } from './census.ts'
import { type Pattern, patterns } from './pattern.ts'

export interface OperatorPatterns {
  readonly name: string
  /** In the order of `patterns`. */
  readonly counts: ReadonlyMap<Pattern, number>
  readonly all: number
  /** Those that are constants. */
  readonly constant: number
}

interface Named {
  readonly operator: string
  readonly domain: string
  readonly explicit: boolean
}

/** An operator as reports name it. */
export const operatorText = ({ operator, domain, explicit }: Named): string =>
  `${domain === '' ? '' : `${domain}:`}${operator}${explicit ? ' (explicit)' : ''}`

export function countOf(stretches: readonly CensusStretch[], chosen: (stretch: CensusStretch) => boolean): number {
  return stretches.filter(chosen).reduce((sum, { operands }) => sum + operands, 0)
}

/** The most frequent operator first; those of the same count keep the order of the census. */
export function patternsByOperator({ stretches }: Census): readonly OperatorPatterns[] {
  const byName = new Map<string, CensusStretch[]>()
  for (const stretch of stretches) {
    const name = operatorText(stretch)
    byName.set(name, [...(byName.get(name) ?? []), stretch])
  }
  return [...byName]
    .map(([name, own]) => ({
      name,
      counts: new Map(patterns.map((pattern) => [pattern, countOf(own, (stretch) => stretch.pattern === pattern)])),
      all: countOf(own, () => true),
      constant: countOf(own, ({ origin }) => origin === 'constant'),
    }))
    .sort((a, b) => b.all - a.all)
}
