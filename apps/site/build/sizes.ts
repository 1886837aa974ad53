// What the first visit loads, and what comes later, in bytes as they go over the network.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { filesIn } from './files.ts'

export interface Sizes {
  /** Files that the page itself names, and what those import at once. */
  readonly first: ReadonlyMap<string, number>
  readonly later: ReadonlyMap<string, number>
}

const gzipped = (folder: string, file: string): number =>
  gzipSync(readFileSync(join(folder, file)), { level: 9 }).length

/** Names of built scripts and styles in a text: what a page or a script imports at once. */
function importedBy(folder: string, file: string): string[] {
  const text = readFileSync(join(folder, file), 'utf8')
  const names = file.endsWith('.html')
    ? text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)
    : text.matchAll(/(?:^|[;}])(?:import|export)(?:[^'"();]*?from)?["']\.\/([^"']+)["']/g)
  const base = file.includes('/') ? file.slice(0, file.lastIndexOf('/') + 1) : ''
  return [...names].map(([, name]) => (file.endsWith('.html') ? name! : `${base}${name}`))
}

export function firstLoad(folder: string): Sizes {
  const all = filesIn(folder)
  const first = new Map<string, number>()
  const open = ['index.html']
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (first.has(file) || !all.includes(file)) continue
    first.set(file, gzipped(folder, file))
    if (/\.(html|js)$/.test(file)) open.push(...importedBy(folder, file))
  }
  const later = all.filter((file) => !first.has(file)).map((file) => [file, gzipped(folder, file)] as const)
  return { first, later: new Map(later) }
}

export const total = (files: ReadonlyMap<string, number>): number =>
  [...files.values()].reduce((sum, size) => sum + size, 0)

const line = ([file, size]: readonly [string, number]): string =>
  `  ${(size / 1000).toFixed(1).padStart(6)} kB  ${file}`

const isDocumentation = (file: string): boolean => file.startsWith('docs/')

export function sizesText({ first, later }: Sizes, folder: string): string {
  const documentation = [...later].filter(([file]) => isDocumentation(file))
  return [
    `Built into ${folder}`,
    `First load, gzip: ${(total(first) / 1000).toFixed(1)} kB`,
    ...[...first].map(line),
    'Loaded when it is needed:',
    ...[...later].filter(([file]) => !isDocumentation(file)).map(line),
    `The documentation: ${documentation.length} files`,
    line(['all of them', total(new Map(documentation))]),
  ].join('\n')
}
