// One version: every place that says it says the same.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { manifests, published, readJson, root } from './packages.ts'

export const version: string = published[0]!.manifest.version

const text = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** JSR takes no module that adds to the types of another. */
const NOT_FOR_JSR = ['./methods']

/** What the package says about its sources, and what JSR is told. */
function jsrFaults(): string[] {
  const { manifest } = published.find(({ manifest: { name } }) => name === 'bcast')!
  const jsr = readJson('packages/bcast/jsr.json')
  const sources = Object.entries(manifest.exports!).flatMap(([name, entry]) => {
    const source = typeof entry === 'string' ? undefined : entry['bcast-source']
    // Deno counts as Node where a package tells them from pages.
    return source === undefined || NOT_FOR_JSR.includes(name)
      ? []
      : [[name, typeof source === 'string' ? source : source['node']]]
  })
  const isSame = JSON.stringify(Object.fromEntries(sources)) === JSON.stringify(jsr.exports)
  return [
    ...(jsr.version === version ? [] : [`packages/bcast/jsr.json has version ${jsr.version}`]),
    ...(isSame ? [] : ['packages/bcast/jsr.json does not export what packages/bcast/package.json exports']),
  ]
}

/** Each place that says something else, in words. */
export function versionFaults(): string[] {
  const own = new Set(
    manifests.filter(({ folder }) => folder.startsWith('packages/')).map(({ manifest }) => manifest.name),
  )
  const faults: string[] = []
  const lock = readJson('package-lock.json').packages
  for (const { folder, manifest } of manifests) {
    const { name, version: said, dependencies, devDependencies } = manifest
    if (own.has(name) && said !== version) faults.push(`${folder}/package.json has version ${said}`)
    if (own.has(name) && lock[folder]?.version !== version)
      faults.push(`package-lock.json has another version of ${folder}`)
    for (const [needed, wanted] of Object.entries({ ...dependencies, ...devDependencies }))
      if (own.has(needed) && wanted !== version) faults.push(`${folder}/package.json asks for ${needed} ${wanted}`)
  }
  if (!new RegExp(`^version: ${version}$`, 'm').test(text('CITATION.cff')))
    faults.push('CITATION.cff has another version')
  const latest = /^## (\S+)/m.exec(text('CHANGELOG.md'))?.[1]
  if (latest !== version) faults.push(`CHANGELOG.md begins with ${latest}`)
  return [...faults, ...jsrFaults()]
}
