// Symbolic verdicts, proven by enumeration: conditions hold for exactly the sizes under which the concrete rule does,
// "ok" means all sizes and "error" none, and the result's dimensions cover every concrete result.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestTime } from '../../../../testing/processor-time.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import type { SymbolicShape } from '../../src/shape/dim.ts'
import {
  explicit,
  none,
  numpy,
  onnxLegacy,
  openvinoPrelu,
  paddle,
  pdpd,
  sonnx,
  unidirectional,
} from '../../src/shape/rules/index.ts'
import { infer } from '../../src/shape/symbolic/infer.ts'
import { wrongVerdict } from './support/enumerate.ts'
import { allShapes, pairs } from './support/rules.ts'
import { symbolic, tuples } from './support/tuples.ts'

const rules = pairs.map(({ rule }) => rule)

/** Shapes for operands of unknown rank; rank 4 takes a matrix from axis 2 on. */
const rank4 = allShapes(4, 3).filter((shape) => shape.length === 4 && !shape.includes(0))

describe('conditions are necessary and sufficient', () => {
  it('for chosen tuples under every rule and option', () => {
    for (const rule of rules) {
      for (const shapes of tuples) {
        const wrong = wrongVerdict(rule, shapes, 6)
        if (wrong !== undefined) expect.fail(wrong)
      }
    }
  })

  it('for random tuples under every rule and option', () => {
    const verdicts = { ok: 0, conditional: 0, error: 0 }
    fc.assert(
      fc.property(symbolic, fc.constantFrom(...rules), (shapes, rule) => {
        verdicts[infer(rule, shapes).verdict]++
        expect(wrongVerdict(rule, shapes, 6)).toBeUndefined()
      }),
      { numRuns: 1500 },
    )
    onDefaultSeed(() => expect(Math.min(verdicts.ok, verdicts.conditional, verdicts.error)).toBeGreaterThan(125))
  })

  it('for one operand of unknown rank under every rule and option', () => {
    const unranked = [...allShapes(3, 4), ...rank4]
    const known: readonly SymbolicShape[][] = [
      [[]],
      [[1]],
      [[2]],
      [[0]],
      [['N']],
      [[1, 1]],
      [['N', 2]],
      [[2], [3]],
      [['N'], [2]],
      [[1], []],
      [['N'], ['M']],
      [['N', 1], ['M']],
      [[2, 1], [1, 2], [2]],
    ]
    for (const rule of rules) {
      for (const others of known) {
        for (let at = 0; at <= others.length; at++) {
          const wrong = wrongVerdict(rule, others.toSpliced(at, 0, null), 3, unranked)
          if (wrong !== undefined) expect.fail(wrong)
        }
      }
      expect(wrongVerdict(rule, [null], 3, unranked)).toBeUndefined()
    }
  })

  it('says no more than that it must obey where an option names an axis beyond all reason', () => {
    for (const rule of [pdpd({ axis: 2 ** 32 }), onnxLegacy({ broadcast: true, axis: 2 ** 32 })]) {
      const outcome = infer(rule, [null, [3]])
      expect(outcome).toEqual({
        verdict: 'conditional',
        shape: null,
        conditions: [{ anyOf: [{ operand: 0, obeys: rule.label }] }],
        alignment: undefined,
      })
    }
  })

  it('for two operands of unknown rank under every rule and option', () => {
    // Every pair of them: zeros in the short ones, and some of the longest.
    const short = allShapes(3, 3).filter((shape) => shape.length < 3 || !shape.includes(0))
    const unranked = [...short, ...rank4.filter((_, i) => i % 4 === 0)]
    const known: readonly SymbolicShape[][] = [[], [['N'], [2]]]
    for (const rule of rules) {
      for (const others of known) {
        for (let at = 0; at <= others.length; at++) {
          const wrong = wrongVerdict(rule, [null, ...others].toSpliced(at + 1, 0, null), 2, unranked)
          if (wrong !== undefined) expect.fail(wrong)
        }
      }
    }
  })

  it('onto any operand, of known rank or not', () => {
    const unranked = allShapes(3, 3)
    for (const rule of rules.filter(({ oneWay }) => oneWay)) {
      for (const shapes of [
        [null, ['N'], [2]],
        [null, null, [2]],
        [[2], null, null],
        [['N'], [2, 'N']],
        [['N'], null],
      ]) {
        for (const onto of shapes.keys()) {
          const wrong = wrongVerdict(rule, shapes, 3, unranked, onto)
          if (wrong !== undefined) expect.fail(wrong)
        }
      }
    }
  })
})

describe('time', () => {
  const within = (milliseconds: number, run: () => void): void =>
    expect(bestTime(run, milliseconds)).toBeLessThan(milliseconds)
  const rest = [
    numpy,
    sonnx,
    none,
    unidirectional,
    openvinoPrelu,
    pdpd(),
    pdpd({ axis: 1, innerOnes: 'error' }),
    paddle(),
    onnxLegacy({ broadcast: true }),
    explicit({ axesMapping: [0, 1, 2, 3, 4, 5] }),
  ]

  it.each(rest)('50 operands of 6 unknown sizes under $label', (rule) => {
    within(500, () => infer(rule, new Array(50).fill(new Array(6).fill(null))))
  })

  it.each(rest)('50 operands of 6 sizes with 40 names under $label', (rule) => {
    const shapes = Array.from({ length: 50 }, (_, i) => Array.from({ length: 6 }, (_, j) => `N${(i * 7 + j * 3) % 40}`))
    within(500, () => infer(rule, shapes))
  })

  it('50 operands of unknown rank', () => {
    within(500, () => infer(numpy, [['N', 3], ...new Array(50).fill(null)]))
  })
})
