// Cases written by hand: the smallest form of what documents and engines are known to differ on, so that a report does
// not depend on the luck of the seed.
import type { Attributes, CaseDType, Draft, RuleSpec, TensorData } from './case.ts'
import { tensorOf } from './values.ts'

type Value = number | bigint | boolean | string

const NUMPY: RuleSpec = { name: 'numpy' }

const line = (dtype: CaseDType, values: readonly Value[]): TensorData => tensorOf(dtype, [values.length], values)

/** Zeros of a shape, where only the shape matters. */
const blank = (shape: readonly number[], dtype: CaseDType = 'float32'): TensorData =>
  tensorOf(dtype, shape, new Array<number>(shape.reduce((n, size) => n * size, 1)).fill(1))

const compute = (op: string, inputs: readonly TensorData[], attrs: Attributes = {}, rule: RuleSpec = NUMPY): Draft => ({
  kind: 'compute',
  op,
  attrs,
  rule,
  inputs,
})

const pair = (op: string, dtype: CaseDType, a: Value, b: Value, attrs: Attributes = {}): Draft =>
  compute(op, [line(dtype, [a]), line(dtype, [b])], attrs)

const shaped = (op: string, rule: RuleSpec, ...shapes: readonly (readonly number[])[]): Draft =>
  compute(
    op,
    shapes.map((shape) => blank(shape)),
    {},
    rule,
  )

const broadcastTo = (
  version: 1 | 3,
  rule: RuleSpec,
  data: readonly number[],
  target: readonly number[],
  values?: readonly number[],
): Draft => ({
  kind: 'compute',
  op: 'Broadcast',
  attrs: { version },
  rule,
  inputs: [values === undefined ? blank(data) : tensorOf('float32', data, values)],
  target,
})

const MIN32 = -2147483648
const MIN64 = -(2n ** 63n)

const integerDivision: readonly Draft[] = (['Div', 'FloorDiv', 'FloorMod', 'Mod'] as const).flatMap((op) => [
  pair(op, 'int8', -128, -1),
  pair(op, 'int32', MIN32, -1),
  pair(op, 'int64', MIN64, -1n),
  pair(op, 'int32', 7, 0),
  pair(op, 'uint8', 7, 0),
  pair(op, 'int64', -7n, 2n),
  pair(op, 'int32', -7, 2),
])

const zeros: readonly Draft[] = (['Max', 'Min'] as const).flatMap((op) =>
  (['float32', 'float64', 'float16'] as const).flatMap((dtype) =>
    [1, 2, 4, 5].flatMap((n) => [
      compute(op, [line(dtype, new Array<number>(n).fill(-0)), line(dtype, new Array<number>(n).fill(0))]),
      compute(op, [line(dtype, new Array<number>(n).fill(0)), line(dtype, new Array<number>(n).fill(-0))]),
    ]),
  ),
)

const powers: readonly Draft[] = [
  ...(['int32', 'int64'] as const).flatMap((dtype) => [
    pair('Pow', dtype, 0, -1),
    pair('Pow', dtype, 2, -1),
    pair('Pow', dtype, -1, -3),
    pair('Pow', dtype, 2, 31),
    pair('Pow', dtype, 2, 63),
    pair('Pow', dtype, 3, 40),
  ]),
  compute('Pow', [line('int32', [2, 9]), line('float32', [0.5, 0.5])]),
  compute('Pow', [line('float32', [-1]), line('int32', [2147483647])]),
  compute('Pow', [line('float16', [0.5]), tensorOf('float32', [], [10.001])]),
  compute('Pow', [line('float32', [-8, 1, -1]), line('float32', [1 / 3, Number.NaN, Number.POSITIVE_INFINITY])]),
]

const casts: readonly Draft[] = [
  compute('Cast', [line('float32', [Number.NaN])], { to: 'int32' }),
  compute('Cast', [line('float32', [3e9])], { to: 'int32' }),
  compute('Cast', [line('float32', [-1])], { to: 'uint8' }),
  compute('Cast', [line('float32', [300])], { to: 'uint8' }),
  compute('Cast', [line('float64', [1e300])], { to: 'int64' }),
  compute('Cast', [line('float64', [1e300])], { to: 'float32' }),
  compute('Cast', [line('float32', [-1.5])], { to: 'bool' }),
  compute('Cast', [line('int32', [300])], { to: 'int8' }),
  compute('Cast', [line('float32', [Number.NaN])], { to: 'bool' }),
  compute('Cast', [line('int32', [MIN32])], { to: 'bool' }),
  compute('Cast', [line('float32', [2e-27])], { to: 'float16' }),
  compute('Cast', [line('float32', [1.00390625 + 0.003])], { to: 'bfloat16' }),
]

