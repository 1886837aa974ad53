// What an editor shows on hover: every exported name has a doc comment, and the examples in them give what they say.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as onnx from '@bcast/onnx'
import * as spec from '@bcast/spec'
import * as bcast from 'bcast'
import * as npy from 'bcast/npy'
import { describe, expect, it } from 'vitest'
import { modelOf, node } from '../../testing/models/infer.ts'
import { type ExportedName, entriesOf, exportedNames } from './exported-names.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The package, and how many names it has at least. */
const PACKAGES = { bcast: 200, spec: 70, onnx: 170 }

/** Names of a generated file say what their schema says. */
const GENERATED = ['./proto']

const namesOf = (name: string): readonly ExportedName[] =>
  [...entriesOf(join(root, 'packages', name))]
    .filter(([entry]) => !GENERATED.includes(entry))
    .flatMap(([, file]) => [...exportedNames(file).values()])

describe.each(Object.entries(PACKAGES))('%s', (name, least) => {
  const names = namesOf(name)

  it('has a doc comment for every name that it exports', () => {
    expect(names.length).toBeGreaterThan(least)
    const bare = names.filter(({ doc }) => doc === undefined)
    expect(bare.map(({ name: own, file, line }) => `${own} at ${file.slice(root.length)}:${line}`)).toEqual([])
  })
})

/** The lines of the fenced examples of a comment, without its stars. */
const examplesIn = (doc: string): readonly string[] =>
  [...doc.matchAll(/^ \* ```ts\n([\s\S]*?)^ \* ```$/gm)].flatMap(([, block]) =>
    block!
      .split('\n')
      .map((line) => line.replace(/^ \* ?/, ''))
      .filter((line) => line !== ''),
  )

/** What the examples of models are about: a bias that does not fit. */
const broken = modelOf({
  inputs: { x: 'N, 3, 8, 8', bias: bcast.tensor([1, 2, 3]) as bcast.Tensor },
  nodes: [{ ...node('Add', 'x bias', 'y'), name: 'shift' }],
  outputs: ['y'],
})
const bytes = onnx.writeModel(broken)

/** Of each package what its examples may name, and how many lines they have at least. */
const EXAMPLES = {
  bcast: { scope: { ...bcast, ...npy }, least: 50 },
  onnx: { scope: { ...bcast, ...onnx, bytes, model: onnx.readModel(bytes) }, least: 25 },
  spec: { scope: spec, least: 20 },
}

describe.each(Object.entries(EXAMPLES))('examples of %s', (name, { scope, least }) => {
  const evaluate = (expression: string): unknown =>
    new Function(...Object.keys(scope), `return (${expression})`)(...Object.values(scope))
  const examples = new Set(namesOf(name).flatMap(({ doc = '' }) => examplesIn(doc)))

  it('are many', () => {
    expect(examples.size).toBeGreaterThan(least)
  })

  it('are all in fences, where they are run', () => {
    const unfenced = namesOf(name).filter(({ doc = '' }) => /@example(?!\n \* ```ts\n)/.test(doc))
    expect(unfenced.map(({ name: own }) => own)).toEqual([])
  })

  it.each([...examples])('%s', async (line) => {
    const [expression, value] = line.split(' // ')
    const made = await evaluate(expression!)
    if (value !== undefined) expect(made).toEqual(await evaluate(value))
  })
})

it('examples of bcast are there for every function', () => {
  const isFunction = (name: string): boolean => {
    const value = (bcast as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'function' && !/^class/.test(String(value))
  }
  const without = namesOf('bcast').filter(({ name, doc = '' }) => isFunction(name) && !doc.includes('@example'))
  expect(without.map(({ name }) => name)).toEqual([])
})
