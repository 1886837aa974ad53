// The census in every form: text, JSON under its schema, Markdown, and a chart.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fromData, type Tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { faults } from '../../../../testing/json-schema.ts'
import { ints, modelOf, node } from '../../../../testing/models/infer.ts'
import { packaged } from '../../../../testing/models/packaged.ts'
import {
  type Census,
  census,
  censusJson,
  censusMarkdown,
  censusSvg,
  censusText,
  patternMeanings,
  readModel,
} from '../../src/index.ts'

const schema = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../schema/census.schema.json'), 'utf8'))
const bias = fromData('float32', new Float32Array(3), [3, 1, 1]) as Tensor

/** Names that mean something to a table, to Markdown and to XML. */
const small = (): Census =>
  census([
    {
      name: 'a|b<c>&"d\u0001.onnx',
      model: modelOf({
        inputs: { x: 'N, 3, 8, 8', bias, n: 'N', m: '4', s: ints(2, 8), k: '8' },
        nodes: [
          node('Add', 'x bias', 'a'),
          node('Add', 'a k', 'b'),
          node('Mul', 'n m', 'c'),
          node('Expand', 'k s', 'd'),
          node('QLinearAdd', 'x s s k s s s s', 'e', {}, 'com.microsoft'),
        ],
      }),
    },
    { name: 'bad.onnx', model: () => readModel(new Uint8Array([255])) },
  ])

const ofPackages = census(
  packaged.map((file) => ({ name: path.basename(file), model: () => readModel(readFileSync(file)) })),
)
const real = (): Census => ofPackages

describe('the text', () => {
  it('has sentences, tables and what was not read', () => {
    const [sentences, ...tables] = censusText(small()).split('\n\n')
    expect(sentences!.split('\n')).toEqual([
      '1 model, 1 more not read; 5 nodes.',
      '4 nodes may broadcast: 3 broadcast (75 %), 0 of equal shapes, 1 depending on sizes, 0 of unknown rank, 0 failing. 1 of 1 model broadcast.',
      '3 operands stretched: 1 constant (33 %), which a model could hold at full size; 2 computed (67 %), which would need an Expand.',
      '1 Expand beside them, which broadcast by their nature.',
    ])
    expect(tables[0]!.split('\n')).toEqual([
      'Nodes by operator',
      'operator                  equal  broadcast  conditional  unknown  error  models',
      'Add                                      2                                    1',
      'Expand (explicit)                        1                                    1',
      'Mul                                                   1                       1',
      'com.microsoft:QLinearAdd                 1                                    1',
    ])
    expect(tables[1]!.split('\n').slice(1, 3)).toEqual([
      'operator                  scalar  row  column  channel  outer  both  batch  rank  other  all',
      'Add                                 1                1                                     2',
    ])
    expect(tables[2]!.split('\n').slice(1)).toEqual([
      'rank  constant  computed',
      '   2                   1',
      '   4         1         2',
    ])
    expect(tables[3]!.split('\n')[2]).toBe(
      'Add                       channel     4  constant      1       1  a|b<c>&"d\u0001.onnx  graph.node[0]  (N,3,8,8) with (3,1,1)',
    )
    expect(tables.at(-2)).toMatch(/^Not read\nbad\.onnx: /)
    expect(tables.at(-1)).toBe(sentences)
  })

  it('tells what several files are not read for once', () => {
    const broken = ['a.onnx', 'b.onnx', 'c.onnx'].map((name) => ({
      name,
      model: () => readModel(new Uint8Array(name === 'c.onnx' ? [255] : [8])),
    }))
    const lines = censusText(census(broken)).split('\n')
    const at = lines.indexOf('Not read')
    expect(lines.slice(at + 1)).toEqual([
      expect.stringMatching(/^2 ×: ./),
      '  a.onnx',
      '  b.onnx',
      expect.stringMatching(/^c\.onnx: ./),
    ])
  })

  it('of nothing is short', () => {
    expect(censusText(census([]))).toBe(
      [
        '0 models; 0 nodes.',
        '0 nodes may broadcast: 0 broadcast, 0 of equal shapes, 0 depending on sizes, 0 of unknown rank, 0 failing. 0 of 0 models broadcast.',
        '0 operands stretched: 0 constant, which a model could hold at full size; 0 computed, which would need an Expand.',
        '0 Expands beside them, which broadcast by their nature.',
      ].join('\n'),
    )
  })
})

