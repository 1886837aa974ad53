// Random cases about rules: Broadcast in its modes, element-wise operators under none, pdpd, paddle and opset 6,
// operands of different types, shapes alone, and shape inference.

import type { Random } from '../../testing/random.ts'
import type { Attributes, CaseDType, Draft, RuleSpec } from './case.ts'
import { binary, binaryInputs, NUMBERS, NUMPY } from './elementwise-cases.ts'
import { blur, type DimKind, mapped, meeting, onto, randomShape, startingAt } from './shapes.ts'
import { randomTensor } from './values.ts'

const MOVED: readonly CaseDType[] = [
  'float32',
  'float64',
  'float16',
  'bfloat16',
  'int8',
  'int64',
  'uint16',
  'bool',
  'string',
]

export const broadcastTo = (random: Random, name: 'unidirectional' | 'bidirectional'): Draft => {
  const [target, data] = name === 'unidirectional' ? onto(random) : (meeting(random, 2) as [number[], number[]])
  const inputs = [randomTensor(random, random.pick(MOVED), data)]
  const op = name === 'bidirectional' ? 'Expand' : 'BroadcastTo'
  return { kind: 'compute', op, attrs: {}, rule: { name }, inputs, target }
}

const OV_MOVED: readonly CaseDType[] = ['float32', 'int32', 'int64', 'uint8', 'float16']

/** OpenVINO's Broadcast operators in each of their modes. */
export const openvinoBroadcast = (random: Random): Draft => {
  const version = random.pick([1, 3] as const)
  const modes = ['unidirectional', 'explicit', 'explicit', 'pdpd'] as const
  const mode = random.pick(version === 3 ? ([...modes, 'bidirectional', 'bidirectional'] as const) : modes)
  const draft = (data: number[], target: number[], rule: RuleSpec): Draft => {
    const inputs = [randomTensor(random, random.pick(OV_MOVED), data)]
    return { kind: 'compute', op: 'Broadcast', attrs: { version }, rule, inputs, target }
  }
  if (mode === 'explicit') {
    const { data, target, axesMapping } = mapped(random)
    return draft(data, target, { name: 'explicit', axesMapping })
  }
  if (mode === 'pdpd') {
    // Broadcast-3 has no way to say where data starts: it starts at 0.
    const { a, b, axis } = startingAt(random)
    return draft(b, a, { name: 'pdpd', axis: version === 3 ? 0 : axis })
  }
  const [target, data] = mode === 'bidirectional' ? (meeting(random, 2) as [number[], number[]]) : onto(random)
  return draft(data, target, { name: mode })
}

const PDPD_OPS = ['Add', 'Sub', 'Mul', 'Div', 'Equal', 'Less', 'And', 'Or', 'BitwiseAnd', 'BitwiseXor', 'Mod', 'Pow']

/** Element-wise operators under rules other than numpy. */
export const otherRules = (random: Random): Draft => {
  const op = random.pick(PDPD_OPS)
  if (random.chance(0.25)) {
    const shape = randomShape(random)
    return binary(random, op, { name: 'none' }, [shape, random.chance(0.7) ? shape : onto(random)[1]])
  }
  const { a, b, axis } = startingAt(random)
  return binary(random, op, { name: 'pdpd', axis }, [a, b])
}

export const selectPdpd = (random: Random): Draft => {
  const [then, other] = onto(random)
  const [, condition] = [then, random.chance(0.5) ? then : then.map((dim) => (random.chance(0.4) ? 1 : dim))]
  const dtype = random.pick(['float32', 'int32'] as const)
  const inputs = [
    randomTensor(random, 'bool', condition),
    randomTensor(random, dtype, then),
    randomTensor(random, dtype, other),
  ]
  return { kind: 'compute', op: 'Where', attrs: {}, rule: { name: 'pdpd', axis: -1 }, inputs }
}

const PADDLE_OPS = ['Add', 'Sub', 'Mul', 'Div', 'FloorDiv', 'FloorMod', 'Pow']
const PADDLE_TYPES: readonly CaseDType[] = ['float32', 'float64', 'int32', 'int64']

