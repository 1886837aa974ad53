// What the derivatives of operators promise beside their values: every operator has one or a reason to have none, the
// choices at ties and kinks, one rounding for 16-bit floats, and the gradients that other projects give as examples.
import { readFileSync } from 'node:fs'
import { isFloat, roundNumber } from '@bcast/spec'
import { type DType, fromData, type Tensor } from 'bcast'
import { afterAll, describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { elementsOf, make } from '../../../../testing/elements.ts'
import { type Kink, kinks } from '../../../../testing/kinks.ts'
import { allowedTypes, type Row } from '../../src/expr/row.ts'
import { rows } from '../support/differentiable.ts'
import { applied, chained, fused, gradientOf, gradientTerms, haveGradients } from '../support/gradients.ts'
import { loosely } from '../support/operators.ts'

afterAll(anyBackend)

const rowOf = (call: string): Row => rows.find((row) => row.call === call)!

const isContinuous = (dtype: DType): boolean => isFloat(dtype) || dtype === 'real'

describe('every operator', () => {
  it.each(rows.map((row): [string, Row] => [row.name, row]))(
    '%s has a derivative, or a reason to have none',
    (_, row) => {
      const decides = row.result === 'bool'
      const countsAlone = !allowedTypes(row.types).some(isContinuous)
      expect(row.derivative === undefined).toBe(decides || countsAlone)
    },
  )

  it('has a gradient for each operand, but for those that decide or count', () => {
    const without = rows.flatMap((row) => {
      if (row.derivative === undefined) return []
      const dtypes = row.operands.map((__, i): DType => (row.call === 'where' && i === 0 ? 'bool' : 'float32'))
      const attributes = row.call === 'mod' ? { fmod: true } : {}
      return haveGradients(row, dtypes, attributes).flatMap((has, i) => (has ? [] : [`${row.call} ${row.operands[i]}`]))
    })
    expect(without).toEqual(['where condition'])
    expect(haveGradients(rowOf('pow'), ['float32', 'int32'])).toEqual([true, false])
    expect(haveGradients(rowOf('pow'), ['real', 'real'])).toEqual([true, false])
  })
})

const sign = (x: number): number => (x === 0 ? 0 : x)

describe('ties and kinks', () => {
  it.each(kinks.map((kink): [string, Kink] => [`${kink.call}(${kink.operands.map((list) => `[${list}]`)})`, kink]))(
    '%s',
    (_, { call, attributes = {}, operands, delta = 1, gradients }) => {
      const tensors = operands.map((list) => make(typeof list[0] === 'boolean' ? 'bool' : 'float64', list))
      const deltas = make(
        'float64',
        operands[0]!.map(() => delta),
      )
      for (const { use } of everyBackend) {
        use()
        const got = gradients.map((wanted, i) =>
          wanted === null
            ? null
            : elementsOf(gradientOf(rowOf(call), i, operands.length, attributes)(...tensors, deltas)).map((x) =>
                sign(x as number),
              ),
        )
        expect(got).toEqual(gradients)
      }
    },
  )

  it('are there for every operator that chooses', () => {
    const choosing = ['abs', 'relu', 'leakyRelu', 'prelu', 'elu', 'hardSigmoid', 'clip', 'max', 'min', 'where', 'pow']
    expect(kinks.map(({ call }) => call)).toEqual(expect.arrayContaining(choosing))
  })
})

describe('Pow', () => {
  it('takes an exponent of another type exactly', () => {
    const [base, ones] = [make('float64', [2, 2, 2]), make('float64', [1, 1, 1])]
    const by = (dtype: DType, list: readonly (number | bigint)[]) =>
      elementsOf(gradientOf(rowOf('pow'), 0, 2)(base, make(dtype, list), ones))
    expect(by('int8', [0, 2, -128])).toEqual([0, 4, -128 * 2 ** -129])
    expect(by('uint8', [0, 1, 2])).toEqual([0, 1, 4])
    expect(by('int64', [0n, 2n, 3n])).toEqual([0, 4, 12])
    expect(by('uint64', [0n, 1n, 4n])).toEqual([0, 1, 32])
    // An exponent of 2^-10 less one is no float16.
    const [small] = by('float16', [2 ** -10, 1, 2]) as number[]
    expect(small).toBeCloseTo(2 ** -10 * 2 ** (2 ** -10 - 1), 15)
  })

  it('gives the exponent its gradient in its own type', () => {
    const gradient = gradientOf(rowOf('pow'), 1, 2)(make('float32', [2]), make('float64', [3]), make('float32', [1]))
    expect(gradient.dtype).toBe('float64')
    expect((gradient.toArray() as number[])[0]).toBeCloseTo(8 * Math.LN2, 5)
  })

  it('of exact rationals needs no power that is not there', () => {
    const zero = { n: 0n, d: 1n }
    const gradient = gradientOf(rowOf('pow'), 0, 2)(make('real', [zero]), make('real', [zero]), make('real', [zero]))
    expect(elementsOf(gradient)).toEqual([zero])
  })
})

/** The derivative of the gradient of operand `i`, by operand `j`. */
const secondOrder = (call: string, i: number, j: number, ...lists: readonly number[][]): unknown => {
  const twice = fused(lists.length, (...terms) => {
    const one = terms[0]!.mul(0).add(1)
    return chained(gradientTerms(rowOf(call), terms, one, {})[i]!, one, [terms[j]!])[0]!
  })
  return elementsOf(twice(...lists.map((list) => make('float64', list))))
}

describe('a second derivative', () => {
  it('of Pow is there where the first one is a constant', () => {
    expect(secondOrder('pow', 0, 0, [0, 0, 0, 0], [0, 1, 2, 3])).toEqual([0, 0, 2, 0])
    expect(secondOrder('pow', 1, 1, [0, 0, 1], [0.5, 2, 3])).toEqual([0, 0, 0])
    expect(secondOrder('pow', 1, 0, [0, 0, 1], [1, 2, 3])).toEqual([0, 0, 1])
  })

  it('of Elu knows nothing of an exponential that is infinite', () => {
    expect(secondOrder('elu', 0, 0, [-0, 1, 1000])).toEqual([1, 0, 0])
  })
})

describe('16-bit floats', () => {
  it.each(['float16', 'bfloat16'] as const)('%s round once', (dtype) => {
    const rounded = (x: number): number => roundNumber(dtype, Math.fround(x))
    const list = Array.from({ length: 200 }, (_, i) => rounded((i - 100) / 37))
    const deltas = list.map((x) => rounded(1 + x / 3))
    const gradient = gradientOf(rowOf('tanh'), 0, 1)(make(dtype, list), make(dtype, deltas))
    const values = elementsOf(loosely('tanh')(make(dtype, list))) as number[]
    const wanted = values.map((y, i) => rounded(deltas[i]! * Math.fround(1 - Math.fround(y * y))))
    expect(gradient.dtype).toBe(dtype)
    expect(elementsOf(gradient)).toEqual(wanted)
  })

  it('that only pass a gradient on compute nothing', () => {
    const passed = fused(3, (x, y, delta) => {
      expect(gradientTerms(rowOf('add'), [x, y], delta, {}).every((term) => term === delta)).toBe(true)
      return delta
    })
    const x = make('float16', [1])
    expect(passed(x, x, x).toArray()).toEqual([1])
  })
})

interface Given {
  readonly shape: readonly number[]
  readonly dtype: DType
  readonly values: readonly number[]
}

interface Case {
  readonly id: string
  readonly op: string
  readonly form: string
  readonly rule: string
  readonly inputs: readonly Given[]
  readonly attrs?: { readonly grad_output?: Omit<Given, 'dtype'> }
  readonly expect: { readonly outputs?: readonly Given[]; readonly grads?: readonly Given[] }
}

const cases = (
  JSON.parse(
    readFileSync(new URL('../../../../conformance/cases/gradients.json', import.meta.url), 'utf8'),
  ) as readonly Case[]
).filter(({ expect: { grads } }) => grads !== undefined)

const tensorOf = ({ dtype, shape, values }: Given): Tensor =>
  fromData(dtype, (dtype === 'float32' ? Float32Array : Float64Array).from(values) as never, shape) as Tensor

describe('the cases of other projects', () => {
  it('are there', () => expect(cases).toHaveLength(22))

  it.each(cases.map((each): [string, Case] => [each.id, each]))('%s', (_, { op, inputs, attrs, expect: wanted }) => {
    const [output] = wanted.outputs!
    const tensors = inputs.map((given) => tensorOf(given).broadcastTo(output!.shape) as Tensor)
    const ones = output!.values.map(() => 1)
    const delta = tensorOf({ ...output!, values: attrs?.grad_output?.values ?? ones })
    const named = rows.find(({ name }) => name === op)
    inputs.forEach(({ shape, dtype }, i) => {
      const gradient = fused(3, (a, b, given) => {
        const result = named ? applied(named, [a, b], {}) : a.add(b).mul(a)
        return chained(result, given, [a, b])[i]!
      })
      const got = loosely('sumTo')(gradient(...tensors, delta), shape)
      expect([got.shape, got.dtype]).toEqual([shape, dtype])
      const values = elementsOf(got) as number[]
      for (const [at, value] of wanted.grads![i]!.values.entries()) expect(values[at]).toBeCloseTo(value, 6)
    })
  })
})
