// Shapes that mostly meet, for every rule: the library's rule beside the specification's, and operand shapes derived
// from a result that both can reach. Now and then a size is changed, so that refusals are compared too.
import * as spec from '@bcast/spec'
import {
  bidirectional,
  explicit,
  none,
  numpy,
  onnxLegacy,
  openvinoPrelu,
  paddle,
  pdpd,
  type Rule,
  sonnx,
  unidirectional,
} from 'bcast'
import fc from 'fast-check'

export type Sizes = readonly number[]

export interface RuleCase {
  readonly rule: Rule
  readonly spec: (shapes: readonly Sizes[]) => spec.RuleResult
  readonly shapes: readonly Sizes[]
}

const MAX_ELEMENTS = 120

/** Sizes cut down so that the result stays small. */
const bounded = (sizes: readonly number[]): number[] => {
  let count = 1
  return sizes.map((size) => {
    if (count * size > MAX_ELEMENTS) return 1
    count *= Math.max(size, 1)
    return size
  })
}

const size = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(1, 2, 2, 3, 3, 4, 5) },
  { weight: 1, arbitrary: fc.constant(0) },
)

/** A result's shape, of rank 0 to 6. */
export const resultShape: fc.Arbitrary<number[]> = fc.array(size, { maxLength: 6 }).map(bounded)

const flags = fc.array(fc.constantFrom(false, false, true), { minLength: 6, maxLength: 6 })

/** A shape that stretches onto `result`: some sizes 1, some leading axes gone. */
const stretching = (result: Sizes): fc.Arbitrary<number[]> =>
  fc
    .tuple(flags, fc.nat(result.length))
    .map(([ones, drop]) => result.map((n, axis) => (ones[axis] ? 1 : n)).slice(drop % 2 === 0 ? 0 : drop))

const tupleOf = <T>(count: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { minLength: count, maxLength: count })

/** Operand shapes that meet under numpy. */
export const numpyShapes = (operands: number): fc.Arbitrary<number[][]> =>
  resultShape.chain((result) => tupleOf(operands, stretching(result)))

/** Shapes that all go onto the first. */
const ontoFirst = (operands: number, place: (a: Sizes) => fc.Arbitrary<number[]>): fc.Arbitrary<Sizes[]> =>
  resultShape.chain((a) => tupleOf(operands - 1, place(a)).map((others) => [a, ...others]))

/** One size of one operand changed. */
const disturbed = (shapes: readonly Sizes[]): fc.Arbitrary<Sizes[]> =>
  fc.tuple(fc.nat(9), fc.nat(20), fc.nat(6), fc.nat(4)).map(([chance, operand, axis, value]) => {
    if (chance > 1 || shapes.length === 0) return [...shapes]
    const changed = operand % shapes.length
    return shapes.map((shape, i) =>
      i === changed && shape.length > 0 ? shape.with(axis % shape.length, value) : shape,
    )
  })

const starts = (a: Sizes): fc.Arbitrary<{ start: number; length: number }> =>
  fc.nat(a.length).chain((start) => fc.nat(a.length - start).map((length) => ({ start, length })))

/** B as sizes of A from an axis on, some of them 1 where `ones` allows, with ones behind. */
const runOf = (
  a: Sizes,
  { start, length }: { start: number; length: number },
  ones: readonly boolean[],
  behind: number,
): number[] => [
  ...a.slice(start, start + length).map((n, i) => (ones[i] ? 1 : n)),
  ...new Array<number>(Math.min(behind, a.length - start - length)).fill(1),
]

const none3 = [false, false, false, false, false, false]

/** B placed at one start axis; all operands but the first share it, since the axis is the rule's. */
const startCases = (operands: number, stretches: boolean): fc.Arbitrary<{ axis: number; shapes: Sizes[] }> =>
  resultShape.chain((a) =>
    starts(a).chain(({ start, length }) =>
      tupleOf(operands - 1, fc.tuple(flags, fc.nat(2))).map((others) => ({
        axis: start,
        shapes: [a, ...others.map(([ones, behind]) => runOf(a, { start, length }, stretches ? ones : none3, behind))],
      })),
    ),
  )

const suffixes = (a: Sizes): fc.Arbitrary<number[]> =>
  fc.tuple(flags, fc.nat(a.length)).map(([ones, drop]) => a.slice(drop).map((n, i) => (ones[i] ? 1 : n)))

type Made = Omit<RuleCase, 'shapes'> & { readonly shapes: readonly Sizes[] }

const fixed = (rule: Rule, meaning: RuleCase['spec'], shapes: fc.Arbitrary<readonly Sizes[]>): fc.Arbitrary<Made> =>
  shapes.map((given) => ({ rule, spec: meaning, shapes: given }))

