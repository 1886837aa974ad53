// Commands load what they use: a package that takes long to load is no part of those that do without it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Metafile } from 'esbuild'
import { expect, it } from 'vitest'
import { program } from './program.ts'

const file = path.join(path.dirname(program), '..', 'metafile.json')
const { outputs } = JSON.parse(readFileSync(file, 'utf8')) as Metafile

/** The sources that are loaded with a module, those that it loads later left out. */
function loadedWith(entry: string): string[] {
  const files = [Object.keys(outputs).find((name) => outputs[name]!.entryPoint === `cli/src/${entry}`)!]
  for (const each of files) {
    const imported = outputs[each]!.imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
    for (const { path: chunk } of imported) if (!files.includes(chunk)) files.push(chunk)
  }
  return files.flatMap((each) => Object.keys(outputs[each]!.inputs))
}

const isOfModels = (source: string): boolean => source.startsWith('onnx/') || source.includes('@bufbuild/')

it.each(['main.ts', 'failure.ts', 'commands/eval.ts', 'commands/diff.ts', 'commands/explain.ts'])(
  'without models: %s',
  (entry) => {
    expect(loadedWith(entry)).toContain(`cli/src/${entry}`)
    expect(loadedWith(entry).filter(isOfModels)).toEqual([])
  },
)

it('with models: commands/check.ts', () => {
  expect(loadedWith('commands/check.ts').some(isOfModels)).toBe(true)
})
