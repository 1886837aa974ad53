// What is wrong with an operand is said of that operand, wherever it stands: every operator, with an operand of a type
// that it does not take in each position, beside numbers, which take their type from it and are not to blame.
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { sourceOf } from '../../../../testing/files/memory-arrays.ts'
import { Composer } from '../../src/expression/compose.ts'
import { EvaluationError } from '../../src/expression/expression-error.ts'
import { operators } from '../../src/expression/operators.ts'
import { parseExpression } from '../../src/expression/parse.ts'
import type { Name } from '../../src/expression/syntax.ts'
import { Evaluation } from '../../src/stream/evaluate.ts'

const arrays: Readonly<Record<string, Tensor>> = {
  flags: tensor([true, false]) as Tensor,
  bytes: tensor([1, 2], { dtype: 'int8' }) as Tensor,
  floats: tensor([1.5, 2.5]) as Tensor,
}

const letterOf = (i: number): string => String.fromCharCode(65 + i)

/** What an expression is refused for, computed at once and as it is for files; undefined where it is not. */
function refusal(expression: string): EvaluationError | undefined {
  const root = parseExpression(expression)
  const sources = new Map(Object.entries(arrays).map(([name, array]) => [name, sourceOf(array)]))
  const ways = [
    () => new Composer({ expression, valueNamed: ({ name }: Name) => arrays[name]! }).compose(root, undefined),
    () => new Evaluation({ expression, root, sources, rule: undefined, dtype: undefined }),
  ]
  const [now, later] = ways.map((way) => {
    try {
      way()
      return undefined
    } catch (error) {
      if (error instanceof EvaluationError) return error
      throw error
    }
  })
  expect(later?.message).toBe(now?.message)
  return now
}

const marked = (expression: string, { span }: EvaluationError): string => expression.slice(span.start, span.end)

/** One operand of each kind, constants and arrays. */
const typed: Readonly<Record<string, string>> = {
  true: 'bool',
  'int8(1)': 'int8',
  'float32(1)': 'float32',
  flags: 'bool',
  bytes: 'int8',
  floats: 'float32',
}
/** What has no type of its own; not all of them fit every type. */
const BITS = '(1 | 2)'
const untyped = ['1', '2', '300', '0.5', BITS]

const places = [...operators.values()].flatMap(({ name, least, most }) =>
  (most > least ? [1, 2, 3].filter((count) => count >= least) : [least]).flatMap((count) =>
    Array.from({ length: count }, (_, i): [string, number, number] => [name, count, i]),
  ),
)

describe.each([...new Set(places.map(([name]) => name))])('%s', (name) => {
  it.each(places.filter(([own]) => own === name))('%s of %i: operand %i is named', (_, count, at) => {
    for (const [operand, dtype] of Object.entries(typed)) {
      for (const other of untyped) {
        const args = Array.from({ length: count }, (_, i) => (i === at ? operand : other))
        const expression = `${name}(${args.join(', ')})`
        const error = refusal(expression)
        const [, refused, letter] = / does not take (\w+) for ([A-Z]);/.exec(error?.problem ?? '') ?? []
        if (refused === undefined) continue
        if (name === 'pow' && args[0] === BITS && marked(expression, error!) === '|') {
          // A base takes its type from its exponent, and these bits cannot: the place is theirs.
          continue
        }
        // What is about bits has a type of its own where it cannot take that of its neighbours.
        const named = refused === 'int64' ? args.indexOf(BITS) : at
        expect([expression, refused, letter]).toEqual([expression, named === at ? dtype : 'int64', letterOf(named)])
        // not(x) is not before (x).
        const text = name === 'not' ? `(${args[named]})` : args[named]
        expect(error!.problem).toContain(`Convert with cast(${text}, `)
        expect(marked(expression, error!)).toBe(name)
      }
    }
  })
})