/** Every rule that element-wise operators take, by name. */
export const ruleCases: Readonly<Record<string, (operands: number) => fc.Arbitrary<Made>>> = {
  numpy: (n) => fixed(numpy, spec.numpy, numpyShapes(n)),
  bidirectional: (n) => fixed(bidirectional, spec.bidirectional, numpyShapes(n)),
  sonnx: (n) => fixed(sonnx, spec.sonnx, numpyShapes(n)),
  none: (n) =>
    fixed(
      none,
      spec.none,
      resultShape.map((shape) => new Array<Sizes>(n).fill(shape)),
    ),
  unidirectional: (n) => fixed(unidirectional, spec.unidirectional, ontoFirst(n, stretching)),
  'pdpd, axis -1': (n) => fixed(pdpd(), spec.pdpd, ontoFirst(n, suffixes)),
  'pdpd, axis': (n) =>
    startCases(n, true).chain(({ axis, shapes }) =>
      fc
        .constantFrom({ axis }, { axis, untrimmed: true })
        .map((options) => ({ rule: pdpd(options), spec: (s: readonly Sizes[]) => spec.pdpd(s, options), shapes })),
    ),
  'pdpd of Paddle 1.5': (n) =>
    startCases(n, false).map(({ axis, shapes }) => {
      const options = { axis, innerOnes: 'error' } as const
      return { rule: pdpd(options), spec: (s: readonly Sizes[]) => spec.pdpd(s, options), shapes }
    }),
  paddle: (n) =>
    startCases(n, true).chain(({ axis, shapes }) =>
      // A single operand meets nothing, so the axis would mean nothing.
      fc.constantFrom<{ axis?: number }>(n === 1 ? {} : { axis }, {}).map((options) => ({
        rule: paddle(options),
        spec: (s: readonly Sizes[]) => spec.paddle(s, options),
        shapes:
          'axis' in options
            ? shapes
            : shapes.map((shape) =>
                shapes[0]!.slice(shapes[0]!.length - shape.length).map((size, i) => (shape[i] === 1 ? 1 : size)),
              ),
      })),
    ),
  'explicit, axesMapping': (n) =>
    resultShape.chain((a) =>
      fc
        .tuple(fc.subarray(a.map((_, axis) => axis)), tupleOf(n - 1, flags), fc.boolean())
        .map(([axesMapping, ones, strict]) => {
          const options = { axesMapping, strict }
          const others = ones.map((own) => axesMapping.map((axis, i) => (own[i] && !strict ? 1 : a[axis]!)))
          return n === 1
            ? { rule: numpy, spec: spec.numpy, shapes: [a] }
            : {
                rule: explicit(options),
                spec: (s: readonly Sizes[]) => spec.explicit(s, options),
                shapes: [a, ...others],
              }
        }),
    ),
  'explicit, broadcastAxes': (n) =>
    resultShape.chain((a) =>
      fc.shuffledSubarray(a.map((_, axis) => axis)).map((broadcastAxes) => {
        const options = { broadcastAxes }
        const kept = a.filter((_, axis) => !broadcastAxes.includes(axis))
        return {
          rule: explicit(options),
          spec: (s: readonly Sizes[]) => spec.explicit(s, options),
          shapes: [a, ...new Array<Sizes>(n - 1).fill(kept)],
        }
      }),
    ),
  onnxLegacy: (n) =>
    startCases(n, false).chain(({ axis, shapes }) =>
      fc.constantFrom({ broadcast: true, axis }, { broadcast: true }, {}).map((options) => ({
        rule: onnxLegacy(options),
        spec: (s: readonly Sizes[]) => spec.onnxLegacy(s, options),
        shapes:
          'axis' in options
            ? shapes
            : 'broadcast' in options
              ? shapes.map((shape) => shapes[0]!.slice(shapes[0]!.length - shape.length))
              : shapes.map(() => shapes[0]!),
      })),
    ),
  openvinoPrelu: (n) =>
    fixed(
      openvinoPrelu,
      spec.openvinoPrelu,
      ontoFirst(n, (a) =>
        a.length >= 2
          ? fc.oneof(fc.constant<number[]>([a[1]!]), fc.constant<number[]>([1]), stretching(a))
          : stretching(a),
      ),
    ),
}

/** Shapes for one rule, mostly ones that meet. */
export const ruleCase = (name: string, operands: number): fc.Arbitrary<RuleCase> =>
  ruleCases[name]!(operands).chain(({ rule, spec: meaning, shapes }) =>
    disturbed(shapes).map((changed) => ({ rule, spec: meaning, shapes: changed })),
  )
