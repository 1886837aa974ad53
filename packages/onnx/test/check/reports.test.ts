// Reports: text for people, JSON under its schema, SARIF, and Markdown as evidence.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fromData, type Tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { faults } from '../../../../testing/json-schema.ts'
import { type GraphInit, modelOf, node } from '../../../../testing/models/infer.ts'
import { facts, filesIn, packaged } from '../../../../testing/models/packaged.ts'
import { needs } from '../../../../testing/needs.ts'
import { bestTime } from '../../../../testing/processor-time.ts'
import { tableLines } from '../../src/check/report/table.ts'
import {
  type CheckFinding,
  checkModel,
  findingSeverities,
  type Model,
  profiles,
  readModel,
  reportJson,
  reportMarkdown,
  reportSarif,
  reportText,
} from '../../src/index.ts'

/** A report that a test may damage. */
interface Damaged {
  readonly broadcasts: readonly object[]
  readonly findings: readonly { readonly fixes: readonly object[] }[]
}

const root = path.resolve(import.meta.dirname, '../..')
const schema = JSON.parse(readFileSync(path.join(root, 'schema/report.schema.json'), 'utf8'))
const bias = fromData('float32', new Float32Array(64), [64]) as Tensor

/** Every verdict, and findings of every severity. */
const mixed = (): Model =>
  modelOf({
    inputs: { x: '1, 64, 8, 8', bias, n: 'N', m: '4', u: '*' },
    nodes: [
      { ...node('Add', 'x bias', 'a'), name: 'shift' },
      node('Mul', 'x x', 'b'),
      node('Sub', 'x m', 'c'),
      node('Add', 'n m', 'd'),
      node('Add', 'u m', 'e'),
      node('Sum', 'x', 'f'),
    ],
  })

describe('the text', () => {
  it('has the count, each finding with its picture and fixes, and what broadcasts', () => {
    const text = reportText(
      checkModel(
        modelOf({
          inputs: { x: '1, 64, 8, 8', bias, k: '8' },
          nodes: [{ ...node('Add', 'x bias', 'a'), name: 'shift' }, node('Mul', 'x k', 'b'), node('Sub', 'x x', 'c')],
        }),
      ),
    )
    expect(text).toBe(
      [
        'fails under profile onnx: 1 error, 0 warnings, 0 notes; 3 broadcasts: 1 equal, 1 broadcast, 1 error',
        '',
        'error broadcast-error: node 0 "shift" (Add): cannot broadcast axis -1: 8 vs 64 (shapes [1,64,8,8] and [64]).',
        '  axis    -4  -3  -2  -1',
        '  A        1  64   8   8!   "x", input',
        '  B                   64!   "bias", initializer',
        '  (! conflict)',
        '  [ONNX Broadcasting, multidirectional, condition 2]',
        '  fix: Unsqueeze (axes=[1,2]) "bias"',
        '  fix: Transpose (perm=[0,2,3,1]) "x"',
        '',
        'error      node 0 "shift" (Add)  (1,64,8,8) with (64)',
        'broadcast  node 1 (Mul)          (1,64,8,8) with (8)   B on -2,-3,-4, 16384 bytes',
      ].join('\n'),
    )
  })

  it('lists equal shapes when asked, and nothing where nothing broadcasts', () => {
    const report = checkModel(modelOf({ inputs: { x: '3' }, nodes: [node('Mul', 'x x', 'y')] }))
    expect(reportText(report)).toBe('passes under profile onnx: 0 errors, 0 warnings, 0 notes; 1 broadcast: 1 equal')
    expect(reportText(report, { all: true })).toContain('\n\nequal  node 0 (Mul)  (3) with (3)')
  })
})

/** Branches in branches, each of which shadows a name, adds a scalar and has a size that depends on n and m. */
function nested(depth: number): GraphInit {
  const inner =
    depth === 0
      ? []
      : [
          node('If', 'c', `i${depth}`, {
            then_branch: { graph: nested(depth - 1) },
            else_branch: { graph: nested(depth - 1) },
          }),
        ]
  return {
    name: `g${depth}`,
    node: [node('Add', 'x one', 'a'), node('Mul', 'n m', 'b'), ...inner, node('Identity', 'a', 'y')],
    output: [{ name: 'y' }],
  }
}

/** 127 graphs. */
const deep = (): Model => {
  const one = fromData('float32', new Float32Array(1), []) as Tensor
  return modelOf({
    inputs: { x: 'batch.of.the.images, 64, 8, 8', one, n: 'a.very.long.name', m: '4', c: 'bool:' },
    nodes: [
      node('Identity', 'x', 'a'),
      node('If', 'c', 'z', { then_branch: { graph: nested(5) }, else_branch: { graph: nested(5) } }),
    ],
    outputs: ['z'],
  })
}

