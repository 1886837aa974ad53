// Fourier transforms and what goes with them, and operators on texts.

import { numpy } from 'bcast'
import { add, constant, constantOf, type Dim, floorDiv, sub } from '../../dims/index.ts'
import type { Call } from '../call.ts'
import { tensor } from '../known.ts'
import type { Row } from '../row.ts'
import { typeAttribute } from './generate.ts'

/** The length of a transform: asked for, or that of the axis; one-sided ones keep the lower half, and the middle. */
function transformed(call: Call, axis: number, shape: readonly Dim[]): readonly Dim[] {
  const length = call.has(1) ? call.size(call.dims(1)?.[0], 'length') : shape[axis]!
  const onesided = call.attributes.int('onesided', 0) !== 0
  const inverse = call.attributes.int('inverse', 0) !== 0
  const size = onesided && !inverse ? add(floorDiv(length, 2), 1) : length
  return [...shape.with(axis, size).slice(0, -1), constant(onesided && inverse ? 1 : 2)]
}

const dft: Row = {
  name: 'DFT',
  since: 17,
  infer: (call) => {
    const { element } = call.tensor(0)
    const shape = call.ranked(0, 2)
    // The axis is an attribute first, then an input.
    const given = call.opset < 20 ? call.attributes.int('axis', 1) : call.has(2) ? call.numbers(2)?.[0] : -2
    if (shape === null || given === undefined) return [tensor(element, shape && call.freshShape(shape.length))]
    // One-sided inverse transforms double the length in later versions only; their size is left open.
    const axis = call.axis(given, shape.length)
    const onesidedInverse = call.attributes.int('onesided', 0) !== 0 && call.attributes.int('inverse', 0) !== 0
    if (onesidedInverse) return [tensor(element, shape.with(axis, call.fresh('length')).with(-1, call.fresh('parts')))]
    return [tensor(element, transformed(call, axis, shape))]
  },
}

const stft: Row = {
  name: 'STFT',
  since: 17,
  infer: (call) => {
    const { element } = call.tensor(0)
    const shape = call.ranked(0, 2, 3)
    const step = call.dims(1)?.[0]
    const asked = call.dims(3)?.[0] ?? call.optional(2)?.shape?.[0]
    const length = asked === undefined || asked === null ? call.fresh('length') : asked
    const onesided = call.attributes.int('onesided', 1) !== 0
    const bins = onesided ? add(floorDiv(length, 2), 1) : length
    const known = shape !== null && step && constantOf(step) !== 0n
    const frames = known ? add(floorDiv(sub(shape[1]!, length), step), 1) : call.fresh('frames')
    return [tensor(element, [shape?.[0] ?? call.fresh('batch'), frames, bins, constant(2)])]
  },
}

const melWeightMatrix: Row = {
  name: 'MelWeightMatrix',
  since: 17,
  infer: (call) => {
    const length = call.dims(1)?.[0]
    const bins = length ? add(floorDiv(length, 2), 1) : call.fresh('bins')
    const element = typeAttribute(call, 'output_datatype', 'float32')
    return [tensor(element, [bins, call.size(call.dims(0)?.[0], 'mels')])]
  },
}

const stringConcat: Row = {
  name: 'StringConcat',
  since: 20,
  infer: (call) => [tensor('string', call.broadcast([call.operand(0), call.operand(1)], numpy))],
}

const regexFullMatch: Row = {
  name: 'RegexFullMatch',
  since: 20,
  infer: (call) => [tensor('bool', call.shape(0))],
}

const stringSplit: Row = {
  name: 'StringSplit',
  since: 20,
  infer: (call) => {
    const { shape } = call.tensor(0)
    return [tensor('string', shape && [...shape, call.fresh('parts')]), tensor('int64', shape)]
  },
}

const stringNormalizer: Row = {
  name: 'StringNormalizer',
  since: 10,
  infer: (call) => {
    const shape = call.ranked(0, 1, 2)
    return [tensor('string', shape && [...shape.slice(0, -1), call.fresh('count')])]
  },
}

const tfIdfVectorizer: Row = {
  name: 'TfIdfVectorizer',
  since: 9,
  infer: (call) => {
    const shape = call.ranked(0, 1, 2)
    const features = constant(call.attributes.ints('ngram_indexes').reduce((a, b) => Math.max(a, b), -1) + 1)
    return [tensor('float32', shape && [...shape.slice(0, -1), features])]
  },
}

export const signalRows: readonly Row[] = [
  ...[dft, stft, melWeightMatrix],
  ...[stringConcat, regexFullMatch, stringSplit, stringNormalizer, tfIdfVectorizer],
]
