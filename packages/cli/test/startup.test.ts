// Commands load what they use: a package that takes long to load is no part of those that do without it.
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import type { Metafile } from 'esbuild'
import { expect, it } from 'vitest'
import { program } from './support/program.ts'

const file = path.join(path.dirname(program), '..', 'metafile.json')
const { outputs } = JSON.parse(readFileSync(file, 'utf8')) as Metafile

/** The sources that are loaded with a module, those that it loads later left out. */
function loadedWith(entry: string): string[] {
  const files = [Object.keys(outputs).find((name) => outputs[name]!.entryPoint === `cli/src/${entry}`)!]
  for (const each of files) {
    for (const { kind, path: name, external } of outputs[each]!.imports) {
      if (kind === 'import-statement' && external !== true && !files.includes(name)) files.push(name)
    }
  }
  return files.flatMap((each) => Object.keys(outputs[each]!.inputs))
}

const isOf = (name: string) => (source: string) => source.includes(`/node_modules/${name}/`)
const isOfModels = (source: string): boolean => source.startsWith('onnx/') || isOf('@bufbuild/protobuf')(source)

it.each(['main.ts', 'errors/failure.ts', 'commands/eval.ts', 'commands/diff.ts', 'commands/explain.ts'])(
  'without models and archives: %s',
  (entry) => {
    expect(loadedWith(entry)).toContain(`cli/src/${entry}`)
    expect(loadedWith(entry).filter(isOfModels)).toEqual([])
    expect(loadedWith(entry).filter(isOf('yauzl'))).toEqual([])
    expect(loadedWith(entry).filter(isOf('bullmq'))).toEqual([])
    expect(loadedWith(entry).filter(isOf('numcodecs'))).toEqual([])
  },
)

it('with models: commands/check.ts', () => {
  expect(loadedWith('commands/check.ts').some(isOfModels)).toBe(true)
})

it('with a queue: workers/submit.ts, and only then the command', () => {
  expect(loadedWith('workers/submit.ts').some(isOf('bullmq'))).toBe(true)
  expect(loadedWith('commands/worker.ts').filter(isOf('bullmq'))).toEqual([])
})

it('with archives: files/npz.ts', () => {
  expect(loadedWith('files/npz.ts').some(isOf('yauzl'))).toBe(true)
})

it('with arrays in chunks, and without codecs and servers: zarr/array.ts', () => {
  expect(loadedWith('zarr/array.ts')).toContain('cli/src/zarr/array.ts')
  for (const name of ['numcodecs', 'aws4fetch', 'yauzl'])
    expect(loadedWith('zarr/array.ts').filter(isOf(name))).toEqual([])
})

it('depends on nothing but Node', () => {
  const imports = Object.values(outputs).flatMap((output) => output.imports)
  const external = imports.filter((each) => each.external === true).map((each) => each.path)
  expect(external.filter((name) => !isBuiltin(name))).toEqual([])
})

it('says whose packages are in it', () => {
  const notices = readFileSync(path.join(path.dirname(program), 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  const named = [...notices.matchAll(/^(\S+) [\d.]+ \((.+)\)$/gm)].map(([, name, licence]) => [name, licence])
  expect(named).toEqual([
    ['@bufbuild/protobuf', '(Apache-2.0 AND BSD-3-Clause)'],
    ['@ioredis/commands', 'MIT'],
    ['aws4fetch', 'MIT'],
    ['bullmq', 'MIT'],
    ['cluster-key-slot', 'Apache-2.0'],
    ['commander', 'MIT'],
    ['debug', 'MIT'],
    ['denque', 'Apache-2.0'],
    ['ioredis', 'MIT'],
    ['ms', 'MIT'],
    ['msgpackr', 'MIT'],
    ['node-abort-controller', 'MIT'],
    ['numcodecs', 'MIT'],
    ['pend', 'MIT'],
    ['pg', 'MIT'],
    ['pg-cloudflare', 'MIT'],
    ['pg-connection-string', 'MIT'],
    ['pg-int8', 'ISC'],
    ['pg-pool', 'MIT'],
    ['pg-protocol', 'MIT'],
    ['pg-types', 'MIT'],
    ['pgpass', 'MIT'],
    ['postgres-array', 'MIT'],
    ['postgres-bytea', 'MIT'],
    ['postgres-date', 'MIT'],
    ['postgres-interval', 'MIT'],
    ['redis-errors', 'MIT'],
    ['semver', 'ISC'],
    ['split2', 'ISC'],
    ['standard-as-callback', 'MIT'],
    ['tslib', '0BSD'],
    ['xtend', 'MIT'],
    ['yauzl', 'MIT'],
  ])
  for (const text of ['Copyright 2008 Google Inc.', 'Buf Technologies', 'TJ Holowaychuk', 'Josh Wolfe', 'Hannes Hörl'])
    expect(notices).toContain(text)
})
