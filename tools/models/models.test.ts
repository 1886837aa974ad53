// The table of real models says what the models say today; what runs show of them is compared by the tests of
// @bcast/onnx.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { checkModel } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { describe, expect, it } from 'vitest'
import { realModels } from '../../testing/models/real-runs.ts'
import { censusDocuments } from './census.ts'
import { staticFigures } from './figures.ts'
import { syntheticModel } from './synthetic.ts'
import { readme, tableIn, tableText, withTable } from './table.ts'

const table = tableIn(readFileSync(readme, 'utf8'))

describe('the table of real models', () => {
  it('has the models', () => {
    expect([...table.keys()]).toEqual(realModels.map(({ name }) => name))
  })

  it.each(realModels)('has the figures of $name that follow from its file, and nothing wrong', (real) => {
    const { name, nodes, broadcasts, added, bytes } = staticFigures(real, readModelFile(real.file).model)
    expect(table.get(name)).toMatchObject({
      nodes: String(nodes),
      broadcasts,
      'explicit: nodes added': String(added),
      'bytes expanded': bytes.toLocaleString('en-US'),
      'same bits': `${2 * real.runs.length} of ${2 * real.runs.length}`,
      runs: String(real.runs.length),
      wrong: '0',
    })
    // A run is planned once and then only executes: without that it would be tens of times.
    expect(Number(table.get(name)!['times'])).toBeLessThanOrEqual(3)
  })

  it('goes between its marks and comes back', () => {
    const figures = {
      ...{ name: 'm', nodes: 3, broadcasts: '1 stretch, 1 equal', added: 2, bytes: 4096 },
      ...{ runs: 2, values: 9, fixed: 9, open: 8, same: 4, alike: 7, more: 1, disagreements: 0 },
      times: { input: '1×3', here: { best: 1.25, median: 2 }, onnxruntime: { best: 0.5, median: 0.75 } },
    }
    const real = { name: 'm', nodes: 3, milliseconds: 12.3 }
    const text = tableText(
      [{ ...figures, faults: [], unlisted: [] }],
      real,
      [{ ...real, nodes: 1e5, milliseconds: 2345 }],
      new Date(0),
    )
    const [before, after] = [
      '# Title\n\n<!-- Written by `npm run models` -->',
      '<!-- end of what `npm run models` writes -->\n',
    ]
    const written = withTable(`${before}\nold\n${after}`, text)
    expect(written).toBe(`${before}\n\n${text}\n\n${after}`)
    expect(withTable(written, text)).toBe(written)
    expect(tableIn(written).get('m')).toMatchObject({ values: '9', 'right, sizes open': '8', 'same bits': '4 of 4' })
    expect(tableIn(written).get('m')).toMatchObject({ 'run, ms': '1.25 (2.00)', times: '2.5' })
    expect(text).toContain('m, the largest, 12 ms; made-up models of 100,000 nodes 2.3 s. 1970-01-01')
    expect(() => withTable('no marks', text)).toThrow('no place')
  })
})

describe('the census of real models', () => {
  it.each(censusDocuments().map(({ file, text }) => [path.basename(file.pathname), file, text] as const))(
    'in %s is fresh',
    (_, file, text) => {
      expect(readFileSync(file, 'utf8')).toBe(text)
    },
  )
})

describe('made-up models', () => {
  it('have as many nodes as asked, of which most broadcast', () => {
    const model = syntheticModel(700)
    expect(model.graph.nodes).toHaveLength(700)
    expect(checkModel(model).verdicts).toMatchObject({ broadcast: 400, equal: 100 })
  })
})
