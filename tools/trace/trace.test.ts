// The parts of the traceability tool on synthetic sources, and the catalogue of clauses on its own terms.
import { describe, expect, it } from 'vitest'
import { assess } from './assess.ts'
import { check } from './check.ts'
import type { Clause, Document } from './clause.ts'
import { codeTags } from './code-tags.ts'
import { collect, kindOf, type SourceFile } from './collect.ts'
import { documents } from './documents.ts'
import { tokens } from './lex.ts'
import { render } from './render.ts'
import { testTags } from './test-tags.ts'

const strings = (source: string): string[] =>
  [...tokens(source)].filter(({ kind }) => kind === 'string').map(({ text }) => text)
/** Sources with templates spell a substitution #{…}, so that no string of this file is taken for a template. */
const template = (source: string): string => source.replaceAll('#{', `\${`)
const comments = (source: string): string[] =>
  [...tokens(source)].filter(({ kind }) => kind === 'comment').map(({ text }) => text)

describe('tokens', () => {
  it('tells comments from strings that look like them', () => {
    const source = `const a = '// no' // yes 'no'\n/* yes "no" */ const b = "/* no */"`
    expect(strings(source)).toEqual(['// no', '/* no */'])
    expect(comments(source)).toEqual(["// yes 'no'", '/* yes "no" */'])
  })

  it('reads quotes inside a regular expression as part of it, and a division as no regular expression', () => {
    expect(strings(`const r = /['"\`[/]]/g; f('a')`)).toEqual(['a'])
    expect(strings(`const r = /[/']/g; f('a')`)).toEqual(['a'])
    expect(strings(`const q = (n) / f('b') / 2 + m / 'c'.length`)).toEqual(['b', 'c'])
    expect(strings(`return /'/.test(x) ? 'd' : 'e'`)).toEqual(['d', 'e'])
  })

  it('reduces a substitution, however nested, to a mark', () => {
    const source = template("f(`a #{ g({ b: `#{'}'}` }) } c`, 'd')")
    expect(strings(source)).toEqual([`a \${…} c`, 'd'])
  })

  it('keeps escaped quotes inside the string', () => {
    expect(strings(String.raw`f('it\'s', "a\"b")`)).toEqual(["it's", 'a"b'])
    expect(strings('f(`c\\`d`)')).toEqual(['c`d'])
  })
})

describe('codeTags', () => {
  it('reads several ids, over line ends, and several tags in one comment', () => {
    const source = `/**\n * @clause doc.a.1, doc.a.2,\n *   doc.a.3 and prose, as usual.\n * @clause doc.b @clause doc.c\n */\nexport const rule = 1`
    expect(codeTags(source).tags.map(({ id }) => id)).toEqual(['doc.a.1', 'doc.a.2', 'doc.a.3', 'doc.b', 'doc.c'])
    expect(codeTags('// @clause doc.a.1 doc.a.2\n').tags).toEqual([{ id: 'doc.a.1' }, { id: 'doc.a.2' }])
    expect(codeTags('// @clause doc.a.1,\n// doc.a.2\n').tags).toEqual([{ id: 'doc.a.1' }, { id: 'doc.a.2' }])
  })

  it('leaves the full stop of a sentence out of the id, and takes a range as one unknown id', () => {
    expect(codeTags('// As in @clause doc.a.1.\n').tags).toEqual([{ id: 'doc.a.1' }])
    expect(codeTags('// @clause doc.a.1-3\n').tags).toEqual([{ id: 'doc.a.1-3' }])
  })

  it('sees no tag in a string', () => {
    expect(codeTags(`const text = '// @clause doc.a.1'\nconst other = \`/* @clause doc.a.2 */\``).tags).toEqual([])
  })

  it('reports a tag without id', () => {
    expect(codeTags('// @clause\nconst a = 1')).toEqual({ tags: [], empty: ['@clause'] })
    expect(codeTags('// @clause first\nconst a = 1').empty).toEqual(['@clause first'])
  })

  it('names the declaration below the comment', () => {
    const symbol = (below: string) => codeTags(`// @clause doc.a.1\n// more\n\n${below}`).tags[0]?.symbol
    expect(symbol('export const numpy: Rule = {}')).toBe('numpy')
    expect(symbol('export async function* walk() {}')).toBe('walk')
    expect(symbol('export default class Tensor<T> {}')).toBe('Tensor')
    expect(symbol('/** Said. */\ntype Dim = number')).toBe('Dim')
    expect(symbol("import { a } from './a.ts'\nconst b = a")).toBeUndefined()
  })

  it('names the declaration around an indented or trailing comment', () => {
    const source =
      'const first = 1\nexport const outer = (x) => {\n  // @clause doc.a.1\n  const inner = x\n}\nconst last = 2 // @clause doc.a.2\n'
    expect(codeTags(source).tags).toEqual([
      { id: 'doc.a.1', symbol: 'outer' },
      { id: 'doc.a.2', symbol: 'last' },
    ])
  })
})

