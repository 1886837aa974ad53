// What the library refuses, in the words of expressions: made of fields, so that no word of JavaScript is in it, and so
// that what it advises can be typed.
import { onnxLegacy, type Rule, type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { MemorySink, sourceOf } from '../../../../testing/files/memory-arrays.ts'
import { EvaluationError } from '../../src/expression/expression-error.ts'
import { parseExpression } from '../../src/expression/parse.ts'
import { Evaluation } from '../../src/stream/evaluate.ts'

const int = (values: number[]): Tensor => tensor(values, { dtype: 'int32' }) as Tensor

const arrays: Readonly<Record<string, Tensor>> = {
  x: int([7, 8, 9]),
  y: int([1, 0, 2]),
  n: int([-1, -1, 2]),
  floats: tensor([1.5, 2.5, 3.5]) as Tensor,
  flags: tensor([true, false, true]) as Tensor,
  table: tensor(new Float32Array(6), { shape: [2, 3] }) as Tensor,
  column: tensor(new Float32Array(2), { shape: [2] }) as Tensor,
}

/** The elements of a result; throws what is refused. */
async function evaluated(expression: string, rule?: Rule): Promise<unknown[]> {
  const sources = new Map(Object.entries(arrays).map(([name, array]) => [name, sourceOf(array)]))
  const root = parseExpression(expression)
  const evaluation = new Evaluation({ expression, root, sources, rule, dtype: undefined })
  const sink = new MemorySink()
  await evaluation.run(sink, 2 ** 20, () => {})
  return [...sink.elements(evaluation.dtype)]
}

async function refusal(expression: string, rule?: Rule): Promise<EvaluationError> {
  const error = await evaluated(expression, rule).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(EvaluationError)
  return error as EvaluationError
}

describe('a type', () => {
  it('that an operator does not take: those of files that it does, and a cast as it is written', async () => {
    expect(
      (await refusal('1 + sqrt(x - 1)')).message,
    ).toBe(`Sqrt does not take int32 for A; it takes float16, bfloat16, float32, float64. Convert with cast(x - 1, float32).
  1 + sqrt(x - 1)
      ^^^^`)
    expect(
      (await refusal('x + flags')).message,
    ).toBe(`Add does not take bool for B; it takes float16, bfloat16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64. Convert with cast(flags, float32).
  x + flags
    ^
(A is x, B is flags)`)
    expect((await refusal('x and flags')).problem).toContain('; it takes bool. Convert with cast(x, bool).')
  })

  it('that differs from another: both casts, which work as they are written', async () => {
    const { message, cause } = await refusal('floats * x')
    expect(
      message,
    ).toBe(`Mul: element types differ: A is float32, B is int32. Nothing is converted by itself: use cast(x, float32) or cast(floats, int32).
  floats * x
         ^
(A is floats, B is x)`)
    expect(cause).toMatchObject({ code: 'BCAST_DTYPE', operator: 'Mul', operand: 1, beside: { operand: 0 } })
    expect(await evaluated('floats * cast(x, float32)')).toEqual([10.5, 20, 31.5])
    expect(await evaluated('cast(floats, int32) * x')).toEqual([7, 16, 27])
  })

  it('of three operands: the cast that settles it', async () => {
    expect((await refusal('max(floats, x, floats)')).problem).toContain('use cast(x, float32).')
  })
})

describe('a value', () => {
  it('that a type cannot hold is written as it is here, without the letters of what it is beside', async () => {
    expect(
      (await refusal('x + 9223372036854775808')).message,
    ).toBe(`9223372036854775808 cannot be an element of type int32: it lies outside -2147483648 to 2147483647.
  x + 9223372036854775808
      ^^^^^^^^^^^^^^^^^^^`)
    expect((await refusal('where(2, x, x)')).message).not.toContain('(A is')
  })
})

describe('an element without a value', () => {
  it('is at its index, under its operator, with the divisor as it is written; what is advised works', async () => {
    const { message, cause } = await refusal('x + x // (y * 2)')
    expect(
      message,
    ).toBe(`Div: division by zero at index [1] of the result. Make the divisor there nonzero: where((y * 2) == 0, 1, (y * 2)) in the place of (y * 2). A where around the quotient comes too late.
  x + x // (y * 2)
        ^^`)
    expect(cause).toMatchObject({ code: 'BCAST_DIVISION_BY_ZERO', operator: 'Div', operand: 1 })
    expect(await evaluated('x + x // where((y * 2) == 0, 1, (y * 2))')).toEqual([10, 16, 11])
  })

  it('is called y where the divisor is long', async () => {
    expect((await refusal(`x % (y${' * 1'.repeat(15)})`)).problem).toContain('where(y == 0, 1, y) in the place of y.')
  })

  it('may be a zero to a negative power', async () => {
    expect(
      (await refusal('y ** n')).message,
    ).toBe(`Pow: zero to a negative power at index [1] of the result. Make the exponents there zero or positive.
  y ** n
    ^^`)
  })

  it('of numbers alone has no index', async () => {
    expect((await refusal('int8(1) // 0')).problem).toBe(
      'Div: division by zero at index [] of the result. The divisor is 0 whatever the arrays hold.',
    )
  })

  it.each(['x / 0', 'x % (2 - 2)', 'x // int32(0)'])(
    'has no advice for %s, whose divisor is 0 anywhere',
    async (text) => {
      expect((await refusal(text)).problem).toMatch(
        /at index \[0\] of the result\. The divisor is 0 whatever the arrays hold\.$/,
      )
    },
  )
})

describe('shapes', () => {
  it('are mended by options as they are typed, whatever they are of', async () => {
    expect((await refusal('table + column', onnxLegacy({ broadcast: true }))).message).toContain(
      'fix: use rule onnxLegacy(broadcast=1, axis=0) → (2,3)   --rule onnxLegacy --axis 0',
    )
  })
})
