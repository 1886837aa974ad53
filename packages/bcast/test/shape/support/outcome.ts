// What a rule makes of shapes, in the least words: shapes are written as the documents write them, '(2,3) (3)'.
import type { Shape } from '../../../src/shape/dim.ts'
import { isFailure, resolve } from '../../../src/shape/resolve.ts'
import type { Rule } from '../../../src/shape/rule.ts'

/** The shapes in a text such as `(2,3) () (3)`. */
export const shapesIn = (text: string): number[][] =>
  [...text.matchAll(/\(([\d,]*)\)/g)].map(([, sizes]) => (sizes === '' ? [] : sizes!.split(',').map(Number)))

/** The result's shape, or the sentence of the failure. */
export const result = (rule: Rule, given: readonly Shape[] | string, onto = 0): readonly number[] | string => {
  const outcome = resolve(rule, typeof given === 'string' ? shapesIn(given) : given, onto)
  return isFailure(outcome) ? outcome.sentence : outcome.shape
}

export const accepts = (rule: Rule, ...shapes: Shape[]): boolean => !isFailure(resolve(rule, shapes))

/** Where the last operand's axes go. */
export const places = (rule: Rule, ...shapes: Shape[]): readonly number[] | undefined => {
  const outcome = resolve(rule, shapes)
  return isFailure(outcome) ? undefined : outcome.axes.at(-1)
}
