// What symbolic verdicts say: conditions in words, mappings that are not known, and failures with what other axes
// had settled. That they are right is proven by enumeration in symbolic.test.ts.
import { describe, expect, it } from 'vitest'
import type { SymbolicShape } from '../../src/shape/dim.ts'
import { explain } from '../../src/shape/explain.ts'
import type { Rule } from '../../src/shape/rule.ts'
import {
  explicit,
  matmulBatch,
  none,
  numpy,
  onnxLegacy,
  openvinoPrelu,
  pdpd,
  sonnx,
  unidirectional,
} from '../../src/shape/rules/index.ts'
import { formatConditions } from '../../src/shape/symbolic/condition.ts'
import { infer } from '../../src/shape/symbolic/infer.ts'

const text = (shapes: readonly SymbolicShape[], rule: Rule = numpy): string => {
  const outcome = infer(rule, shapes)
  if (outcome.verdict === 'error') return 'error'
  const shape = outcome.shape === null ? 'unknown' : JSON.stringify(outcome.shape)
  return outcome.verdict === 'ok' ? shape : `${shape} if ${formatConditions(outcome.conditions)}`
}

describe('conditions in words', () => {
  it('a name may be 1 or the size it meets', () => {
    expect(text([['N'], [4]])).toBe('[4] if N = 1 or N = 4')
    expect(explain([['N'], [4]]).toString()).toContain('it holds if N = 1 or N = 4')
  })

  it('a name is one size on all axes together', () => {
    expect(
      text([
        ['N', 'N'],
        [3, 4],
      ]),
    ).toBe('[3,4] if N = 1')
  })

  it('several conditions are joined, each choice in parentheses', () => {
    expect(
      text([
        ['N', 'M'],
        [3, 4],
      ]),
    ).toBe('[3,4] if (N = 1 or N = 3) and (M = 1 or M = 4)')
  })

  it('two names meet', () => {
    expect(text([['N'], ['M']])).toBe('[null] if N = 1 or M = 1 or N = M')
    expect(text([['N'], ['M']], none)).toBe('["N"] if N = M')
    expect(text([['M'], ['N']], unidirectional)).toBe('["M"] if N = 1 or N = M')
  })

  it('a size without a name is called by operand and axis from the right', () => {
    expect(text([[2, 3], [null]])).toBe('[2,3] if B[-1] = 1 or B[-1] = 3')
  })

  it('the shorter of what is allowed and what is excluded is said', () => {
    expect(text([['N'], [1]], sonnx)).toBe('["N"] if N ≠ 0')
    expect(text([[{ min: 0, max: 5 }], [1]], sonnx)).toBe('[{"min":1,"max":5}] if A[-1] ≠ 0')
  })

  it('what a shorter condition implies is not said', () => {
    expect(text([[2, 'C', 'L'], ['S'], ['S', 1]], openvinoPrelu)).toBe('[2,"C","L"] if S = 1 or S = C')
    expect(text([[{ min: 1, max: 1 }], ['N']], sonnx)).toBe('["N"] if N ≠ 0')
  })

  it('a size that cannot be 1 decides for the others', () => {
    expect(text([[{ min: 2, max: null }], ['N']])).toBe('[{"min":2,"max":null}] if N = 1 or N = A[-1]')
  })

  it('intervals decide without conditions where they can', () => {
    expect(text([[{ min: 3, max: 3 }], [3]])).toBe('[3]')
    expect(text([[{ min: 2, max: 3 }], [{ min: 4, max: 5 }]])).toBe('error')
    expect(text([[{ min: 2, max: 3 }], [{ min: 3, max: 4 }]])).toBe('[3] if A[-1] = B[-1]')
  })

  it('an operand of unknown rank must obey the rule, beside what the others need', () => {
    expect(text([null, ['N'], [3]])).toBe(
      'unknown if (N = 1 or N = 3) and the shape of A, whose rank is unknown, obeys numpy',
    )
    expect(text([[2, 3], null], unidirectional)).toBe(
      '[2,3] if the shape of B, whose rank is unknown, obeys unidirectional',
    )
    expect(text([null, ['N'], ['M']], none)).toBe(
      '["N"] if N = M and the shape of A, whose rank is unknown, obeys none',
    )
    expect(text([null, []])).toBe('unknown')
    expect(text([[2, 4], null], explicit({ broadcastAxes: [2] }))).toBe('error')
  })

  it('a result has the rank that every possible rank gives it', () => {
    expect(text([null, [2, 'N']], explicit({ broadcastAxes: [0] }))).toMatch(/^\[null,2,"N"\] if/)
    expect(text([null, [2, 4]], none)).toMatch(/^\[2,4\] if/)
    expect(text([null, [2]], pdpd({ axis: 1 }))).toMatch(/^unknown if/)
  })
})

