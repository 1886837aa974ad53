// An operand inside `fuse`: stands for a tensor that is not there yet and records what is done to it.
import { type DType, kindOf } from '../dtype/dtype.ts'
import { toStored } from '../dtype/element.ts'
import { OperandError } from '../errors/index.ts'
import { type Attributes, literalType, type Row } from '../expr/row.ts'
import type { Node } from '../expr/trace.ts'
import { operandName, type Rule } from '../shape/rule.ts'
import { Tensor } from '../tensor/tensor.ts'

export class TracedOperand {
  readonly node: Node
  /** Tensors that the function took from around it; each becomes an operand behind the given ones. */
  readonly captured: Tensor[]

  constructor(node: Node, captured: Tensor[]) {
    this.node = node
    this.captured = captured
  }

  get dtype(): DType {
    return this.node.dtype
  }

  toString(): never {
    throw new OperandError('an operand of fuse has no elements yet; it can only be computed with.')
  }
}

/** A JavaScript value as a constant of a type, checked as for a tensor. */
function constantOf(value: unknown, dtype: DType): Node {
  if (dtype === 'real' || dtype === 'string') {
    throw new OperandError(`fuse: a constant of type ${dtype} has to be a tensor.`)
  }
  // Checks the range; 16-bit floats are kept as numbers and rounded when the expression is lowered.
  toStored(dtype, value)
  const number = typeof value === 'bigint' && kindOf(dtype) === 'float' ? Number(value) : value
  const wide = dtype === 'int64' || dtype === 'uint64'
  return { kind: 'constant', dtype, value: wide ? BigInt(number as number) : Number(number) }
}

/** Records an operator over operands of which at least one is traced. */
export function traceApply(
  row: Row,
  given: readonly unknown[],
  attributes: Attributes,
  rule: Rule,
  check: (dtypes: readonly { readonly dtype: DType }[]) => DType,
): TracedOperand {
  const traced = given.find((operand): operand is TracedOperand => operand instanceof TracedOperand)!
  const { captured } = traced
  const shared = given.find(
    (operand, i): operand is TracedOperand | Tensor =>
      (operand instanceof TracedOperand || operand instanceof Tensor) && i !== row.own?.operand,
  )
  const args = given.map((operand, i): Node => {
    if (operand instanceof TracedOperand) return operand.node
    if (operand instanceof Tensor) {
      const dtype = operand.dtype
      let at = captured.indexOf(operand)
      if (at < 0) at = captured.push(operand) - 1
      return { kind: 'operand', operand: CAPTURED + at, dtype }
    }
    if (typeof operand !== 'number' && typeof operand !== 'bigint' && typeof operand !== 'boolean') {
      throw new OperandError(`${row.name}: ${operandName(i)} is ${String(operand)}; wrap it with tensor(…).`)
    }
    return constantOf(operand, literalType(row, i, shared?.dtype, operand))
  })
  const dtype = check(args)
  return new TracedOperand({ kind: 'apply', row, args, attributes, rule, dtype }, captured)
}

/** Captured tensors are numbered behind any operand that is given. */
export const CAPTURED: number = 1 << 16

export const traceCast = (x: TracedOperand, dtype: DType): TracedOperand =>
  new TracedOperand({ kind: 'cast', arg: x.node, dtype }, x.captured)
