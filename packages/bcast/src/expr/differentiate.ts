// The derivative of an operator as expressions take it: attributes have their defaults, and 16-bit floats are computed
// as operators compute them, in float32, and rounded once at the end.
import { isHalf } from '../dtype/dtype.ts'
import { type Attributes, withDefaults } from './attributes.ts'
import type { Differential, Gradients, Term } from './derivative.ts'
import type { Row } from './row.ts'

/** What is differentiated, with the attributes that were given. */
export interface Applied extends Omit<Differential<Attributes>, 'attributes'> {
  readonly attributes: Attributes
}

/** The gradient of each operand of an operator; undefined where the operator has no derivative. */
export function differentiate(row: Row, { operands, result, delta, attributes }: Applied): Gradients | undefined {
  const widened = (term: Term): Term => (row.moves !== true && isHalf(term.dtype) ? term.cast('float32') : term)
  const wide = widened(delta)
  const gradients = row.derivative?.({
    operands: operands.map(widened),
    result: widened(result),
    delta: wide,
    attributes: withDefaults(row.attributes, attributes),
  })
  // One that is passed on unchanged needs no way there and back.
  return gradients?.map((gradient, i) => (gradient === wide ? delta : gradient?.cast(operands[i]!.dtype)))
}
