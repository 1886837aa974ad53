// Every operator that can be run, by domain and name. A family adds its rows to the list.
import type { Row } from '../row.ts'
import { activationRows } from './activations.ts'
import { controlRows } from './control.ts'
import { elementwiseRows } from './elementwise.ts'
import { generateRows } from './generate.ts'
import { elementIndexRows } from './index-by-element.ts'
import { joinRows } from './join.ts'
import { linearRows } from './linear.ts'
import { normalisationRows } from './normalisation.ts'
import { reduceRows } from './reduce.ts'
import { reshapeRows } from './reshape.ts'

/** Every row there is. */
export const rows: readonly Row[] = [
  ...[elementwiseRows, activationRows, generateRows, reshapeRows, joinRows, reduceRows, linearRows],
  ...[normalisationRows, controlRows, elementIndexRows],
].flat()

const keyOf = (domain: string, name: string): string => `${domain}:${name}`

/** The rows of each operator, the newest first. */
const registry = new Map<string, Row[]>()
for (const row of rows) {
  const key = keyOf(row.domain ?? '', row.name)
  registry.set(
    key,
    [...(registry.get(key) ?? []), row].sort((a, b) => (b.since ?? 1) - (a.since ?? 1)),
  )
}

/** The row that computes an operator at a version of its set; undefined for what cannot be run. */
export const rowOf = (domain: string, name: string, opset: number): Row | undefined =>
  registry.get(keyOf(domain, name))?.find(({ since = 1 }) => since <= opset)

export interface SupportedOperator {
  readonly domain: string
  readonly name: string
  /** The first version of its operator set that can be run. */
  readonly since: number
}

/** The operators that can be run, in the order of their names. */
export const supportedOperators: readonly SupportedOperator[] = [...registry.values()]
  .map((versions) => {
    const { domain = '', name, since = 1 } = versions.at(-1)!
    return { domain, name, since }
  })
  .sort((a, b) => (a.name < b.name ? -1 : 1))
