// Operators with graphs inside: If, Loop, Scan, SequenceMap. A value that several branches or rounds can give is known
// by what holds of all of them.
import { bounds, constant, type Dim, max } from '../../dims/index.ts'
import { scanning } from '../attributes/forms.ts'
import type { Call } from '../call.ts'
import { hull, type JoinDims, join, same } from '../join.ts'
import { type Known, numberOfScalar, type Scalar, sequence, tensor, unknown } from '../known.ts'
import type { Row } from '../row.ts'

/** One of two values, sizes that differ bounded by both. */
const either =
  (call: Call): JoinDims =>
  (a, b) =>
    call.fresh('size', hull(a, b))

/** Whether a condition holds, if that is known. */
function truth(known: Known | undefined): boolean | undefined {
  const value = known?.kind === 'tensor' ? numberOfScalar(known.values?.[0] ?? null) : undefined
  return value === undefined ? undefined : value !== 0
}

const ifRow: Row = {
  name: 'If',
  infer: (call) => {
    const taken = truth(call.input(0))
    // A branch that is never taken is not entered: nothing in it needs to fit.
    if (taken !== undefined)
      return call.enter(call.attributes.graph(taken ? 'then_branch' : 'else_branch'), [], 'always')
    const yes = call.enter(call.attributes.graph('then_branch'), [], 'perhaps')
    const no = call.enter(call.attributes.graph('else_branch'), [], 'perhaps')
    return yes.map((known, i) => join(known, no[i] ?? unknown, either(call)))
  },
}

/** Rounds after which values that still change are given up. */
const MAX_ROUNDS = 4

interface Round {
  /** What it hands on to the next one. */
  readonly handed: readonly Known[]
  readonly outputs: readonly Known[]
}

/**
 * What a graph gives in any round, of values that it hands on from round to round. Sizes that change become symbols of any size, until
 * one more round changes nothing.
 */
function rounds(call: Call, initial: readonly Known[], enter: (state: readonly Known[]) => Round): readonly Known[] {
  const widened = new Set<string>()
  const widen: JoinDims = (a) => {
    if (widened.has(a.key)) return a
    const any = call.fresh('carried')
    widened.add(any.key)
    return any
  }
  let state = initial
  for (let round = 0; ; round++) {
    const { handed, outputs } = enter(state)
    const joined = state.map((known, i) => join(known, handed[i] ?? unknown, widen))
    const changed = joined.some((known, i) => !same(known, state[i]!))
    if (!changed) return outputs
    // What still changes after some rounds keeps nothing that could.
    state = round < MAX_ROUNDS ? joined : joined.map((known, i) => (same(known, state[i]!) ? known : unknown))
  }
}

/** A value of every round put together along a new axis. */
function stacked(known: Known | undefined, count: Dim, axis: number): Known {
  if (known?.kind !== 'tensor') return unknown
  const { element, shape } = known
  if (shape === null) return tensor(element, null)
  const place = axis < 0 ? axis + shape.length + 1 : axis
  return tensor(element, shape.toSpliced(place, 0, count))
}

/** A value that each round gives, if there is one: without rounds ONNX does not say its sizes, and engines make them 0. */
function ofSomeRound(call: Call, known: Known, certain: boolean): Known {
  if (certain || known.kind !== 'tensor') return known
  return tensor(known.element, known.shape?.map((dim) => call.fresh('size', hull(constant(0), dim))) ?? null)
}

/** The value of a scalar input. */
function scalarOf(known: Known | undefined): Scalar {
  return known?.kind === 'tensor' ? (known.values?.[0] ?? null) : null
}

/** How many rounds a loop has: all that are asked for, if nothing ends it before. */
function tripCount(call: Call, goesOn: boolean): Dim {
  const most = scalarOf(call.inputs[0])
  if (most === null || typeof most === 'number') return call.fresh('rounds')
  const { max: limit } = bounds(most)
  if (goesOn) return max(most, 0)
  return call.fresh('rounds', { min: 0, max: typeof limit === 'bigint' ? (limit < 0n ? 0n : limit) : null })
}

/** Whether a loop has at least one round, or has none; undefined where that is not known. */
function hasRounds(call: Call): boolean | undefined {
  const first = call.has(1) ? truth(call.inputs[1]) : true
  const asked = scalarOf(call.inputs[0])
  const range = asked === null || typeof asked === 'number' ? undefined : bounds(asked)
  if (first === false || (range !== undefined && range.max <= 0)) return false
  const enough = !call.has(0) || (range !== undefined && range.min >= 1)
  return first && enough ? true : undefined
}

