// The page that users read: the same for the same answers, and whole when only some engines were asked.
import { describe, expect, it } from 'vitest'
import { causes } from './causes/index.ts'
import { compare } from './compare.ts'
import { engines } from './engines.ts'
import { generate } from './generate.ts'
import { ourAnswer } from './ours.ts'
import type { Report } from './report.ts'
import { page } from './report.ts'

const reportOf = (name: string, version: string): Report => {
  const engine = engines.find((each) => each.name === name)!
  const question = generate(0, 1).find(({ op, kind }) => op === 'Max' && kind === 'compute')!
  const ours = ourAnswer(question)
  const [example] = compare(name, question, ours, { kind: 'error', text: 'a | b\nc' })
  const cause = { ...causes[0]!, what: 'Refuses x | y.' }
  return {
    engine,
    version,
    asked: 10,
    unsupported: 2,
    agreed: 7,
    findings: [{ cause, count: 1, example: example! }],
    unexplained: [],
  }
}

describe('page', () => {
  it('shows engine, version, numbers and one row for each cause', () => {
    const text = page([reportOf('numpy', '9.9')], '')
    expect(text).toContain('## NumPy 9.9\n')
    expect(text).toContain('8 cases compared, 7 alike; 2 more need an operator or a type that it lacks.')
    const row = text.split('\n').find((line) => line.startsWith('| Refuses'))
    expect(row).toContain('x \\| y')
    expect(row).toContain('error: a \\| b |')
    expect(row?.match(/(?<!\\)\|/g)).toHaveLength(7)
  })

  it('keeps the part of an engine that was not asked, in the order of the engines', () => {
    const both = page([reportOf('torch', '1.0'), reportOf('numpy', '2.0')], '')
    expect(both.indexOf('## NumPy 2.0')).toBeLessThan(both.indexOf('## PyTorch 1.0'))
    const again = page([reportOf('numpy', '3.0')], both)
    expect(again).toBe(both.replace('NumPy 2.0', 'NumPy 3.0'))
  })

  it('says what is not explained', () => {
    const report = reportOf('numpy', '1')
    const [finding] = report.findings
    expect(page([{ ...report, unexplained: [finding!.example] }], '')).toContain('1 differences are not explained yet.')
  })
})

describe('causes', () => {
  it('have their own ids and name engines that exist', () => {
    expect(new Set(causes.map(({ id }) => id)).size).toBe(causes.length)
    const known = engines.map(({ name }) => name)
    expect(causes.flatMap((cause) => cause.engines).filter((name) => !known.includes(name))).toEqual([])
  })
})
