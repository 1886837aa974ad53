// Attributes are decoded once: what inference and runs both read stands in src/infer/attributes, so that neither can
// take a node for another one than the other does.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { type Attributes, inferred, ints, modelOf, node } from '../../../../testing/models/infer.ts'
import { makeExplicit, prepareModel } from '../../src/index.ts'

const source = path.join(import.meta.dirname, '../../src')

const filesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(source, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

/** Names that are read from attributes; graphs need no decoding. */
function namesIn(files: readonly string[]): ReadonlySet<string> {
  const read = /(?:attributes|given)\s*\.(?:int|ints|bigint|bigints|float|floats|string|strings|tensor)\(\s*'(\w+)'/g
  const asked = /\b(?:intOf|intsOf|isSet|textOf|says)\(\w+, '(\w+)'/g
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  return new Set(
    [read, asked].flatMap((form) => texts.flatMap((text) => [...text.matchAll(form)].map(([, name]) => name!))),
  )
}

/** Attributes that a run alone reads, of operators that inference need not know; others of the name are decoded for both. */
const ofRuns: Readonly<Record<string, string>> = {
  direction: 'BitShift, which goes left or right',
  reduction: 'ScatterElements and ScatterND; that of losses is not run',
  value: 'Pad before opset 11',
}

describe('attributes', () => {
  const shared = path.join(source, 'infer/attributes')
  const run = [...namesIn(filesIn('run'))].filter((name) => !Object.hasOwn(ofRuns, name)).sort()

  it('are read by inference or by runs, not by both', () => {
    const inference = namesIn(filesIn('infer').filter((file) => !file.startsWith(shared)))
    expect(run.filter((name) => inference.has(name))).toEqual([])
  })

  it('that are shared are decoded nowhere else in a run', () => {
    const decoded = namesIn(filesIn('infer/attributes'))
    expect(decoded.size).toBeGreaterThan(30)
    expect(run.filter((name) => decoded.has(name))).toEqual([])
  })
})

describe('training', () => {
  const channels = (...values: number[]) => tensor(Float32Array.from(values))
  const given = { scale: channels(2), bias: channels(1), mean: channels(1), variance: channels(4) }

  /** What both a run and the rewrite say of a BatchNormalization beside a broadcast that the rewrite is about. */
  function refusals(opset: number, attributes: Attributes, outputs: string): readonly (string | undefined)[] {
    const nodes = [
      node('BatchNormalization', 'x scale bias mean variance', outputs, { epsilon: { float: 0 }, ...attributes }),
      node('Add', 'y row', 'z', opset < 7 ? { broadcast: 1 } : {}),
    ]
    const inputs = { x: '1, 1, 1, 2', ...given, row: channels(1, 2) }
    const model = modelOf({ inputs, nodes, outputs: ['z'], opset })
    return [() => prepareModel(model).run({ x: channels(3, 5).reshape([1, 1, 1, 2]) }), () => makeExplicit(model)].map(
      (use) => {
        try {
          use()
          return undefined
        } catch (error) {
          return /training/.exec((error as Error).message)?.[0] ?? String(error)
        }
      },
    )
  }

  it.each<[number, Attributes, string, boolean]>([
    [6, { is_test: 1 }, 'y', false],
    [6, {}, 'y', false],
    [6, { is_test: 0 }, 'y', true],
    [6, {}, 'y m v s t', true],
  ])('is seen alike by runs and by rewrites: opset %i, %j, outputs %s', (opset, attributes, outputs, trains) => {
    expect(refusals(opset, attributes, outputs)).toEqual(trains ? ['training', 'training'] : [undefined, undefined])
  })

  it.each<[number, Attributes, string, string | undefined]>([
    [7, {}, 'y', undefined],
    [9, {}, 'y m v s t', 'training'],
    [15, { training_mode: 1 }, 'y', 'training'],
    [15, { training_mode: 0 }, 'y', undefined],
  ])('is not run: opset %i, %j, outputs %s', (opset, attributes, outputs, said) => {
    expect(refusals(opset, attributes, outputs)[0]).toBe(said)
  })
})

describe('an attribute that a version does not have says nothing', () => {
  it.each([
    [13, '2, 3'],
    [14, '0, 3'],
  ])('allowzero of Reshape at opset %i', (opset, shape) => {
    const nodes = [node('Reshape', 'x s', 'y', { allowzero: 1 })]
    const size = shape.split(', ').map(Number)
    expect(inferred('Reshape', { x: shape, s: ints(0, 3) }, { allowzero: 1 }, { opset })).toEqual([`float32(${shape})`])
    const model = modelOf({ inputs: { x: shape, s: ints(0, 3) }, nodes, outputs: ['y'], opset })
    const x = tensor(new Float32Array(size[0]! * 3), { shape: size as [number, number] })
    expect(prepareModel(model).run({ x })['y']!.shape).toEqual(size)
  })
})