const loop: Row = {
  name: 'Loop',
  infer: (call) => {
    const initial = call.inputs.slice(2).map((known) => known ?? unknown)
    const some = hasRounds(call)
    const body = call.attributes.graph('body')
    if (some === false) {
      const made = call.enter(body, [tensor('int64', []), tensor('bool', []), ...initial], 'never')
      const added = made.slice(1 + initial.length)
      return [...initial, ...added.map((known) => stacked(ofSomeRound(call, known, false), constant(0), 0))]
    }
    // In a round the condition held, or there would be no round.
    const holds = tensor('bool', [], [constant(1)])
    const outputs = rounds(call, initial, (state) => {
      const given = call.enter(body, [tensor('int64', []), holds, ...state], some ? 'always' : 'perhaps')
      return { handed: given.slice(1, 1 + state.length), outputs: given }
    })
    const first = call.has(1) ? truth(call.inputs[1]) : true
    const count = tripCount(call, first === true && truth(outputs[0]) === true)
    const handed = outputs.slice(1, 1 + initial.length)
    return [
      ...(some ? handed : handed.map((known, i) => join(initial[i]!, known, either(call)))),
      ...outputs.slice(1 + initial.length).map((known) => stacked(ofSomeRound(call, known, some === true), count, 0)),
    ]
  },
}

/** What one round sees of a scanned input. */
function sliceOf(call: Call, known: Known, axis: number): { readonly length: Dim | undefined; readonly slice: Known } {
  if (known.kind !== 'tensor' || known.shape === null) {
    return { length: undefined, slice: known.kind === 'tensor' ? tensor(known.element, null) : unknown }
  }
  const at = call.axis(axis, known.shape.length)
  return { length: known.shape[at], slice: tensor(known.element, known.shape.toSpliced(at, 1)) }
}

interface Scanned {
  /** What rounds hand on, before the first one. */
  readonly initial: readonly Known[]
  readonly slices: readonly { readonly length: Dim | undefined; readonly slice: Known }[]
}

/** What a graph makes of slices, one after the other: what it hands on at last, and what it gives in every round. */
function scanned(
  call: Call,
  { initial, slices }: Scanned,
): { readonly outputs: readonly Known[]; readonly length: Dim } {
  const [length, ...others] = slices.flatMap((each) => each.length ?? [])
  for (const other of others) call.learn(length!, other, () => 'the scanned inputs differ in length.')
  const certain = length !== undefined && bounds(length).min >= 1
  const outputs = rounds(call, initial, (state) => {
    const given = call.enter(
      call.attributes.graph('body'),
      [...state, ...slices.map(({ slice }) => slice)],
      certain ? 'always' : 'perhaps',
    )
    return { handed: given.slice(0, initial.length), outputs: given }
  })
  const last = (known: Known, i: number): Known => {
    if (i >= initial.length) return ofSomeRound(call, known, certain)
    return certain ? known : join(initial[i]!, known, either(call))
  }
  return { outputs: outputs.map(last), length: length ?? call.fresh('rounds') }
}

/** How many inputs are handed on; the others are scanned. */
function stateCount(call: Call, inputs: readonly Known[]): number {
  const count = inputs.length - scanning(call).count
  return count < 0 ? call.fail(`it scans more than its ${inputs.length} inputs.`) : count
}

const scan9: Row = {
  name: 'Scan',
  since: 9,
  infer: (call) => {
    const inputs = call.inputs.map((known) => known ?? unknown)
    const count = stateCount(call, inputs)
    const { inputAxis, outputAxis } = scanning(call)
    const slices = inputs.slice(count).map((known, i) => sliceOf(call, known, inputAxis(i)))
    const { outputs, length } = scanned(call, { initial: inputs.slice(0, count), slices })
    return outputs.map((known, i) => (i < count ? known : stacked(known, length, outputAxis(i - count))))
  },
}

/** At first with a batch: axis 0 of everything, and the scanned axis behind it. */
const scan8: Row = {
  name: 'Scan',
  since: 8,
  infer: (call) => {
    const inputs = call.inputs.slice(1).map((known) => known ?? unknown)
    const count = stateCount(call, inputs)
    const batched = inputs.map((known) => sliceOf(call, known, 0))
    const [batch = call.fresh('batch')] = batched.flatMap(({ length }) => length ?? [])
    const single = batched.map(({ slice }) => slice)
    const slices = single.slice(count).map((known) => sliceOf(call, known, 0))
    const { outputs, length } = scanned(call, { initial: single.slice(0, count), slices })
    return outputs.map((known, i) => stacked(i < count ? known : stacked(known, length, 0), batch, 0))
  },
}

/** The graph is applied to every element; the other inputs are sequences of the same length, or the same each time. */
const sequenceMap: Row = {
  name: 'SequenceMap',
  since: 17,
  infer: (call) => {
    const [first] = call.inputs
    const length = first?.kind === 'sequence' ? first.length : call.fresh('length')
    const each = call.inputs.map((known) => (known?.kind === 'sequence' ? known.of : (known ?? unknown)))
    const outputs = call.enter(call.attributes.graph('body'), each, bounds(length).min >= 1 ? 'always' : 'perhaps')
    return outputs.map((known) => sequence(known, length))
  },
}

export const controlRows: readonly Row[] = [ifRow, loop, scan9, scan8, sequenceMap]
