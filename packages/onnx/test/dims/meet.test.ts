// Shapes of Dims under bcast's rules: verdicts, shapes and conditions over the model's symbols, held against concrete
// broadcasting for every assignment of small sizes.
import { type Condition, explain, formatConditions, none, sonnx, unidirectional } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  constant,
  type Dim,
  dimConditionsHold,
  evaluate,
  format,
  formatDimConditions,
  type Meeting,
  meet,
  Names,
  parse,
  sub,
  symbol,
} from '../../src/dims/index.ts'

const positive = (name: string): Dim => symbol(name, { min: 1 })
const shapesOf = (texts: readonly string[], symbolOf?: (name: string) => Dim): Dim[][] =>
  texts.map((text) => text.split(';').map((each) => parse(each, symbolOf)))

const said = ({ verdict, shape, conditions, failure }: Meeting): string => {
  if (verdict === 'error') return failure!
  const result = `(${shape?.map((dim) => dim && format(dim)).join(', ')})`
  return verdict === 'ok' ? result : `${result} if ${formatDimConditions(conditions)}`
}

/** Broadcasting of concrete shapes in its plainest words; undefined when they do not fit. */
function together(shapes: readonly (readonly number[])[]): number[] | undefined {
  const rank = Math.max(...shapes.map(({ length }) => length))
  const result = Array.from({ length: rank }, (_, axis) => {
    const sizes = new Set(shapes.map((shape) => shape[axis - rank + shape.length] ?? 1))
    sizes.delete(1)
    return sizes.size > 1 ? Number.NaN : ([...sizes][0] ?? 1)
  })
  return result.some(Number.isNaN) ? undefined : result
}

describe('names', () => {
  it('are numbers, texts, and short only for what is too long to read', () => {
    const names = new Names()
    const long = parse(`N*M + ${Array.from({ length: 12 }, (_, i) => `symbol${i}`).join(' + ')}`)
    expect([constant(3), symbol('N'), parse('1 + 2*N'), long].map((dim) => names.nameOf(dim))).toEqual([
      3,
      'N',
      '2*N + 1',
      '#1',
    ])
    expect(names.nameOf(parse('N + N + 1'))).toBe('2*N + 1')
    expect(names.dimOf('2*N + 1')?.key).toBe('2*N+1')
    expect(names.dimOf('#1')).toBe(long)
    expect(names.dimOf(7)?.key).toBe('7')
    expect(names.dimOf('other')).toBeUndefined()
    expect(names.legend()).toEqual([`#1 = ${format(long)}`])
  })

  it('are refused to what is no size', () => {
    const refusal = expect.objectContaining({ code: 'DIM_SIZE' })
    expect(() => new Names().nameOf(constant(-1))).toThrow(refusal)
    expect(() => new Names().nameOf(sub(symbol('s', { max: 3 }), 4))).toThrow(refusal)
    expect(() => new Names().nameOf(constant(2n ** 53n))).toThrow(refusal)
  })

  it('read as they are in explanations', () => {
    const { explanation } = meet(shapesOf(['floor((H + 1)/2);N', '2*N;N']))
    expect(String(explanation)).toContain('(floor((H + 1)/2),N) with (2*N,N) under numpy')
  })
})

