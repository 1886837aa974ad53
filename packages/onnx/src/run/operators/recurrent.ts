// LSTM: for every step one product of matrices with the state, whose rows are the four gates, and two kernels over them.
import { add, type DType, gemm, identity, mul, type Range, sigmoid, type Tensor, tanh } from 'bcast'
import type { Call } from '../call.ts'
import type { Computation, Operation } from '../computation.ts'
import { kernelOf } from '../fold.ts'
import type { KernelRow } from '../row.ts'
import { floats } from '../types.ts'
import type { NodeUse } from '../use.ts'
import { roomFor } from './join.ts'
import { narrowed, widened } from './reduce.ts'

/** ONNX's order of the gates in weights: input, output, forget, cell. */
const GATES = { input: 0, output: 1, forget: 2, cell: 3 } as const

const nextCell: Operation = kernelOf(4, ([input, forget, cell, before]) =>
  add(mul(sigmoid(forget!), before!), mul(sigmoid(input!), tanh(cell!))),
)
const nextState: Operation = kernelOf(2, ([output, cell]) => mul(sigmoid(output!), tanh(cell!)))

const USUAL = ['Sigmoid', 'Tanh', 'Tanh']

function refusesVariants({ attributes, node }: NodeUse): string | undefined {
  const activations = attributes.strings('activations', [])
  if (activations.some((name, i) => name !== USUAL[i % 3]))
    return `it is not run with activations ${activations.join(', ')}`
  if (attributes.has('clip')) return 'it is run without clip only'
  if (attributes.int('input_forget', 0) !== 0) return 'it is run without input_forget only'
  if (attributes.int('layout', 0) !== 0) return 'it is run with layout 0 only'
  if ((node.inputs[4] ?? '') !== '') return 'it is run without sequence_lens only'
  return (node.inputs[7] ?? '') === '' ? undefined : 'it is run without peepholes only'
}

interface Sizes {
  readonly steps: number
  readonly batch: number
  readonly hidden: number
}

function expectShape(call: Call, i: number, shape: readonly number[]): void {
  const given = call.inputs[i]
  if (given !== undefined && given.shape.join() !== shape.join()) {
    call.fail(`input ${i} has shape (${given.shape.join(',')}); here it is (${shape.join(',')}).`)
  }
}

/** Sums of both biases, one row for all gates; nothing where there are none. */
function* biasOf(call: Call, direction: number, hidden: number): Computation<Tensor | undefined> {
  if (!call.has(3)) return undefined
  const both = yield* widened(call, call.tensor(3))
  const [own, recurrent] = [0, 1].map((i) =>
    call.own(both.slice(direction, [4 * hidden * i, 4 * hidden * (i + 1)]) as Tensor),
  )
  return yield* call.apply(add, own, recurrent)
}

/** The state that a direction starts with. */
function* stateOf(
  call: Call,
  i: number,
  direction: number,
  dtype: DType,
  { batch, hidden }: Sizes,
): Computation<Tensor> {
  if (!call.has(i)) return yield* call.filled(dtype, [batch, hidden], 0)
  return call.own((yield* widened(call, call.tensor(i))).slice(direction) as Tensor)
}

/** Runs one direction; writes every state into `all`, and gives the last ones. */
function* run(
  call: Call,
  x: Tensor,
  all: Tensor,
  direction: number,
  backward: boolean,
  sizes: Sizes,
): Computation<readonly [state: Tensor, cell: Tensor]> {
  const { steps, batch, hidden } = sizes
  const matrix = function* (i: number): Computation<Tensor> {
    return call.own((yield* widened(call, call.tensor(i))).slice(direction) as Tensor)
  }
  const [weights, recurrence] = [yield* matrix(1), yield* matrix(2)]
  const flat = yield* call.reshaped(x, [steps * batch, x.shape[2]!])
  const bias = yield* biasOf(call, direction, hidden)
  // What the inputs give to the gates, for all steps at once.
  const given = yield* call.apply(gemm, flat, weights, bias, { transB: true })
  let state = yield* stateOf(call, 5, direction, x.dtype, sizes)
  let cell = yield* stateOf(call, 6, direction, x.dtype, sizes)
  for (let i = 0; i < steps; i++) {
    const step = backward ? steps - 1 - i : i
    const part = call.own(given.slice([step * batch, (step + 1) * batch]) as Tensor)
    const gates = yield* call.apply(gemm, state, recurrence, part, { transB: true })
    const gate = (which: number): Tensor => {
      const columns: Range = [which * hidden, (which + 1) * hidden]
      return call.own(gates.slice(null, columns) as Tensor)
    }
    const next = yield* call.apply(nextCell, gate(GATES.input), gate(GATES.forget), gate(GATES.cell), cell)
    const last = yield* call.apply(nextState, gate(GATES.output), next)
    yield* call.apply(identity, last, { out: call.own(all.slice(step, direction) as Tensor) })
    for (const made of [state, cell, gates, part]) call.drop(made)
    state = last
    cell = next
  }
  return [state, cell]
}

const lstm: KernelRow = {
  kind: 'kernel',
  name: 'LSTM',
  types: floats(22),
  typed: [0, 1, 2, 3, 5, 6],
  refuse: refusesVariants,
  *compute(call) {
    const { dtype, rank } = call.tensor(0)
    if (rank !== 3) call.fail(`X has rank ${rank}; it is (steps, batch, input).`)
    const x = yield* widened(call, call.tensor(0))
    const way = call.attributes.string('direction', 'forward')
    const backward = { forward: [false], reverse: [true], bidirectional: [false, true] }[way]
    if (backward === undefined) return call.fail(`direction is ${JSON.stringify(way)}.`)
    const [steps, batch, input] = x.shape as readonly [number, number, number]
    const hidden = call.attributes.int('hidden_size', call.tensor(2).shape[2] ?? 0)
    const [directions, gates] = [backward.length, 4 * hidden]
    expectShape(call, 1, [directions, gates, input])
    expectShape(call, 2, [directions, gates, hidden])
    expectShape(call, 3, [directions, 2 * gates])
    for (const i of [5, 6]) expectShape(call, i, [directions, batch, hidden])
    const all = yield* roomFor(call, x.dtype, [steps, directions, batch, hidden])
    const ending = [directions, batch, hidden]
    const ends = [yield* roomFor(call, x.dtype, ending), yield* roomFor(call, x.dtype, ending)]
    for (const [direction, isBackward] of backward.entries()) {
      const end = yield* run(call, x, all, direction, isBackward, { steps, batch, hidden })
      for (const [i, last] of end.entries()) {
        yield* call.apply(identity, last, { out: call.own(ends[i]!.slice(direction) as Tensor) })
      }
    }
    return [
      yield* narrowed(call, all, dtype),
      yield* narrowed(call, ends[0]!, dtype),
      yield* narrowed(call, ends[1]!, dtype),
    ]
  },
}

export const recurrentRows: readonly KernelRow[] = [lstm]
