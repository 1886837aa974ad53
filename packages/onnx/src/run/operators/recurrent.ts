// RNN, GRU and LSTM: what the inputs give to the gates is one product of matrices for all steps; then every step has one
// or two with the state, and kernels over the gates.
import { add, gemm, identity, mul, type Range, sigmoid, sub, type Tensor, tanh } from 'bcast'
import { backwardOf, hiddenSize, isBatchFirst } from '../../infer/attributes/forms.ts'
import type { Call } from '../call.ts'
import type { Computation, Operation } from '../computation.ts'
import { kernelOf } from '../fold.ts'
import type { KernelRow } from '../row.ts'
import { floats } from '../types.ts'
import type { NodeUse } from '../use.ts'
import { roomFor } from './join.ts'
import { narrowed, widened } from './reduce.ts'

/** What one direction keeps for all its steps. */
interface Direction {
  readonly hidden: number
  /** (gates * hidden, hidden). */
  readonly recurrence: Tensor
  /** The bias of the recurrence, where it is not part of what the inputs give. */
  readonly bias: Tensor | undefined
}

interface Cell {
  readonly name: string
  readonly gates: number
  readonly activations: readonly string[]
  /** The inputs that states begin with, one for each state; the first is what every step puts out. */
  readonly states: readonly number[]
  /** Whether the bias of the recurrence is added apart from that of the inputs. */
  readonly ownBias?: (call: Call) => boolean
  /** The states behind a step, from what the inputs give to its gates (batch, gates * hidden) and those before it. */
  readonly step: (
    call: Call,
    direction: Direction,
    given: Tensor,
    states: readonly Tensor[],
  ) => Computation<readonly Tensor[]>
}

/** Gates from one on, of (batch, gates * hidden). */
function gatesOf(call: Call, all: Tensor, hidden: number, first: number, count = 1): Tensor {
  const columns: Range = [first * hidden, (first + count) * hidden]
  return call.own(all.slice(null, columns) as Tensor)
}

const multiplied = (call: Call, state: Tensor, recurrence: Tensor, addend: Tensor | undefined): Computation<Tensor> =>
  call.apply(gemm, state, recurrence, addend, { transB: true })

const nextCell: Operation = kernelOf(4, ([input, forget, cell, before]) =>
  add(mul(sigmoid(forget!), before!), mul(sigmoid(input!), tanh(cell!))),
)
const nextState: Operation = kernelOf(2, ([output, cell]) => mul(sigmoid(output!), tanh(cell!)))

/** Gates: input, output, forget, cell. */
const lstm: Cell = {
  name: 'LSTM',
  gates: 4,
  activations: ['Sigmoid', 'Tanh', 'Tanh'],
  states: [5, 6],
  *step(call, { hidden, recurrence }, given, [state, cell]) {
    const all = yield* multiplied(call, state!, recurrence, given)
    const [input, output, forget, candidate] = [0, 1, 2, 3].map((gate) => gatesOf(call, all, hidden, gate))
    const next = yield* call.apply(nextCell, input, forget, candidate, cell)
    const last = yield* call.apply(nextState, output, next)
    call.drop(all)
    return [last, next]
  },
}

const resetState: Operation = kernelOf(2, ([reset, state]) => mul(sigmoid(reset!), state!))
const mixed = (update: Tensor, candidate: Tensor, state: Tensor): Tensor =>
  add(mul(sub(1, sigmoid(update)), tanh(candidate)), mul(sigmoid(update), state))
const updated: Operation = kernelOf(3, ([update, candidate, state]) => mixed(update!, candidate!, state!))
/** The same where the reset comes behind the product: of each gate what the inputs give, and what the state does. */
const updatedBehind: Operation = kernelOf(7, ([z, r, h, stateZ, stateR, stateH, state]) =>
  mixed(add(z!, stateZ!), add(h!, mul(sigmoid(add(r!, stateR!)), stateH!)), state!),
)

const resetsBehind = (call: Call): boolean => call.attributes.int('linear_before_reset', 0) !== 0

/** Gates: update, reset, hidden. */
const gru: Cell = {
  name: 'GRU',
  gates: 3,
  activations: ['Sigmoid', 'Tanh'],
  states: [5],
  ownBias: resetsBehind,
  *step(call, { hidden, recurrence, bias }, given, [state]) {
    const each = (all: Tensor): Tensor[] => [0, 1, 2].map((gate) => gatesOf(call, all, hidden, gate))
    if (resetsBehind(call)) {
      const own = yield* multiplied(call, state!, recurrence, bias)
      const next = yield* call.apply(updatedBehind, ...each(given), ...each(own), state)
      call.drop(own)
      return [next]
    }
    const rows = (range: Range): Tensor => call.own(recurrence.slice(range) as Tensor)
    const both = yield* multiplied(call, state!, rows([0, 2 * hidden]), gatesOf(call, given, hidden, 0, 2))
    const [update, reset] = [gatesOf(call, both, hidden, 0), gatesOf(call, both, hidden, 1)]
    const kept = yield* call.apply(resetState, reset, state)
    const candidate = yield* multiplied(call, kept, rows([2 * hidden, null]), gatesOf(call, given, hidden, 2))
    const next = yield* call.apply(updated, update, candidate, state)
    for (const made of [both, kept, candidate]) call.drop(made)
    return [next]
  },
}

