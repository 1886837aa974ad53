// `vjp`: the value of a function, and what pulls gradients of the value back to its operands. Between the two only what
// the backward needs is kept: the operands, reductions, and what takes longer to compute than to read.
import { OperandError } from '../errors/index.ts'
import { inOrder } from '../expr/order.ts'
import { allInOrder, isCostly, type Prepared, prepare } from '../expr/stages.ts'
import { argsOf, type Node, resolveAll } from '../expr/trace.ts'
import { described } from '../ops/arguments.ts'
import { type Computation, computeAsync, computeNow } from '../ops/computation.ts'
import { faultAt } from '../ops/fault.ts'
import { withHeld } from '../ops/held.ts'
import { checkResult, isRecording, recordAll } from '../ops/record.ts'
import { computeStages } from '../ops/staged.ts'
import { TracedOperand } from '../ops/traced.ts'
import { means, preparing } from '../ops/traced-methods.ts'
import { formatShape, type Shape } from '../shape/dim.ts'
import { Tensor } from '../tensor/tensor.ts'
import { Cache } from './cache.ts'
import type { Vjp } from './grad-types.ts'
import { checkInputs, type Differentiated, differentiated, recordGradients } from './record.ts'

interface Ready {
  readonly captured: readonly Tensor[]
  /** Gives the value, and what is kept behind it. */
  readonly forward: Prepared
  /** Reads operands, the gradient of the value, captured tensors, and what was kept. */
  readonly backward: Prepared
}

/** What the backward reads of what the forward computes. */
function keptOf(value: Node, gradients: readonly Node[]): readonly Node[] {
  const forward = new Set(inOrder(value, argsOf))
  const kept = new Set<Node>()
  // The value is the caller's, who may write over it.
  const isKept = (node: Node): boolean =>
    node !== value && forward.has(node) && (node.kind === 'reduce' || node.kind === 'call' || isCostly(node))
  allInOrder(gradients, (node) => {
    if (!isKept(node)) return argsOf(node)
    kept.add(node)
    return []
  })
  return [...kept]
}

function readyFor(own: Differentiated, inputs: readonly Tensor[]): Ready {
  const dtypes = inputs.map(({ dtype }) => dtype)
  const shapes = inputs.map(({ shape }) => shape)
  // What the function gives is not known before it has run once.
  const alone = recordAll((...operands) => [checkResult(own.body(...operands))], dtypes, shapes)
  const around = alone.captured.map(({ shape }) => shape)
  const order = inOrder(alone.roots[0]!, argsOf)
  const { shape } = resolveAll(order, [...shapes, ...around], preparing).get(alone.roots[0]!)!
  const { roots, captured } = recordAll(
    (...operands) => {
      const { value, gradients } = recordGradients(own, operands.slice(0, -1), () => operands.at(-1)!)
      return [value, ...gradients]
    },
    [...dtypes, alone.roots[0]!.dtype],
    [...shapes, shape],
  )
  const [value, ...gradients] = roots as [Node, ...Node[]]
  const all: Shape[] = [...shapes, shape, ...captured.map((each) => each.shape)]
  const kept = keptOf(value, gradients)
  const forward = prepare([value, ...kept], all, preparing)
  const known = new Map(kept.map((node, i) => [node, forward.stages[forward.results[i + 1]!]!.result]))
  return { captured, forward, backward: prepare(gradients, all, preparing, known) }
}

function pullingBack(own: Differentiated, { captured, backward }: Ready, inputs: readonly Tensor[], made: Tensor[]) {
  const [value, ...kept] = made as [Tensor, ...Tensor[]]
  const { dtype, shape } = value
  const check = (delta: unknown): Tensor => {
    if (!(delta instanceof Tensor)) {
      throw new OperandError(
        `pullback: the gradient is ${described(delta)}; it is a tensor of shape ${formatShape(shape)}.`,
      )
    }
    if (delta.dtype !== dtype || formatShape(delta.shape) !== formatShape(shape)) {
      throw new OperandError(
        `pullback: the gradient is ${delta.dtype} ${formatShape(delta.shape)}; the value is ${dtype} ${formatShape(shape)}, and its gradient has to be the same.`,
      )
    }
    return delta
  }
  const computation = (operands: readonly unknown[]): Computation<Tensor[]> =>
    computeStages(backward, operands as readonly Tensor[], [], { ...means, fault: faultAt })
  const operandsFor = (delta: unknown): readonly Tensor[] => [...inputs, check(delta), ...captured, ...kept]
  const given = (gradients: readonly Tensor[]): unknown => (own.single ? gradients[0] : gradients)
  const pullback = Object.assign((delta: unknown) => given(computeNow(computation(operandsFor(delta)))), {
    async: async (delta: unknown) =>
      given(await withHeld(operandsFor(delta), (held) => computeAsync(computation(held)))),
    dispose: () => {
      for (const each of kept) each.dispose()
    },
  })
  return { value, pullback }
}

/**
 * The value of a function, and the function that pulls a gradient of the value back to gradients of the operands.
 *
 * @example
 * ```ts
 * vjp((x, y) => x.mul(y))(tensor([1, 2]), tensor([3, 4])).value.toArray() // [3, 8]
 * vjp((x) => x.mul(x))(tensor([1, 2])).pullback(tensor([1, 10]))[0].toArray() // [2, 40]
 * ```
 */
export const vjp: Vjp = ((fn: unknown, options?: unknown) => {
  const own = differentiated('vjp', fn, options)
  const cache = new Cache<Ready>()
  const settle = (inputs: readonly unknown[]) => {
    if (isRecording() || inputs.some((input) => input instanceof TracedOperand)) {
      throw new OperandError(
        'vjp: inside another function there is nothing to pull back yet; use grad or valueAndGrad.',
      )
    }
    checkInputs(own, inputs)
    const tensors = inputs as readonly Tensor[]
    const ready = cache.get(tensors, () => readyFor(own, tensors))
    // Nothing of the forward reads the gradient of the value.
    const operands = [...tensors, tensors[0]!, ...ready.captured]
    const computation = (given: readonly unknown[]): Computation<Tensor[]> =>
      computeStages(ready.forward, given as readonly Tensor[], [], { ...means, fault: faultAt })
    return { operands, computation, pulling: (made: Tensor[]) => pullingBack(own, ready, tensors, made) }
  }
  const now = (...inputs: unknown[]) => {
    const { operands, computation, pulling } = settle(inputs)
    return pulling(computeNow(computation(operands)))
  }
  const later = async (...inputs: unknown[]) => {
    const { operands, computation, pulling } = settle(inputs)
    return pulling(await withHeld(operands, (held) => computeAsync(computation(held))))
  }
  return Object.assign(now, { async: later })
}) as unknown as Vjp