describe('a mapping that is not known', () => {
  const open = (axesMapping: readonly (number | null)[] | null, shapes: readonly SymbolicShape[]) =>
    text(shapes, explicit({ axesMapping }))

  it('leaves the verdict open where some mapping fits', () => {
    expect(open(null, [[2, 3], [3]])).toBe('[2,3] if axesMapping, which is not known, allows it')
    expect(open([null], [[2, 3], [3]])).toMatch(/^\[2,3\] if/)
    expect(
      open(
        [0, null],
        [
          [2, 3, 4],
          [2, 4],
        ],
      ),
    ).toMatch(/^\[2,3,4\] if/)
    expect(open([null], [[2, 1], []])).toMatch(/^\[2,1\] if/)
  })

  it('is an error where none fits', () => {
    expect(open([null], [[2, 3], [5]])).toBe('error')
    expect(open(null, [[2, 3], [5]])).toBe('error')
    expect(
      open(
        [1, null],
        [
          [2, 3],
          [2, 3],
        ],
      ),
    ).toBe('error')
    expect(open(null, [[2], [2, 1]])).toBe('error')
    expect(
      open(
        [null, null],
        [
          [2, 3, 4],
          [4, 3],
        ],
      ),
    ).toBe('error')
    expect(open([null], [[2, 3], []])).toBe('error')
  })

  it('stays open where there are too many to try', () => {
    const a = Array.from({ length: 20 }, () => 2)
    expect(open(null, [a, Array.from({ length: 10 }, () => 3)])).toMatch(/ if /)
  })
})

describe('failures of symbolic shapes', () => {
  const sentence = (shapes: readonly SymbolicShape[], rule: Rule): string | undefined => {
    const outcome = infer(rule, shapes)
    return outcome.verdict === 'error' ? outcome.failure.sentence : undefined
  }

  it('say what other axes settled', () => {
    expect(
      sentence(
        [
          ['N', 'N'],
          [3, 4],
        ],
        none,
      ),
    ).toBe('cannot broadcast axis -2: N vs 3 (shapes [N,N] and [3,4]), where N = 4')
  })

  it('say which axis lies outside', () => {
    expect(
      sentence(
        [
          [2, 'N'],
          [3, { min: 2, max: 4 }],
        ],
        onnxLegacy({ broadcast: true, axis: 1 }),
      ),
    ).toBe('axis -1 of B lies outside the result and must be 1, not 2..4 (shapes [2,N] and [3,2..4])')
    expect(
      sentence(
        [
          [2, 'N'],
          ['M', 2],
        ],
        pdpd({ axis: 1 }),
      ),
    ).toBe('axis -1 of B lies outside the result and must be 1, not 2 (shapes [2,N] and [M,2])')
  })

  it('name the operands as they were given, unknown ranks among them', () => {
    const outcome = infer(numpy, [null, [2], null, [3]])
    expect(outcome).toMatchObject({ verdict: 'error', failure: { operands: [1, 3], axis: -1 } })
    expect(sentence([null, [2], [3]], unidirectional)).toMatch(/^no shape of A fits: .*, where A\[-1\] = 2$/)
    expect(sentence([[2, 3], null], pdpd({ axis: 3 }))).toBe(
      "no shape of B fits: B does not fit: axis 3 passes A's rank 2 (shapes [2,3] and [])",
    )
  })

  it('a scalar is no matrix, whatever the other ranks', () => {
    expect(sentence([null, []], matmulBatch)).toBe('B is a scalar and has no matrices (shape [])')
  })
})