describe('testTags', () => {
  const read = (source: string) => testTags(source).tags

  it('reads one id and several, in one bracket or in many, in every kind of call', () => {
    expect(read(`it('[doc.a.1] holds', () => {})`)).toEqual([{ id: 'doc.a.1', title: 'holds' }])
    expect(read(`describe("[doc.a.1] [doc.a.2] both", f)`).map(({ id }) => id)).toEqual(['doc.a.1', 'doc.a.2'])
    expect(read(`test('one [doc.a.1, doc.a.2] two', f)`)).toEqual([
      { id: 'doc.a.1', title: 'one two' },
      { id: 'doc.a.2', title: 'one two' },
    ])
  })

  it('reads the title behind modifiers and their arguments', () => {
    for (const call of [
      `it.concurrent('[doc.a.1] t', f)`,
      `it.each([['x', 1]])('[doc.a.1] t', f)`,
      `it.each<[string]>(rows('a'))('[doc.a.1] t', f)`,
      template('it.each`a | b\n#{1} | #{2}`("[doc.a.1] t", f)'),
      `describe.skipIf(!has('x'))('[doc.a.1] t', f)`,
      `it(\n  // why\n  '[doc.a.1] t', f)`,
    ]) {
      expect(read(call), call).toEqual([{ id: 'doc.a.1', title: 't' }])
    }
  })

  it('matches the literal part of a template and of a joined string', () => {
    expect(read(template('it(`[doc.a.1] #{a} with #{b} gives [#{c}]`, f)'))).toEqual([
      { id: 'doc.a.1', title: '… with … gives […]' },
    ])
    expect(read(`it('[doc.a.1] ' + name + '!', f)`)).toEqual([{ id: 'doc.a.1', title: '…' }])
    expect(read(`it('[doc.' + 'a.1] t', f)`)).toEqual([{ id: 'doc.a.1', title: 't' }])
  })

  it('reports an id that is partly computed, and takes a bracketed shape for what it is', () => {
    const computed = testTags(template('it(`[doc.op.#{name}] t`, f); it.each(x)("[doc.op.%s, doc.a.1] t", f)'))
    expect(computed.computed).toEqual([`[doc.op.\${…}] t`, '[doc.op.%s, doc.a.1] t'])
    expect(computed.tags.map(({ id }) => id)).toEqual(['doc.a.1'])
    expect(testTags(template('it(`[2, 3] with [#{shape}] gives [0.5]`, f)'))).toEqual({ tags: [], computed: [] })
  })

  it('does not count what is skipped, to do or expected to fail, nor what lies inside', () => {
    const source = `
      it.skip('[doc.a.1] t', f)
      it.todo('[doc.a.2] t')
      it.fails('[doc.a.3] t', f)
      describe.skip('[doc.a.4] t', () => { it('[doc.a.5] t', f) })
      it('[doc.a.6] t', f)`
    expect(read(source).map(({ id }) => id)).toEqual(['doc.a.6'])
  })

  it('ignores titles in comments and strings, and methods that share a name', () => {
    const source = `// it('[doc.a.1] t', f)\nparse("it('[doc.a.2] t', f)")\npattern.test('[doc.a.3]')`
    expect(read(source)).toEqual([])
  })
})

const clause = (id: string, more: Partial<Clause> = {}): Clause => ({
  id,
  text: `${id} holds.`,
  where: 'Part',
  ...more,
})
const documentOf = (...clauses: Clause[]): Document => ({
  prefix: 'doc',
  title: 'Doc',
  source: 'https://x.org',
  clauses,
})
const code = (text: string, path = 'packages/p/src/a.ts'): SourceFile => ({ path, text })
const test = (text: string, path = 'packages/p/test/a.test.ts'): SourceFile => ({ path, text })

/** The problems of a repository whose table is up to date. */
const problemsOf = (document: Document, files: readonly SourceFile[]): string[] => {
  const evidence = collect(files)
  const rendered = render([document], evidence)
  return check([document], evidence, rendered, rendered)
}

describe('kindOf', () => {
  it('knows code, tests and what is neither', () => {
    expect(kindOf('packages/bcast/src/shape/rule.ts')).toBe('code')
    expect(kindOf('tools/judges/main.ts')).toBe('code')
    expect(kindOf('packages/bcast/test/rules/numpy.test.ts')).toBe('test')
    expect(kindOf('packages/bcast/test/suite.ts')).toBe('test')
    expect(kindOf('tools/conformance/run.test.ts')).toBe('test')
    for (const path of ['tools/trace/lex.ts', 'packages/a/src/a.test.ts', 'packages/a/README.md', 'scripts/a.ts']) {
      expect(kindOf(path), path).toBeUndefined()
    }
  })
})

