// Operators with graphs inside: a branch or a round is a run of that graph.
import { type DType, type Tensor, tensor } from 'bcast'
import { constantOf, type Dim } from '../../dims/index.ts'
import { scanning } from '../../infer/attributes/forms.ts'
import { isDType } from '../../model/element-type.ts'
import { elementsOf } from '../../model/tensor-data.ts'
import type { Value } from '../../model/value.ts'
import type { Call } from '../call.ts'
import type { Computation } from '../computation.ts'
import type { KernelRow } from '../row.ts'
import type { NodeUse } from '../use.ts'
import { concatenated, roomFor } from './join.ts'

/** The truth of a condition of one element. */
function holds(call: Call, condition: Tensor): boolean {
  if (condition.dtype !== 'bool' || condition.size !== 1) {
    call.fail(`a condition is ${condition.dtype} of shape (${condition.shape.join(',')}); it is one bool.`)
  }
  return elementsOf(condition)[0] === true
}

/** What is wrong with a graph of an attribute that is given `inputs` tensors and has to make `outputs` or more. */
function misfit({ attributes }: NodeUse, attribute: string, inputs: number, outputs: number): string | undefined {
  if (!attributes.has(attribute)) return `it has no ${attribute}`
  const graph = attributes.graph(attribute)
  const given = graph.inputs.length
  if (given !== inputs) return `${attribute} has ${given} inputs where it is given ${inputs}`
  const made = graph.outputs.length
  return made < outputs ? `${attribute} has ${made} outputs where it has to have ${outputs}` : undefined
}

/** What a graph makes of inputs; the results belong to the call. */
function* entered(call: Call, attribute: string, inputs: readonly Tensor[]): Computation<readonly Tensor[]> {
  const outputs = yield* call.enter(attribute, inputs)
  for (const output of outputs) call.own(output)
  return outputs
}

const ifRow: KernelRow = {
  kind: 'kernel',
  name: 'If',
  views: true,
  refuse: (use) => {
    const { length } = use.node.outputs
    return misfit(use, 'then_branch', 0, length) ?? misfit(use, 'else_branch', 0, length)
  },
  *compute(call) {
    return yield* entered(call, holds(call, call.tensor(0)) ? 'then_branch' : 'else_branch', [])
  },
}

/** What no round makes: empty, of the type that the graph declares or that follows from its nodes. */
function* unmade(call: Call, axis: number, { name, type }: Value, output: number): Computation<Tensor> {
  const [declared, known] = [type.kind === 'tensor' ? type : undefined, call.expected(output)]
  const element = declared?.element ?? known?.element
  if (!isDType(element)) return call.fail(`there are no rounds, and nothing tells the type of ${JSON.stringify(name)}.`)
  const rank = declared?.shape?.length ?? (known?.shape ? known.shape.length - 1 : 0)
  const place = axis < 0 ? axis + rank + 1 : axis
  const follows = sizesLeft(known?.shape?.toSpliced(place, 1) ?? [])
  const sizes = declared?.shape?.map((size) => (typeof size === 'number' ? size : 0)) ?? follows
  return yield* roomFor(call, element as DType, sizes.toSpliced(place, 0, 0))
}

/** Sizes as numbers, 0 for those that are open. */
const sizesLeft = (shape: readonly Dim[]): readonly number[] => shape.map((dim) => Number(constantOf(dim) ?? 0n))

/** Tensors of every round put together along a new axis: output `output` of the node. */
function* stacked(
  call: Call,
  rounds: readonly Tensor[],
  axis: number,
  made: Value,
  output: number,
): Computation<Tensor> {
  const [first] = rounds
  if (first === undefined) return yield* unmade(call, axis, made, output)
  const place = call.axis(axis, first.rank + 1)
  const slices = rounds.map((each) => call.own(each.reshape(each.shape.toSpliced(place, 0, 1)) as Tensor))
  return yield* concatenated(call, slices, place)
}

/** What rounds hand on, and what each of them adds. */
class Rounds {
  state: readonly Tensor[]
  readonly added: Tensor[][]
  readonly #call: Call

