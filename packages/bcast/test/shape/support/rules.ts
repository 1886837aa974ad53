// Every rule beside its specification, with the options worth trying, and shapes that often satisfy it. Shapes
// drawn blindly almost never broadcast, so most are cut out of a result and only some of them are then spoilt.
import * as spec from '@bcast/spec'
import fc from 'fast-check'
import type { Shape } from '../../../src/shape/dim.ts'
import type { Rule } from '../../../src/shape/rule.ts'
import {
  bidirectional,
  explicit,
  matmulBatch,
  none,
  numpy,
  onnxLegacy,
  openvinoPrelu,
  type PdpdOptions,
  paddle,
  pdpd,
  sonnx,
  unidirectional,
} from '../../../src/shape/rules/index.ts'

export interface Pair {
  readonly rule: Rule
  readonly spec: (shapes: readonly Shape[]) => spec.RuleResult
}

const pdpdPair = (options: PdpdOptions): Pair => ({ rule: pdpd(options), spec: (s) => spec.pdpd(s, options) })
/** Paddle's operators are binary; alone, an operand is its own result whatever the axis. */
const paddlePair = (axis: number): Pair => ({
  rule: paddle({ axis }),
  spec: (s) => spec.paddle(s, { axis }),
})
const legacyPair = (options: { broadcast?: boolean; axis?: number }): Pair => ({
  rule: onnxLegacy(options),
  spec: (s) => spec.onnxLegacy(s, options),
})
const mappingPair = (axesMapping: readonly number[], strict = false): Pair => ({
  rule: explicit({ axesMapping, strict }),
  spec: (s) => spec.explicit(s, { axesMapping, strict }),
})
const setPair = (broadcastAxes: readonly number[]): Pair => ({
  rule: explicit({ broadcastAxes }),
  spec: (s) => spec.explicit(s, { broadcastAxes }),
})

export const plainPairs: readonly Pair[] = [
  { rule: numpy, spec: spec.numpy },
  { rule: bidirectional, spec: spec.bidirectional },
  { rule: unidirectional, spec: spec.unidirectional },
  { rule: sonnx, spec: spec.sonnx },
  { rule: none, spec: spec.none },
  { rule: openvinoPrelu, spec: spec.openvinoPrelu },
  { rule: matmulBatch, spec: spec.matmulBatch },
]

const flags: readonly PdpdOptions[] = [
  {},
  { untrimmed: true },
  { innerOnes: 'error' },
  { untrimmed: true, innerOnes: 'error' },
]
/** Small options of every rule that has some, for tests that enumerate. */
export const pairs: readonly Pair[] = [
  ...plainPairs,
  ...[-1, 0, 1, 2].flatMap((axis) => flags.map((flag) => pdpdPair({ axis, ...flag }))),
  ...[-1, 0, 1, 2].map(paddlePair),
  legacyPair({}),
  legacyPair({ broadcast: true }),
  ...[0, 1, 2].map((axis) => legacyPair({ broadcast: true, axis })),
  ...[[], [0], [1], [0, 1], [0, 2], [1, 2]].flatMap((mapping) => [mappingPair(mapping), mappingPair(mapping, true)]),
  ...[[], [0], [1], [1, 0], [2, 0]].map(setPair),
]

const axes = fc.uniqueArray(fc.nat(5), { maxLength: 4 })

