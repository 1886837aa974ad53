// Which axes gradients are summed over: of concrete shapes as the specification's index maps say, of symbolic ones
// proven by enumeration.
import {
  BroadcastError,
  broadcastShapes,
  explicit,
  formatConditions,
  matmulBatch,
  type OpenAxis,
  openvinoPrelu,
  pdpd,
  type Rule,
  reduceAxes,
  type Shape,
  type SymbolicShape,
  unidirectional,
} from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { summedAxes } from '../../src/grad/summed.ts'
import { isFailure, resolve } from '../../src/shape/resolve.ts'
import { conditionsHold } from '../../src/shape/symbolic/condition.ts'
import { infer } from '../../src/shape/symbolic/infer.ts'
import { assignments, substitute } from '../shape/support/enumerate.ts'
import { allShapes, pairs } from '../shape/support/rules.ts'
import { symbolic, tuples } from '../shape/support/tuples.ts'
import { ruleCase, ruleCases } from '../support/shapes.ts'
import { thrownBy } from '../support/thrown.ts'

const rules = pairs.map(({ rule }) => rule)

describe('concrete shapes', () => {
  it.each(Object.keys(ruleCases))('%s: axes whose coordinate the operand does not look at', (name) => {
    fc.assert(
      fc.property(ruleCase(name, 3), ({ rule, spec, shapes }) => {
        const met = spec(shapes)
        if (!met.ok) {
          expect(() => reduceAxes(shapes, { broadcast: rule })).toThrow(BroadcastError)
          return
        }
        const said = reduceAxes(shapes, { broadcast: rule })
        const origin = met.shape.map(() => 0)
        for (const [operand, axes] of said.entries()) {
          const map = met.maps[operand]!
          // Along a size of 1 there is nothing to look at.
          const ignored = origin.flatMap((_, axis) =>
            met.shape[axis] !== 1 && map(origin.with(axis, 1)).join() === map(origin).join() ? [axis] : [],
          )
          expect(axes.filter((axis) => met.shape[axis] !== 1)).toEqual(ignored)
          if (shapes[operand]!.length === met.shape.length) expect(axes).toEqual(ignored)
        }
      }),
      { numRuns: 14 },
    )
  })

  it('of the batches of MatMul', () => {
    expect(
      reduceAxes(
        [
          [5, 1, 2, 3],
          [4, 3, 6],
        ],
        { broadcast: matmulBatch },
      ),
    ).toEqual([[1], [0]])
  })

  it('keep the operand that is named', () => {
    expect(reduceAxes([[3], [2, 3]], { broadcast: unidirectional, onto: 1 })).toEqual([[0], []])
  })

  it('refuse what broadcastShapes refuses, with the same words', () => {
    const ours = thrownBy(() => reduceAxes([[2, 3], [2]])) as BroadcastError
    expect(ours).toBeInstanceOf(BroadcastError)
    expect(ours.message).toBe((thrownBy(() => broadcastShapes([2, 3], [2] as never)) as Error).message)
    expect(() => reduceAxes([[2]], { axis: 1 } as never)).toThrow('reduceAxes has no option axis')
    expect(() => reduceAxes(3 as never)).toThrow('reduceAxes takes an array of shapes')
  })
})

/** The axes of shapes that meet, without the words for those that do not. */
function concreteAxes(rule: Rule, shapes: readonly Shape[], onto = 0): readonly (readonly number[])[] | undefined {
  const met = resolve(rule, shapes, onto)
  return isFailure(met) ? undefined : shapes.map((shape, i) => summedAxes(met.shape, shape, met.axes[i]!))
}

const seen = { always: 0, never: 0, sometimes: 0 }

/** What is wrong with the answer for symbolic shapes, or undefined. */
function wrongAnswer(rule: Rule, shapes: readonly SymbolicShape[], largest: number): string | undefined {
  const given = `${rule.label} ${JSON.stringify(shapes)}`
  const said = infer(rule, shapes).verdict === 'error' ? undefined : reduceAxes(shapes, { broadcast: rule })
  const ever = new Map<string, Set<boolean>>()
  for (const sizeOf of assignments(shapes, largest)) {
    const concrete = shapes.map((shape, operand) => substitute(shape!, operand, sizeOf))
    const axes = concreteAxes(rule, concrete)
    if (axes === undefined) continue
    if (said === undefined) return `${given}: refused, and ${JSON.stringify(concrete)} meet`
    for (const [operand, own] of said.entries()) {
      const wanted = new Set(axes[operand])
      const got = own!.flatMap((entry) => {
        if (typeof entry === 'number') return [entry]
        const holds = conditionsHold(entry.conditions, sizeOf)
        const key = `${operand} ${entry.axis}`
        ever.set(key, (ever.get(key) ?? new Set()).add(holds))
        return holds ? [entry.axis] : []
      })
      if (got.length !== wanted.size || got.some((axis) => !wanted.has(axis))) {
        return `${given}: ${JSON.stringify(own)} for operand ${operand}, and of ${JSON.stringify(concrete)} it is ${[...wanted]}`
      }
    }
  }
  // Sizes that two places would have to share are told apart by the solver as far as it has words for it.
  const exact = rule.name !== 'openvinoPrelu' && !rule.label.includes('innerOnes')
  for (const [key, outcomes] of ever) {
    if (exact && outcomes.size < 2) return `${given}: ${JSON.stringify(said)}, and ${key} does not depend on sizes`
  }
  seen.sometimes += ever.size
  for (const own of said ?? []) {
    for (const entry of own!) if (typeof entry === 'number') seen.always++
    if (own!.length === 0) seen.never++
  }
  return undefined
}

