// The rules against their specification: same verdict, same result, same element behind every index, for every rule
// and option over small and random shapes; and the algebra that the safety profile claims for its Broadcast.
import { type RuleResult, sonnxRecursive, sonnx as specSonnx } from '@bcast/spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import type { Shape } from '../../src/shape/dim.ts'
import { isFailure, type Resolution, resolve } from '../../src/shape/resolve.ts'
import type { Rule } from '../../src/shape/rule.ts'
import { numpy, paddle, pdpd, sonnx } from '../../src/shape/rules/index.ts'
import { allShapes, anyShape, drawn, elementIndex, pairs, someIndices } from './support/rules.ts'

const same = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i])

/** What rule and specification disagree on, or undefined. */
function disagreement(rule: Rule, shapes: readonly Shape[], expected: RuleResult): string | undefined {
  const outcome = resolve(rule, shapes)
  const given = `${rule.label} ${JSON.stringify(shapes)}`
  if (isFailure(outcome)) return expected.ok ? `${given}: refused, ${outcome.sentence}` : undefined
  if (!expected.ok) return `${given}: accepted, ${expected.reason}`
  if (!same(outcome.shape, expected.shape)) return `${given}: ${outcome.shape} and not ${expected.shape}`
  for (const index of someIndices(expected.shape)) {
    for (const [operand, shape] of shapes.entries()) {
      const own = elementIndex(shape, outcome.axes[operand]!, index)
      if (!same(own, expected.maps[operand]!(index))) return `${given}: element ${index} of operand ${operand}`
    }
  }
  return undefined
}

describe('resolve agrees with the specification', () => {
  it('for every rule and option over random shapes', () => {
    const runs = 5000
    const counts = { ok: 0, error: 0 }
    fc.assert(
      fc.property(drawn, ({ rule, spec, shapes }) => {
        const expected = spec(shapes)
        counts[expected.ok ? 'ok' : 'error']++
        expect(disagreement(rule, shapes, expected)).toBeUndefined()
      }),
      { numRuns: runs },
    )
    onDefaultSeed(() => {
      expect(counts.ok).toBeGreaterThan(runs / 3)
      expect(counts.error).toBeGreaterThan(runs / 10)
    })
  })

  it('for every rule and small option over all pairs of shapes of rank 3 and sizes 0 to 2', () => {
    const shapes = allShapes(3, 3)
    for (const { rule, spec } of pairs) {
      let accepted = 0
      for (const a of shapes) {
        for (const b of shapes) {
          const expected = spec([a, b])
          if (expected.ok) accepted++
          const wrong = disagreement(rule, [a, b], expected)
          if (wrong !== undefined) expect.fail(wrong)
        }
      }
      expect(accepted, rule.label).toBeGreaterThan(0)
    }
  })

  it('for one operand alone', () => {
    for (const { rule, spec } of pairs) {
      for (const shape of allShapes(3, 3)) {
        expect(disagreement(rule, [shape], spec([shape]))).toBeUndefined()
      }
    }
  })

  it('onto whichever operand keeps its shape', () => {
    fc.assert(
      fc.property(drawn, fc.nat(3), ({ rule, shapes }, n) => {
        fc.pre(rule.oneWay)
        const onto = n % shapes.length
        // The operand in front is the one that all others go onto.
        const order = [onto, ...shapes.keys()].filter((operand, i) => i === 0 || operand !== onto)
        const front = resolve(
          rule,
          order.map((operand) => shapes[operand]!),
        )
        const outcome = resolve(rule, shapes, onto)
        expect(isFailure(outcome)).toBe(isFailure(front))
        if (isFailure(outcome) || isFailure(front)) return
        expect(outcome.shape).toEqual(front.shape)
        expect(order.map((operand) => outcome.axes[operand])).toEqual(front.axes)
      }),
      { numRuns: 500 },
    )
  })
})

const several = fc.tuple(
  anyShape(4),
  fc.array(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
)
/** Shapes that mostly broadcast: parts of one shape with ones in it. Zeros are among them. */
const related = several.map(([target, masks]) =>
  masks.map((mask, i) => target.slice(i % 2).map((dim, axis) => (mask[axis] ? 1 : dim))),
)
const families = fc.oneof(
  { weight: 3, arbitrary: related },
  { weight: 1, arbitrary: fc.array(anyShape(3), { minLength: 1, maxLength: 4 }) },
)

const elements = ({ shape, axes }: Resolution, shapes: readonly Shape[]): number[][][] =>
  shapes.map((each, operand) => someIndices(shape).map((index) => elementIndex(each, axes[operand]!, index)))

/** Broadcasts the first two, then their result with the next, and so on. */
function fold(rule: Rule, shapes: readonly Shape[]): number[] | undefined {
  let common: readonly number[] = shapes[0]!
  for (const next of shapes.slice(1)) {
    const outcome = resolve(rule, [common, next])
    if (isFailure(outcome)) return undefined
    common = outcome.shape
  }
  return [...common]
}

describe.each([numpy, sonnx])('the algebra of $label', (rule) => {
  it('[sonnx2.commutative] permuting the operands permutes the outputs and changes nothing else', () => {
    let held = 0
    fc.assert(
      fc.property(families, fc.infiniteStream(fc.nat()), (shapes, random) => {
        const order = shapes
          .map((_, i) => [random.next().value, i] as const)
          .sort((a, b) => a[0] - b[0])
          .map(([, i]) => i)
        const permuted = order.map((operand) => shapes[operand]!)
        const [plain, other] = [resolve(rule, shapes), resolve(rule, permuted)]
        expect(isFailure(other)).toBe(isFailure(plain))
        if (isFailure(plain) || isFailure(other)) return
        held++
        expect(other.shape).toEqual(plain.shape)
        const before = elements(plain, shapes)
        expect(elements(other, permuted)).toEqual(order.map((operand) => before[operand]))
      }),
      { numRuns: 400 },
    )
    onDefaultSeed(() => expect(held).toBeGreaterThan(200))
  })

  it('[sonnx2.recursive] folding the binary broadcast gives the n-ary one, sizes 0 included', () => {
    let held = 0
    fc.assert(
      fc.property(families, (shapes) => {
        const outcome = resolve(rule, shapes)
        const folded = fold(rule, shapes)
        expect(folded).toEqual(isFailure(outcome) ? undefined : outcome.shape)
        if (folded !== undefined) held++
      }),
      { numRuns: 400 },
    )
    onDefaultSeed(() => expect(held).toBeGreaterThan(200))
  })
})

describe('the algebra of the other rules', () => {
  it('[sonnx2.recursive] the specification folds literally as the rule does', () => {
    fc.assert(
      fc.property(families, (shapes) => {
        const recursive = sonnxRecursive(shapes)
        expect(disagreement(sonnx, shapes, recursive)).toBeUndefined()
        expect(recursive.ok).toBe(specSonnx(shapes).ok)
      }),
      { numRuns: 500 },
    )
  })

  it('a start axis does not fold: where an operand goes depends on the largest rank of all', () => {
    const shapes = [[3, 4], [3], [2, 3, 4]]
    expect(resolve(paddle({ axis: 1 }), shapes)).toMatchObject({ shape: [2, 3, 4] })
    expect(fold(paddle({ axis: 1 }), shapes)).toBeUndefined()
  })

  it('one-way rules do not commute', () => {
    expect(resolve(pdpd(), [[2, 3], [3]])).toMatchObject({ shape: [2, 3] })
    expect(isFailure(resolve(pdpd(), [[3], [2, 3]]))).toBe(true)
  })
})
