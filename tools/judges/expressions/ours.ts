// What bcast makes of an expression: the value and the gradients of its operands, the same bits whichever way they are
// asked for. Where they are not, or where anything is thrown that is no error of bcast's, that is a defect of its own.

import * as bcast from 'bcast'
import { BcastError, configure, type Tensor } from 'bcast'
import type { TensorData } from '../case.ts'
import { rows } from '../gradients/case.ts'
import { fromTensor, toTensor } from '../ours.ts'
import type { ExpressionCase, Step } from './expression.ts'

type Call = (...args: readonly unknown[]) => unknown
const functions = { ...bcast } as unknown as Readonly<Record<string, Call>>

const COMPARISONS: Readonly<Record<string, string>> = {
  Less: 'less',
  LessOrEqual: 'lessOrEqual',
  Greater: 'greater',
  GreaterOrEqual: 'greaterOrEqual',
  Equal: 'equal',
  NotEqual: 'notEqual',
}

/** One step over values that are tensors or stand for them. */
export function take(step: Step, values: readonly unknown[]): unknown {
  const args = step.args.map((arg) => (typeof arg === 'number' ? values[arg] : arg.number))
  switch (step.kind) {
    case 'apply': {
      const { call, variadic } = rows.get(step.op)!
      return functions[call]!(...(variadic === true ? [args] : args), step.attrs)
    }
    case 'compare':
      return functions[COMPARISONS[step.op]!]!(...args)
    case 'reduce': {
      const { axes, keepdims, ord } = step
      const options = { keepdims, ...(axes && { axes }), ...(ord && { ord }) }
      return functions[step.op]!(args[0], options)
    }
    case 'matmul':
      return functions['matmul']!(...args)
    case 'cast':
      return functions['cast']!(args[0], step.to)
  }
}

const bodyOf =
  ({ steps }: ExpressionCase) =>
  (...operands: unknown[]): unknown => {
    const values = [...operands]
    for (const step of steps) values.push(take(step, values))
    return values.at(-1)
  }

/** The same elements, lying in memory with the axes in another order. */
function turned(tensor: Tensor): Tensor {
  const axes = [...tensor.shape.keys()].reverse()
  const there = bcast.identity(tensor.transpose(...axes) as Tensor) as Tensor
  return there.transpose(...axes) as Tensor
}

const bitsOf = (tensors: readonly Tensor[]): string => JSON.stringify(tensors.map(canonical))

/** NaNs have no bits to speak of. */
function canonical(tensor: Tensor): TensorData {
  const { dtype, shape } = tensor
  const isNumber = bcast.equal(tensor, tensor) as Tensor
  return fromTensor(bcast.where(isNumber, tensor, bcast.full(shape, Number.NaN, { dtype })) as Tensor)
}

interface Pulled {
  readonly value: Tensor
  readonly pullback: (delta: Tensor) => Tensor[]
}
interface Valued {
  readonly value: Tensor
  readonly grads: Tensor[]
}
const pulling = functions['vjp'] as unknown as (body: Call, options: object) => (...inputs: Tensor[]) => Pulled
const grading = functions['grad'] as unknown as (body: Call, options: object) => (...inputs: Tensor[]) => Tensor[]
const valuing = functions['valueAndGrad'] as unknown as (body: Call, options: object) => (...inputs: Tensor[]) => Valued
const fusing = functions['fuse'] as unknown as (body: Call, options: object) => (...inputs: Tensor[]) => Tensor

export interface Ours {
  /** The value, and the gradient of each operand. */
  readonly parts: readonly TensorData[]
  /** What is wrong without anybody else's word. */
  readonly defects: readonly string[]
}

/** The shape of the value, and its elements, as steps give them one by one. */
export const evaluate = (question: ExpressionCase): Tensor =>
  bodyOf(question)(...question.inputs.map(toTensor)) as Tensor

function compute(question: ExpressionCase): Ours {
  const body = bodyOf(question)
  const inputs = question.inputs.map(toTensor)
  const delta = toTensor(question.delta)
  const own = { operands: inputs.length }
  const defects: string[] = []
  const pulled = (operands: readonly Tensor[]): Tensor[] => {
    const { value, pullback } = pulling(body, own)(...operands)
    return [value, ...pullback(delta)]
  }
  const parts = pulled(inputs)
  const bits = bitsOf(parts)
  const same = (what: string, expected: string, given: readonly Tensor[]): void => {
    if (bitsOf(given) !== expected) defects.push(`${what}: other bits`)
  }
  inputs.forEach(({ dtype, shape }, i) => {
    const gradient = parts[i + 1]!
    if (gradient.dtype !== dtype || `${gradient.shape}` !== `${shape}`) {
      defects.push(`the gradient of operand ${i} is ${gradient.dtype} (${gradient.shape})`)
    }
  })
  same('step by step', bitsOf([parts[0]!]), [evaluate(question)])
  same('fused', bitsOf([parts[0]!]), [fusing(body, own)(...inputs)])
  same('in another layout', bits, pulled(inputs.map(turned)))
  const scalar = (...operands: unknown[]): unknown => functions['sum']!(functions['mul']!(body(...operands), delta), {})
  const { value, pullback } = pulling(scalar, own)(...inputs)
  const whole = pullback(bcast.full([], 1, { dtype: value.dtype }) as Tensor)
  const { value: beside, grads } = valuing(scalar, own)(...inputs)
  same('valueAndGrad beside vjp', bitsOf([value, ...whole]), [beside, ...grads])
  same('grad beside vjp', bitsOf(whole), grading(scalar, own)(...inputs))
  try {
    configure({ backend: 'interpreter' })
    same('on the interpreter', bits, pulled(inputs))
  } finally {
    configure({ backend: 'auto' })
  }
  return { parts: parts.map(fromTensor), defects }
}

/** bcast's answer. Expressions are made to be valid, so that whatever is thrown is a defect. */
export function ourExpression(question: ExpressionCase): Ours {
  try {
    return compute(question)
  } catch (error) {
    const kind = error instanceof BcastError ? 'refused' : 'broken'
    return { parts: [], defects: [`${kind}: ${error instanceof Error ? error.message : String(error)}`] }
  }
}
