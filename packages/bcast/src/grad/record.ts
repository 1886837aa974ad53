// A function over operands, as `fuse` takes it, recorded together with its gradients.
import { DTypeError, OperandError, wrongOption } from '../errors/index.ts'
import { allInOrder } from '../expr/stages.ts'
import { resolveAll } from '../expr/trace.ts'
import { checkOptions, described, plural } from '../ops/arguments.ts'
import { FUSED } from '../ops/fuse.ts'
import { checkOpen, checkResult, OuterOperand, ShapesNeeded } from '../ops/record.ts'
import { TracedOperand } from '../ops/traced.ts'
import { preparing } from '../ops/traced-methods.ts'
import type { Shape } from '../shape/dim.ts'
import { Tensor } from '../tensor/tensor.ts'
import { gradientsOf, isDifferentiable } from './backward.ts'

type Body = (...operands: unknown[]) => unknown

/** A function to be differentiated, and with respect to which of its operands. */
export interface Differentiated {
  /** What messages call it. */
  readonly name: string
  readonly body: Body
  readonly count: number
  readonly wrt: readonly number[]
  /** Whether one operand was named by itself. */
  readonly single: boolean
}

/** Checks what `grad` and its like were given. */
export function differentiated(name: string, fn: unknown, options: unknown): Differentiated {
  if (typeof fn !== 'function') {
    throw new OperandError(`${name} takes a function, such as (x, y) => x.mul(y).sum().`, { operator: name })
  }
  checkOptions(name, options, { wrt: undefined, operands: undefined })
  const { wrt, operands } = (options ?? {}) as { wrt?: unknown; operands?: unknown }
  const fused = (fn as { [FUSED]?: { body: Body; count: number } })[FUSED]
  const { body, count } = fused ?? { body: fn as Body, count: operands ?? fn.length }
  if (count === 0 && operands === undefined) {
    throw new OperandError(
      `${name}: the function names no operands. Rest parameters, and those with a default, are not counted: say how many there are, as in ${name}(f, { operands: 2 }).`,
      { operator: name, option: 'operands' },
    )
  }
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1) {
    throw wrongOption(name, 'operands', `is ${described(count)}`, 'it is how many operands the function takes')
  }
  const own = wrt === undefined ? [...Array(count).keys()] : typeof wrt === 'number' ? [wrt] : wrt
  const fits = (i: unknown): boolean => Number.isInteger(i) && (i as number) >= 0 && (i as number) < count
  if (!Array.isArray(own) || !own.every(fits) || new Set(own).size < own.length || own.length === 0) {
    const expected = `it is a number from 0 to ${count - 1}, or an array of such, each once`
    throw wrongOption(name, 'wrt', `is ${Array.isArray(own) ? `[${own.join(', ')}]` : described(own)}`, expected)
  }
  return { name, body, count, wrt: own, single: typeof wrt === 'number' }
}

/** Throws unless the operands of a call are tensors, and those that are differentiated have gradients. */
export function checkInputs({ name, count, wrt }: Differentiated, inputs: readonly unknown[]): void {
  if (inputs.length !== count) {
    throw new OperandError(`${name}: the function takes ${plural(count)}, not ${inputs.length}.`, { operator: name })
  }
  inputs.forEach((input, i) => {
    if (input instanceof TracedOperand) checkOpen(input)
    else if (!(input instanceof Tensor)) {
      throw new OperandError(`${name}: operand ${i} is ${described(input)}; wrap it with tensor(…).`, {
        operator: name,
      })
    }
  })
  const dtypes = (inputs as readonly Tensor[]).map(({ dtype }) => dtype)
  const wrong = wrt.find((i) => !isDifferentiable(dtypes[i]!))
  if (wrong === undefined) return
  const able = [...dtypes.keys()].filter((i) => isDifferentiable(dtypes[i]!))
  const fix = able.length === 0 ? '' : `name the operands that have one, such as { wrt: [${able.join(', ')}] }, or `
  throw new DTypeError(
    `${name}: operand ${wrong} is ${dtypes[wrong]}, which has no gradient; ${fix}cast it to a float.`,
    dtypes[wrong]!,
  )
}

/** The value of a function and its gradients over operands of a recording; `deltaOf` gives the gradient of the value. */
export function recordGradients(
  { name, body, wrt }: Differentiated,
  operands: readonly TracedOperand[],
  deltaOf: (value: TracedOperand, shape: Shape) => TracedOperand,
): { value: TracedOperand; shape: Shape; gradients: readonly TracedOperand[] } {
  const { recording } = operands[0]!
  if (recording.shapes === undefined) throw new ShapesNeeded(name)
  // Operands that are the same are told apart, and so is what they are made of.
  const own = operands.map(
    ({ node, recording: same }) => new TracedOperand({ kind: 'cast', arg: node, dtype: node.dtype }, same),
  )
  const value = checkResult(body(...own))
  if (value.recording !== recording) throw new OuterOperand()
  if (!isDifferentiable(value.dtype)) {
    throw new DTypeError(`${name}: the function gives ${value.dtype}, which has no gradient.`, value.dtype)
  }
  const parts = wrt.map((i) => own[i]!)
  const order = allInOrder([value.node, ...parts.map(({ node }) => node)])
  const shapes = [...recording.shapes, ...recording.captured.map(({ shape }) => shape)]
  const resolved = resolveAll(order, shapes, preparing)
  const { shape } = resolved.get(value.node)!
  return { value, shape, gradients: gradientsOf(value, deltaOf(value, shape), parts, order, resolved) }
}
