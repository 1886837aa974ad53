// Licences of the packages that are part of the built program: whoever hands them on says whose they are.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The comment that a file begins with. */
const opening = (text: string): string => (/^(?:\/\/.*\n)*/.exec(text)?.[0] ?? '').replace(/^\/\/ ?/gm, '').trim()

/** A package's LICENSE; where it has none, what its files say. */
function licence(folder: string, files: readonly string[]): string {
  const file = path.join(folder, 'LICENSE')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  return [...new Set(files.map((each) => opening(readFileSync(each, 'utf8'))))]
    .filter((text) => text !== '')
    .join('\n\n')
}

/** `inputs` are the files that the program was made of, named from `root`. */
export function notices(inputs: readonly string[], root: string): string {
  const files = new Map<string, string[]>()
  for (const input of inputs) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/.][^/]*/.exec(input)?.[0]
    if (folder !== undefined) files.set(folder, [...(files.get(folder) ?? []), path.resolve(root, input)])
  }
  const parts = [...files].map(([name, of]) => {
    const folder = path.resolve(root, name)
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const text = licence(folder, of)
    if (text === '') throw new Error(`${manifest.name} has no licence that could be quoted`)
    return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n`
  })
  return `The program contains these packages.\n\n${parts.sort().join(`\n${'-'.repeat(80)}\n\n`)}`
}
