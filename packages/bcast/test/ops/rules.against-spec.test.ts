// Every rule with operators of one to four operands, over random layouts: the same shapes meet, and each element of the
// result comes from the operands' elements that the specification's index maps name.
import { type RuleResult, numpy as specNumpy } from '@bcast/spec'
import { type DType, dtypes, numpy } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsOf } from '../../../../testing/elements.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { type Sample, sample } from '../support/layouts.ts'
import { loosely } from '../support/operators.ts'
import { expectAnswer, settings } from '../support/oracle.ts'
import { type RuleCase, ruleCase, ruleCases, type Sizes } from '../support/shapes.ts'

interface Case extends RuleCase {
  readonly samples: readonly Sample[]
}

const caseOf = (rule: string, types: readonly DType[]): fc.Arbitrary<Case> =>
  ruleCase(rule, types.length).chain((made) =>
    fc.tuple(...made.shapes.map((shape, i) => sample(types[i]!, shape))).map((samples) => ({ ...made, samples })),
  )

const tensorsOf = ({ samples }: Case) => samples.map(({ tensor }) => tensor)

/** Where under pdpd goes onto `then`, its second operand: the specification's rule sees that one first. */
function metByWhere({ rule, spec, shapes }: Case): RuleResult {
  if (rule.name !== 'pdpd') return spec(shapes)
  const [condition, then, otherwise] = shapes as readonly [Sizes, Sizes, Sizes]
  const met = spec([then, condition, otherwise])
  return met.ok ? { ...met, maps: [met.maps[1]!, met.maps[0]!, met.maps[2]!] } : met
}

describe.each(Object.keys(ruleCases))('%s', (name) => {
  it('shapes of these tests mostly meet, and sometimes do not', () => {
    const cases = fc.sample(ruleCase(name, 2), { numRuns: 200 })
    const met = cases.filter(({ spec, shapes }) => spec(shapes).ok).length
    onDefaultSeed(() => {
      expect(met).toBeGreaterThan(150)
      expect(met).toBeLessThan(300)
    })
  })

  it('Sub of two', () => {
    fc.assert(
      fc.property(caseOf(name, ['int16', 'int16']), (made) => {
        const { rule, spec, shapes, samples } = made
        expectAnswer(
          { operator: 'Sub', dtype: 'int16', met: spec(shapes), operands: samples.map((each) => each.spec) },
          () => loosely('sub')(...tensorsOf(made), { broadcast: rule }),
        )
      }),
      settings(14),
    )
  })

  it('Sum of four', () => {
    fc.assert(
      fc.property(caseOf(name, ['float16', 'float16', 'float16', 'float16']), (made) => {
        const { rule, spec, shapes, samples } = made
        expectAnswer(
          { operator: 'Sum', dtype: 'float16', met: spec(shapes), operands: samples.map((each) => each.spec) },
          () => loosely('sum')(tensorsOf(made), { broadcast: rule }),
        )
      }),
      settings(14),
    )
  })

  it('Neg of one', () => {
    fc.assert(
      fc.property(caseOf(name, ['int32']), (made) => {
        const { rule, spec, shapes, samples } = made
        expectAnswer(
          { operator: 'Neg', dtype: 'int32', met: spec(shapes), operands: samples.map((each) => each.spec) },
          () => loosely('neg')(...tensorsOf(made), { broadcast: rule }),
        )
      }),
      settings(10),
    )
  })

  it('Where', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<DType>('int64', 'string', 'float64').chain((dtype) =>
          caseOf(name, name.startsWith('pdpd') ? [dtype, 'bool', dtype] : ['bool', dtype, dtype]).map((made) => ({
            dtype,
            made,
          })),
        ),
        ({ dtype, made }) => {
          // The generator lets shapes go onto the first operand, so for pdpd `then` was made first.
          const swap = <T>([first, second, third]: readonly T[]): T[] => [second!, first!, third!]
          const arranged =
            made.rule.name === 'pdpd' ? { ...made, shapes: swap(made.shapes), samples: swap(made.samples) } : made
          const { rule, samples } = arranged
          expectAnswer(
            { operator: 'Where', dtype, met: metByWhere(arranged), operands: samples.map((each) => each.spec) },
            () => loosely('where')(...tensorsOf(arranged), { broadcast: rule }),
          )
        },
      ),
      settings(14),
    )
  })

  it('broadcast of three tensors of different types', () => {
    fc.assert(
      fc.property(caseOf(name, ['string', 'float32', 'bool']), (made) => {
        const { rule, spec, shapes, samples } = made
        const met = spec(shapes)
        samples.forEach((each, m) => {
          const dtype = each.tensor.dtype
          const view = () =>
            (loosely('broadcast' as never)(tensorsOf(made), { broadcast: rule }) as unknown as Sample['tensor'][])[m]!
          expectAnswer(
            {
              operator: 'Identity',
              dtype,
              met: met.ok ? { ...met, maps: [met.maps[m]!] } : met,
              operands: [each.spec],
            },
            view,
          )
          if (met.ok) expect(view().storage).toBe(each.tensor.storage)
        })
      }),
      settings(12),
    )
  })
})