describe('operators refuse', () => {
  /** The types that an operator refuses in a place, beside numbers that fit any type. */
  const refused = (name: string, count: number, at: number): string[] =>
    Object.keys(typed).filter((operand) =>
      refusal(
        `${name}(${Array.from({ length: count }, (_, i) => (i === at ? operand : '1')).join(', ')})`,
      )?.problem.includes(' does not take '),
    )

  it.each([
    ['add', 2],
    ['pow', 2],
    ['max', 3],
    ['floorDiv', 2],
    ['floorMod', 2],
    ['prelu', 2],
    ['squaredDifference', 2],
  ] as const)('%s: a bool in each place', (name, count) => {
    for (let at = 0; at < count; at++) expect(refused(name, count, at)).toEqual(['true', 'flags'])
  })

  it.each([
    ['bitwiseAnd', 2],
    ['leftShift', 2],
    ['xor', 2],
    ['and', 2],
  ] as const)('%s: a float in each place', (name, count) => {
    for (let at = 0; at < count; at++) expect(refused(name, count, at)).toEqual(expect.arrayContaining(['floats']))
  })
})

describe('operands of two types', () => {
  const pairs = places.filter(([, count, at]) => count > 1 && at > 0)
  it.each(pairs)('%s of %i: operand %i and one before it', (name, count, second) => {
    for (let first = 0; first < second; first++) {
      const expression = `${name}(${Array.from({ length: count }, (_, i) =>
        i === first ? 'int8(1)' : i === second ? 'int16(1)' : '1',
      ).join(', ')})`
      const error = refusal(expression)
      const differ = /element types differ: ([A-Z]) is int8, ([A-Z]) is int16\./.exec(error?.problem ?? '')
      if (differ === null) continue
      expect([expression, differ[1], differ[2]]).toEqual([expression, letterOf(first), letterOf(second)])
      expect(error!.problem).toContain('use cast(int16(1), int8) or cast(int8(1), int16).')
    }
  })
})

describe('a number that does not fit', () => {
  it.each([
    ['300 + bytes', '300', '300 cannot be an element of type int8'],
    ['bytes + 300', '300', '300 cannot be an element of type int8'],
    ['max(1, bytes, 300)', '300', '300 cannot be an element of type int8'],
    ['max(300, 1, bytes)', '300', '300 cannot be an element of type int8'],
    ['where(flags, 300, bytes)', '300', '300 cannot be an element of type int8'],
    ['where(flags, bytes, 0.5)', '0.5', '0.5 cannot be an element of type int8'],
    ['where(2, bytes, bytes)', '2', '2 cannot be an element of type bool'],
    ['where(flags, 2, true)', '2', '2 cannot be an element of type bool'],
    ['bytes ** 300', '300', '300 cannot be an element of type int8'],
    ['300 ** bytes', '300', '300 cannot be an element of type int8'],
    ['2 == true', '2', '2 cannot be an element of type bool'],
    ['0.5 & bytes', '0.5', '0.5 cannot be an element of type int8'],
  ])('%s is shown at its place', (expression, place, problem) => {
    const error = refusal(expression)!
    expect(error.problem).toContain(problem)
    expect(marked(expression, error)).toBe(place)
  })

  it.each([
    ['1 + true', '+', 'Add does not take bool for B'],
    ['2 + true', '+', 'Add does not take bool for B'],
    ['true + 2', '+', 'Add does not take bool for A'],
    ['(1 | 2) + flags', '+', 'Add does not take bool for B'],
    ['2 ** true', '**', 'Pow does not take bool for B'],
    ['max(bytes, 300, true)', 'max', 'Max does not take bool for C'],
    ['0.5 << flags', '<<', 'BitwiseLeftShift does not take bool for B'],
  ])('%s: where the operator does not take the type, that is said instead', (expression, place, problem) => {
    const error = refusal(expression)!
    expect(error.problem).toContain(problem)
    expect(marked(expression, error)).toBe(place)
  })
})

it('more elements than can be counted are shown where the arrays meet', () => {
  const expression = '1 + tall * wide'
  const huge = (shape: number[]) => ({ ...sourceOf(arrays['bytes']!), shape })
  const sources = new Map([
    ['tall', huge([2 ** 52, 1])],
    ['wide', huge([1, 2 ** 52])],
  ])
  const root = parseExpression(expression)
  const evaluate = () =>
    new Evaluation({ expression, root, sources: sources as never, rule: undefined, dtype: undefined })
  expect(evaluate).toThrow(EvaluationError)
  expect(evaluate).toThrow(
    /^shape of the result .*passes 2\^53 - 1.*\n {2}1 \+ tall \* wide\n {11}\^\n\(A is tall, B is wide\)$/,
  )
})
