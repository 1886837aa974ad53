// Expressions of 1 to 5,000 operators: computed operator by operator, fused, asynchronous, into memory that is there,
// on the command line, with more threads, on every backend. Equal to the bit.
import { configure, type DType, type Tensor } from 'bcast'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { make, specials, type Value } from '../../testing/elements.ts'
import { evaluated } from './command-line.ts'
import { computed, type Expression, expressions, fusedOf, written } from './expression.ts'
import { difference, type Outcome, outcomeBy, outcomeOf } from './outcome.ts'

afterAll(() => configure({ backend: 'auto', threads: 2 }))

const SHAPES = [[2, 1, 5], [3, 1], [5]] as const
const LONGEST = 20_000

/** Ordinary numbers and, here and there, values where something changes. */
function operandsOf(dtype: DType): Tensor[] {
  const all = specials(dtype)
  return SHAPES.map((shape, i) => {
    const count = shape.reduce<number>((product, size) => product * size, 1)
    const element = (k: number): Value => {
      if ((k + i) % 5 === 4) return all[(k * 7 + i * 11) % all.length]!
      const number = ((k * 7 + i * 11) % 29) - 14
      return dtype === 'int64' ? BigInt(number) : dtype === 'int32' ? number : number / 8
    }
    return make(
      dtype,
      Array.from({ length: count }, (_, k) => element(k)),
      shape,
    )
  })
}

type Fused = ((...args: unknown[]) => Tensor) & { async: (...args: unknown[]) => Promise<Tensor> }

async function expectSame(expression: Expression, operands: readonly Tensor[]): Promise<void> {
  const check = (way: string, got: Outcome): void => {
    const wrong = difference(got, wanted)
    expect(wrong === undefined ? undefined : `${way}: ${wrong}`).toBeUndefined()
  }
  configure({ backend: 'interpreter' })
  const wanted = await outcomeBy(() => computed(expression, operands) as Tensor)
  for (const [backend, threads] of [
    ['interpreter', 1],
    ['auto', 1],
    ['auto', 3],
  ] as const) {
    configure({ backend, threads })
    const way = `${backend}, ${threads} threads`
    const fused = fusedOf(expression) as Fused
    // What is wanted is that by the interpreter, and so few elements are no work for threads.
    if (backend === 'auto' && threads === 1)
      check(`${way}, operator by operator`, await outcomeBy(() => computed(expression, operands) as Tensor))
    check(`${way}, fused`, await outcomeBy(() => fused(...operands)))
    check(`${way}, fused, async`, await outcomeBy(() => fused.async(...operands)))
    if ('refused' in wanted) continue
    const out = fused(...operands)
    check(`${way}, fused, again into out`, outcomeOf(fused(...operands, { out })))
  }
  const text = written(expression, LONGEST)
  if (text === undefined) return
  const result = await evaluated(text, Object.fromEntries(operands.map((operand, i) => [`x${i}`, operand])))
  if (result !== undefined) check(text, outcomeOf(result))
}

describe('expressions', () => {
  for (const [dtype, isFloat] of [
    ['float32', true],
    ['float16', true],
    ['float64', true],
    ['int32', false],
    ['int64', false],
  ] as const) {
    it(`of 1 to 20 operators over ${dtype}`, async () => {
      const lengths = fc.integer({ min: 1, max: 20 }).chain((length) => expressions(length, isFloat))
      const property = fc.asyncProperty(lengths, (expression) => expectSame(expression, operandsOf(dtype)))
      await fc.assert(property, { numRuns: 8 })
    })

    // Longest where most is inside: functions are computed in float64.
    it.each(dtype === 'float32' ? [200, 5000] : [600])(`of %s operators over ${dtype}`, async (length) => {
      const property = fc.asyncProperty(expressions(length, isFloat), (expression) =>
        expectSame(expression, operandsOf(dtype)),
      )
      // One of thousands of operators would be shrunk for hours.
      await fc.assert(property, { numRuns: 1, endOnFailure: true })
    })
  }
})