describe('check', () => {
  const complete = [code('// @clause doc.a.1\nconst a = 1'), test(`it('[doc.a.1] t', f)`)]

  it('finds nothing where code, test and table are there', () => {
    expect(problemsOf(documentOf(clause('doc.a.1')), complete)).toEqual([])
  })

  it('misses a test, and code', () => {
    const document = documentOf(clause('doc.a.1'))
    expect(problemsOf(document, complete.slice(0, 1))).toEqual([expect.stringContaining('doc.a.1 has no test')])
    expect(problemsOf(document, complete.slice(1))).toEqual([expect.stringContaining('doc.a.1 has no code')])
  })

  it('refuses an id that is no clause, in code and in tests', () => {
    const files = [
      ...complete,
      code('// @clause doc.a.9', 'tools/t/b.ts'),
      test(`it('[doc.a.8, 3] t', f)`, 'tools/t/b.test.ts'),
    ]
    expect(problemsOf(documentOf(clause('doc.a.1')), files)).toEqual([
      'tools/t/b.test.ts names 3, which is no clause',
      'tools/t/b.test.ts names doc.a.8, which is no clause',
      'tools/t/b.ts names doc.a.9, which is no clause',
    ])
  })

  it('refuses tags that cannot be read', () => {
    const files = [
      ...complete,
      code('// @clause', 'tools/t/b.ts'),
      test(template('it(`[doc.a.#{n}] t`, f)'), 'tools/t/b.test.ts'),
    ]
    expect(problemsOf(documentOf(clause('doc.a.1')), files)).toEqual([
      `tools/t/b.test.ts: the id in the title "[doc.a.\${…}] t" must be written out`,
      'tools/t/b.ts: "@clause" names no clause',
    ])
  })

  it('refuses a stale and a missing table, but not other line ends', () => {
    const document = documentOf(clause('doc.a.1'))
    const evidence = collect(complete)
    const rendered = render([document], evidence)
    const stale = [expect.stringContaining('docs/traceability.md is stale')]
    expect(check([document], evidence, rendered.replace('holds', 'held'), rendered)).toEqual(stale)
    expect(check([document], evidence, undefined, rendered)).toEqual(stale)
    expect(check([document], evidence, rendered.replaceAll('\n', '\r\n'), rendered)).toEqual([])
  })

  it('asks nothing of a deferred clause until it has both', () => {
    const document = documentOf(clause('doc.a.1', { deferred: 'later' }))
    expect(problemsOf(document, [])).toEqual([])
    expect(problemsOf(document, complete.slice(0, 1))).toEqual([])
    expect(problemsOf(document, complete)).toEqual([expect.stringContaining('deferred no more')])
  })

  it('asks code of what an example rests on, and a test of the example itself', () => {
    const document = documentOf(
      clause('doc.a.1'),
      clause('doc.b'),
      clause('doc.example', { restsOn: ['doc.a.1', 'doc.b'] }),
    )
    const tests = test(`it('[doc.a.1] [doc.b] t', f)`)
    const both = code('// @clause doc.a.1, doc.b')
    expect(problemsOf(document, [both, tests])).toEqual([expect.stringContaining('doc.example has no test')])
    const all = [tests, test(`it('[doc.example] t', f)`, 'tools/t/e.test.ts')]
    expect(problemsOf(document, [...all, both])).toEqual([])
    expect(problemsOf(document, [...all, code('// @clause doc.a.1')])).toEqual([
      expect.stringContaining('doc.b has no code'),
      expect.stringContaining('doc.example has no code, nor has doc.b'),
    ])
  })

  it('lets code of the whole count for its parts, and tests of the parts for the whole', () => {
    const document = documentOf(
      clause('doc.w'),
      clause('doc.w.a', { partOf: 'doc.w' }),
      clause('doc.w.b', { partOf: 'doc.w' }),
    )
    const files = [code('// @clause doc.w'), test(`it('[doc.w.a] t', f)`)]
    expect(problemsOf(document, files)).toEqual([expect.stringContaining('doc.w.b has no test')])
    expect(problemsOf(document, [...files, test(`it('[doc.w.b] t', f)`, 'tools/t/b.test.ts')])).toEqual([])
  })
})