const rnn: Cell = {
  name: 'RNN',
  gates: 1,
  activations: ['Tanh'],
  states: [5],
  *step(call, { recurrence }, given, [state]) {
    const sum = yield* multiplied(call, state!, recurrence, given)
    const next = yield* call.apply(tanh, sum)
    call.drop(sum)
    return [next]
  },
}

/** Why a cell is not run; undefined when it is. */
function refusesVariants({ activations: usual }: Cell, use: NodeUse): string | undefined {
  const { attributes, node } = use
  const activations = attributes.strings('activations', [])
  if (activations.some((name, i) => name !== usual[i % usual.length]))
    return `it is not run with activations ${activations.join(', ')}`
  if (attributes.has('clip')) return 'it is run without clip only'
  if (attributes.int('input_forget', 0) !== 0) return 'it is run without input_forget only'
  if (isBatchFirst(use)) return 'it is run with layout 0 only'
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

/** One direction of an input, in the type that is computed in. */
function* partOf(call: Call, i: number, direction: number): Computation<Tensor> {
  return call.own((yield* widened(call, call.tensor(i))).slice(direction) as Tensor)
}

/** The biases of the inputs and of the recurrence, as one where they need not be apart; nothing where there are none. */
function* biasesOf(call: Call, direction: number, count: number, apart: boolean): Computation<(Tensor | undefined)[]> {
  if (!call.has(3)) return []
  const all = yield* partOf(call, 3, direction)
  const both = [0, 1].map((i) => call.own(all.slice([count * i, count * (i + 1)]) as Tensor))
  return apart ? both : [yield* call.apply(add, ...both)]
}

/** Runs one direction; writes what every step puts out into `all`, and gives the last states. */
function* run(
  call: Call,
  cell: Cell,
  x: Tensor,
  all: Tensor,
  direction: number,
  backward: boolean,
  { steps, batch, hidden }: Sizes,
): Computation<readonly Tensor[]> {
  const [weights, recurrence] = [yield* partOf(call, 1, direction), yield* partOf(call, 2, direction)]
  const [bias, own] = yield* biasesOf(call, direction, cell.gates * hidden, cell.ownBias?.(call) ?? false)
  const flat = yield* call.reshaped(x, [steps * batch, x.shape[2]!])
  const given = yield* call.apply(gemm, flat, weights, bias, { transB: true })
  let states: readonly Tensor[] = []
  for (const i of cell.states) {
    const initial = call.has(i) ? yield* partOf(call, i, direction) : yield* call.filled(x.dtype, [batch, hidden], 0)
    states = [...states, initial]
  }
  for (let i = 0; i < steps; i++) {
    const step = backward ? steps - 1 - i : i
    const part = call.own(given.slice([step * batch, (step + 1) * batch]) as Tensor)
    const next = yield* cell.step(call, { hidden, recurrence, bias: own }, part, states)
    yield* call.apply(identity, next[0], { out: call.own(all.slice(step, direction) as Tensor) })
    for (const made of [...states, part]) call.drop(made)
    states = next
  }
  return states
}

const rowOf = (cell: Cell): KernelRow => ({
  kind: 'kernel',
  name: cell.name,
  types: floats(22),
  typed: [0, 1, 2, 3, 5, 6],
  refuse: (use) => refusesVariants(cell, use),
  *compute(call) {
    const { dtype, rank } = call.tensor(0)
    if (rank !== 3) call.fail(`X has rank ${rank}; it is (steps, batch, input).`)
    const x = yield* widened(call, call.tensor(0))
    const backward = backwardOf(call)
    const [steps, batch, input] = x.shape as readonly [number, number, number]
    const hidden = hiddenSize(call) ?? call.tensor(2).shape[2] ?? 0
    const [directions, gates] = [backward.length, cell.gates * hidden]
    expectShape(call, 1, [directions, gates, input])
    expectShape(call, 2, [directions, gates, hidden])
    expectShape(call, 3, [directions, 2 * gates])
    for (const i of cell.states) expectShape(call, i, [directions, batch, hidden])
    const all = yield* roomFor(call, x.dtype, [steps, directions, batch, hidden])
    const ends: Tensor[] = []
    for (const _ of cell.states) ends.push(yield* roomFor(call, x.dtype, [directions, batch, hidden]))
    for (const [direction, isBackward] of backward.entries()) {
      const last = yield* run(call, cell, x, all, direction, isBackward, { steps, batch, hidden })
      for (const [i, state] of last.entries()) {
        yield* call.apply(identity, state, { out: call.own(ends[i]!.slice(direction) as Tensor) })
      }
    }
    const results: Tensor[] = []
    for (const each of [all, ...ends]) results.push(yield* narrowed(call, each, dtype))
    return results
  },
})

export const recurrentRows: readonly KernelRow[] = [lstm, gru, rnn].map(rowOf)
