// Gradients of operands under every rule: the adjoint identity exactly in rationals, and every element the
// specification's, to the bit, for every type, layout, backend and way of calling.
import { type DType as SpecType, sumToEach as specSumToEach, toFlat } from '@bcast/spec'
import { BroadcastError, broadcast, type DType, empty, mul, type Rule, sum, type Tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { elementsOf, sameElement, type Value } from '../../../../testing/elements.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import * as rows from '../../src/expr/reductions.ts'
import { type Sample, sample } from '../support/layouts.ts'
import { loosely, looselyLater } from '../support/operators.ts'
import { type RuleCase, resultShape, ruleCase, ruleCases, type Sizes } from '../support/shapes.ts'
import { thrownBy } from '../support/thrown.ts'

const [sumTo, broadcastTo] = [loosely('sumTo'), loosely('broadcastTo')]
const sumToEach = loosely('sumToEach' as never) as unknown as (...args: unknown[]) => Tensor[]

interface Case extends RuleCase {
  readonly samples: readonly Sample[]
}

/** Shapes, samples of them, and samples of the result's shape behind them. */
const caseOf = (name: string, types: readonly DType[], deltas: readonly DType[]): fc.Arbitrary<Case> =>
  ruleCase(name, types.length).chain((made) => {
    const met = made.spec(made.shapes)
    const result: Sizes = met.ok ? met.shape : []
    const samples = [
      ...made.shapes.map((shape, i) => sample(types[i]!, shape)),
      ...deltas.map((dtype) => sample(dtype, result)),
    ]
    return fc.tuple(...samples).map((drawn) => ({ ...made, samples: drawn }))
  })

/** The sum of products of elements, exactly. */
const dot = (a: Tensor, b: Tensor): Value => elementsOf(sum(mul(a, b, { broadcast: 'none' })))[0]!

describe.each(Object.keys(ruleCases))('%s', (name) => {
  it('<broadcastTo(x), d> = <x, sumTo(d)>, exactly', () => {
    let refused = 0
    fc.assert(
      fc.property(caseOf(name, ['bool', 'real'], ['real']), ({ rule, spec, shapes, samples }) => {
        if (!spec(shapes).ok) return
        const [, { tensor: x }, { tensor: d }] = samples as [Sample, Sample, Sample]
        const options = { broadcast: rule }
        if (!spec([d.shape, x.shape]).ok) {
          // Paddle's axis means nothing between shapes of one rank.
          refused++
          const error = thrownBy(() => sumTo(d, x.shape, options)) as Error
          expect(error).toBeInstanceOf(BroadcastError)
          expect(error.message).toBe((thrownBy(() => broadcastTo(x, d.shape, options)) as Error).message)
          return
        }
        const gradient = sumTo(d, x.shape, options)
        expect(gradient.shape).toEqual(x.shape)
        expect(dot(x, gradient)).toEqual(dot(broadcastTo(x, d.shape, options), d))
      }),
      { numRuns: 14 },
    )
    onDefaultSeed(() => expect(refused).toBeLessThan(20))
  })

  it('of three operands: the same for the views of broadcast', () => {
    const reals: DType[] = ['real', 'real', 'real']
    fc.assert(
      fc.property(caseOf(name, reals, reals), ({ rule, spec, shapes, samples }) => {
        const operands = samples.slice(0, 3).map(({ tensor }) => tensor)
        const deltas = samples.slice(3).map(({ tensor }) => tensor)
        const options = { broadcast: rule }
        if (!spec(shapes).ok) {
          expect(() => sumToEach(deltas, shapes, options)).toThrow(BroadcastError)
          return
        }
        const views = broadcast(operands, options)
        for (const [i, gradient] of sumToEach(deltas, shapes, options).entries()) {
          expect(gradient.shape).toEqual(shapes[i])
          expect(dot(operands[i]!, gradient)).toEqual(dot(views[i]!, deltas[i]!))
        }
      }),
      { numRuns: 6 },
    )
  })
})

function expectSame(got: Tensor, dtype: DType, shape: Sizes, wanted: readonly Value[]): void {
  expect([got.dtype, got.shape]).toEqual([dtype, shape])
  const elements = elementsOf(got)
  const wrong = wanted.flatMap((value, i) => (sameElement(elements[i], value) ? [] : [[i, elements[i], value]]))
  expect(wrong).toEqual([])
}

const anyCase = (dtype: DType): fc.Arbitrary<Case> =>
  fc.constantFrom(...Object.keys(ruleCases)).chain((name) => caseOf(name, ['bool', 'bool'], [dtype, dtype]))

describe('every element is the one of the specification', () => {
  it.each(rows.sum.types)('%s', async (dtype) => {
    await fc.assert(
      fc.asyncProperty(anyCase(dtype), async ({ rule, spec, shapes, samples }) => {
        const met = spec(shapes)
        if (!met.ok) return
        const deltas = samples.slice(2)
        const specs = deltas.map((delta) => delta.spec)
        const wanted = specSumToEach(dtype as SpecType, met, shapes, specs).map(toFlat)
        const tensors = deltas.map(({ tensor }) => tensor)
        const way = { broadcast: rule }
        const onto = spec([met.shape, shapes[1]!]).ok
        for (const { use } of everyBackend) {
          use()
          sumToEach(tensors, shapes, way).forEach((got, i) => {
            expectSame(got, dtype, shapes[i]!, wanted[i]!)
          })
          if (!onto) continue
          const [, delta] = tensors
          const [, shape] = shapes
          expectSame(sumTo(delta, shape, way), dtype, shape!, wanted[1]!)
          const out = strided(dtype, shape!)
          expect(sumTo(delta, shape, { ...way, out })).toBe(out)
          expectSame(out, dtype, shape!, wanted[1]!)
          expectSame(await looselyLater('sumTo')(delta, shape, way), dtype, shape!, wanted[1]!)
        }
        anyBackend()
      }),
      { numRuns: 7 },
    )
  })

  /** A tensor to write into whose elements lie neither side by side nor in order. */
  const strided = (dtype: DType, shape: Sizes): Tensor => {
    const room = empty(
      [...shape].reverse().map((size) => 2 * size + 1),
      { dtype },
    ) as Tensor
    return room.transpose().slice(...shape.map((size) => [1, size + 1] as const)) as Tensor
  }

  it('sums of several blocks of the tree', () => {
    const shapes = fc.tuple(resultShape, fc.constantFrom(7, 130, 300), fc.nat(3)).map(([sizes, long, at]) => {
      const small = sizes.slice(0, 3).map((size) => Math.min(size, 3))
      return small.toSpliced(at, 0, long)
    })
    const drawn = shapes.chain((result) =>
      fc.tuple(
        fc.nat(result.length),
        fc.array(fc.boolean(), { minLength: result.length, maxLength: result.length }),
        sample('float16', result),
      ),
    )
    fc.assert(
      fc.property(drawn, ([drop, ones, { tensor, spec }]) => {
        const shape = tensor.shape.map((size, axis) => (ones[axis] ? 1 : size)).slice(drop)
        const { rule, spec: meaning } = unidirectionalCase
        const met = meaning([tensor.shape, shape])
        const [, wanted] = specSumToEach('float16', met, [tensor.shape, shape], [spec, spec])
        for (const { use } of everyBackend) {
          use()
          expectSame(sumTo(tensor, shape, { broadcast: rule }), 'float16', shape, toFlat(wanted!))
        }
        anyBackend()
      }),
      { numRuns: 6 },
    )
  })
})

const unidirectionalCase: { rule: Rule; spec: RuleCase['spec'] } = fc.sample(ruleCase('unidirectional', 2), 1)[0]!
