// Translations between rules keep every element where it was: proven on the index maps of the specification, for
// every rule and option; and what is called impossible has no translation however B is respelled.
import * as spec from '@bcast/spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { RuleError } from '../../src/errors/index.ts'
import type { Shape } from '../../src/shape/dim.ts'
import { isFailure, resolve } from '../../src/shape/resolve.ts'
import type { Rule } from '../../src/shape/rule.ts'
import {
  explicit,
  matmulBatch,
  none,
  numpy,
  onnxLegacy,
  openvinoPrelu,
  paddle,
  pdpd,
  sonnx,
  unidirectional,
} from '../../src/shape/rules/index.ts'
import { fromNumpy, type Target, toNumpy } from '../../src/shape/translate.ts'
import { allShapes, drawn, pairs, someIndices } from './support/rules.ts'

const flat = (shape: Shape, index: readonly number[]): number =>
  index.reduce((offset, i, axis) => offset * shape[axis]! + i, 0)

/** For each operand, the element (counted in row-major order) behind each index of the result. */
const landing = (result: spec.RuleResult, shapes: readonly Shape[]): number[][] | undefined =>
  result.ok
    ? shapes.map((shape, operand) =>
        someIndices(result.shape, 60).map((index) => flat(shape, result.maps[operand]!(index))),
      )
    : undefined

/** What is wrong with a translation to numpy, or undefined. */
function wrongToNumpy(rule: Rule, shapes: readonly Shape[], expected: spec.RuleResult): string | undefined {
  const given = `${rule.label} ${JSON.stringify(shapes)}`
  const translated = toNumpy(rule, shapes)
  if (isFailure(translated)) return expected.ok ? `${given}: ${translated.sentence}` : undefined
  if (!expected.ok) return `${given}: translated`
  const outcome = spec.numpy(translated.shapes)
  if (!outcome.ok) return `${given}: numpy refuses ${JSON.stringify(translated.shapes)}`
  if (JSON.stringify(outcome.shape) !== JSON.stringify(expected.shape)) return `${given}: result ${outcome.shape}`
  const changed = translated.shapes.map((shape, i) => JSON.stringify(shape) !== JSON.stringify(shapes[i]))
  if (JSON.stringify(changed) !== JSON.stringify(translated.reshaped)) return `${given}: reshaped is wrong`
  const [before, after] = [landing(expected, shapes), landing(outcome, translated.shapes)]
  return JSON.stringify(before) === JSON.stringify(after) ? undefined : `${given}: elements move`
}

