// What might mend a node that fails, likeliest first. Nothing here is certain; each candidate is tried.
import type { Fix } from 'bcast'
import { constantOf, type Dim, type DimShape, isEqual } from '../../dims/index.ts'
import type { Inference } from '../../infer/inference.ts'
import { type Node, nodeLabel, nodePath } from '../../model/scope.ts'
import type { Found } from '../finding.ts'
import type { CheckedBroadcast, CheckedOperand } from '../verdict.ts'
import { quote } from '../words.ts'
import type { ModelEdit, Step } from './edit.ts'

export interface Candidate {
  readonly text: string
  readonly edits: readonly ModelEdit[]
  /** Whether it counts only where nothing else helps. */
  readonly isLast?: boolean
}

/** How far back from an operand the reduction may be that lost an axis. */
const MAX_BACK = 8
/** How many places of one operand are tried. */
const MAX_PLACEMENTS = 4
/** And up to this rank; the ways to place sizes that are alike grow with it. */
const MAX_PLACED_RANK = 12
/** The most elements that a constant is given. */
const MAX_RESIZED = 1_000_000

const sameShape = (a: DimShape, b: DimShape): boolean =>
  a !== null && b !== null && a.length === b.length && a.every((dim, axis) => dim.key === b[axis]!.key)

/** The nodes that made an operand, back through those that keep its shape. */
function* makers(operand: CheckedOperand, { frame }: CheckedBroadcast, inference: Inference): Generator<Node> {
  const shapeOf = (name: string): DimShape => {
    const known = inference.valueIn(frame, name)
    return known.kind === 'tensor' ? known.shape : null
  }
  let definition = operand.producer?.definition
  for (let i = 0; i < MAX_BACK && definition?.kind === 'output'; i++) {
    const { node }: { node: Node } = definition
    yield node
    const kept = node.inputs.find((name) => name !== '' && sameShape(shapeOf(name), shapeOf(node.outputs[0]!)))
    if (kept === undefined || node.scope !== frame.scope) return
    definition = frame.scope.definitions.get(kept)
  }
}

const isReduction = ({ domain, opType }: Node): boolean =>
  domain === '' && (/^Reduce/.test(opType) || opType === 'ArgMax' || opType === 'ArgMin')

/** A reduction that could keep the axis it takes away. */
function* keptAxes(node: Node): Generator<Candidate> {
  const kept = node.attributes.kind('keepdims') === 'int' ? node.attributes.bigint('keepdims') : 1n
  if (!isReduction(node) || kept !== 0n) return
  yield {
    text: `set keepdims=1 on ${nodeLabel(node)}`,
    edits: [{ kind: 'attribute', path: nodePath(node), name: 'keepdims', value: 1 }],
  }
}

/** A Transpose with two of its axes exchanged. */
function* exchangedAxes(node: Node): Generator<Candidate> {
  if (node.domain !== '' || node.opType !== 'Transpose' || node.attributes.kind('perm') !== 'ints') return
  const perm = node.attributes.bigints('perm').map(Number)
  for (let i = 0; i < perm.length; i++) {
    for (let j = i + 1; j < perm.length; j++) {
      const value = perm.with(i, perm[j]!).with(j, perm[i]!)
      yield {
        text: `set perm=[${value.join(',')}] on ${nodeLabel(node)}`,
        edits: [{ kind: 'attribute', path: nodePath(node), name: 'perm', value }],
      }
    }
  }
}

/** A reduction over another axis, where the axes are an attribute. */
function* otherAxes(node: Node, rank: number | undefined): Generator<Candidate> {
  if (!isReduction(node) || rank === undefined) return
  const name = node.attributes.kind('axes') === 'ints' ? 'axes' : node.attributes.kind('axis') === 'int' ? 'axis' : ''
  if (name === '') return
  const given = (name === 'axes' ? node.attributes.bigints('axes') : [node.attributes.bigint('axis')]).map(Number)
  if (given.length !== 1) return
  for (let axis = 0; axis < rank; axis++) {
    if (axis === (given[0]! + rank) % rank) continue
    const value = name === 'axes' ? [axis] : axis
    yield {
      text: `set ${name}=${axis} on ${nodeLabel(node)}`,
      edits: [{ kind: 'attribute', path: nodePath(node), name, value }],
    }
  }
}

const moved = (rank: number, from: number, to: number): number[] =>
  Array.from({ length: rank }, (_, i) => i)
    .toSpliced(from, 1)
    .toSpliced(to, 0, from)

