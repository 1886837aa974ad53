// Gathers the tags of all files into one map per kind of evidence, in an order that depends on names alone.
import { codeTags } from './code-tags.ts'
import { testTags } from './test-tags.ts'

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface CodePlace {
  readonly path: string
  readonly symbol?: string
}

export interface TestPlace {
  readonly path: string
  readonly title: string
}

export interface Evidence {
  readonly code: ReadonlyMap<string, readonly CodePlace[]>
  readonly tests: ReadonlyMap<string, readonly TestPlace[]>
  /** Tags that cannot be read, one sentence each. */
  readonly unreadable: readonly string[]
}

/** The table's own tool is left out: it speaks of tags and implements no clause. */
export const kindOf = (path: string): 'code' | 'test' | undefined => {
  if (!/\.m?tsx?$/.test(path) || path.endsWith('.d.ts') || path.startsWith('tools/trace/')) return undefined
  const isTest = /\.test\.m?tsx?$/.test(path)
  if (/^packages\/[^/]+\/test\//.test(path)) return 'test'
  // Tests run from the test folder only, so one that lies in src shows nothing.
  if (/^packages\/[^/]+\/src\//.test(path)) return isTest ? undefined : 'code'
  if (/^tools\/[^/]+\//.test(path)) return isTest ? 'test' : 'code'
  return undefined
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const add = <Place>(map: Map<string, Map<string, Place>>, id: string, key: string, place: Place): void => {
  const places = map.get(id) ?? new Map<string, Place>()
  map.set(id, places.set(key, place))
}

const inOrder = <Place>(map: Map<string, Map<string, Place>>): Map<string, Place[]> =>
  new Map([...map].map(([id, places]) => [id, [...places].sort(([a], [b]) => compare(a, b)).map(([, place]) => place)]))

export const collect = (files: readonly SourceFile[]): Evidence => {
  const code = new Map<string, Map<string, CodePlace>>()
  const tests = new Map<string, Map<string, TestPlace>>()
  const unreadable: string[] = []
  for (const { path, text } of files.toSorted((a, b) => compare(a.path, b.path))) {
    const kind = kindOf(path)
    if (kind === 'code') {
      const { tags, empty } = codeTags(text)
      for (const { id, symbol } of tags) {
        add(code, id, `${path} ${symbol ?? ''}`, symbol === undefined ? { path } : { path, symbol })
      }
      for (const tag of empty) unreadable.push(`${path}: "${tag}" names no clause`)
    } else if (kind === 'test') {
      const { tags, computed } = testTags(text)
      for (const { id, title } of tags) add(tests, id, `${path} ${title}`, { path, title })
      for (const title of computed) unreadable.push(`${path}: the id in the title "${title}" must be written out`)
    }
  }
  return { code: inOrder(code), tests: inOrder(tests), unreadable }
}
