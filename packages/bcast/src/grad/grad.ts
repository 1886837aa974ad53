// `grad` and `valueAndGrad`: functions with a scalar result, and their gradients. Forward and backward are one
// expression, so that they share what they compute and pass over memory together.
import { OperandError } from '../errors/index.ts'
import { type Prepared, prepare } from '../expr/stages.ts'
import { type Computation, computeAsync } from '../ops/computation.ts'
import { faultAt } from '../ops/fault.ts'
import { withHeld } from '../ops/held.ts'
import { computeRepeated } from '../ops/kept-stages.ts'
import { captureAll, isRecording, recordAll, recordConstant } from '../ops/record.ts'
import { computeStages } from '../ops/staged.ts'
import { TracedOperand } from '../ops/traced.ts'
import { means, preparing } from '../ops/traced-methods.ts'
import { describePasses, type MemoryPasses } from '../plan/passes-text.ts'
import { formatShape, type Shape } from '../shape/dim.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { Cache } from './cache.ts'
import type { Grad, ValueAndGrad } from './grad-types.ts'
import { checkInputs, type Differentiated, differentiated, recordGradients } from './record.ts'

/** A function with its gradients, ready for operands of some types and shapes. */
interface Ready {
  readonly prepared: Prepared
  readonly captured: readonly Tensor[]
}

/** The gradient of a scalar result: one. */
const one =
  (name: string) =>
  (value: TracedOperand, shape: Shape): TracedOperand => {
    if (shape.length > 0) {
      throw new OperandError(
        `${name}: the function gives shape ${formatShape(shape)}; it has to give one element. Reduce it with sum() or mean(), or use vjp.`,
        { operator: name },
      )
    }
    return recordConstant(1, value.dtype, value.recording)
  }

/** A call that computes the value and the gradients. */
function calling(own: Differentiated) {
  const { name } = own
  const cache = new Cache<Ready>()
  const readyFor = (inputs: readonly Tensor[]): Ready =>
    cache.get(inputs, () => {
      const { roots, captured: around } = recordAll(
        (...operands) => {
          const { value, gradients } = recordGradients(own, operands, one(name))
          return [value, ...gradients]
        },
        inputs.map(({ dtype }) => dtype),
        inputs.map(({ shape }) => shape),
      )
      const shapes = [...inputs, ...around].map(({ shape }) => shape)
      return { prepared: prepare(roots, shapes, preparing), captured: around }
    })
  const computation = (inputs: readonly Tensor[]): Computation<Tensor[]> => {
    const { prepared, captured } = readyFor(inputs)
    return computeStages(prepared, [...inputs, ...captured], [], { ...means, fault: faultAt })
  }
  const now = (inputs: readonly unknown[]): readonly Tensor[] => {
    checkInputs(own, inputs)
    if (!inputs.some((input) => input instanceof TracedOperand)) {
      const { prepared, captured } = readyFor(inputs as Tensor[])
      return computeRepeated(prepared, [...(inputs as Tensor[]), ...captured], [], { ...means, fault: faultAt })
    }
    // Inside another function it is part of what is recorded.
    const { value, gradients } = recordGradients(own, captureAll(inputs), one(name))
    return [value, ...gradients] as unknown as Tensor[]
  }
  const later = (inputs: readonly unknown[]): Promise<readonly Tensor[]> => {
    if (isRecording()) throw new OperandError(`${name}: inside fuse there is no async.`, { operator: name })
    return (async () => {
      checkInputs(own, inputs)
      return withHeld(inputs, (held) => computeAsync(computation(held as readonly Tensor[])))
    })()
  }
  const plan = (...inputs: readonly Tensor[]): MemoryPasses => {
    checkInputs(own, inputs)
    const { prepared, captured } = readyFor(inputs)
    return describePasses(prepared, inputs.length + captured.length)
  }
  return { now, later, plan }
}

const given = ({ single }: Differentiated, [, ...gradients]: readonly Tensor[]): unknown =>
  single ? gradients[0] : gradients

/**
 * The gradients of a function with a scalar result, with respect to its operands: one for each, of its shape and type;
 * `{ wrt }` names some of them, or one by itself.
 *
 * @example
 * ```ts
 * grad((x, y) => x.mul(y).sum())(tensor([1, 2]), tensor([3, 4])).map((each) => each.toArray()) // [[3, 4], [1, 2]]
 * grad((x, y) => x.mul(y).sum(), { wrt: 0 })(tensor([1, 2]), tensor([3, 4])).toArray() // [3, 4]
 * ```
 */
export const grad = ((fn: unknown, options?: unknown) => {
  const own = differentiated('grad', fn, options)
  const { now, later, plan } = calling(own)
  return Object.assign((...inputs: unknown[]) => given(own, now(inputs)), {
    async: async (...inputs: unknown[]) => given(own, await later(inputs)),
    plan,
  })
}) as unknown as Grad

/**
 * The value of a function with a scalar result beside its gradients, as `grad` gives them.
 *
 * @example
 * ```ts
 * valueAndGrad((x) => x.mul(x).sum())(tensor([1, 2, 3])).value.item() // 14
 * valueAndGrad((x) => x.mul(x).sum())(tensor([1, 2, 3])).grads[0].toArray() // [2, 4, 6]
 * ```
 */
export const valueAndGrad = ((fn: unknown, options?: unknown) => {
  const own = differentiated('valueAndGrad', fn, options)
  const { now, later, plan } = calling(own)
  const named = (all: readonly Tensor[]) => ({ value: all[0], grads: given(own, all) })
  return Object.assign((...inputs: unknown[]) => named(now(inputs)), {
    async: async (...inputs: unknown[]) => named(await later(inputs)),
    plan,
  })
}) as unknown as ValueAndGrad
