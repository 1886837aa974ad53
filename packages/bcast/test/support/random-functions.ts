// Random functions of two operands, of operators and reductions, for tests of derivatives.
import { type Tensor, tensor } from 'bcast'
import fc from 'fast-check'
import { randomBits } from './random.ts'

/** What such a function sees: any method there is. */
export type Value = Record<string, (...args: unknown[]) => Value> & { readonly dtype: string }
export type Body = (...operands: Value[]) => Value

/** Numbers away from kinks: between 0.3 and 1.7. */
function numbers(count: number, stream: number): number[] {
  const next = randomBits(stream)
  return Array.from({ length: count }, () => 0.3 + (1.4 * next()) / 2 ** 32)
}

const count = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

/** A tensor of such numbers. */
export const float64 = (shape: readonly number[], stream: number): Tensor =>
  tensor(new Float64Array(numbers(count(shape), stream)), { shape: [...shape] }) as Tensor

type Step =
  | {
      readonly kind: 'reduce'
      readonly name: string
      readonly of: number
      readonly axes: readonly number[] | undefined
    }
  | { readonly kind: 'apply'; readonly name: string; readonly of: readonly [number, number] }

const UNARY = ['exp', 'tanh', 'sigmoid', 'sin', 'sqrt', 'neg', 'erf', 'softplus', 'atan']
const BINARY = ['add', 'sub', 'mul', 'div', 'squaredDifference', 'max', 'min', 'pow']
const REDUCTIONS = ['sum', 'mean', 'max', 'min', 'sumSquare', 'norm', 'logSumExp', 'prod']

const step = (rank: number): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('reduce' as const),
      name: fc.constantFrom(...REDUCTIONS),
      of: fc.nat(20),
      axes: fc.option(fc.subarray([...Array(rank).keys()]), { nil: undefined }),
    }),
    fc.record({
      kind: fc.constant('apply' as const),
      name: fc.constantFrom(...UNARY, ...BINARY),
      of: fc.tuple(fc.nat(20), fc.nat(20)),
    }),
  )

/** Above zero whatever the value, so that no root, power or quotient of it has an edge where a derivative is infinite. */
const positive = (value: Value): Value => value['mul']!(value)['add']!(0.5)

function applied(name: string, a: Value, b: Value): Value {
  if (name === 'sqrt') return positive(a)['sqrt']!()
  if (name === 'pow') return positive(a)['pow']!(b)
  if (name === 'div') return a['div']!(positive(b))
  return UNARY.includes(name) ? a[name]!() : a[name]!(b)
}

/** A function of two operands; its result is one element, unless it is wanted whole. */
export function bodyOf(steps: readonly Step[], isWhole = false): Body {
  return (x, y) => {
    const values = [x!, y!]
    for (const each of steps) {
      if (each.kind === 'reduce') {
        const options = { keepdims: true, ...(each.axes === undefined ? {} : { axes: each.axes }) }
        values.push(values[each.of % values.length]![each.name]!(options))
        continue
      }
      const [a, b] = each.of.map((i) => values[i % values.length]!)
      values.push(applied(each.name, a!, b!))
    }
    // Bounded, so that differences stay meaningful.
    const both = values.at(-1)!['tanh']!()['add']!(values.at(-2)!['sigmoid']!())
    return isWhole ? both : both['mean']!()
  }
}

/** Shapes of two operands, the steps of a function, and where their elements are drawn from. */
export const functions = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 })
  .chain((shape) =>
    fc.tuple(
      fc.constant(shape),
      fc.tuple(...shape.map((size) => fc.constantFrom(size, 1))),
      fc.array(step(shape.length), { minLength: 2, maxLength: 6 }),
      fc.nat(1000),
    ),
  )
