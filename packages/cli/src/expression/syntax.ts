// What a text such as `(x - mean) / std` means, as plain data: operators and functions are the same node, and every
// node knows its place in the text, so that whatever is found wrong later can be shown there.
import type { DType } from 'bcast'
import type { Attributes } from './operators.ts'

/** A part of the text, `end` exclusive, counted in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

interface Placed {
  readonly span: Span
}

/** The name of an array. */
export interface Name extends Placed {
  readonly kind: 'name'
  readonly name: string
}

/** Integers that a float64 cannot hold are bigints. */
export interface NumberLiteral extends Placed {
  readonly kind: 'number'
  readonly value: number | bigint
}

export interface BooleanLiteral extends Placed {
  readonly kind: 'boolean'
  readonly value: boolean
}

export interface Conversion extends Placed {
  readonly kind: 'cast'
  readonly dtype: DType
  readonly arg: Expression
}

export interface Application extends Placed {
  readonly kind: 'apply'
  /** A name of the operator table. */
  readonly operator: string
  readonly args: readonly Expression[]
  /** What is said behind the operands: `alpha=0.1`. */
  readonly attributes?: Attributes
  /** The operator itself: the sign, or the function's name. */
  readonly at: Span
}

export type Expression = Name | NumberLiteral | BooleanLiteral | Conversion | Application

/** Expressions that an expression is made of. */
export const partsOf = (expression: Expression): readonly Expression[] => {
  if (expression.kind === 'apply') return expression.args
  return expression.kind === 'cast' ? [expression.arg] : []
}

/**
 * Every part of an expression behind those that it is made of, from left to right. With a list of its own for what is
 * left to do: a sum of thousands of terms is deeper than the call stack.
 */
export function bottomUp(root: Expression): Expression[] {
  const order: Expression[] = []
  const open = [{ part: root, next: 0 }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const below = partsOf(top.part)[top.next++]
    if (below !== undefined) open.push({ part: below, next: 0 })
    else order.push(open.pop()!.part)
  }
  return order
}

/** The arrays that an expression names, each at its first place. */
export function namesIn(expression: Expression): ReadonlyMap<string, Span> {
  const names = new Map<string, Span>()
  for (const part of bottomUp(expression)) {
    if (part.kind === 'name' && !names.has(part.name)) names.set(part.name, part.span)
  }
  return names
}