const specials: readonly Draft[] = [
  ...(['float32', 'bfloat16'] as const).flatMap((dtype) => [
    compute('Sign', [line(dtype, [-0])]),
    compute('Sign', [line(dtype, [Number.NaN])]),
    compute('Relu', [line(dtype, [-0])]),
    compute('Relu', [line(dtype, [Number.NaN])]),
    compute('Sum', [line(dtype, [-0])]),
    pair('PRelu', dtype, 0, -1),
  ]),
  compute('Neg', [line('float32', [0])]),
  compute('Sqrt', [line('float32', [-0])]),
  compute('Sqrt', [line('float32', [Number.POSITIVE_INFINITY])]),
  compute('Exp', [line('float32', [-1000])]),
  compute('Sigmoid', [line('float32', [-95])]),
  compute('Exp', [line('float32', [Number.NaN])]),
  compute('Where', [line('bool', [true]), line('float32', [-0]), line('float32', [1])]),
  pair('Greater', 'float32', 1, Number.NaN),
  pair('Equal', 'float32', 1e-9, 0),
  pair('FloorMod', 'float32', 0, -3),
  pair('FloorMod', 'float32', -2.5, Number.POSITIVE_INFINITY),
  pair('Mod', 'float32', 5, 0.25, { fmod: true }),
  pair('Mod', 'float32', -0, 3, { fmod: true }),
  pair('Mod', 'int64', 2n ** 63n - 1n, 4n, { fmod: true }),
  pair('BitwiseLeftShift', 'int32', 1, 33),
  pair('Mul', 'bfloat16', 1.5, 1.0078125),
  compute('Mod', [tensorOf('int64', [0, 1], []), tensorOf('int64', [1, 1], [0])], { fmod: true }),
]

const shapes: readonly Draft[] = [
  shaped('Add', NUMPY, [0], [1]),
  shaped('Add', NUMPY, [1], [0]),
  shaped('Add', NUMPY, [0], [3]),
  shaped('Add', NUMPY, [1, 0, 17], [1, 1, 17]),
  shaped('Add', NUMPY, [2, 3, 4], [2, 4]),
  shaped('Add', NUMPY, [2, 3, 4], [3, 1]),
  shaped('Mean', NUMPY, [1], [2]),
  compute(
    'Max',
    Array.from({ length: 40 }, () => blank([1])),
  ),
]

const unidirectional: readonly Draft[] = [
  shaped('PRelu', { name: 'unidirectional' }, [1, 2], [3, 2]),
  shaped('PRelu', { name: 'unidirectional' }, [1, 3, 2, 2], [3]),
  shaped('PRelu', { name: 'unidirectional' }, [2], [1, 2]),
  shaped('PRelu', { name: 'openvinoPrelu' }, [1, 3, 2, 3], [3]),
  shaped('PRelu', { name: 'openvinoPrelu' }, [2, 3, 4], [1, 4]),
  shaped('PRelu', { name: 'openvinoPrelu' }, [2], [3]),
  shaped('PRelu', { name: 'openvinoPrelu' }, [1, 2, 3], [3]),
  shaped('Gemm', { name: 'unidirectional' }, [2, 3], [3, 4], [2]),
  shaped('Gemm', { name: 'unidirectional' }, [2, 3], [3, 4], [2, 1]),
  shaped('Gemm', { name: 'unidirectional' }, [2, 3], [3, 4], [1, 2, 4]),
  shaped('Gemm', { name: 'unidirectional' }, [1, 3], [3, 4], [2, 4]),
  compute(
    'Gemm',
    [blank([1, 1]), blank([1, 1]), tensorOf('float32', [1, 1], [Number.NaN])],
    { beta: 0 },
    { name: 'unidirectional' },
  ),
  compute(
    'Gemm',
    [tensorOf('float32', [1, 0], []), tensorOf('float32', [0, 1], []), tensorOf('float32', [1, 1], [3])],
    { beta: 2 },
    { name: 'unidirectional' },
  ),
]

const pdpd = (axis: number): RuleSpec => ({ name: 'pdpd', axis })

