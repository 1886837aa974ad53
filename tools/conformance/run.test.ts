import { describe, expect, it } from 'vitest'
import { readExpectedFailures } from './expected-failures.ts'
import { failed, type Outcome, passed, type Subject } from './outcome.ts'
import { format, run } from './run.ts'

const subject = (id: string, outcome: Outcome): Subject => ({ id, judge: () => outcome })
const nothingExpected = new Map<string, string>()

describe('a run', () => {
  it('counts, and prints failures before the one last line', () => {
    const report = run([subject('a', passed), subject('b', failed('shape (2)', 'shape (3)'))], nothingExpected)
    expect(format(report)).toBe('FAILED b\n  expected shape (2)\n  got      shape (3)\n1 passed, 1 failed')
  })

  it('takes anything thrown as a failure', () => {
    const broken: Subject = {
      id: 'a',
      judge: () => {
        throw new TypeError('x is undefined')
      },
    }
    expect(run([broken], nothingExpected).failures).toEqual([
      { id: 'a', expected: 'an answer', got: 'TypeError: x is undefined' },
    ])
  })

  it('counts a listed failure apart, and a listed case that passes as a failure', () => {
    const listed = new Map([
      ['a', 'the file is wrong'],
      ['b', 'the file is wrong'],
      ['never run', 'the file is wrong'],
    ])
    const report = run([subject('a', failed('x', 'y')), subject('b', passed)], listed)
    expect(report).toMatchObject({ passed: 0, failedAsExpected: 1 })
    expect(format(report).split('\n')).toEqual([
      'FAILED b',
      '  expected a failure, listed because the file is wrong',
      '  got      it passes: the entry in expected-failures.json is out of date',
      '1 failed as expected',
      '0 passed, 1 failed',
    ])
  })
})

describe('the list of expected failures', () => {
  it('gives a reason for each entry', () => {
    expect(readExpectedFailures('{"a": "because"}')).toEqual(new Map([['a', 'because']]))
    expect(() => readExpectedFailures('{"a": ""}')).toThrow(/no reason for a/)
    expect(() => readExpectedFailures('[]')).toThrow(/not an object/)
    expect(readExpectedFailures()).toBeInstanceOf(Map)
  })
})