export const paddleAxis = (random: Random): Draft => {
  const op = random.pick(PADDLE_OPS)
  const { a, b, axis } = startingAt(random)
  const shapes = random.chance(0.15)
    ? [b, a]
    : [a, random.chance(0.1) ? a.map((dim) => (random.chance(0.5) ? 1 : dim)) : b]
  const dtype = random.pick(
    op === 'Div' ? PADDLE_TYPES.slice(0, 2) : op === 'FloorDiv' ? PADDLE_TYPES.slice(2) : PADDLE_TYPES,
  )
  const inputs = binaryInputs(random, op, dtype, shapes)
  return { kind: 'compute', op, attrs: {}, rule: { name: 'paddle', axis }, inputs }
}

export const legacy = (random: Random): Draft => {
  const op = random.pick(['Add', 'Sub', 'Mul', 'Div'])
  const { a, b, axis } = startingAt(random)
  const rule: RuleSpec = axis === -1 ? { name: 'onnxLegacy' } : { name: 'onnxLegacy', axis }
  const dtype = random.pick(['float32', 'float64'] as const)
  const inputs = [randomTensor(random, dtype, a, { special: 0 }), randomTensor(random, dtype, b, { special: 0 })]
  return { kind: 'compute', op, attrs: {}, rule, inputs }
}

/** Operands whose types differ, where bcast converts nothing. */
export const mixed = (random: Random): Draft => {
  const op = random.pick(['Add', 'Mul', 'Less', 'Max'])
  const first = random.pick(NUMBERS)
  const second = random.pick(NUMBERS.filter((dtype) => dtype !== first))
  const [a, b] = meeting(random, 2)
  return {
    kind: 'compute',
    op,
    attrs: {},
    rule: NUMPY,
    inputs: [randomTensor(random, first, a!), randomTensor(random, second, b!)],
  }
}

export const shapesOnly = (random: Random): Draft => {
  if (random.chance(0.3)) {
    const [x, y] = meeting(random, 2)
    const inner = [1 + random.below(3), 1 + random.below(3), 1 + random.below(3)] as const
    const vector = random.chance(0.2)
    const shapes = vector
      ? [[inner[1]], [...y!, inner[1], inner[2]]]
      : [
          [...x!, inner[0], inner[1]],
          [...y!, inner[1], inner[2]],
        ]
    return { kind: 'shapes', op: 'MatMul', attrs: {}, rule: { name: 'matmulBatch' }, shapes }
  }
  return { kind: 'shapes', op: 'BroadcastShapes', attrs: {}, rule: NUMPY, shapes: meeting(random, 1 + random.below(6)) }
}

const ONNX_INFERRED = ['Add', 'Pow', 'Where', 'Max', 'Sum', 'Less', 'And', 'PRelu', 'Mod', 'BitwiseAnd']

/** Shape inference with names and unknowns, as in ONNX models. */
export const inferNamed = (random: Random): Draft => {
  const op = random.pick(ONNX_INFERRED)
  const count = op === 'Where' ? 3 : op === 'Max' || op === 'Sum' ? 1 + random.below(4) : 2
  const shapes = op === 'PRelu' ? onto(random) : meeting(random, count)
  const kinds: readonly DimKind[] = random.chance(0.25) ? [] : ['name', 'name', 'unknown']
  const dtype = op === 'And' ? 'bool' : op === 'BitwiseAnd' ? 'int32' : 'float32'
  const rule: RuleSpec = { name: op === 'PRelu' ? 'unidirectional' : 'numpy' }
  const attrs: Attributes = op === 'Mod' ? { fmod: true } : {}
  return { kind: 'infer', op, attrs, rule, dtype, shapes: blur(random, shapes, kinds) }
}

/** Shape inference with intervals and unknown ranks, as in OpenVINO models. */
export const inferIntervals = (random: Random): Draft => {
  const kinds: readonly DimKind[] = ['unknown', 'interval', 'interval']
  const question = { kind: 'infer', op: 'Add', attrs: {}, dtype: 'float32' } as const
  if (random.chance(0.35)) {
    const { a, b, axis } = startingAt(random)
    return { ...question, rule: { name: 'pdpd', axis }, shapes: blur(random, [a, b], kinds) }
  }
  if (random.chance(0.2)) {
    const shape = randomShape(random)
    return { ...question, rule: { name: 'none' }, shapes: blur(random, [shape, shape], kinds) }
  }
  if (random.chance(0.2)) {
    const shapes = meeting(random, 3)
    return { ...question, op: 'Where', rule: NUMPY, shapes: blur(random, shapes, kinds) }
  }
  return { ...question, rule: NUMPY, shapes: blur(random, meeting(random, 2), kinds) }
}