const openvino: readonly Draft[] = [
  shaped('Add', pdpd(1), [2, 3, 4, 5], [3, 4]),
  shaped('Add', pdpd(1), [2, 3, 4, 5], [3, 1]),
  shaped('Add', pdpd(0), [2, 3, 4, 5], [1, 3]),
  shaped('Add', pdpd(3), [2, 4, 5, 3], [3, 1]),
  shaped('Add', pdpd(-1), [2, 3, 4, 3], [3, 1]),
  shaped('Add', pdpd(1), [8, 1, 6, 1], [7, 1, 5]),
  shaped('Add', pdpd(-1), [2, 3], [1, 2, 3]),
  shaped('Add', pdpd(0), [0], [1]),
  shaped('Add', pdpd(0), [1], [0]),
  compute('Sub', [tensorOf('float32', [2, 2], [0, 0, 0, 0]), line('float32', [1, 2])], {}, pdpd(0)),
  compute('Add', [tensorOf('float32', [2, 2], [0, 0, 0, 0]), line('float32', [1, 2])], {}, pdpd(0)),
  broadcastTo(3, pdpd(0), [2, 1], [1, 3]),
  broadcastTo(3, pdpd(0), [2], [2, 3]),
  broadcastTo(1, pdpd(1), [3, 1], [2, 1, 4]),
  broadcastTo(1, pdpd(1), [3, 1], [4, 3], [1, 2, 3]),
  broadcastTo(1, pdpd(1), [3, 1, 1], [2, 3, 4]),
  broadcastTo(1, pdpd(2), [3], [4, 3]),
  broadcastTo(1, pdpd(5), [3], [4, 3]),
  broadcastTo(3, { name: 'explicit', axesMapping: [1, 1] }, [2, 2], [2, 2]),
  broadcastTo(3, { name: 'explicit', axesMapping: [1] }, [1], [2, 3]),
  broadcastTo(3, { name: 'explicit', axesMapping: [0] }, [], [1, 3]),
  broadcastTo(3, { name: 'unidirectional' }, [1, 1, 2], [2]),
  broadcastTo(3, { name: 'bidirectional' }, [4, 1], [1, 3]),
  compute('Where', [blank([2, 2], 'bool'), blank([1, 2]), blank([2])]),
]

const plain: readonly Draft[] = [
  pair('Div', 'int32', 7, 2, { plain: true }),
  pair('Div', 'int64', -7n, 2n, { plain: true }),
  compute('Add', [line('int32', [1]), line('float32', [0.5])]),
  compute('Add', [line('uint64', [1n]), line('int64', [-1n])]),
  pair('Mod', 'float32', -7, 3),
]

const paddle: readonly Draft[] = [
  shaped('Add', { name: 'paddle', axis: 1 }, [2, 3, 4], [3]),
  shaped('Add', { name: 'paddle', axis: 1 }, [2, 3], [2, 3]),
  shaped('Add', { name: 'paddle', axis: -1 }, [0], [1]),
  shaped('Add', { name: 'paddle', axis: 1 }, [2, 3, 4], [3, 1, 1]),
  shaped('Add', { name: 'paddle', axis: 2 }, [2, 3, 4], [4, 1]),
]

const legacy: readonly Draft[] = [
  shaped('Add', { name: 'onnxLegacy', axis: 1 }, [2, 3, 4, 5], [3, 4]),
  shaped('Add', { name: 'onnxLegacy', axis: 1 }, [2, 2, 5, 5], [2]),
  compute(
    'Add',
    [tensorOf('float32', [2, 2, 1], [0, 0, 0, 0]), line('float32', [1, 2])],
    {},
    { name: 'onnxLegacy', axis: 1 },
  ),
  shaped('Add', { name: 'onnxLegacy', axis: 0 }, [2, 3], [2]),
  shaped('Add', { name: 'onnxLegacy' }, [2, 3], [3]),
]

const infer = (op: string, ...given: Extract<Draft, { kind: 'infer' }>['shapes']): Draft => ({
  kind: 'infer',
  op,
  attrs: {},
  rule: { name: op === 'PRelu' ? 'unidirectional' : 'numpy' },
  dtype: 'float32',
  shapes: given,
})

const inferred: readonly Draft[] = [
  infer('Add', [2, 3], [2]),
  infer('Add', [0], [1]),
  infer('Add', ['N'], [3]),
  infer('Add', ['N'], ['N', 1]),
  infer('Add', ['N', 'N'], [3, 4]),
  infer('Add', ['N', 4], ['M', 4]),
  infer('Add', ['M', 'M', 1], [5, 3, 'M']),
  infer('Max', null, [3], [4]),
  infer('Where', [2], null, [3]),
  infer('Sum', ['N'], [2], [3]),
  infer('PRelu', [1, 2], [3, 2]),
  infer('PRelu', ['N'], [3]),
]

export const directed: readonly Draft[] = [
  ...integerDivision,
  ...zeros,
  ...powers,
  ...casts,
  ...specials,
  ...shapes,
  ...unidirectional,
  ...openvino,
  ...plain,
  ...paddle,
  ...legacy,
  ...inferred,
]