/** The places of sizes among others, in order: each way to put `core` on axes of `onto`. */
function* placements(core: readonly Dim[], onto: readonly Dim[], from = 0): Generator<readonly number[]> {
  const [first, ...rest] = core
  if (first === undefined) {
    yield []
    return
  }
  for (let axis = from; axis + rest.length < onto.length; axis++) {
    if (onto[axis]!.key !== first.key) continue
    for (const behind of placements(rest, onto, axis + 1)) yield [axis, ...behind]
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)

/** Axes taken away, then axes put in. */
const respelling = (dropped: readonly number[], added: readonly number[]): readonly Step[] => [
  ...(dropped.length === 0 ? [] : [{ operator: 'Squeeze', axes: dropped } as const]),
  ...(added.length === 0 ? [] : [{ operator: 'Unsqueeze', axes: added } as const]),
]

/** An operand whose sizes lie on other axes of the one it meets: a bias for channels, spelled without its trailing ones. */
function* placed({ node, operands }: CheckedBroadcast): Generator<Candidate> {
  if (operands.length !== 2) return
  // A constant or a parameter of lower rank is likelier to be spelled wrongly than the data.
  for (const i of [1, 0]) {
    const [{ name, input, shape: own }, { shape: onto }] = [operands[i]!, operands[1 - i]!]
    if (input === undefined || own === null || onto === null) continue
    const ones = own.flatMap((dim, axis) => (isEqual(dim, 1) === true ? [axis] : []))
    const core = own.filter((_, axis) => !ones.includes(axis))
    if (core.length === 0 || core.length === onto.length || onto.length > MAX_PLACED_RANK) continue
    let left = MAX_PLACEMENTS
    for (const axes of placements(core, onto)) {
      if (left-- <= 0) break
      const start = axes[0]!
      const added = range(start, onto.length).filter((axis) => !axes.includes(axis))
      const steps = respelling(
        ones,
        added.map((axis) => axis - start),
      )
      yield {
        text: `${steps.map(stepText).join(' and ')} ${quote(name)}`,
        edits: [{ kind: 'insert', path: nodePath(node), input, steps }],
      }
    }
  }
}

/** What the solver's edits make of one operand: its own axes in their new order, null for axes that are new. */
function layoutOf(edits: Fix['edits'], rank: number): readonly (number | null)[] {
  let layout: readonly (number | null)[] = range(0, rank)
  for (const edit of edits) {
    if (edit.kind === 'insert') layout = layout.toSpliced(edit.at, 0, null)
    else if (edit.kind === 'drop') layout = layout.toSpliced(edit.at, 1)
    else {
      const order = edit.kind === 'transpose' ? edit.order : moved(layout.length, edit.from, edit.to)
      layout = order.map((axis) => layout[axis]!)
    }
  }
  return layout
}

/** A layout as few steps: axes dropped, the others reordered, new ones put in. */
function stepsOf(layout: readonly (number | null)[], rank: number): readonly Step[] {
  const kept = layout.filter((axis) => axis !== null)
  const dropped = range(0, rank).filter((axis) => !kept.includes(axis))
  const added = layout.flatMap((axis, place) => (axis === null ? [place] : []))
  const perm = kept.map((axis) => axis - dropped.filter((each) => each < axis).length)
  const [first, ...rest] = respelling(dropped, added)
  if (perm.every((axis, place) => axis === place)) return [first, ...rest].filter((step) => step !== undefined)
  const transpose: Step = { operator: 'Transpose', axes: perm }
  const steps = dropped.length === 0 ? [transpose, first, ...rest] : [first, transpose, ...rest]
  return steps.filter((step) => step !== undefined)
}

/** The respellings that the solver found, as nodes before the input: those that raise the rank, or the others. */
function* respelled({ node, operands, meeting, rule }: CheckedBroadcast, raising: boolean): Generator<Candidate> {
  const most = operands.reduce((rank, { shape }) => Math.max(rank, shape?.length ?? 0), 0)
  for (const fix of meeting.explanation.fixes) {
    if ((fix.result !== null && fix.result.length > most) !== raising) continue
    if (fix.rule.label !== rule || fix.edits.length === 0) continue
    if (fix.edits.some(({ operand }) => operands[operand]!.input === undefined)) continue
    const changes = operands.flatMap((operand, i) => {
      const own = fix.edits.filter((edit) => edit.operand === i)
      const rank = operand.shape!.length
      return own.length === 0 ? [] : [{ ...operand, steps: stepsOf(layoutOf(own, rank), rank) }]
    })
    yield {
      text: changes.map(({ name, steps }) => `${steps.map(stepText).join(' and ')} ${quote(name)}`).join(', and '),
      edits: changes.map(({ input, steps }) => ({ kind: 'insert', path: nodePath(node), input: input!, steps })),
    }
  }
}

const stepText = ({ operator, axes }: Step): string =>
  `${operator} (${operator === 'Transpose' ? 'perm' : 'axes'}=[${axes.join(',')}])`

/** The attributes of an old operator set, where the solver found others that place B. */
function* replaced({ node, rule, meeting }: CheckedBroadcast): Generator<Candidate> {
  for (const { rule: other, edits } of meeting.explanation.fixes) {
    if (other.name !== 'onnxLegacy' || other.label === rule || edits.length > 0) continue
    const { broadcast = false, axis } = other.options as { broadcast?: boolean; axis?: number }
    const path = nodePath(node)
    yield {
      text: `set broadcast=${broadcast ? 1 : 0}${axis === undefined ? '' : ` and axis=${axis}`} on ${nodeLabel(node)}`,
      edits: [
        { kind: 'attribute', path, name: 'broadcast', value: broadcast ? 1 : 0 },
        ...(axis === undefined ? [] : [{ kind: 'attribute', path, name: 'axis', value: axis } as const]),
      ],
    }
  }
}

/** A constant of the wrong size, given the size that the others have on the axis that fails. */
function* resizedConstants({ operands, meeting }: CheckedBroadcast): Generator<Candidate> {
  const { failure, axes } = meeting.explanation
  const row = failure?.axis === undefined ? undefined : axes.at(failure.axis)
  if (row === undefined) return
  for (const i of failure!.operands.toReversed()) {
    const { name, shape, producer } = operands[i]!
    const other = failure!.operands.find((each) => each !== i)
    const target = other === undefined ? undefined : row.operands[other]?.size
    const sizes = shape?.map(constantOf)
    if (producer?.definition.kind !== 'initializer' || producer.definition.initializer.sparse) continue
    // Old files declare its shape a second time, among the inputs.
    if (producer.scope.inputs.some((input) => input.name === name)) continue
    if (typeof target !== 'number' || sizes === undefined || sizes.some((size) => size === undefined)) continue
    const own = axes.slice(0, axes.indexOf(row)).filter(({ operands: cells }) => cells[i]!.size !== undefined).length
    const wanted = sizes.map(Number).with(own, target)
    if (wanted.reduce((product, size) => product * size, 1) > MAX_RESIZED) continue
    yield {
      text: `give initializer ${quote(name)} the shape (${wanted.join(',')}) instead of (${sizes.join(',')}), with values for it`,
      edits: [{ kind: 'resize', path: producer.scope.path, name, shape: wanted }],
    }
  }
}

/** Matrices whose inner sizes differ, one of them the other way round. */
function* transposed(node: Node, inference: Inference, frame: CheckedBroadcast['frame']): Generator<Candidate> {
  if (node.domain !== '' || (node.opType !== 'MatMul' && node.opType !== 'Gemm')) return
  for (const input of [1, 0]) {
    const name = node.inputs[input] ?? ''
    const known = inference.valueIn(frame, name)
    const rank = known.kind === 'tensor' ? known.shape?.length : undefined
    if (rank === undefined || rank < 2) continue
    const path = nodePath(node)
    if (node.opType === 'Gemm') {
      const flag = input === 1 ? 'transB' : 'transA'
      const given = node.attributes.kind(flag) === 'int' ? node.attributes.bigint(flag) : 0n
      const value = given === 0n ? 1 : 0
      yield {
        text: `set ${flag}=${value} on ${nodeLabel(node)}`,
        edits: [{ kind: 'attribute', path, name: flag, value }],
      }
    } else {
      const axes = moved(rank, rank - 1, rank - 2)
      const steps: readonly Step[] = [{ operator: 'Transpose', axes }]
      yield { text: `${stepText(steps[0]!)} ${quote(name)}`, edits: [{ kind: 'insert', path, input, steps }] }
    }
  }
}

export function* candidatesFor({ broadcast, node, frame }: Found, inference: Inference): Generator<Candidate> {
  if (broadcast === undefined) {
    if (node !== undefined && frame !== undefined) yield* transposed(node, inference, frame)
    return
  }
  const made = broadcast.operands.flatMap((operand) =>
    [...makers(operand, broadcast, inference)].map((maker) => ({ maker, rank: operand.shape?.length })),
  )
  for (const { maker } of made) yield* keptAxes(maker)
  yield* placed(broadcast)
  yield* respelled(broadcast, false)
  yield* replaced(broadcast)
  for (const { maker } of made) yield* exchangedAxes(maker)
  for (const { maker, rank } of made) yield* otherAxes(maker, rank)
  for (const candidate of [...resizedConstants(broadcast), ...respelled(broadcast, true)]) {
    yield { ...candidate, isLast: true }
  }
}