describe('Where of every type', () => {
  it.each(dtypes)('%s', (dtype) => {
    fc.assert(
      fc.property(caseOf('numpy', ['bool', dtype, dtype]), (made) => {
        const operands = made.samples.map(({ spec }) => spec)
        expectAnswer({ operator: 'Where', dtype, met: specNumpy(made.shapes), operands }, () =>
          loosely('where')(...tensorsOf(made), { broadcast: numpy }),
        )
        expectAnswer({ operator: 'Where', dtype, met: specNumpy(made.shapes), operands }, () =>
          loosely('select')(...tensorsOf(made)),
        )
      }),
      settings(12),
    )
  })
})

describe('Expand and broadcastTo', () => {
  const target = (made: Case): Sizes => made.shapes[1]!

  it.each<DType>(['float32', 'bfloat16', 'uint64', 'bool', 'string', 'real'])(
    'Expand %s meets the shape both ways',
    (dtype) => {
      fc.assert(
        fc.property(caseOf('bidirectional', [dtype, 'bool']), (made) => {
          const met = made.spec(made.shapes)
          const [x] = made.samples
          expectAnswer(
            { operator: 'Identity', dtype, met: met.ok ? { ...met, maps: [met.maps[0]!] } : met, operands: [x!.spec] },
            () => loosely('expand')(x!.tensor, target(made)),
          )
        }),
        settings(14),
      )
    },
  )

  it.each(Object.keys(ruleCases))('broadcastTo under %s puts x onto the shape', (name) => {
    fc.assert(
      fc.property(caseOf(name, ['bool', 'int8']), (made) => {
        const met = made.spec(made.shapes)
        const x = made.samples[1]!
        expectAnswer(
          {
            operator: 'Identity',
            dtype: 'int8',
            met: met.ok ? { ...met, maps: [met.maps[1]!] } : met,
            operands: [x.spec],
          },
          () => loosely('broadcastTo')(x.tensor, made.shapes[0], { broadcast: made.rule }),
        )
      }),
      settings(14),
    )
  })

  it('the method broadcastTo is unidirectional', () => {
    fc.assert(
      fc.property(caseOf('unidirectional', ['bool', 'float64']), (made) => {
        const met = made.spec(made.shapes)
        const x = made.samples[1]!
        expectAnswer(
          {
            operator: 'Identity',
            dtype: 'float64',
            met: met.ok ? { ...met, maps: [met.maps[1]!] } : met,
            operands: [x.spec],
          },
          () => {
            const view = x.tensor.broadcastTo(made.shapes[0]! as never)
            expect(elementsOf(view)).toHaveLength(view.size)
            return view
          },
        )
      }),
      settings(14),
    )
  })
})
