// Every operator that inference knows, by domain and name. A family adds its rows to the list.
import type { Row } from '../row.ts'
import { elementwiseRows } from './elementwise.ts'

const families: readonly (readonly Row[])[] = [elementwiseRows]

const keyOf = (domain: string, name: string): string => `${domain}:${name}`

/** The rows of each operator, the newest first. */
const registry = new Map<string, Row[]>()
for (const row of families.flat()) {
  const key = keyOf(row.domain ?? '', row.name)
  registry.set(
    key,
    [...(registry.get(key) ?? []), row].sort((a, b) => (b.since ?? 1) - (a.since ?? 1)),
  )
}

/** The row that speaks of an operator at a version of its set; undefined for what is not known. */
export const rowOf = (domain: string, name: string, opset: number): Row | undefined =>
  registry.get(keyOf(domain, name))?.find(({ since = 1 }) => since <= opset)
