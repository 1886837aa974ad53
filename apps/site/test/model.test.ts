// A check as the page shows it: rows that can be searched and typed, findings in the groups of the command line.
import { readFileSync } from 'node:fs'
import { parseShape, ruleFor } from '@bcast/cli/shapes'
import { checkModel, readModel, reportText } from '@bcast/onnx'
import { explain, type SymbolicShape } from 'bcast'
import { describe, expect, it } from 'vitest'
import { modelOf, node } from '../../../testing/models/infer.ts'
import { packaged } from '../../../testing/models/packaged.ts'
import { filterRows } from '../src/model/filter.ts'
import { inSteps } from '../src/model/in-steps.ts'
import { LARGEST, readWhole } from '../src/model/read.ts'
import { type ModelReport, modelReport } from '../src/model/report.ts'
import { optionsOf, shapesText } from '../src/state/typed.ts'

const reportOf = (model: Parameters<typeof checkModel>[0]): ModelReport =>
  modelReport(checkModel(model), { file: 'm.onnx', bytes: 10, given: new Set() })

const mixed = reportOf(
  modelOf({
    inputs: { x: '1, 64, 8, 8', n: 'N', m: '4', y: '2, N', wide: 'Batch_size_of_the_model, 4', scale: '64, 1, 1' },
    nodes: [
      { ...node('Mul', 'x scale', 'scaled'), name: 'scale/Mul' },
      node('Add', 'n m', 'd'),
      node('Sub', 'x m', 'c'),
      node('Concat', 'n n', 'twice', { axis: 0 }),
      node('Add', 'twice m', 'e'),
      node('Add', 'wide m', 'f'),
    ],
  }),
)

describe('the rows of a model', () => {
  it('say node, shapes, verdict and what stretches, in words of the report', () => {
    const [mul, add, sub] = mixed.rows
    expect(mul).toMatchObject({
      ...{ verdict: 'broadcast', operator: 'Mul', label: 'node 0 "scale/Mul" (Mul)', patterns: ['channel'] },
      ...{ shapes: ['(1,64,8,8)', '(64,1,1)'], how: 'B on -1,-2,-4, 16384 bytes' },
      operands: [
        { name: 'x', producer: 'input' },
        { name: 'scale', producer: 'input' },
      ],
    })
    expect(add).toMatchObject({ verdict: 'conditional', how: 'if N = 1 or N = 4' })
    expect(sub).toMatchObject({ verdict: 'error', findings: ['broadcast-error'] })
  })

  it('can be typed: expressions of sizes have letters, with a legend', () => {
    const { asked } = mixed.rows.find(({ shapes }) => shapes[0] === '(2*N)')!
    expect(shapesText(asked.shapes)).toBe('(a)  4')
    expect(asked.legend).toEqual(['a = 2*N'])
    const long = mixed.rows.find(({ operands }) => operands[0]!.name === 'wide')!.asked
    expect(long).toMatchObject({ shapes: [['a', 4], [4]], legend: ['a = Batch_size_of_the_model'] })
  })

  it('every broadcast of the real models means the same when it is typed', () => {
    for (const file of packaged.slice(0, 1)) {
      const { rows } = reportOf(readModel(readFileSync(file)))
      expect(rows.length).toBeGreaterThan(10)
      for (const { asked, verdict, label } of rows) {
        const shapes = shapesText(asked.shapes).split('  ').map(parseShape) as SymbolicShape[]
        const { verdict: typed } = explain(shapes, { broadcast: ruleFor(optionsOf(asked.rule)) })
        expect([label, typed]).toEqual([label, verdict === 'equal' || verdict === 'broadcast' ? 'ok' : typed])
      }
    }
  })
})

it('long names of sizes are short in the rows, with a legend', () => {
  const { rows, names } = reportOf(
    modelOf({
      inputs: { x: 'DynamicDimension_0, s0, 4', y: 'DynamicDimension_0, 1, DynamicDimension_1' },
      nodes: [node('Add', 'x y', 'z')],
    }),
  )
  expect(names).toEqual([
    { short: 's1', long: 'DynamicDimension_0' },
    { short: 's2', long: 'DynamicDimension_1' },
  ])
  expect(rows[0]).toMatchObject({ shapes: ['(s1,s0,4)', '(s1,1,s2)'], how: 'if s2 = 1 or s2 = 4' })
  expect(rows[0]!.wholeShapes[0]).toBe('(DynamicDimension_0,s0,4)')
  expect(filterRows(rows, { find: 'dynamicdimension_1', verdict: '', about: '' })).toHaveLength(1)
})

describe('the table', () => {
  const found = (find: string, verdict = '', about = ''): number[] =>
    filterRows(mixed.rows, { find, verdict, about }).map(({ number }) => number)

  it('is searched by name, operator and shape', () => {
    expect(found('')).toEqual([0, 1, 2, 3, 4])
    expect(found('scale/mul')).toEqual([0])
    expect(found('SUB')).toEqual([2])
    expect(found('64, 1, 1')).toEqual([0])
    expect(found('mul 8,8')).toEqual([0])
    expect(found('sub scale')).toEqual([])
  })

  it('is filtered by verdict, pattern and finding', () => {
    expect(found('', 'error')).toEqual([2])
    expect(found('', '', 'channel')).toEqual([0])
    expect(found('', '', 'broadcast-error')).toEqual([2])
    expect(found('', 'equal', 'channel')).toEqual([])
  })
})

it('a check says how much of it is done, some times for thousands of nodes', () => {
  const told: number[] = []
  const nodes = Array.from({ length: 3000 }, (_, i) => node('Add', 'x y', `a${i}`))
  checkModel(modelOf({ inputs: { x: '2, 3', y: '3' }, nodes }), { progress: inSteps((done) => told.push(done)) })
  expect(told.length).toBeGreaterThan(30)
  expect(told.length).toBeLessThanOrEqual(50)
  expect(told).toEqual([...told].sort((a, b) => a - b))
})

it('findings are grouped as the text groups them', () => {
  const many = modelOf({
    inputs: { x: '2, 3', y: '4, 4', z: '5, 4' },
    nodes: [node('Add', 'x y', 'a'), node('Sub', 'x y', 'b'), node('Add', 'x z', 'c'), node('Mul', 'x y', 'd')],
  })
  const [errors] = reportOf(many).kinds
  expect(errors).toMatchObject({ severity: 'error', id: 'broadcast-error' })
  expect(errors!.findings.map(({ count, also, row }) => [count, also, row])).toEqual([
    [3, 'node 1 (Sub), node 3 (Mul)', 0],
    [1, '', 2],
  ])
  const text = reportText(checkModel(many))
  for (const { message, also } of errors!.findings) expect(text).toContain(also === '' ? message : `also ${also};`)
})

describe('a file', () => {
  const file = (size: number, bytes = new Uint8Array(10)): Parameters<typeof readWhole>[0] => ({
    ...{ name: 'm.onnx', size },
    stream: () => new Blob([bytes]).stream() as unknown as ReadableStream<Uint8Array>,
  })

  it('is read whole, and says how far', async () => {
    const steps: number[] = []
    expect(await readWhole(file(10), (done) => steps.push(done))).toEqual(new Uint8Array(10))
    expect(steps.at(-1)).toBe(1)
  })

  it('that no model can be is refused before it is read', async () => {
    await expect(readWhole(file(LARGEST + 1), () => undefined)).rejects.toThrow('larger models keep their weights')
  })
})