describe('meeting', () => {
  it.each([
    [['N;C', 'N;1'], '(N, C)'],
    [['2*N + 1', '1 + N + N'], '(2*N + 1)'],
    [['N', '4'], '(4) if N = 1 or N = 4'],
    [['2*N + 1', '1'], '(2*N + 1)'],
    [['2*N + 1', '3'], '(3) if N = 0 or N = 1'],
    [['2*N + 1', '4'], '(4) if N = 0'],
    [['2*N', '3'], 'no sizes satisfy 2*N = 1 or 2*N = 3'],
    [['floor((H + 1)/8)', '7'], '(7) if 7 <= H <= 14 or 55 <= H <= 62'],
    [['N;2*N', '4;4'], 'no sizes satisfy (N = 1 or N = 4) and (2*N = 1 or 2*N = 4)'],
    [['N;2*N', '4;8'], '(4, 8) if N = 4'],
    [['N;N + 1', '3;3'], 'no sizes satisfy (N = 1 or N = 3) and (N + 1 = 1 or N + 1 = 3)'],
    [['2*N;M', '2*K;5'], '(2*K, 5) if N = K and (M = 1 or M = 5)'],
    [['max(N, 2)', 'M'], '(max(N, 2)) if M = 1 or M = max(N, 2)'],
    [['N*C', '12'], '(12) if C*N = 1 or C*N = 12'],
    [['N', 'M'], '(max(M, N)*min(M, N, 1)) if N = 1 or M = 1 or N = M'],
    [['2;3', '4;3'], 'cannot broadcast axis -2: 2 vs 4'],
  ])('%j: %s', (texts, expected) => {
    expect(said(meet(shapesOf(texts)))).toContain(expected)
  })

  it('of sizes that are not 0 needs no more than the largest', () => {
    expect(said(meet(shapesOf(['N', 'M'], positive)))).toBe('(max(M, N)) if N = 1 or M = 1 or N = M')
    expect(said(meet(shapesOf(['N', 'N + 1'], positive)))).toBe('(2) if N = 1')
  })

  it('takes every rule', () => {
    expect(said(meet(shapesOf(['N + 1', 'M']), { broadcast: none }))).toBe('(N + 1) if M = N + 1')
    expect(said(meet(shapesOf(['2*N', 'M']), { broadcast: unidirectional }))).toBe('(2*N) if M = 1 or M = 2*N')
    expect(said(meet(shapesOf(['M', '2*N']), { broadcast: unidirectional, onto: 1 }))).toBe('(2*N) if M = 1 or M = 2*N')
  })

  it('says what sizes may not be', () => {
    const literally = (text: string): string => said(meet(shapesOf([text, '1']), { broadcast: sonnx }))
    expect(literally('N + 1')).toBe('(N + 1)')
    expect(literally('3*N')).toBe('(3*N) if N ≠ 0')
    expect(literally('floor(N/2)')).toBe('(floor(N/2)) if floor(N/2) ≠ 0')
    expect(literally('N*M')).toBe('(M*N) if M*N ≠ 0')
  })

  it('with an unknown rank leaves to bcast what only bcast can say', () => {
    const met = meet([null, [parse('2*N + 1')]])
    expect(met.verdict).toBe('conditional')
    const expected: readonly Condition[] = explain([null, ['2*N + 1']]).conditions
    expect(formatDimConditions(met.conditions)).toBe(formatConditions(expected))
    expect(dimConditionsHold(met.conditions, { N: 1 })).toBe(false)
  })

  it('conditions hold for exactly the sizes that broadcast, and the shape is theirs', () => {
    const dim = fc.constantFrom(
      ...[
        '1',
        '2',
        '4',
        'N',
        'M',
        '2*N',
        'N + 1',
        'N + M',
        '2*N + 1',
        'N*M',
        'floor(N/2)',
        'floor((N + 1)/2)',
        'max(N, M)',
      ],
      ...['max(M, 1)', 'min(N, 2)', 'mod(N, 2)', 'N + floor(M/2)', '3*M', 'max(N - 2, 0)'],
    )
    const shape = fc.array(dim, { maxLength: 3 })
    const symbols = fc.constantFrom(symbol, positive)
    fc.assert(
      fc.property(fc.array(shape, { minLength: 2, maxLength: 3 }), symbols, (texts, symbolOf) => {
        const shapes = texts.map((each) => each.map((text) => parse(text, (name) => symbolOf(name))))
        const met = meet(shapes)
        const least = symbolOf === positive ? 1 : 0
        for (let N = least; N <= 5; N++) {
          for (let M = least; M <= 5; M++) {
            const concrete = shapes.map((each) => each.map((size) => Number(evaluate(size, { N, M }))))
            const result = together(concrete)
            const holds = met.verdict !== 'error' && dimConditionsHold(met.conditions, { N, M })
            expect(holds).toBe(result !== undefined)
            if (holds) expect(met.shape?.map((size) => size && Number(evaluate(size, { N, M })))).toEqual(result)
          }
        }
      }),
      { numRuns: 200 },
    )
  })
})