describe('render', () => {
  it('shows code with its symbol, tests with their title, and gaps as gaps', () => {
    const document = documentOf(
      clause('doc.a.1', { note: 'odd | wording' }),
      clause('doc.a.2'),
      clause('doc.a.3', { deferred: 'later' }),
    )
    const files = [code('// @clause doc.a.1\nconst rule = 1'), test(`it('[doc.a.1] a|b [2,3]', f)`)]
    const rows = render([document], collect(files))
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    expect(rows).toEqual([
      String.raw`| ${'`doc.a.1`'} | doc.a.1 holds. (Part)<br>Note: odd \| wording | [packages/p/src/a.ts](../packages/p/src/a.ts): ${'`rule`'} | [a\|b \[2,3\]](../packages/p/test/a.test.ts) |`,
      '| `doc.a.2` | doc.a.2 holds. (Part) | **no code** | **no test** |',
      '| `doc.a.3` | doc.a.3 holds. (Part) | deferred: later | deferred |',
    ])
  })

  it('is the same whatever the order of files and of tests in a file, and however lines move', () => {
    const document = documentOf(clause('doc.a.1'))
    const a = code('// @clause doc.a.1\nconst a = 1')
    const b = code('// @clause doc.a.1\nconst b = 1\n// @clause doc.a.1\nconst c = 1', 'packages/p/src/b.ts')
    const moved = code('\n\n\n// @clause doc.a.1\nconst c = 1\n// @clause doc.a.1\nconst b = 1', 'packages/p/src/b.ts')
    const one = render([document], collect([a, b, test(`it('[doc.a.1] x', f)\nit('[doc.a.1] y', f)`)]))
    const other = render([document], collect([test(`\nit('[doc.a.1] y', f)\nit('[doc.a.1] x', f)`), moved, a]))
    expect(other).toBe(one)
  })

  it('counts', () => {
    const document = documentOf(clause('doc.a.1'), clause('doc.a.2'), clause('doc.a.3', { deferred: 'later' }))
    const files = [code('// @clause doc.a.1, doc.a.2'), test(`it('[doc.a.1] t', f)`)]
    expect(render([document], collect(files))).toContain('| Doc | 3 | 2 | 1 | 1 |')
  })
})

describe('the catalogue', () => {
  const clauses = documents.flatMap((document) => document.clauses)
  const byId = new Map(clauses.map((one) => [one.id, one]))
  const count = (pattern: RegExp): number => clauses.filter(({ id }) => pattern.test(id)).length

  it('has unique, lower-case ids that begin with their document', () => {
    expect(byId.size).toBe(clauses.length)
    for (const { prefix, clauses: own } of documents) {
      for (const { id } of own) expect(id).toMatch(new RegExp(`^${prefix}(\\.[a-z0-9]+)+$`))
    }
  })

  it('refers only to clauses that stand on their own', () => {
    for (const { id, partOf, restsOn = [] } of clauses) {
      for (const other of restsOn) {
        expect(byId.get(other), `${id} rests on ${other}`).toBeDefined()
        expect(byId.get(other)?.deferred).toBeUndefined()
        expect(other).not.toBe(id)
      }
      if (partOf !== undefined) {
        expect(byId.get(partOf), `${id} is part of ${partOf}`).toBeDefined()
        expect(byId.get(partOf)?.partOf).toBeUndefined()
      }
    }
  })

  it('gives each clause one sentence and a place', () => {
    for (const { id, text, where } of clauses) {
      expect(text, id).toMatch(/^[^\n]{10,170}\.$/)
      expect(where, id).not.toBe('')
    }
  })

  it('holds as many conditions, rules, operators, types and examples as the documents', () => {
    expect(count(/^onnx\.multi\.\d$/)).toBe(3)
    expect(count(/^onnx\.uni\.\d$/)).toBe(3)
    expect(count(/^onnx\.multi\.op\./)).toBe(16)
    expect(count(/^onnx\.uni\.op\./)).toBe(2)
    expect(count(/^onnx\.multi\.example\./)).toBe(5)
    expect(count(/^onnx\.uni\.example\./)).toBe(4)
    expect(count(/^sonnx2\.type\./)).toBe(14)
    expect(count(/^ngraph\.example\./)).toBe(2)
    expect(count(/^openvino\.none\.\d$/)).toBe(2)
    expect(count(/^openvino\.numpy\.\d$/)).toBe(5)
    expect(count(/^openvino\.pdpd\.\d$/)).toBe(5)
    expect(count(/^openvino\.bidirectional\.\d$/)).toBe(4)
    expect(count(/^openvino\.numpy\.example\.\d+$/)).toBe(11)
    expect(count(/^openvino\.pdpd\.example\.\d+$/)).toBe(7)
    expect(count(/^openvino\.pdpd\.example\.\d[ab]$/)).toBe(4)
    expect(count(/^openvino\.bidirectional\.example\.\d+$/)).toBe(5)
  })

  it('defers nothing', () => {
    expect(clauses.filter(({ deferred }) => deferred !== undefined)).toEqual([])
  })

  it('finds an empty repository empty', () => {
    const assessed = documents.flatMap((document) => assess(document, collect([])))
    expect(assessed.some(({ implemented, tests }) => implemented || tests.length > 0)).toBe(false)
  })
})
