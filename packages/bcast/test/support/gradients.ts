// Derivatives of operators as the tests ask for them: of tensors that have the result's shape, computed by `fuse`; and
// the derivative of an expression, by the chain rule alone, so that derivatives can be differentiated again.
import type { DType, Tensor } from 'bcast'
import { fuse } from 'bcast'
import type { Attributes } from '../../src/expr/attributes.ts'
import type { Term } from '../../src/expr/derivative.ts'
import { differentiate } from '../../src/expr/differentiate.ts'
import { inOrder } from '../../src/expr/order.ts'
import type { Row } from '../../src/expr/row.ts'
import type { Node } from '../../src/expr/trace.ts'
import { TracedOperand } from '../../src/ops/traced.ts'
import { loosely, type PublicName } from './operators.ts'

/** A function over terms, fused. */
export const fused = (count: number, body: (...terms: Term[]) => Term): ((...tensors: Tensor[]) => Tensor) =>
  fuse(body as unknown as (...operands: never[]) => unknown, { operands: count })

/** The operator as part of an expression. */
export const applied = (row: Row, operands: readonly Term[], attributes: Attributes): Term =>
  loosely(row.call as PublicName)(...(row.variadic === true ? [operands] : operands), attributes) as unknown as Term

/** The gradients of an operator's operands, as terms. */
export const gradientTerms = (row: Row, operands: readonly Term[], delta: Term, attributes: Attributes) =>
  differentiate(row, { operands, result: applied(row, operands, attributes), delta, attributes })!

/** A function that gives the gradient of operand `i`, from the operands and the gradient of the result behind them. */
export const gradientOf = (row: Row, i: number, count: number, attributes: Attributes = {}) =>
  fused(count + 1, (...terms) => gradientTerms(row, terms.slice(0, -1), terms.at(-1)!, attributes)[i]!)

/** Which operands have a gradient, where they have these types. */
export function haveGradients(row: Row, dtypes: readonly DType[], attributes: Attributes = {}): boolean[] {
  let present: boolean[] = []
  const shared = dtypes[row.own?.operand === 0 ? 1 : 0]!
  fused(dtypes.length + 1, (...terms) => {
    present = gradientTerms(row, terms.slice(0, -1), terms.at(-1)!, attributes).map((term) => term !== undefined)
    return terms.at(-1)!
  }).call(undefined, ...[...dtypes, shared].map((dtype) => loosely('empty')([0], { dtype })))
  return present
}

const argsOf = (node: Node): readonly Node[] =>
  node.kind === 'apply' ? node.args : node.kind === 'cast' ? [node.arg] : []

const isDifferentiable = (dtype: DType): boolean => dtype === 'real' || dtype.includes('float')

/** The gradients of an expression with respect to terms in it: each part hands its own to what it is made of. */
export function chained(root: Term, delta: Term, by: readonly Term[]): (Term | undefined)[] {
  const { node: from, recording } = root as unknown as TracedOperand
  const term = (node: Node): Term => new TracedOperand(node, recording) as unknown as Term
  const gradients = new Map<Node, Term>([[from, delta]])
  const give = (node: Node, gradient: Term | undefined): void => {
    if (gradient === undefined || !isDifferentiable(node.dtype)) return
    gradients.set(node, gradients.get(node)?.add(gradient) ?? gradient)
  }
  for (const node of inOrder(from, argsOf).toReversed()) {
    const gradient = gradients.get(node)
    if (gradient === undefined) continue
    if (node.kind === 'cast') give(node.arg, gradient.cast(node.arg.dtype))
    if (node.kind !== 'apply') continue
    const operands = node.args.map(term)
    const each = differentiate(node.row, { operands, result: term(node), delta: gradient, attributes: node.attributes })
    for (const [i, arg] of node.args.entries()) give(arg, each?.[i])
  }
  return by.map((each) => gradients.get((each as unknown as TracedOperand).node))
}
