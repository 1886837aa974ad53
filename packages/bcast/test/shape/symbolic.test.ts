// Symbolic verdicts, proven by enumeration: conditions hold for exactly the sizes under which the concrete rule does,
// "ok" means all sizes and "error" none, and the result's dimensions cover every concrete result.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestTime } from '../../../../testing/processor-time.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import type { Dim, SymbolicShape } from '../../src/shape/dim.ts'
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
import { countSymbols, wrongVerdict } from './support/enumerate.ts'
import { allShapes, pairs } from './support/rules.ts'

const rules = pairs.map(({ rule }) => rule)

/** Tuples with a point: names shared across axes and operands, choices that interact, intervals that decide. */
const tuples: readonly SymbolicShape[][] = [
  [
    ['N', 'N'],
    [3, 2],
  ],
  [
    ['N', 'M'],
    ['M', 'N'],
  ],
  [
    ['N', 'N'],
    ['M', 'K'],
  ],
  [
    ['N', 3],
    ['M', 'N'],
    [2, 'M'],
  ],
  [['N'], ['M'], ['K'], [3]],
  [['N'], [null], [null]],
  [[{ min: 2, max: null }], ['N'], ['M']],
  [[{ min: 0, max: 1 }], [{ min: 1, max: 2 }], ['N']],
  [[{ min: 2, max: 3 }], [{ min: 3, max: 4 }]],
  [[{ min: 2, max: 3 }], [{ min: 4, max: 5 }]],
  [[{ min: 3, max: 3 }], ['N', { min: 3, max: 3 }]],
  [[{ min: 1, max: 2 }], [{ min: 1, max: 2 }]],
  [[2, 'N', 0], [{ min: 0, max: 1 }]],
  [[2, 'N', 'M'], [2], [3], [4]],
  [['N', 1], [1, 'N'], ['N']],
  [
    ['N', 2, 'M'],
    ['N', 'M'],
  ],
  [
    ['N', 'M', 'K'],
    ['M', 1],
  ],
  [['N', 'M'], ['N']],
  [['N', 'M'], ['M', 'K'], ['K']],
  [[0], ['N']],
  [[1], ['N'], ['M']],
  [
    ['N', 0],
    [1, 'M'],
  ],
  [[], ['N']],
  [['N'], []],
  [
    ['N', 'N'],
    ['N', 'N'],
  ],
  [
    [{ min: 2, max: null }, 'N'],
    ['N', { min: 2, max: 3 }],
  ],
]

const dim: fc.Arbitrary<Dim> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 2, 3) },
  { weight: 4, arbitrary: fc.constantFrom('N', 'M', 'K') },
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(3), fc.oneof(fc.nat(2), fc.constant(null)))
      .map(([min, more]) => ({ min, max: more === null ? null : min + more })),
  },
)
const symbolic = fc
  .array(fc.array(dim, { maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .filter((shapes) => countSymbols(shapes) <= 3)

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
      { numRuns: 3000 },
    )
    onDefaultSeed(() => expect(Math.min(verdicts.ok, verdicts.conditional, verdicts.error)).toBeGreaterThan(250))
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
    const unranked = [...allShapes(3, 3), ...rank4]
    const known: readonly SymbolicShape[][] = [[], [['N']], [[2], [1]]]
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
  const within = (milliseconds: number, run: () => void): void => expect(bestTime(run)).toBeLessThan(milliseconds)
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