describe('toNumpy', () => {
  it('keeps the result and every element, for every rule and option over random shapes', () => {
    let translated = 0
    fc.assert(
      fc.property(drawn, ({ rule, spec: specify, shapes }) => {
        fc.pre(rule !== matmulBatch)
        const expected = specify(shapes)
        if (expected.ok) translated++
        expect(wrongToNumpy(rule, shapes, expected)).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
    onDefaultSeed(() => expect(translated).toBeGreaterThan(600))
  })

  it('keeps the result and every element, for small options over all pairs of small shapes', () => {
    const shapes = allShapes(3, 3)
    for (const { rule, spec: specify } of pairs) {
      if (rule === matmulBatch) continue
      for (const a of shapes) {
        for (const b of shapes) {
          const expected = specify([a, b])
          if (!expected.ok) continue
          const wrong = wrongToNumpy(rule, [a, b], expected)
          if (wrong !== undefined) expect.fail(wrong)
        }
      }
    }
  })

  it.each([
    ['a run in the middle', pdpd({ axis: 1 }), [3, 4], [3, 4, 1], true],
    ['a bias by channel', onnxLegacy({ broadcast: true, axis: 1 }), [3], [3, 1, 1], true],
    ['a suffix', onnxLegacy({ broadcast: true }), [4, 5], [4, 5], false],
    ['one element', onnxLegacy({ broadcast: true, axis: 0 }), [1, 1], [1, 1], false],
    ['trailing ones beyond the end', pdpd({ axis: 3 }), [5, 1], [5], true],
    ['a leading one', pdpd({ axis: 0 }), [1, 3], [1, 3, 1, 1], true],
    ['a mapping', explicit({ axesMapping: [0, 2] }), [2, 4], [2, 1, 4, 1], true],
    ['a set', explicit({ broadcastAxes: [3, 0] }), [3, 4], [3, 4, 1], true],
    ['a slope by channel', openvinoPrelu, [3], [3, 1, 1], true],
    ['right alignment', unidirectional, [3, 1, 1], [3, 1, 1], false],
  ] as const)('%s', (_, rule, b, expected, reshaped) => {
    const a = [2, 3, 4, 5]
    expect(toNumpy(rule, [a, b])).toEqual({ shapes: [a, expected], reshaped: [false, reshaped] })
  })

  it('leaves shapes alone under rules that align the ends', () => {
    const shapes = [[2, 3], [3]]
    for (const rule of [numpy, sonnx, paddle()]) {
      expect(toNumpy(rule, shapes)).toEqual({ shapes, reshaped: [false, false] })
    }
    expect(
      toNumpy(none, [
        [2, 3],
        [2, 3],
      ]),
    ).toMatchObject({ reshaped: [false, false] })
  })

  it('reshapes either side under paddle, and goes onto the operand that is named', () => {
    expect(toNumpy(paddle({ axis: 1 }), [[3], [2, 3, 4]])).toEqual({
      shapes: [
        [3, 1],
        [2, 3, 4],
      ],
      reshaped: [true, false],
    })
    expect(toNumpy(pdpd({ axis: 0 }), [[2], [2, 3], [2]], 1)).toEqual({
      shapes: [
        [2, 1],
        [2, 3],
        [2, 1],
      ],
      reshaped: [true, false, true],
    })
  })

  it('a scalar X takes its one slope as a scalar', () => {
    expect(toNumpy(openvinoPrelu, [[], [1]])).toEqual({ shapes: [[], []], reshaped: [false, true] })
  })

  it('keeps names of sizes, under the conditions of the broadcast itself', () => {
    expect(toNumpy(pdpd({ axis: 1 }), [['N', 3, 'H', 'W'], [3]])).toEqual({
      shapes: [
        ['N', 3, 'H', 'W'],
        [3, 1, 1],
      ],
      reshaped: [false, true],
    })
    expect(toNumpy(onnxLegacy({ broadcast: true, axis: 0 }), [['N', 'M'], ['K']])).toEqual({
      shapes: [
        ['N', 'M'],
        ['K', 1],
      ],
      reshaped: [false, true],
    })
  })

  it('gives the failure of the broadcast, or of a placement that sizes decide', () => {
    expect(toNumpy(pdpd({ axis: 0 }), [[2, 3], [3]])).toMatchObject({ operands: [0, 1], axis: -2 })
    expect(toNumpy(openvinoPrelu, [[2, 'C', 4], ['K']])).toMatchObject({
      sentence: 'where B goes depends on sizes that are not known',
    })
    expect(toNumpy(explicit({ axesMapping: null }), [[2, 3], [3]])).toMatchObject({
      sentence: 'axesMapping is not known',
    })
  })

  it('has no place for matrices', () => {
    expect(() =>
      toNumpy(matmulBatch, [
        [2, 3, 4],
        [4, 5],
      ]),
    ).toThrow(RuleError)
  })
})

const targets: readonly Target[] = ['unidirectional', 'pdpd', 'onnxLegacy', 'axesMapping', 'broadcastAxes']

/** The rule behind a target with given axes, and its specification. */
function specOf({ name, options }: Rule): (shapes: readonly Shape[]) => spec.RuleResult {
  if (name === 'pdpd') return (shapes) => spec.pdpd(shapes, options as spec.PdpdOptions)
  if (name === 'onnxLegacy') return (shapes) => spec.onnxLegacy(shapes, options as spec.OnnxLegacyOptions)
  if (name === 'explicit') return (shapes) => spec.explicit(shapes, options as spec.ExplicitOptions)
  return spec.unidirectional
}

/** Every rule of a target that could take a B of this rank. */
function rulesOf(target: Target, rank: number, own: number): Rule[] {
  const axes = Array.from({ length: rank + 1 }, (_, axis) => axis)
  if (target === 'pdpd') return axes.map((axis) => pdpd({ axis }))
  if (target === 'onnxLegacy') return axes.map((axis) => onnxLegacy({ broadcast: true, axis }))
  if (target === 'unidirectional') return [unidirectional]
  const subsets = Array.from({ length: 2 ** rank }, (_, bits) =>
    axes.slice(0, rank).filter((axis) => (bits >> axis) & 1),
  )
  return target === 'axesMapping'
    ? subsets.filter(({ length }) => length === own).map((axesMapping) => explicit({ axesMapping }))
    : subsets.map((broadcastAxes) => explicit({ broadcastAxes }))
}

/** B with some of its ones left out, in every way. */
function respellings(b: Shape): Shape[] {
  let all: number[][] = [[]]
  for (const size of b) all = all.flatMap((start) => (size === 1 ? [start, [...start, 1]] : [[...start, size]]))
  return all
}

/** Whether some respelling of B under some options of the rule puts every element where numpy does. */
function possible(a: Shape, b: Shape, target: Target): boolean {
  const expected = JSON.stringify(landing(spec.numpy([a, b]), [a, b]))
  return respellings(b).some((spelled) =>
    rulesOf(target, a.length, spelled.length).some((rule) => {
      const outcome = resolve(rule, [a, spelled])
      return !isFailure(outcome) && JSON.stringify(landing(specOf(rule)([a, spelled]), [a, spelled])) === expected
    }),
  )
}

function wrongFromNumpy(a: Shape, b: Shape, target: Target): string | undefined {
  const given = `${target} ${JSON.stringify([a, b])}`
  const expected = spec.numpy([a, b])
  const translated = fromNumpy([a, b], target)
  if ('reason' in translated) {
    // An empty result has no elements to compare, so only results with some can show a missed translation.
    const shown = expected.ok && JSON.stringify(expected.shape) === JSON.stringify(a) && !a.includes(0)
    return shown && possible(a, b, target) ? `${given}: refused, ${translated.reason}` : undefined
  }
  if (!expected.ok) return `${given}: translated`
  const { rule, shapes, reshaped } = translated
  const outcome = specOf(rule)(shapes)
  if (!outcome.ok) return `${given}: ${rule.label} refuses ${JSON.stringify(shapes)}, ${outcome.reason}`
  if (JSON.stringify(outcome.shape) !== JSON.stringify(expected.shape)) return `${given}: result ${outcome.shape}`
  if (JSON.stringify(shapes[0]) !== JSON.stringify(a) || reshaped[0]) return `${given}: A changes`
  if (reshaped[1] !== (JSON.stringify(shapes[1]) !== JSON.stringify(b))) return `${given}: reshaped is wrong`
  const same = JSON.stringify(landing(expected, [a, b])) === JSON.stringify(landing(outcome, shapes))
  if (!same) return `${given}: elements move`
  const back = toNumpy(rule, shapes)
  if (isFailure(back)) return `${given}: no way back`
  const again = JSON.stringify(landing(spec.numpy(back.shapes), back.shapes))
  return again === JSON.stringify(landing(expected, [a, b])) ? undefined : `${given}: the way back moves elements`
}

describe('fromNumpy', () => {
  it('keeps every element, and refuses only what has no translation, over all pairs of small shapes', () => {
    const counts = new Map<Target, number>()
    for (const target of targets) {
      for (const a of allShapes(3, 3)) {
        for (const b of allShapes(3, 3)) {
          const wrong = wrongFromNumpy(a, b, target)
          if (wrong !== undefined) expect.fail(wrong)
          if (!('reason' in fromNumpy([a, b], target))) counts.set(target, (counts.get(target) ?? 0) + 1)
        }
      }
    }
    for (const target of targets) expect(counts.get(target)).toBeGreaterThan(100)
    expect(counts.get('onnxLegacy')!).toBeLessThan(counts.get('pdpd')!)
  })

  it('keeps every element for larger shapes', () => {
    const sizes = fc.array(fc.constantFrom(0, 1, 2, 3), { maxLength: 6 })
    fc.assert(
      fc.property(
        sizes,
        fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
        fc.nat(6),
        fc.constantFrom(...targets),
        (a, ones, skip, target) => {
          const b = a.slice(skip).map((size, axis) => (ones[axis] ? 1 : size))
          expect(wrongFromNumpy(a, b, target)).toBeUndefined()
        },
      ),
      { numRuns: 250 },
    )
  })

  it.each([
    ['pdpd', [3, 1, 1], 'pdpd(axis=1)', [3]],
    ['pdpd', [3, 1, 5], 'pdpd(axis=1)', [3, 1, 5]],
    ['pdpd', [1, 3, 1, 5], 'pdpd(axis=1)', [3, 1, 5]],
    ['pdpd', [4, 5], 'pdpd(axis=2)', [4, 5]],
    ['pdpd', [1, 1], 'pdpd(axis=2)', [1, 1]],
    ['onnxLegacy', [3, 4, 1], 'onnxLegacy(broadcast=1, axis=1)', [3, 4]],
    ['onnxLegacy', [1, 1], 'onnxLegacy(broadcast=1, axis=2)', [1, 1]],
    ['axesMapping', [3, 1, 5], 'explicit(axesMapping=[1,3])', [3, 5]],
    ['axesMapping', [], 'explicit(axesMapping=[])', []],
    ['broadcastAxes', [3, 1, 5], 'explicit(broadcastAxes={0,2})', [3, 5]],
    ['unidirectional', [3, 1, 5], 'unidirectional', [3, 1, 5]],
  ] as const)('as %s: (2,3,4,5) with (%s) is %s', (target, b, label, spelled) => {
    const translated = fromNumpy([[2, 3, 4, 5], b], target)
    expect(translated).toMatchObject({ rule: { label }, shapes: [[2, 3, 4, 5], spelled] })
  })

  it('keeps ones that do not stretch', () => {
    expect(
      fromNumpy(
        [
          [2, 1, 3],
          [1, 3],
        ],
        'axesMapping',
      ),
    ).toMatchObject({
      rule: { label: 'explicit(axesMapping=[1,2])' },
      reshaped: [false, false],
    })
    expect(
      fromNumpy(
        [
          [2, 1, 3],
          [1, 3],
        ],
        'onnxLegacy',
      ),
    ).toMatchObject({ rule: { label: 'onnxLegacy(broadcast=1, axis=1)' } })
  })

  it.each([
    ['both stretch', 'pdpd', [2, 1], [1, 3], 'A would change from (2,1) to (2,3), and under pdpd it keeps its shape'],
    ['A would grow in rank', 'axesMapping', [3], [1, 3], 'A would change from (3) to (1,3)'],
    ['A would become empty', 'unidirectional', [1], [0], 'A would change from (1) to (0)'],
    ['the broadcast fails', 'pdpd', [2], [3], 'cannot broadcast axis -1: 2 vs 3 (shapes [2] and [3])'],
    [
      'a one stretches inside',
      'onnxLegacy',
      [2, 3, 4, 5],
      [3, 1, 5],
      "B (3,1,5) is no run of A's sizes (2,3,4,5): its 1 on axis -2 stretches between others",
    ],
  ] as const)('has no translation where %s', (_, target, a, b, reason) => {
    const translated = fromNumpy([a, b], target)
    expect('reason' in translated && translated.reason).toContain(reason)
  })
})
