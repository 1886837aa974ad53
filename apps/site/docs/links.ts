// Where a link of a text leads on the built pages: to another page where there is one, to the repository otherwise.
import { statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { sections } from './pages.ts'
import { repository, root } from './repository.ts'

const files = new Map(sections.flatMap(({ pages }) => pages.map(({ source, file }) => [source, file] as const)))

/** The page of a path of the repository; a folder's is that of its README. */
const pageOf = (path: string): string | undefined => files.get(path) ?? files.get(posix.join(path, 'README.md'))

/** Addresses of the repository's own files, as published texts write them. */
const OWN = new RegExp(`^${repository}/(?:blob|tree)/main/([^#]*)`)

export function resolvedLink(source: string, href: string): string {
  if (href.startsWith('#')) return href
  const [address, hash] = [href.replace(/#.*/, ''), /#.*/.exec(href)?.[0] ?? '']
  const own = OWN.exec(address)?.[1]
  if (own === undefined && /^[a-z]+:/.test(address)) return href
  const path = own ?? posix.join(posix.dirname(source), address)
  const page = pageOf(path.replace(/\/$/, ''))
  if (page !== undefined) return `${page}${hash === '#readme' ? '' : hash}`
  const kind = statSync(join(root, path)).isDirectory() ? 'tree' : 'blob'
  return `${repository}/${kind}/main/${path}${hash}`
}