  constructor(call: Call, state: readonly Tensor[], added: number) {
    this.#call = call
    this.state = state
    this.added = Array.from({ length: added }, () => [])
  }

  /** One more round; what the last one handed on is not needed any more. */
  *next(before: readonly Tensor[], behind: readonly Tensor[], skipped: number): Computation<readonly Tensor[]> {
    const outputs = yield* entered(this.#call, 'body', [...before, ...this.state, ...behind])
    for (const old of this.state) this.#call.drop(old)
    const count = this.state.length
    this.state = outputs.slice(skipped, skipped + count)
    for (const [i, slices] of this.added.entries()) slices.push(outputs[skipped + count + i]!)
    return outputs
  }
}

const loop: KernelRow = {
  kind: 'kernel',
  name: 'Loop',
  views: true,
  // A trip count and a condition stand before what rounds hand on.
  refuse: (use) => {
    const handed = Math.max(0, use.node.inputs.length - 2)
    return misfit(use, 'body', handed + 2, Math.max(handed, use.node.outputs.length) + 1)
  },
  *compute(call) {
    const body = call.attributes.graph('body')
    const most = call.has(0)
      ? (call.integers(0)![0] ?? call.fail('the trip count is empty.'))
      : Number.POSITIVE_INFINITY
    const initial = call.inputs.slice(2).map((_, i) => call.tensor(i + 2))
    const rounds = new Rounds(call, initial, body.outputs.length - 1 - initial.length)
    let goesOn = call.has(1) ? holds(call, call.tensor(1)) : true
    for (let i = 0; i < most && goesOn; i++) {
      const counters = [tensor(BigInt(i)) as Tensor, tensor(true) as Tensor]
      const [condition] = yield* rounds.next(counters, [], 1)
      goesOn = holds(call, condition!)
      call.drop(condition!)
    }
    const results = [...rounds.state]
    for (const [i, slices] of rounds.added.entries()) {
      results.push(yield* stacked(call, slices, 0, body.outputs[1 + initial.length + i]!, initial.length + i))
    }
    return results
  },
}

const scan: KernelRow = {
  kind: 'kernel',
  name: 'Scan',
  since: 9,
  views: true,
  refuse: (use) => {
    const [given, scanned] = [use.node.inputs.length, scanning(use).count]
    if (scanned < 1 || scanned > given) return `it scans ${scanned} of its ${given} inputs`
    return misfit(use, 'body', given, Math.max(given - scanned, use.node.outputs.length))
  },
  *compute(call) {
    const { attributes } = call
    const body = attributes.graph('body')
    const { count, inputAxis, outputAxis } = scanning(call)
    const stateCount = call.inputs.length - count
    const state = call.inputs.slice(0, stateCount).map((_, i) => call.tensor(i))
    const scanned = call.inputs.slice(stateCount).map((_, i) => call.tensor(stateCount + i))
    const axes = scanned.map((x, i) => call.axis(inputAxis(i), x.rank))
    const backward = (name: string, i: number): boolean => attributes.ints(name, [])[i] === 1
    const [length = 0, ...others] = scanned.map((x, i) => x.shape[axes[i]!]!)
    if (others.some((other) => other !== length)) call.fail('the scanned inputs differ in length.')
    const rounds = new Rounds(call, state, body.outputs.length - stateCount)
    for (let round = 0; round < length; round++) {
      const slices = scanned.map((x, i) => {
        const at = backward('scan_input_directions', i) ? length - 1 - round : round
        return call.own(x.slice(...x.shape.slice(0, axes[i]!).map(() => null), at) as Tensor)
      })
      yield* rounds.next([], slices, 0)
      for (const slice of slices) call.drop(slice)
    }
    const results = [...rounds.state]
    for (const [i, slices] of rounds.added.entries()) {
      const axis = outputAxis(i)
      const ordered = backward('scan_output_directions', i) ? slices.toReversed() : slices
      results.push(yield* stacked(call, ordered, axis, body.outputs[stateCount + i]!, stateCount + i))
    }
    return results
  },
}

export const controlRows: readonly KernelRow[] = [ifRow, loop, scan]
