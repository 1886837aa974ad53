// Sequences of tensors, and optional values.
import { add, bounds, constant, constantOf, type Dim, isEqual, max, sub } from '../../dims/index.ts'
import { elementTypeOf } from '../../model/element-type.ts'
import type { Call } from '../call.ts'
import { hull, join } from '../join.ts'
import { type Known, type KnownSequence, optional, sequence, tensor, unknown } from '../known.ts'
import type { Row } from '../row.ts'
import { concatenated } from './move.ts'
import { splitAlong } from './slice.ts'

/** What holds of all elements. */
function commonOf(call: Call, elements: readonly Known[]): Known {
  const dims = (a: Dim, b: Dim): Dim => call.fresh('element', hull(a, b))
  return elements.length === 0 ? unknown : elements.reduce((a, b) => join(a, b, dims))
}

const sequenceOf = (call: Call, elements: readonly Known[]): KnownSequence =>
  sequence(commonOf(call, elements), constant(elements.length), elements)

/** Input i as a sequence; undefined when nothing is known of it. */
function sequenceInput(call: Call, i: number): KnownSequence | undefined {
  const known = call.input(i)
  if (known.kind === 'unknown') return undefined
  return known.kind === 'sequence' ? known : call.fail(`input ${i} is a ${known.kind}, not a sequence.`)
}

/** A position that input i names; undefined when it is not known. */
function positionIn(call: Call, i: number, { length }: KnownSequence, past: number): number | undefined {
  const [given] = call.numbers(i) ?? []
  const count = constantOf(length)
  if (given === undefined || count === undefined) return undefined
  const size = Number(count) + past
  if (given < -Number(count) || given >= size) return call.fail(`position ${given} is outside a sequence of ${count}.`)
  return given < 0 ? given + Number(count) : given
}

const construct: Row = {
  name: 'SequenceConstruct',
  since: 11,
  infer: (call) => [
    sequenceOf(
      call,
      call.inputs.map((_, i) => call.tensor(i)),
    ),
  ],
}

const empty: Row = {
  name: 'SequenceEmpty',
  since: 11,
  infer: (call) => {
    const element = call.attributes.has('dtype') ? elementTypeOf(call.attributes.int('dtype')) : 'float32'
    return [sequence(tensor(element, null), constant(0), [])]
  },
}

const at: Row = {
  name: 'SequenceAt',
  since: 11,
  infer: (call) => {
    const from = sequenceInput(call, 0)
    if (from === undefined) return []
    const position = positionIn(call, 1, from, 0)
    return [(position === undefined ? undefined : from.elements?.[position]) ?? from.of]
  },
}

const insert: Row = {
  name: 'SequenceInsert',
  since: 11,
  infer: (call) => {
    const into = sequenceInput(call, 0)
    const added = call.tensor(1)
    if (into === undefined) return []
    const position = call.has(2) ? positionIn(call, 2, into, 1) : into.elements?.length
    if (into.elements !== undefined && position !== undefined) {
      return [sequenceOf(call, into.elements.toSpliced(position, 0, added))]
    }
    const isEmpty = isEqual(into.length, 0) === true
    return [sequence(isEmpty ? added : commonOf(call, [into.of, added]), add(into.length, 1))]
  },
}

const erase: Row = {
  name: 'SequenceErase',
  since: 11,
  infer: (call) => {
    const from = sequenceInput(call, 0)
    if (from === undefined) return []
    if (bounds(from.length).max < 1) return call.fail('the sequence is empty.')
    const position = call.has(1) ? positionIn(call, 1, from, 0) : (from.elements?.length ?? 0) - 1
    if (from.elements !== undefined && position !== undefined) {
      return [sequenceOf(call, from.elements.toSpliced(position, 1))]
    }
    return [sequence(from.of, max(sub(from.length, 1), 0))]
  },
}

const length: Row = {
  name: 'SequenceLength',
  since: 11,
  infer: (call) => {
    const of = sequenceInput(call, 0)
    return [tensor('int64', [], of && [of.length])]
  },
}

