// An expression with the sizes of its arrays, read by the command line's own language: what it gives, and how its arrays
// meet. It brings the whole library along, so it is loaded by itself.
import { ExpressionError, namesIn, parseExpression, placeArrays } from '@bcast/cli/expression'
import { UsageError } from '@bcast/cli/shapes'
import { BcastError, numpy, type Shape } from 'bcast'
import { type Question, shapesOf } from '../state/question.ts'
import type { Recognised } from './recognise.ts'

export type Inferred =
  | { readonly kind: 'problem'; readonly text: string }
  | {
      readonly kind: 'inferred'
      readonly expression: string
      /** The arrays that it names, in the order of their first places. */
      readonly names: readonly string[]
      readonly shape: Shape
      /** The shapes of all its arrays, as they meet. */
      readonly question: Question
    }

const problem = (text: string): Inferred => ({ kind: 'problem', text })

export function inferExpression({ expression, arrays }: Extract<Recognised, { kind: 'expression' }>): Inferred {
  try {
    const root = parseExpression(expression)
    const names = [...namesIn(root).keys()]
    const given = new Map(arrays.map(({ name, shape }) => [name, shape]))
    const without = names.filter((name) => !given.has(name))
    if (without.length > 0)
      return problem(`No size is given for ${without.join(', ')}. Behind the expression: ${without[0]}=2,3`)
    const unused = [...given.keys()].find((name) => !names.includes(name))
    if (unused !== undefined) return problem(`The expression does not name ${unused}.`)
    const shapes = shapesOf(names.map((name) => given.get(name)!))
    const open = shapes.findIndex((shape) => shape === null || shape.some((dim) => typeof dim !== 'number'))
    if (open >= 0) return problem(`The size of ${names[open]} is not known. An expression takes sizes in numbers.`)
    const known = shapes as Shape[]
    const { shape } = placeArrays(expression, root, (name) => known[names.indexOf(name)]!, undefined)
    return { kind: 'inferred', expression, names, shape, question: { shapes: known, rule: numpy, onto: 0 } }
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof UsageError || error instanceof BcastError)
      return problem(error.message)
    throw error
  }
}