describe('the text of a large model', () => {
  const report = checkModel(deep())
  const text = reportText(report, { width: 100 })

  it('tells findings of one kind and cause once, with their number, whatever graph they are in', () => {
    expect(report.findings.length).toBeGreaterThan(200)
    const heads = text.split('\n').filter((line) => /^(error|warning|note) /.test(line))
    expect(heads).toEqual([
      expect.stringMatching(
        /^warning shadowed-name, \d{3} ×, the first: output 0 of node 0 \(Add\) in graph\.node\[1\]/,
      ),
      expect.stringMatching(
        /^note broadcast-conditional, 126 ×, the first: node 1 \(Mul\) in .*: it holds if a\.very\.long\.name = 1 or/,
      ),
    ])
    expect(text).toMatch(/\n {2}also node 1 \(Mul\) in \S+, node 1 .* and 122 more; --all lists them\n/)
  })

  it('lists ways to meet, not nodes', () => {
    expect(text).toMatch(
      /\nbroadcast +126 × {2}node 0 \(Add\) in graph.*\n {4}\(batch\.of\.the\.images,64,8,8\) with \(\)\n/,
    )
    expect(text).toContain('\n(each with the first node; --all lists them)\n\n')
  })

  it('has the summary at the end again', () => {
    const lines = text.split('\n')
    expect(lines.length).toBeLessThan(40)
    expect(lines[0]).toMatch(/^passes under profile onnx: 0 errors, \d+ warnings, 126 notes; 252 broadcasts: /)
    expect(lines.at(-1)).toBe(lines[0])
  })

  it('keeps pictures within the width by short names for sizes, then by notes below', () => {
    const broadcast = modelOf({
      inputs: { x: 'an.image.of.a.batch, a.height.in.pixels, a.width.in.pixels', b: '3' },
      nodes: [node('Add', 'x b', 'y')],
    })
    const picture = (width: number) => reportText(checkModel(broadcast), { width }).split('\n').slice(3, 10)
    expect(picture(100)[0]).toBe('  axis                     -3                  -2                 -1')
    expect(picture(60)).toEqual([
      '  axis    -3  -2  -1',
      '  A       #1  #2  #3   "x", input',
      '  B                3   "b", input',
      '  result  #1  #2   3',
      '  #1 = an.image.of.a.batch',
      '  #2 = a.height.in.pixels',
      '  #3 = a.width.in.pixels',
    ])
    expect(picture(30).slice(4, 6)).toEqual(['  A is "x", input', '  B is "b", input'])
  })

  it('tells causes of one kind up to a number, and how many there are besides', () => {
    const many = modelOf({
      inputs: Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [
          [`a${i}`, `N${i}`],
          [`b${i}`, '4'],
        ]).flat(),
      ),
      nodes: Array.from({ length: 12 }, (_, i) => node('Add', `a${i} b${i}`, `y${i}`)),
    })
    const heads = reportText(checkModel(many))
      .split('\n')
      .filter((line) => line.startsWith('note '))
    expect(heads).toHaveLength(6)
    expect(heads[5]).toBe(
      'note broadcast-conditional, 7 × of 7 other causes, the first: node 5 (Add): it holds if N5 = 1 or N5 = 4.',
    )
  })

  it('is whole where all is wanted, as JSON always is', () => {
    const all = reportText(report, { all: true }).split('\n')
    const isHead = (line: string) => /^(error|warning|note) /.test(line)
    expect(all.filter(isHead)).toHaveLength(report.findings.length)
    expect(all.filter((line) => /^(equal|broadcast|conditional) /.test(line))).toHaveLength(252)
    expect(all.join()).not.toContain('--all')
    expect(reportJson(report).findings).toHaveLength(report.findings.length)
  })

  it.each(packaged)('of %s is a few screens within 120 columns', (file) => {
    for (const profile of ['onnx', 'sonnx-strict'] as const) {
      const lines = reportText(checkModel(readModel(readFileSync(file)), { profile, fixes: false }), {
        width: 120,
      }).split('\n')
      expect(lines.length).toBeLessThan(110)
      expect(lines.filter((line) => /\S {2,}\S/.test(line) && line.length > 120)).toEqual([])
    }
  })
})

describe('the JSON', () => {
  it('has every verdict under its key', () => {
    const json = reportJson(checkModel(mixed()))
    expect(json.broadcasts.map(({ verdict }) => verdict)).toEqual([
      'error',
      'equal',
      'error',
      'conditional',
      'unknown',
      'equal',
    ])
    expect(json.broadcasts[3]).toMatchObject({
      condition: 'N = 1 or N = 4',
      decidedByData: [],
      operands: [{ shape: ['N'] }, { shape: [4] }],
    })
    expect(json.verdicts).toEqual({ equal: 2, broadcast: 0, error: 2, conditional: 1, unknown: 1 })
  })

  it.each(Object.values(profiles))('obeys its schema under profile $name', (profile) => {
    const json = JSON.parse(JSON.stringify(reportJson(checkModel(mixed(), { profile }))))
    expect(json.findings.length).toBeGreaterThan(0)
    expect(faults(json, schema)).toEqual([])
  })

  it.each(packaged)('of %s obeys its schema', (file) => {
    const json = JSON.parse(
      JSON.stringify(reportJson(checkModel(readModel(readFileSync(file)), { profile: 'sonnx-strict' }))),
    )
    expect(json.broadcasts.length).toBeGreaterThan(0)
    expect(faults(json, schema)).toEqual([])
  })

  it.each<[string, (json: Damaged) => unknown]>([
    ['lacks profile', (json) => Reflect.deleteProperty(json, 'profile')],
    ['has extra', (json) => Object.assign(json, { extra: 1 })],
    ['verdict', (json) => Object.assign(json.broadcasts[0]!, { verdict: 'fine' })],
    ['findings[0].axis', (json) => Object.assign(json.findings[0]!, { axis: 0 })],
    ['edits', (json) => Object.assign(json.findings[0]!.fixes[0]!, { edits: [] })],
  ])('is refused by its schema if it %s', (text, damage) => {
    const json = JSON.parse(JSON.stringify(reportJson(checkModel(mixed()))))
    damage(json)
    expect(faults(json, schema).join('\n')).toContain(text)
  })
})

