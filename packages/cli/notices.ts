// Licences of the packages that are part of the built program: whoever hands them on says whose they are.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The comment that a file begins with. */
const opening = (text: string): string => (/^(?:\/\/.*\n)*/.exec(text)?.[0] ?? '').replace(/^\/\/ ?/gm, '').trim()

/** A package's LICENSE, under any of the names that it goes by; the part of its README; what its files say. */
function licence(folder: string, files: readonly string[]): string {
  const named = (pattern: RegExp): string | undefined => {
    const name = readdirSync(folder).find((each) => pattern.test(each))
    return name === undefined ? undefined : readFileSync(path.join(folder, name), 'utf8')
  }
  const own = named(/^licen[cs]e(\.\w+)?$/i)
  if (own !== undefined) return own.trim()
  const part = /^#+ licen[cs]e$([\s\S]+?)(?=^#|(?![\s\S]))/im.exec(named(/^readme\.md$/i) ?? '')?.[1]
  if (part !== undefined) return part.trim()
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
