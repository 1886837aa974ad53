// `jvp`: the value of a function, and its derivative in a direction. What pulls gradients back is linear in the gradient
// of the value, so that its own gradient, pulled back once more, is what pushes a direction forward; the gradient of the
// value itself is nowhere in it.
import { OperandError } from '../errors/index.ts'
import { allInOrder, type Prepared, prepare } from '../expr/stages.ts'
import { resolveAll } from '../expr/trace.ts'
import { described, plural } from '../ops/arguments.ts'
import { type Computation, computeAsync } from '../ops/computation.ts'
import { faultAt } from '../ops/fault.ts'
import { withHeld } from '../ops/held.ts'
import { computeRepeated } from '../ops/kept-stages.ts'
import { captureAll, isRecording, recordAll } from '../ops/record.ts'
import { computeStages } from '../ops/staged.ts'
import { TracedOperand } from '../ops/traced.ts'
import { means, preparing } from '../ops/traced-methods.ts'
import { describePasses, type MemoryPasses } from '../plan/passes-text.ts'
import { formatShape } from '../shape/dim.ts'
import { Tensor } from '../tensor/tensor.ts'
import { gradientsOf, sumOf, zerosOf } from './backward.ts'
import { Cache } from './cache.ts'
import type { Jvp } from './grad-types.ts'
import { checkInputs, type Differentiated, differentiated, recordGradients } from './record.ts'

interface Ready {
  readonly prepared: Prepared
  readonly captured: readonly Tensor[]
}

/** The value of a function and its derivative in a direction, over operands of a recording. */
function recordTangent(
  own: Differentiated,
  operands: readonly TracedOperand[],
  directions: readonly TracedOperand[],
): [value: TracedOperand, tangent: TracedOperand] {
  const { recording } = operands[0]!
  // Stands for the gradient of the value.
  let delta: TracedOperand | undefined
  const { value, gradients } = recordGradients(own, operands, (result, shape) => {
    delta = new TracedOperand(zerosOf(result.dtype, shape, recording), recording)
    return delta
  })
  const order = allInOrder([...gradients, delta!].map(({ node }) => node))
  const shapes = [...recording.shapes!, ...recording.captured.map(({ shape }) => shape)]
  const resolved = resolveAll(order, shapes, preparing)
  const parts = gradients.map((gradient, i) => gradientsOf(gradient, directions[i]!, [delta!], order, resolved)[0]!)
  return [value, parts.reduce(sumOf)]
}

/** Throws unless there is a direction for each operand that is differentiated, of its type and shape. */
function checkTangents({ wrt }: Differentiated, inputs: readonly Tensor[], tangents: readonly unknown[]): void {
  if (tangents.length !== wrt.length) {
    throw new OperandError(`jvp: the direction has ${tangents.length} of ${plural(wrt.length)}.`, {
      operator: 'jvp',
    })
  }
  tangents.forEach((tangent, i) => {
    const { dtype, shape } = inputs[wrt[i]!]!
    const wanted = `${dtype} ${formatShape(shape)}, as operand ${wrt[i]} is`
    if (!(tangent instanceof Tensor || tangent instanceof TracedOperand)) {
      throw new OperandError(`jvp: direction ${i} is ${described(tangent)}; it is ${wanted}.`, { operator: 'jvp' })
    }
    const own = tangent as Tensor
    if (own.dtype === dtype && formatShape(own.shape) === formatShape(shape)) return
    throw new OperandError(`jvp: direction ${i} is ${own.dtype} ${formatShape(own.shape)}; it has to be ${wanted}.`, {
      operator: 'jvp',
    })
  })
}

/** Two arrays, or what is wrong with them. */
function checkLists(inputs: unknown, tangents: unknown): asserts tangents is readonly unknown[] {
  if (Array.isArray(inputs) && Array.isArray(tangents)) return
  throw new OperandError('jvp: the function takes two arrays, operands and directions: jvp(f)([x, y], [dx, dy]).', {
    operator: 'jvp',
  })
}

/**
 * The value of a function and its derivative in a direction, which has a tensor for each operand: how the value changes
 * where operands change by so much. `{ wrt }` names the operands that change.
 *
 * @example
 * ```ts
 * jvp((x, y) => x.mul(y))([tensor([1, 2]), tensor([3, 4])], [tensor([1, 0]), tensor([0, 1])]).tangent.toArray() // [3, 2]
 * jvp((x) => x.mul(x).sum())([tensor([1, 2, 3])], [tensor([1, 1, 1])]).tangent.item() // 12
 * ```
 */
export const jvp: Jvp = ((fn: unknown, options?: unknown) => {
  const own = differentiated('jvp', fn, options)
  const cache = new Cache<Ready>()
  const readyFor = (inputs: readonly Tensor[]): Ready =>
    cache.get(inputs, () => {
      const both = [...inputs, ...own.wrt.map((i) => inputs[i]!)]
      const { roots, captured } = recordAll(
        (...operands) => recordTangent(own, operands.slice(0, own.count), operands.slice(own.count)),
        both.map(({ dtype }) => dtype),
        both.map(({ shape }) => shape),
      )
      const shapes = [...both, ...captured].map(({ shape }) => shape)
      return { prepared: prepare(roots, shapes, preparing), captured }
    })
  const check = (inputs: unknown, tangents: unknown): void => {
    checkLists(inputs, tangents)
    checkInputs(own, inputs as readonly unknown[])
    checkTangents(own, inputs as readonly Tensor[], tangents)
  }
  const computation = (inputs: readonly Tensor[], tangents: readonly Tensor[]): Computation<Tensor[]> => {
    const { prepared, captured } = readyFor(inputs)
    return computeStages(prepared, [...inputs, ...tangents, ...captured], [], { ...means, fault: faultAt })
  }
  const named = ([value, tangent]: readonly unknown[]) => ({ value, tangent })
  const now = (inputs: readonly Tensor[], tangents: readonly Tensor[]) => {
    check(inputs, tangents)
    const all = [...inputs, ...tangents]
    if (!all.some((each) => each instanceof TracedOperand)) {
      const { prepared, captured } = readyFor(inputs)
      return named(computeRepeated(prepared, [...all, ...captured], [], { ...means, fault: faultAt }))
    }
    // Inside another function it is part of what is recorded.
    const operands = captureAll(all)
    return named(recordTangent(own, operands.slice(0, own.count), operands.slice(own.count)))
  }
  const later = async (inputs: readonly Tensor[], tangents: readonly Tensor[]) => {
    if (isRecording()) throw new OperandError('jvp: inside fuse there is no async.', { operator: 'jvp' })
    check(inputs, tangents)
    const made = await withHeld([inputs, tangents], (held) =>
      computeAsync(computation(...(held as readonly [readonly Tensor[], readonly Tensor[]]))),
    )
    return named(made)
  }
  const plan = (inputs: readonly Tensor[]): MemoryPasses => {
    checkInputs(own, inputs)
    const { prepared, captured } = readyFor(inputs)
    return describePasses(prepared, inputs.length + own.wrt.length + captured.length)
  }
  return Object.assign(now, { async: later, plan })
}) as unknown as Jvp
