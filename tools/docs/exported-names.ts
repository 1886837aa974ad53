// The names that a package exports and the doc comment of each, read from its source: what an editor shows on hover.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ExportedName {
  readonly name: string
  /** Where it is declared, and on which line. */
  readonly file: string
  readonly line: number
  /** The doc comment before the declaration; undefined without one. */
  readonly doc: string | undefined
}

const DECLARATION =
  /^export (?:declare )?(?:default )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum|namespace) (\w+)/

/** The doc comment that ends before a line; comments for tools may stand between. */
function docBefore(lines: readonly string[], at: number): string | undefined {
  let end = at - 1
  while (/^\/\/ /.test(lines[end] ?? '')) end--
  if (!/\*\/$/.test(lines[end] ?? '')) return undefined
  let start = end
  while (start > 0 && !/^\/\*\*/.test(lines[start]!)) start--
  return lines.slice(start, end + 1).join('\n')
}

/** What `export { a as b, type C }` says: the name that is exported, and that in its file. */
const listed = (list: string): readonly (readonly [exported: string, own: string])[] =>
  list
    .split(',')
    .map((part) =>
      part
        .replace(/\/\/.*/g, '')
        .trim()
        .replace(/^type /, ''),
    )
    .filter((part) => part !== '')
    .map((part) => {
      const [own, exported = own] = part.split(' as ')
      return [exported!, own!] as const
    })

/** Every name that a module exports, by name; those of other packages are left out. */
export function exportedNames(file: string): ReadonlyMap<string, ExportedName> {
  const names = new Map<string, ExportedName>()
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    const name = DECLARATION.exec(line)?.[1]
    if (name !== undefined && !names.has(name)) names.set(name, { name, file, line: i + 1, doc: docBefore(lines, i) })
  }
  for (const [, list, from] of text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?/gm)) {
    if (from !== undefined && !from.startsWith('.')) continue
    const source = from === undefined ? names : exportedNames(join(file, '..', from))
    for (const [exported, own] of listed(list!)) {
      const found = source.get(own)
      if (found !== undefined) names.set(exported, { ...found, name: exported })
    }
  }
  for (const [, from] of text.matchAll(/^export \* from '(\.[^']+)'/gm)) {
    for (const [name, found] of exportedNames(join(file, '..', from!))) names.set(name, found)
  }
  return names
}

/** The entries of a package that have declarations, by their names: those of its manifest. */
export function entriesOf(folder: string): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return new Map(
    Object.entries<{ readonly types?: string } | string>(exports).flatMap(([entry, target]) => {
      const types = typeof target === 'string' ? undefined : target.types
      if (types === undefined) return []
      return [[entry, join(folder, types.replace('./dist/', './src/').replace('.d.ts', '.ts'))] as const]
    }),
  )
}