describe('the JSON', () => {
  it.each([
    ['small models', small],
    ['real models', real],
    ['no models', () => census([])],
  ])('of %s obeys its schema', (_, made) => {
    expect(faults(JSON.parse(JSON.stringify(censusJson(made()))), schema)).toEqual([])
  })

  it.each<[string, (json: ReturnType<typeof censusJson>) => unknown]>([
    ['lacks totals', (json) => Reflect.deleteProperty(json, 'totals')],
    ['has extra', (json) => Object.assign(json.models[0]!, { extra: 1 })],
    ['pattern', (json) => Object.assign(json.stretches[0]!, { pattern: 'diagonal' })],
    ['operands', (json) => Object.assign(json.stretches[0]!, { operands: 0 })],
    ['failures[0].code', (json) => Object.assign(json.failures[0]!, { code: 1 })],
  ])('is refused by its schema if %s', (text, damage) => {
    const json = JSON.parse(JSON.stringify(censusJson(small())))
    damage(json)
    expect(faults(json, schema).join('\n')).toContain(text)
  })

  it('has the patterns of the schema', () => {
    expect(schema.definitions.stretch.properties.pattern.enum).toEqual(Object.keys(patternMeanings))
  })
})

describe('the Markdown', () => {
  it('has tables whose rows have as many cells as their heads', () => {
    const blocks = censusMarkdown(small())
      .split('\n\n')
      .filter((block) => block.startsWith('|'))
    expect(blocks).toHaveLength(6)
    for (const block of blocks) {
      const cells = block.split('\n').map((line) => line.replaceAll('\\|', '').split('|').length)
      expect(new Set(cells).size, block).toBe(1)
    }
    expect(censusMarkdown(small())).toContain('| a\\|b<c>&"d\u0001.onnx | 5 |')
  })

  it('says what the patterns mean', () => {
    for (const pattern of Object.keys(patternMeanings)) expect(censusMarkdown(small())).toContain(`- **${pattern}**: `)
  })
})

/** Whether every element is closed where it should be, and every text escaped. */
function isWellFormed(xml: string): boolean {
  const open: string[] = []
  const rest = xml.replaceAll(/<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/g, (_, closing, name, __, empty) => {
    if (closing === '/') return open.pop() === name ? '' : '<'
    if (empty === '') open.push(name)
    return ''
  })
  return open.length === 0 && !rest.includes('\u0001') && !/[<>]|&(?!amp;|lt;|gt;|quot;)/.test(rest)
}

describe('the chart', () => {
  it.each([
    ['small models', small],
    ['real models', real],
    ['no models', () => census([])],
  ])('of %s is XML, and the same every time', (_, made) => {
    const svg = censusSvg(made())
    expect(isWellFormed(svg)).toBe(true)
    expect(censusSvg(made())).toBe(svg)
  })

  it('escapes names', () => {
    const odd = modelOf({
      inputs: { x: '2, 3', k: '3' },
      nodes: [node('QLinearAdd', 'x - - k', 'y', {}, 'com.microsoft')],
    })
    const { stretches, ...rest } = census([{ name: 'm', model: odd }])
    const svg = censusSvg({ ...rest, stretches: [{ ...stretches[0]!, operator: '<a&"b">\u0001' }] })
    expect(isWellFormed(svg)).toBe(true)
    expect(svg).toContain('&lt;a&amp;&quot;b&quot;&gt;\ufffd')
  })

  it('has a bar for each operator whose parts are as long as their counts', () => {
    const { stretches } = real()
    const svg = censusSvg(real())
    const boxes = [
      ...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="16"[^>]*><title>(.*?), (\w+): (\d+)</g),
    ].map(([, x, y, width, name, pattern, count]) => ({
      ...{ x: Number(x), y: Number(y), width: Number(width), count: Number(count) },
      key: `${name} ${pattern}`,
    }))
    const sums = new Map<string, number>()
    for (const { operator, explicit, pattern, operands } of stretches) {
      const key = `${operator}${explicit ? ' (explicit)' : ''} ${pattern}`
      sums.set(key, (sums.get(key) ?? 0) + operands)
    }
    expect(new Map(boxes.map(({ key, count }) => [key, count]))).toEqual(sums)
    const scale = boxes[0]!.width / boxes[0]!.count
    for (const [i, { x, y, width, count }] of boxes.entries()) {
      expect(width).toBeCloseTo(count * scale, 0)
      const before = boxes[i - 1]
      if (before?.y === y) expect(x).toBeCloseTo(before.x + before.width, 0)
      else expect(x).toBe(boxes[0]!.x)
    }
  })
})