describe('SARIF', () => {
  it('has what the standard requires of a log, a run, a tool, a rule and a result', () => {
    const log = JSON.parse(JSON.stringify(reportSarif(checkModel(mixed()), { uri: 'models/mixed.onnx' })))
    expect(log.version).toBe('2.1.0')
    const [run] = log.runs
    const { rules, name } = run.tool.driver
    expect(name).toBe('bcast')
    const ids = rules.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(Object.keys(findingSeverities))
    expect(run.results.length).toBeGreaterThan(2)
    for (const { ruleId, ruleIndex, level, message, locations } of run.results) {
      expect(ids[ruleIndex]).toBe(ruleId)
      expect(['error', 'warning', 'note']).toContain(level)
      expect(message.text).not.toBe('')
      expect(locations[0].physicalLocation.artifactLocation.uri).toBe('models/mixed.onnx')
      expect(locations[0].logicalLocations[0].fullyQualifiedName).toMatch(/^graph\.node\[\d\]$/)
    }
  })

  it('knows a finding again', () => {
    const prints = () =>
      reportSarif(checkModel(mixed())).runs[0]!.results.map((result) => result.partialFingerprints['bcast/v1'])
    expect(prints()).toEqual(prints())
    expect(new Set(prints()).size).toBe(prints().length)
  })
})

describe('the evidence', () => {
  it('has a line with tag, class and disposition for every broadcast', () => {
    const lines = reportMarkdown(checkModel(mixed(), { profile: 'sonnx-strict' })).split('\n')
    const rows = lines.filter((line) => line.startsWith('| graph.')).map((line) => line.split(' | ').slice(5))
    expect(rows.map(([, tag, kind, disposition]) => [tag, kind, disposition])).toEqual([
      ['E_ADD_FLOAT_CONSTR_A', 'A.1', 'error |'],
      ['E_MUL_FLOAT_CONSTR_A', 'A.1', 'nominal |'],
      ['E_SUB_FLOAT_CONSTR_A', 'A.1', 'error |'],
      ['E_ADD_FLOAT_CONSTR_A', 'not A.1', 'open |'],
      ['E_ADD_FLOAT_CONSTR_A', 'not A.1', 'open |'],
      ['E_SUM_FLOAT_CONSTR_A', 'A.1', 'nominal |'],
    ])
    expect(lines.join('\n')).toContain('  - fix: Unsqueeze (axes=[1,2]) "bias"')
  })

  it('tells a broadcast that the profile allows from one that it forbids', () => {
    const model = modelOf({ inputs: { a: '2, 3', b: '3' }, nodes: [node('Div', 'a b', 'y'), node('Add', 'a b', 'z')] })
    const text = reportMarkdown(checkModel(model, { profile: 'sonnx-broadcast' }))
    expect(text).toContain('| SONNX Div, equal shapes | E_DIV_FLOAT_CONSTR_B | A.1 | violated |')
    expect(text).toContain('| SONNX Add, Broadcast [C1] | E_ADD_FLOAT_CONSTR_B | A.1 | nominal |')
  })
})

describe('real models', () => {
  it.each(packaged)('%s is checked in seconds on a busy machine, in less than one on an idle one', (file) => {
    const model = readModel(readFileSync(file))
    let findings: readonly CheckFinding[] = []
    const check = (): void => {
      findings = checkModel(model).findings
    }
    expect(bestTime(check, 3000)).toBeLessThan(3000)
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  const conforming = filesIn(facts, 'model.onnx')

  it('of the conformance facts have no errors', needs('conformance', conforming.length > 0), () => {
    const failing = conforming.filter((file) => !checkModel(readModel(readFileSync(file))).passes)
    expect(failing.map((file) => path.basename(path.dirname(file)))).toEqual([])
  })
})

describe('a table of text', () => {
  it('is not widened by one long cell', () => {
    const lines = tableLines([
      ['a', 'x'.repeat(300), 'end'],
      ['b', 'short', 'end'],
    ])
    expect(lines[0]).toBe(`a  ${'x'.repeat(300)}  end`)
    expect(lines[1]).toBe(`b  ${'short'.padEnd(48)}  end`)
  })
})
