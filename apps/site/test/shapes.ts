// Shapes that meet, for properties.
import { explicit, numpy, onnxLegacy, paddle, pdpd, type Rule, type Shape, unidirectional } from 'bcast'
import fc from 'fast-check'

const results = (rank: number): fc.Arbitrary<number[]> => fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: rank })

/** A shape that numpy stretches to a result. */
const stretching = (result: Shape): fc.Arbitrary<number[]> =>
  fc
    .tuple(fc.nat(result.length), fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }))
    .map(([cut, ones]) => result.slice(cut).map((size, i) => (ones[i] === true ? 1 : size)))

/** Two or three shapes that meet under numpy, the first of them the result's. */
export const broadcastable = (rank: number): fc.Arbitrary<Shape[]> =>
  results(rank).chain((result) =>
    fc.array(stretching(result), { minLength: 1, maxLength: 2 }).map((others) => [result, ...others]),
  )

export interface Ruled {
  readonly shapes: readonly Shape[]
  readonly rule: Rule
}

/** B as a run of A from an axis on, under rules that say where. */
const placed: fc.Arbitrary<Ruled> = results(3).chain((a) =>
  fc.tuple(fc.nat(a.length), fc.nat(a.length), fc.nat(4)).map(([one, other, which]): Ruled => {
    const [axis, end] = [Math.min(one, other), Math.max(one, other)]
    const b = a.slice(axis, end)
    const made = [
      () => pdpd({ axis }),
      () => onnxLegacy({ broadcast: true, axis }),
      () => explicit({ axesMapping: b.map((_, i) => axis + i) }),
      () => explicit({ broadcastAxes: a.flatMap((_, i) => (i >= axis && i < end ? [] : [i])) }),
      () => (b.length < a.length && axis < a.length ? paddle({ axis }) : unidirectional),
    ][which]!()
    return made === unidirectional ? { shapes: [a, a], rule: made } : { shapes: [a, b], rule: made }
  }),
)

/** Shapes that meet, and the rule under which they do. */
export const rules: fc.Arbitrary<Ruled> = fc.oneof(
  broadcastable(3).map((shapes) => ({ shapes, rule: numpy })),
  broadcastable(3).map((shapes) => ({ shapes, rule: unidirectional })),
  placed,
)