export const anyPair: fc.Arbitrary<Pair> = fc.oneof(
  { weight: 7, arbitrary: fc.constantFrom(...plainPairs) },
  {
    weight: 3,
    arbitrary: fc
      .record({ axis: fc.integer({ min: -1, max: 5 }), flag: fc.constantFrom(...flags) })
      .map(({ axis, flag }) => pdpdPair({ axis, ...flag })),
  },
  { weight: 2, arbitrary: fc.integer({ min: -1, max: 5 }).map(paddlePair) },
  {
    weight: 2,
    arbitrary: fc
      .record({ broadcast: fc.boolean(), axis: fc.nat(5) }, { requiredKeys: [] })
      .map((options) => legacyPair(options)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(axes, fc.boolean()).map(([mapping, strict]) =>
      mappingPair(
        mapping.toSorted((a, b) => a - b),
        strict,
      ),
    ),
  },
  { weight: 1, arbitrary: axes.map(setPair) },
)

const size = fc.constantFrom(0, 1, 2, 2, 3, 3, 4)
export const anyShape = (maxLength: number): fc.Arbitrary<number[]> => fc.array(size, { maxLength })

interface Cut {
  readonly take: number
  readonly ones: readonly boolean[]
  readonly trailing: number
}

const cut: fc.Arbitrary<Cut> = fc.record({
  take: fc.nat(6),
  ones: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  trailing: fc.nat(1),
})

const onesAt = (shape: Shape, { ones }: Cut): number[] => shape.map((dim, axis) => (ones[axis] ? 1 : dim))
const last = (shape: Shape, count: number): Shape => shape.slice(Math.max(0, shape.length - count))

/** An operand that the rule likely accepts beside the result `target`. */
function cutOut({ name, options }: Rule, target: Shape, by: Cut): number[] {
  const given = options as { axis?: number; axesMapping?: number[]; broadcastAxes?: number[]; innerOnes?: string }
  const { axis = -1, axesMapping, broadcastAxes } = given
  const trailing = new Array<number>(by.trailing).fill(1)
  if (axesMapping !== undefined)
    return onesAt(
      axesMapping.map((place) => target[place] ?? 1),
      by,
    )
  if (broadcastAxes !== undefined) return target.filter((_, place) => !broadcastAxes.includes(place))
  if (name === 'none') return [...target]
  if (name === 'matmulBatch') return [...onesAt(last(target, by.take), by), 2, 3].slice(by.trailing)
  if (name === 'openvinoPrelu' && by.ones[0]) return target.slice(1, 2)
  if (name === 'onnxLegacy') {
    const start = axis < 0 ? Math.max(0, target.length - by.take) : axis
    return by.ones[0] && by.ones[1]
      ? [...trailing, ...trailing]
      : target.slice(start, axis < 0 ? undefined : start + by.take)
  }
  if (axis < 0) return onesAt(last(target, by.take), by)
  const run = target.slice(axis, axis + by.take)
  return [...(given.innerOnes === 'error' ? run : onesAt(run, by)), ...trailing]
}

export interface Drawn extends Pair {
  readonly shapes: readonly number[][]
}

/** A rule with 1 to 4 shapes of rank 0 to 6: mostly cut out of a result, some spoilt, some drawn blindly. */
export const drawn: fc.Arbitrary<Drawn> = anyPair.chain((pair) => {
  const fitting = fc
    .tuple(anyShape(6), fc.array(cut, { maxLength: 3 }), cut)
    .map(([target, cuts, own]) => [
      pair.rule.oneWay || pair.rule.name === 'none' ? target : cutOut(pair.rule, target, own),
      ...cuts.map((each) => cutOut(pair.rule, target, each)),
    ])
  const spoilt = fc
    .tuple(fitting, fc.nat(3), fc.nat(5), size)
    .map(([shapes, operand, axis, dim]) =>
      shapes.map((shape, i) => (i === operand % shapes.length && axis < shape.length ? shape.with(axis, dim) : shape)),
    )
  const blind = fc.array(anyShape(6), { minLength: 1, maxLength: 4 })
  return fc
    .oneof({ weight: 6, arbitrary: fitting }, { weight: 3, arbitrary: spoilt }, { weight: 1, arbitrary: blind })
    .map((shapes) => ({ ...pair, shapes: shapes.map((shape) => shape.slice(0, 6)) }))
})

/** Where the layer reads an operand's element for an index of the result. */
export const elementIndex = (shape: Shape, places: readonly number[], index: readonly number[]): number[] =>
  shape.flatMap((dim, axis) => {
    const place = places[axis]!
    // The matrix axes of MatMul take no part.
    if (place === -2) return []
    return [dim === 1 ? 0 : index[place]!]
  })

/** Every shape of rank 0 to `rank` with sizes below `sizes`. */
export function allShapes(rank: number, sizes: number): number[][] {
  let longest: number[][] = [[]]
  const all = [...longest]
  for (let i = 0; i < rank; i++) {
    longest = longest.flatMap((shape) => Array.from({ length: sizes }, (_, dim) => [...shape, dim]))
    all.push(...longest)
  }
  return all
}

/** Indices of a shape: all of them, or every n-th when there are many. */
export function someIndices(shape: Shape, most = 200): number[][] {
  const count = shape.reduce((product, dim) => product * dim, 1)
  const step = Math.max(1, Math.floor(count / most))
  const result: number[][] = []
  for (let flat = 0; flat < count; flat += step) {
    let rest = flat
    result.push(
      shape
        .toReversed()
        .map((dim) => {
          const i = rest % dim
          rest = Math.floor(rest / dim)
          return i
        })
        .reverse(),
    )
  }
  return result
}
