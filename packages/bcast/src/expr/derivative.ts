// What the derivative of an operator is written with: the gradient of each operand as an expression over the operands,
// the result and the gradient of the result. It is made of operators that have derivatives themselves, so that
// differentiating it again gives the next order; and of methods alone, so that a row brings no other row with it.
import type { DType } from '../dtype/dtype.ts'
import type { Settled } from './attributes.ts'

type Operand = Term | number

/** What stands for a tensor inside an expression, as `fuse` has it; a number beside it takes its type. */
export interface Term {
  readonly dtype: DType
  add(other: Operand): Term
  sub(other: Operand): Term
  mul(other: Operand): Term
  div(other: Operand): Term
  pow(exponent: Operand): Term
  neg(): Term
  sign(): Term
  round(): Term
  exp(): Term
  log(): Term
  sin(): Term
  cos(): Term
  tanh(): Term
  sigmoid(): Term
  erf(): Term
  equal(other: Operand): Term
  notEqual(other: Operand): Term
  less(other: Operand): Term
  lessOrEqual(other: Operand): Term
  greater(other: Operand): Term
  greaterOrEqual(other: Operand): Term
  and(other: Term): Term
  or(other: Term): Term
  /** Of a condition: x where it holds, else y. What is not chosen has no influence, whatever it is. */
  where(x: Operand, y: Operand): Term
  cast(dtype: DType): Term
}

/** What a derivative is made from; all have the result's shape, and the result a type of floats or rationals. */
export interface Differential<A> {
  readonly operands: readonly Term[]
  readonly result: Term
  /** The gradient of the result. */
  readonly delta: Term
  readonly attributes: Settled<A>
}

/** The gradient of each operand, in its type; undefined for one that has none, as the condition of Where. */
export type Gradients = readonly (Term | undefined)[]

/** The derivative of an operator of one operand. */
export const slope =
  <A>(gradient: (x: Term, delta: Term, result: Term, attributes: Settled<A>) => Term) =>
  ({ operands: [x], result, delta, attributes }: Differential<A>): Gradients => [
    gradient(x!, delta, result, attributes),
  ]

/** Zero everywhere, also where a product with zero would be NaN. */
export const zeros = (like: Term): Term => like.less(like).where(like, 0)