describe('symbolic shapes: conditions are necessary and sufficient', () => {
  it('for chosen tuples under every rule and option', () => {
    for (const rule of rules) {
      for (const shapes of tuples) {
        const wrong = wrongAnswer(rule, shapes, 5)
        if (wrong !== undefined) expect.fail(wrong)
      }
    }
  })

  it('for random tuples under every rule and option', () => {
    fc.assert(
      fc.property(symbolic, fc.constantFrom(...rules), (shapes, rule) => {
        expect(wrongAnswer(rule, shapes, 5)).toBeUndefined()
      }),
      { numRuns: 250 },
    )
    onDefaultSeed(() => expect(Math.min(...Object.values(seen))).toBeGreaterThan(200))
  })

  it('in words', () => {
    const words = (shapes: readonly SymbolicShape[], broadcast?: Rule) =>
      reduceAxes(shapes, broadcast && { broadcast }).map((own) =>
        own!.map((entry) =>
          typeof entry === 'number' ? `${entry}` : `${entry.axis} if ${formatConditions(entry.conditions)}`,
        ),
      )
    expect(words([['N'], ['M']])).toEqual([['0 if N = 1 and M ≠ 1'], ['0 if M = 1 and N ≠ 1']])
    expect(
      words([
        ['N', 'N'],
        [3, 4],
      ]),
    ).toEqual([['0', '1'], []])
    expect(words([['N'], [{ min: 2, max: null }]])).toEqual([['0 if N = 1'], []])
    expect(words([['N'], [1]])).toEqual([[], ['0 if N ≠ 1']])
    expect(words([['N'], ['M'], ['K']])[0]).toEqual(['0 if N = 1 and (M ≠ 1 or K ≠ 1)'])
    expect(
      words([
        ['B', 3],
        ['B', null],
      ]),
    ).toEqual([[], ['1 if B[-1] = 1']])
    expect(words([[2, 'C', 4], ['N']], openvinoPrelu)[1]).toEqual(['0', '1 if N ≠ C', '2 if N = C or N = 1'])
    expect(words([[2, 3], [null]], explicit({ axesMapping: null }))[1]).toEqual([
      '0 if axesMapping, which is not known, allows it',
      '1 if axesMapping, which is not known, allows it',
    ])
  })
})

describe('unknown ranks', () => {
  const unrankedShapes = [
    ...allShapes(3, 3),
    ...allShapes(4, 3).filter((shape) => shape.length === 4 && !shape.includes(0)),
  ]

  /** Every shape of the unknown ones must agree with the answer. */
  function wrongUnranked(rule: Rule, shapes: readonly SymbolicShape[], onto: number): string | undefined {
    const said = reduceAxes(shapes, { broadcast: rule, onto })
    const unknown = shapes.indexOf(null)
    const answers = shapes.map(() => new Set<string>())
    for (const own of unrankedShapes) {
      const axes = concreteAxes(rule, shapes.with(unknown, own) as number[][], onto)
      if (axes === undefined) continue
      for (const [operand, entries] of said.entries()) {
        answers[operand]!.add(axes[operand]!.join())
        if (entries === null) continue
        const open = new Set(entries.flatMap((entry) => (typeof entry === 'number' ? [] : [entry.axis])))
        const certain = entries.filter((entry) => typeof entry === 'number')
        const rest = axes[operand]!.filter((axis) => !open.has(axis))
        if (rest.join() !== certain.join()) return `${rule.label} ${JSON.stringify(shapes)}: ${axes[operand]}`
      }
    }
    // What is the same for all shapes has to be said, unless A itself is not known.
    if (rule.oneWay && unknown === onto) return undefined
    const vague = said.findIndex((own, operand) => own === null && answers[operand]!.size === 1)
    return vague < 0 ? undefined : `${rule.label} ${JSON.stringify(shapes)}: nothing for ${vague}`
  }

  it('say what all ranks have in common, under every rule', () => {
    let tried = 0
    for (const rule of rules) {
      for (const shapes of [
        [null, [2]],
        [[2, 1], null],
        [[1], null, [2]],
        [[2, 2], null],
        [null, [2, 2]],
        [[], null],
      ]) {
        for (const onto of rule.oneWay ? shapes.keys() : [0]) {
          if (infer(rule, shapes, onto).verdict === 'error') continue
          tried++
          const wrong = wrongUnranked(rule, shapes, onto)
          if (wrong !== undefined) expect.fail(wrong)
        }
      }
    }
    expect(tried).toBeGreaterThan(150)
  })

  it('are null where the rank of the result decides', () => {
    expect(reduceAxes([null, [3]])).toEqual([null, null])
    expect(reduceAxes([null, [3]], { broadcast: unidirectional })).toEqual([[], null])
    expect(reduceAxes([null, null], { broadcast: 'none' })).toEqual([[], []])
    expect(reduceAxes([null, null], { broadcast: unidirectional })).toEqual([[], null])
    expect(reduceAxes([[2, 3], null], { broadcast: explicit({ broadcastAxes: [0] }) })).toEqual([[], [0]])
    expect(reduceAxes([null, [3]], { broadcast: pdpd({ axis: 2 ** 32 }) })).toEqual([[], null])
    const [, own] = reduceAxes([[2, 3], null], { broadcast: unidirectional })
    expect(own!.map((entry) => formatConditions((entry as OpenAxis).conditions))).toEqual([
      'the rank of B, which is not known, allows it',
      'the rank of B, which is not known, allows it',
    ])
  })
})
