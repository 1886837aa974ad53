// One call, every way to make it: function, method, inside fuse, asynchronous, into memory that is there, as an
// expression of the command line, as a node of a model, on every backend. Equal to the bit, or refused alike.
import { NodeError } from '@bcast/onnx'
import { configure, type DType, dtypes, Tensor, tensor } from 'bcast'
import { real } from 'bcast/real'
import { afterAll, describe, expect, it } from 'vitest'
import { allowedTypes } from '../../packages/bcast/src/expr/row.ts'
import { make, specials } from '../../testing/elements.ts'
import { evaluated, expressionOf } from './command-line.ts'
import { runAsNode } from './model.ts'
import { difference, type Outcome, outcomeBy, outcomeOf } from './outcome.ts'
import { attributesOf, operandsOf, ownTypes, type Question, rows, textOf } from './question.ts'
import { ways } from './ways.ts'

afterAll(() => configure({ backend: 'auto' }))

const BACKENDS = ['interpreter', 'auto'] as const

async function asNode(question: Question): Promise<Outcome | undefined> {
  try {
    const result = await runAsNode(question)
    return result && outcomeOf(result)
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return outcomeBy(() => Promise.reject(error.cause))
  }
}

/** What is wrong with any way to make a call. */
async function complaintsAbout(question: Question): Promise<string[]> {
  const areTensors = question.operands.every((operand) => operand instanceof Tensor)
  const complaints: string[] = []
  const note = (way: string, got: Outcome, wanted: Outcome): void => {
    const wrong = difference(got, wanted)
    if (wrong !== undefined) complaints.push(`${textOf(question)}, ${way}: ${wrong}`)
  }
  configure({ backend: 'interpreter' })
  const wanted = await outcomeBy(() => ways[0]!.ask(question, { refused: '' })!)
  // A value is a tensor before a backend sees it, which one that is not the wanted one's shows.
  for (const backend of areTensors ? BACKENDS : BACKENDS.slice(1)) {
    configure({ backend })
    for (const { name, ask } of ways) {
      let made = true
      const got = await outcomeBy(async () => {
        const result = await ask(question, wanted)
        made = result !== undefined
        return result ?? tensor(0)
      })
      if (made) note(`${name}, ${backend}`, got, wanted)
    }
    const node = await asNode(question)
    if (node !== undefined) note(`node, ${backend}`, node, wanted)
    const asked = expressionOf(question)
    if (asked === undefined) continue
    const result = await evaluated(asked.expression, asked.arrays)
    if ('refused' in wanted !== (result === undefined)) {
      complaints.push(
        `${textOf(question)}, ${asked.expression}, ${backend}: ${result === undefined ? 'refused' : 'taken'}`,
      )
    } else if (result !== undefined) note(`${asked.expression}, ${backend}`, outcomeOf(result), wanted)
  }
  return complaints
}

/** Special values of a type as a tensor whose shape meets those of the other operands, if only the first may be kept. */
function operandOf(dtype: DType, i: number, count: number, isOneWay = false): Tensor {
  const all = specials(dtype)
  // Not too many: with all of two operands every pair of values would be computed in every way.
  const some = Array.from({ length: Math.min(all.length, 7) }, (_, k) => all[(k * 5 + i * 3) % all.length]!)
  const shapes = [[some.length], [some.length, 1], [], [1, some.length]] as const
  const shape = count > 4 || (isOneWay && i === 1) ? [some.length] : shapes[i % shapes.length]!
  return make(dtype, shape.length === 0 ? some.slice(0, 1) : some, shape)
}

const LITERALS: readonly unknown[] = [
  0.1,
  1e-50,
  1e40,
  -0,
  3,
  -1,
  0.5,
  300,
  65_520,
  2 ** 24 + 1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2n ** 53n + 1n,
  -1n,
  2n ** 64n,
  true,
  'a',
  real(1n, 3n),
]

function* questionsOf(name: string, dtype: DType): Generator<Question> {
  const row = rows.get(name)!
  const count = operandsOf(row, 3)
  const choices = attributesOf(row)
  for (const [choice, attributes] of choices.entries()) {
    for (const own of ownTypes(row, dtype)) {
      const operands = Array.from({ length: count }, (_, i) =>
        operandOf(i === row.own?.operand ? own : dtype, i, count, row.rule?.oneWay),
      )
      yield { name, row, operands, attributes }
      // Values are beside types that are taken, each with one of the choices.
      const turn = dtypes.indexOf(dtype) % choices.length
      if (own !== ownTypes(row, dtype)[0] || choice !== turn || !allowedTypes(row.types).includes(dtype)) continue
      // A value in each place, of those that there are one after the other.
      for (let place = 0; place < count && count > 1; place++) {
        const literal = LITERALS[(name.length * 7 + dtypes.indexOf(dtype) * 5 + place * 9) % LITERALS.length]
        yield { name, row, operands: operands.with(place, literal as never), attributes }
      }
    }
  }
}

describe('every operator', () => {
  for (const name of rows.keys()) {
    it(`${name}, of every type`, async () => {
      const complaints: string[] = []
      for (const dtype of dtypes) {
        for (const question of questionsOf(name, dtype)) complaints.push(...(await complaintsAbout(question)))
      }
      expect(complaints.slice(0, 8)).toEqual([])
    })
  }
})

describe('operators of any number of operands', () => {
  for (const [name, row] of [...rows].filter(([, { variadic }]) => variadic === true)) {
    it(`${name} of 1 to 40`, async () => {
      const complaints: string[] = []
      const types: readonly DType[] = ['float16', 'int64', 'float32']
      for (const dtype of types.filter((each) => allowedTypes(row.types).includes(each))) {
        for (const count of [1, 2, 31, 32, 33, 40]) {
          const operands = Array.from({ length: count }, (_, i) => operandOf(dtype, i, 5))
          const numbers = operands.map((operand, i) => (i % 3 === 1 && dtype !== 'int64' ? 0.1 : operand))
          complaints.push(...(await complaintsAbout({ name, row, operands, attributes: {} })))
          // One operand and a number are taken in an array alone, since the number could be an axis.
          if (count === 2 && row.beside !== undefined) continue
          complaints.push(...(await complaintsAbout({ name, row, operands: numbers, attributes: {} })))
        }
      }
      expect(complaints.slice(0, 8)).toEqual([])
    })
  }
})
