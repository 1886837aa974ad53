// Commands load what they use: a package that takes long to load is no part of those that do without it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Metafile } from 'esbuild'
import { expect, it } from 'vitest'
import { program } from './support/program.ts'

const file = path.join(path.dirname(program), '..', 'metafile.json')
const { outputs } = JSON.parse(readFileSync(file, 'utf8')) as Metafile

/** The sources and packages that are loaded with a module, those that it loads later left out. */
function loadedWith(entry: string): string[] {
  const files = [Object.keys(outputs).find((name) => outputs[name]!.entryPoint === `cli/src/${entry}`)!]
  const packages: string[] = []
  for (const each of files) {
    for (const { kind, path: name, external } of outputs[each]!.imports) {
      if (kind !== 'import-statement') continue
      if (external === true) packages.push(name)
      else if (!files.includes(name)) files.push(name)
    }
  }
  return [...files.flatMap((each) => Object.keys(outputs[each]!.inputs)), ...packages]
}

const isOfModels = (source: string): boolean => source.startsWith('onnx/') || source.startsWith('@bufbuild/')

it.each(['main.ts', 'errors/failure.ts', 'commands/eval.ts', 'commands/diff.ts', 'commands/explain.ts'])(
  'without models and archives: %s',
  (entry) => {
    expect(loadedWith(entry)).toContain(`cli/src/${entry}`)
    expect(loadedWith(entry).filter(isOfModels)).toEqual([])
    expect(loadedWith(entry)).not.toContain('yauzl')
  },
)

it('with models: commands/check.ts', () => {
  expect(loadedWith('commands/check.ts').some(isOfModels)).toBe(true)
})