const splitToSequence: Row = {
  name: 'SplitToSequence',
  since: 11,
  infer: (call) => {
    const data = call.tensor(0)
    const { element, shape } = data
    if (shape === null) return [sequence(tensor(element, null), call.fresh('length'))]
    const axis = call.axis(call.attributes.int('axis', 0), shape.length)
    const dim = shape[axis]!
    if (!call.has(1)) return [singles(call, axis)]
    const sizes = call.numbers(1)
    const size = constantOf(dim)
    const isScalar = call.shape(1)?.length === 0
    const parts = sizes && partsOf(call, sizes, isScalar, size)
    if (parts !== undefined) {
      const total = parts.reduce((a, b) => a + b, 0)
      call.learn(dim, total, () => `the parts do not add up to the size of axis ${axis}.`)
      return [
        sequenceOf(
          call,
          splitAlong(
            data,
            axis,
            parts.map((part) => constant(part)),
          ),
        ),
      ]
    }
    const count = call.count(1)
    const many = isScalar || count === undefined ? call.fresh('length') : constant(count)
    return [sequence(tensor(element, shape.with(axis, call.fresh('part'))), many)]
  },
}

/** One element along the axis each, and the axis is kept if it is asked for. */
function singles(call: Call, axis: number): Known {
  const { element, shape } = call.tensor(0)
  const keep = call.attributes.int('keepdims', 1) !== 0
  const one = tensor(element, keep ? shape!.with(axis, constant(1)) : shape!.toSpliced(axis, 1))
  const count = constantOf(shape![axis]!)
  const elements = count !== undefined && count <= 1024n ? new Array<Known>(Number(count)).fill(one) : undefined
  return sequence(one, shape![axis]!, elements)
}

/** Sizes of the parts; a single size is repeated, and the last part is what is left. */
function partsOf(
  call: Call,
  sizes: readonly number[],
  isScalar: boolean,
  whole: bigint | undefined,
): number[] | undefined {
  if (!isScalar) return [...sizes]
  const [size] = sizes
  if (size === undefined || size < 1) return call.fail(`parts of size ${size} cannot be.`)
  const total = Number(whole)
  if (whole === undefined || total / size > 1024) return undefined
  return Array.from({ length: Math.ceil(total / size) }, (_, i) => Math.min(size, total - i * size))
}

const concatFromSequence: Row = {
  name: 'ConcatFromSequence',
  since: 11,
  infer: (call) => {
    const from = sequenceInput(call, 0)
    if (from === undefined) return []
    const { of, elements } = from
    if (of.kind !== 'tensor') return []
    const stack = call.attributes.int('new_axis', 0) !== 0
    const axis = call.attributes.int('axis')
    const parts = elements?.filter((each) => each.kind === 'tensor')
    if (parts !== undefined && parts.length > 0 && parts.length === elements?.length) {
      return [concatenated(call, stack ? parts.map((part) => stacked(call, part, axis)) : parts, axis)]
    }
    if (of.shape === null) return [tensor(of.element, null)]
    const rank = of.shape.length + (stack ? 1 : 0)
    const place = call.axis(axis, rank)
    const shape = stack ? of.shape.toSpliced(place, 0, from.length) : of.shape.with(place, call.fresh('joined'))
    return [tensor(of.element, shape)]
  },
}

function stacked(
  call: Call,
  { element, shape, values }: Known & { kind: 'tensor' },
  axis: number,
): Known & { kind: 'tensor' } {
  if (shape === null) return tensor(element, null)
  return tensor(element, shape.toSpliced(call.axis(axis, shape.length + 1), 0, constant(1)), values)
}

/** An optional value that is there, or of a type alone. */
const optionalRow: Row = {
  name: 'Optional',
  since: 15,
  infer: (call) => {
    if (call.has(0)) return [optional(call.input(0), true)]
    return [optional(call.declared('type'), false)]
  },
}

const getElement: Row = {
  name: 'OptionalGetElement',
  since: 15,
  infer: (call) => {
    const from = call.input(0)
    if (from.kind !== 'optional') return [from]
    return from.present === false ? call.fail('the optional value is not there.') : [from.of]
  },
}

const hasElement: Row = {
  name: 'OptionalHasElement',
  since: 15,
  infer: (call) => {
    const [from] = call.inputs
    const present =
      from === undefined ? false : from.kind === 'optional' ? from.present : from.kind === 'unknown' ? undefined : true
    return [tensor('bool', [], present === undefined ? undefined : [constant(present ? 1 : 0)])]
  },
}

export const sequenceRows: readonly Row[] = [
  ...[construct, empty, at, insert, erase, length, splitToSequence, concatFromSequence],
  ...[optionalRow, getElement, hasElement],
]
