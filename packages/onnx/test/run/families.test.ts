// Operators that are made of several steps, run here and in onnxruntime on random elements, sizes and versions.
import { type DType, type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import type { Case } from '../support/cases.ts'
import type { Attributes } from '../support/infer.ts'
import { caseText, disagreement } from '../support/judge.ts'
import { Random } from '../support/random.ts'

const count = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

/** Elements from -2 to 2, or small integers. */
function filled(random: Random, shape: readonly number[], dtype: DType = 'float32'): Tensor {
  const whole = (): number => random.int(dtype.startsWith('u') || dtype === 'bool' ? 0 : -3, dtype === 'bool' ? 1 : 4)
  const values = Array.from({ length: count(shape) }, () => (/float/.test(dtype) ? random.next() * 4 - 2 : whole()))
  return tensor(values, { dtype, shape: [...shape] }) as Tensor
}

const positive = (random: Random, shape: readonly number[]): Tensor =>
  tensor(
    Float32Array.from({ length: count(shape) }, () => 0.1 + random.next()),
    { shape: [...shape] },
  ) as Tensor

const ints = (values: readonly number[]): Tensor =>
  tensor(values.map(BigInt), { dtype: 'int64', shape: [values.length] }) as Tensor

const made = (op: string, opset: number, inputs: Case['inputs'], attributes: Attributes = {}, outputs = 1): Case => ({
  ...{ op, opset, inputs, attributes, outputs },
})

/** Shapes with an axis that takes the tree several rounds. */
const shapeOf = (random: Random, least = 1, most = 4): number[] => {
  const shape = random.ints(random.int(least, most), 1, 4)
  return shape.with(random.int(0, shape.length - 1), random.pick(1, 5, 8, 9, 17, 64, 71, 130))
}

const reduction =
  (op: string, dtypes: readonly DType[], make = filled) =>
  (random: Random): Case => {
    const shape = shapeOf(random)
    const axes = shape.map((_, axis) => axis).filter(() => random.chance())
    const opset = random.pick(11, 13, 18, 20)
    const keepdims = random.int(0, 1)
    const x = make(random, shape, random.pick(...dtypes))
    const asInput = opset >= (op === 'ReduceSum' ? 13 : 18)
    if (axes.length === 0)
      return made(op, opset, [x], asInput ? { keepdims, noop_with_empty_axes: random.int(0, 1) } : { keepdims })
    return asInput ? made(op, opset, [x, ints(axes)], { keepdims }) : made(op, opset, [x], { keepdims, axes })
  }

const softmax =
  (op: string) =>
  (random: Random): Case => {
    const shape = shapeOf(random)
    const axis = random.int(-shape.length, shape.length - 1)
    return made(op, random.pick(11, 12, 13), [filled(random, shape)], { axis })
  }

const arg =
  (op: string) =>
  (random: Random): Case => {
    const shape = shapeOf(random)
    const x = filled(random, shape, random.pick<DType>('float32', 'int32'))
    const axis = random.int(-shape.length, shape.length - 1)
    return made(op, 13, [x], { axis, keepdims: random.int(0, 1), select_last_index: random.int(0, 1) })
  }

const perChannel =
  (op: string, operands: number, opset: number, attributes: Attributes = {}) =>
  (random: Random): Case => {
    const shape = [random.int(1, 3), 4, ...random.ints(random.int(1, 2), 1, 6)]
    const inputs = Array.from({ length: operands }, () => positive(random, [4]))
    return made(op, opset, [filled(random, shape), ...inputs], { epsilon: { float: 0.001 }, ...attributes })
  }

const layerNormalization = (random: Random): Case => {
  const shape = shapeOf(random, 2)
  const axis = random.int(-shape.length, shape.length - 1)
  const scale = shape.slice(axis)
  const inputs = [filled(random, shape), filled(random, scale), ...(random.chance() ? [filled(random, scale)] : [])]
  return made('LayerNormalization', 17, inputs, { axis, epsilon: { float: 0.01 } })
}

const lrn = (random: Random): Case =>
  made('LRN', 13, [filled(random, [2, random.int(1, 7), ...random.ints(2, 1, 4)])], {
    ...{ size: random.pick(1, 3, 5, 7), alpha: { float: 0.3 }, beta: { float: 0.6 }, bias: { float: 1.5 } },
  })

/** One of these equations, every letter of some size. */
const einsum =
  (...equations: readonly string[]) =>
  (random: Random): Case => {
    const equation = random.pick(...equations)
    const sizes = new Map(Array.from('abcdhijkqw', (letter) => [letter, random.int(1, 4)]))
    const operands = equation.split('->')[0]!.split(',')
    const inputs = operands.map((part) =>
      whole(
        random,
        Array.from(part.replace('...', '.'), (letter) => (letter === '.' ? [2, 3] : [sizes.get(letter)!])).flat(),
      ),
    )
    return made('Einsum', 12, inputs, { equation })
  }

const pad = (random: Random): Case => {
  const shape = random.ints(random.int(1, 3), 2, 5)
  const mode = random.pick('reflect', 'edge', 'wrap', 'constant')
  const pads = random.ints(2 * shape.length, -1, mode === 'reflect' ? 1 : 2)
  return made('Pad', 19, [filled(random, shape), ints(pads)], { mode })
}

const trilu = (random: Random): Case =>
  made(
    'Trilu',
    14,
    [filled(random, random.ints(random.int(2, 3), 1, 5)), tensor(BigInt(random.int(-3, 3))) as Tensor],
    { upper: random.int(0, 1) },
  )

const eyeLike = (random: Random): Case =>
  made('EyeLike', 9, [filled(random, random.ints(2, 1, 5))], { k: random.int(-2, 2), dtype: random.pick(1, 6, 7) })

const gather = (random: Random): Case => {
  const shape = random.ints(random.int(1, 3), 2, 6)
  const axis = random.int(0, shape.length - 1)
  const size = shape[axis]!
  const indices = ints(random.ints(6, -size, size - 1)).reshape(random.chance() ? [6] : [2, 3]) as Tensor
  return made('Gather', 13, [filled(random, shape), indices], { axis })
}

const gatherElements = (random: Random): Case => {
  const shape = random.ints(random.int(1, 3), 2, 5)
  const axis = random.int(-shape.length, shape.length - 1)
  const size = shape.at(axis)!
  const sizes = shape.map((most) => random.int(1, most)).with(axis, random.int(0, 6))
  const indices = ints(random.ints(count(sizes), -size, size - 1)).reshape(sizes) as Tensor
  return made('GatherElements', 13, [filled(random, shape, random.pick<DType>('float32', 'int64')), indices], { axis })
}

const gatherND = (random: Random): Case => {
  const shape = random.ints(random.int(2, 4), 2, 4)
  const batch = random.int(0, 1)
  const width = random.int(1, shape.length - batch)
  const lead = [...shape.slice(0, batch), ...random.ints(random.int(0, 2), 1, 3)]
  const least = Math.min(...shape)
  const indices = ints(random.ints(count(lead) * width, -least, least - 1)).reshape([...lead, width]) as Tensor
  return made('GatherND', 13, [filled(random, shape), indices], { batch_dims: batch })
}

const reduced = (random: Random): Attributes => ({ reduction: random.pick('none', 'add', 'max', 'min') })

const scatterElements = (random: Random): Case => {
  const shape = random.ints(random.int(1, 3), 2, 5)
  const axis = random.int(-shape.length, shape.length - 1)
  const size = shape.at(axis)!
  const sizes = shape.map((most) => random.int(1, most)).with(axis, random.int(0, 6))
  const attributes = reduced(random)
  // Of places that are written twice onnxruntime says nothing without a reduction.
  const along = attributes['reduction'] === 'none' ? sizes.with(axis, 1) : sizes
  const indices = ints(random.ints(count(along), -size, size - 1)).reshape(along) as Tensor
  const dtype = random.pick<DType>('float32', 'int64', 'int32')
  return made('ScatterElements', 18, [filled(random, shape, dtype), indices, filled(random, along, dtype)], {
    ...{ axis, ...attributes },
  })
}

const scatterND = (random: Random): Case => {
  const shape = random.ints(random.int(1, 4), 2, 4)
  const width = random.int(1, shape.length)
  const attributes = reduced(random)
  const lead = attributes['reduction'] === 'none' ? [1] : random.ints(random.int(0, 2), 1, 3)
  const least = Math.min(...shape)
  const indices = ints(random.ints(count(lead) * width, -least, least - 1)).reshape([...lead, width]) as Tensor
  const dtype = random.pick<DType>('float32', 'int64', 'float64')
  const updates = filled(random, [...lead, ...shape.slice(width)], dtype)
  return made('ScatterND', 18, [filled(random, shape, dtype), indices, updates], attributes)
}

const topK = (random: Random): Case => {
  const shape = random.ints(random.int(1, 3), 1, 6)
  const axis = random.int(-shape.length, shape.length - 1)
  const x = filled(random, shape, random.pick<DType>('float32', 'int64', 'int32'))
  return made('TopK', 11, [x, ints([random.int(0, shape.at(axis)!)])], { axis, largest: random.int(0, 1) }, 2)
}

const cumSum = (random: Random): Case => {
  const shape = shapeOf(random)
  const axis = tensor(BigInt(random.int(-shape.length, shape.length - 1))) as Tensor
  const x = filled(random, shape, random.pick<DType>('float32', 'int64', 'int32'))
  return made('CumSum', 14, [x, axis], { exclusive: random.int(0, 1), reverse: random.int(0, 1) })
}

/** Data, with scales and zero points for all of it, for an axis, or for blocks on an axis. */
function scaled(random: Random, op: string, of: DType, quantized: DType): Case {
  const shape = random.ints(3, 1, 5)
  const axis = random.int(-3, 2)
  const size = shape.at(axis)!
  const block = random.int(2, 3)
  const [attributes, sizes] = random.pick<readonly [Attributes, number[]]>(
    [{}, []],
    [{}, [1]],
    [{ axis }, [size]],
    [{ axis, block_size: block }, shape.with(axis, Math.ceil(size / block))],
  )
  const zero = random.chance() && quantized !== 'int32' ? [filled(random, sizes, quantized)] : []
  return made(op, 21, [filled(random, shape, of), positive(random, sizes), ...zero], attributes)
}

const quantizeLinear = (random: Random): Case =>
  scaled(random, 'QuantizeLinear', 'float32', random.pick<DType>('int8', 'uint8', 'int16', 'uint16'))

const dequantizeLinear = (random: Random): Case => {
  const dtype = random.pick<DType>('int8', 'uint8', 'int16', 'uint16', 'int32')
  return scaled(random, 'DequantizeLinear', dtype, dtype)
}

const dynamicQuantizeLinear = (random: Random): Case =>
  made('DynamicQuantizeLinear', 11, [random.pick(filled, positive)(random, shapeOf(random))], {}, 3)

const matMulInteger = (random: Random): Case => {
  const [m, k, n] = random.ints(3, 1, 6) as [number, number, number]
  const [a, b] = [filled(random, [2, m, k], 'uint8'), filled(random, [k, n], 'int8')]
  const zeros = random.pick<Tensor[]>(
    [],
    [filled(random, [], 'uint8')],
    [filled(random, [], 'uint8'), filled(random, [], 'int8')],
    [filled(random, [1], 'uint8'), filled(random, [n], 'int8')],
  )
  return made('MatMulInteger', 10, [a, b, ...zeros])
}

/** Boxes by corners in any order, or by centres and sizes, which are positive. */
const nonMaxSuppression = (random: Random): Case => {
  const [batches, classes, boxes] = [random.int(1, 2), random.int(1, 3), random.int(4, 20)]
  const centred = random.int(0, 1)
  const scalar = (value: number): Tensor => tensor(value, { dtype: 'float32' }) as Tensor
  const limits = [ints([random.int(0, 9)]), scalar(random.pick(0, 0.1, 0.3, 0.6)), scalar(random.pick(-1, 0, 0.5))]
  return made(
    'NonMaxSuppression',
    random.pick(10, 11),
    [
      (centred || random.chance() ? positive : filled)(random, [batches, boxes, 4]),
      whole(random, [batches, classes, boxes]),
      ...limits.slice(0, random.int(1, 3)),
    ],
    { center_point_box: centred },
  )
}

const roiAlign = (random: Random): Case => {
  const count = random.int(1, 4)
  const batches = random.int(1, 3)
  const opset = random.pick(10, 16)
  const images = ints(random.ints(count, 0, batches - 1))
  const places = { coordinate_transformation_mode: random.pick('half_pixel', 'output_half_pixel') }
  const corners = Array.from({ length: count }, () => {
    const [x, y] = [random.next() * 12 - 1, random.next() * 12 - 1]
    return [x, y, x + random.next() * 9, y + random.next() * 9]
  }).flat()
  const rois = tensor(Float32Array.from(corners), { shape: [count, 4] }) as Tensor
  return made('RoiAlign', opset, [filled(random, [batches, 2, ...random.ints(2, 1, 6)]), rois, images], {
    ...{ output_height: random.int(1, 3), output_width: random.int(1, 3), sampling_ratio: random.int(0, 2) },
    ...{ spatial_scale: { float: random.pick(0.5, 1) }, ...(opset >= 16 ? places : {}) },
  })
}

const nonZero = (random: Random): Case =>
  made('NonZero', 13, [
    filled(random, random.ints(random.int(1, 3), 0, 5), random.pick<DType>('int32', 'bool', 'int64', 'float32')),
  ])

const clip = (random: Random): Case => {
  const dtype = random.pick<DType>('float32', 'int32', 'int8')
  const scalar = (value: number): Tensor => tensor(value, { dtype }) as Tensor
  const [low, high] = [random.chance() ? scalar(-1) : undefined, random.chance() ? scalar(1) : undefined]
  return made('Clip', 13, [filled(random, [3, 4], dtype), low, ...(high === undefined ? [] : [high])])
}

const range = (random: Random): Case => {
  const dtype = random.pick<DType>('int64', 'int32', 'float32')
  const start = dtype === 'int64' ? 2n ** BigInt(random.int(3, 50)) : BigInt(random.int(-9, 9))
  const [length, delta] = [BigInt(random.int(-20, 20)), BigInt(random.pick(-3, -1, 1, 2, 7))]
  const scalar = (value: bigint): Tensor => tensor(dtype === 'int64' ? value : Number(value), { dtype }) as Tensor
  return made('Range', 11, [scalar(start), scalar(start + length), scalar(delta)])
}

const pooled =
  (op: string) =>
  (random: Random): Case =>
    made(op, 13, [filled(random, [2, 3, ...random.ints(2, 1, 9)])])

const depthToSpace = (random: Random): Case =>
  made('DepthToSpace', 13, [filled(random, [2, 8, 3, 2])], { blocksize: 2, mode: random.pick('DCR', 'CRD') })

const batched = (random: Random): Case => {
  const [m, k, n] = random.ints(3, 1, 7) as [number, number, number]
  const [a, b] = random.pick<readonly [number[], number[]]>(
    [[2, 1], [3]],
    [[], [2, 3]],
    [[4], []],
    [
      [2, 3],
      [2, 3],
    ],
  )
  const dtype = random.pick<DType>('float32', 'int32', 'float64')
  return made('MatMul', 13, [whole(random, [...a, m, k], dtype), whole(random, [...b, k, n], dtype)])
}

/** Whole numbers, so that no order of steps rounds. */
const whole = (random: Random, shape: readonly number[], dtype: DType = 'float32'): Tensor =>
  tensor(
    Array.from({ length: count(shape) }, () => random.int(-9, 9)),
    { dtype, shape: [...shape] },
  ) as Tensor

/** A window over axes of these sizes: kernel, strides, dilations, and pads by number or by name. */
function windowOf(random: Random, rank: number, dilate = true): Attributes & { readonly kernel_shape: number[] } {
  const kernel = random.ints(rank, 1, 3)
  const padding = random.pick<Attributes>(
    { pads: [...kernel, ...kernel].map((size) => random.int(0, size - 1)) },
    { auto_pad: random.pick('SAME_UPPER', 'SAME_LOWER', 'VALID') },
    {},
  )
  const dilations = dilate && !('auto_pad' in padding) ? { dilations: random.ints(rank, 1, 2) } : {}
  return { kernel_shape: kernel, strides: random.ints(rank, 1, 3), ...dilations, ...padding }
}

const conv = (random: Random): Case => {
  const rank = random.int(1, 3)
  const group = random.pick(1, 2, 3)
  const [channels, filters] = [random.pick(1, 1, 2, 3), random.pick(1, 1, 2)]
  const window = windowOf(random, rank)
  const x = whole(random, [random.int(1, 2), channels * group, ...random.ints(rank, 6, 9)])
  const weights = whole(random, [filters * group, channels, ...window.kernel_shape])
  const bias = random.chance() ? [whole(random, [filters * group])] : []
  return made('Conv', random.pick(9, 11, 22), [x, weights, ...bias], { ...window, group })
}

const convTranspose = (random: Random): Case => {
  const rank = random.int(1, 2)
  const group = random.pick(1, 2)
  const [channels, filters] = random.ints(2, 1, 3) as [number, number]
  const kernel = random.ints(rank, 1, 3)
  const strides = random.ints(rank, 1, 3)
  const x = whole(random, [random.int(1, 2), channels * group, ...random.ints(rank, 3, 6)])
  const weights = whole(random, [channels * group, filters, ...kernel])
  const bias = random.chance() ? [whole(random, [filters * group])] : []
  return made('ConvTranspose', random.pick(9, 11, 22), [x, weights, ...bias], {
    ...{ kernel_shape: kernel, strides, group, dilations: random.ints(rank, 1, 2) },
    pads: [...kernel, ...kernel].map((size) => random.int(0, size - 1)),
    output_padding: strides.map((stride) => random.int(0, stride - 1)),
  })
}

const resize =
  (mode: string) =>
  (random: Random): Case => {
    const x = filled(random, [1, 2, ...random.ints(2, 1, 6)])
    const modes = {
      mode,
      coordinate_transformation_mode: random.pick(
        ...['asymmetric', 'half_pixel', 'pytorch_half_pixel', 'align_corners', 'tf_half_pixel_for_nn'],
      ),
      nearest_mode: random.pick('floor', 'ceil', 'round_prefer_floor', 'round_prefer_ceil'),
    }
    const opset = random.pick(11, 13, 19)
    if (random.chance())
      return made('Resize', opset, [x, undefined, undefined, ints([1, 2, ...random.ints(2, 1, 11)])], modes)
    const scales = tensor([1, 1, random.pick(0.5, 1, 2, 2.5, 3), random.pick(0.7, 1, 2, 8)]) as Tensor
    return made('Resize', opset, [x, undefined, scales], modes)
  }

const upsample =
  (mode: string) =>
  (random: Random): Case => {
    const x = filled(random, [1, 2, ...random.ints(2, 1, 6)])
    return made('Upsample', 9, [x, tensor([1, 1, random.pick(1, 2, 2.5), random.pick(1, 2, 3)]) as Tensor], { mode })
  }

const recurrent =
  (op: string, gateCount: number, stateCount: number) =>
  (random: Random): Case => {
    const direction = random.pick('forward', 'reverse', 'bidirectional')
    const directions = direction === 'bidirectional' ? 2 : 1
    const [steps, batch, input, hidden] = random.ints(4, 1, 5) as [number, number, number, number]
    const gates = gateCount * hidden
    const state = (): Tensor => filled(random, [directions, batch, hidden])
    const states = random.chance() ? [undefined, ...Array.from({ length: stateCount }, state)] : []
    const bias =
      random.chance() || states.length > 0
        ? [random.chance() ? filled(random, [directions, 2 * gates]) : undefined]
        : []
    const inputs = [
      ...[filled(random, [steps, batch, input]), filled(random, [directions, gates, input])],
      ...[filled(random, [directions, gates, hidden]), ...bias, ...states],
    ]
    const reset = op === 'GRU' ? { linear_before_reset: random.int(0, 1) } : {}
    return made(op, random.pick(7, 14), inputs, { direction, hidden_size: hidden, ...reset }, 1 + stateCount)
  }

const windowed =
  (op: string, attributes: (random: Random) => Attributes = () => ({})) =>
  (random: Random): Case => {
    const rank = random.int(1, 2)
    const x = filled(random, [2, 3, ...random.ints(rank, 6, 9)])
    const rounding = { ceil_mode: random.int(0, 1) }
    const window = windowOf(random, rank, op === 'MaxPool')
    return made(op, 11, [x], { ...window, ...('auto_pad' in window ? {} : rounding), ...attributes(random) })
  }

const floats: readonly DType[] = ['float32']
const numbers: readonly DType[] = ['float32', 'int32', 'int64']

/** Cases, and how far apart results may be: sums are rounded in another order there, and cancel. */
const families: readonly (readonly [generate: (random: Random) => Case, units: number])[] = [
  [reduction('ReduceSum', numbers), 16],
  [reduction('ReduceMean', floats, positive), 16],
  [reduction('ReduceMax', ['float32', 'int32', 'int8', 'uint8']), 0],
  [reduction('ReduceMin', ['float32', 'int64', 'int8']), 0],
  [reduction('ReduceProd', floats, positive), 16],
  [reduction('ReduceL1', numbers), 16],
  [reduction('ReduceL2', floats), 16],
  [reduction('ReduceSumSquare', numbers), 16],
  [reduction('ReduceLogSum', floats, positive), 16],
  [reduction('ReduceLogSumExp', floats, positive), 16],
  [softmax('Softmax'), 16],
  [softmax('LogSoftmax'), 16],
  [arg('ArgMax'), 0],
  [arg('ArgMin'), 0],
  [perChannel('BatchNormalization', 4, 15), 16],
  [perChannel('InstanceNormalization', 2, 13), 16],
  [perChannel('GroupNormalization', 2, 21, { num_groups: 2 }), 16],
  [layerNormalization, 16],
  [lrn, 16],
  [einsum('ii->i', 'bii->bi', 'ij->ji', 'ij->', 'ba'), 0],
  [einsum('ij,jk->ik', 'bij,bkj->bik', 'bhwc,cd->bhwd', 'bqhd,bkhd->bhqk', '...ij,...jk->...ik', '...i,i->...'), 0],
  [einsum('i,j->ij', 'i,j', 'bij,jk,k->bi', 'ijk,k->j', 'ij,ij->i', 'ij,ij->ij'), 0],
  [pad, 0],
  [trilu, 0],
  [eyeLike, 0],
  [gather, 0],
  [gatherElements, 0],
  [gatherND, 0],
  [scatterElements, 0],
  [scatterND, 0],
  [topK, 0],
  [cumSum, 0],
  [quantizeLinear, 0],
  [dequantizeLinear, 0],
  [dynamicQuantizeLinear, 0],
  [matMulInteger, 0],
  [nonMaxSuppression, 0],
  [roiAlign, 8],
  [nonZero, 0],
  [clip, 0],
  [range, 0],
  [pooled('GlobalAveragePool'), 16],
  [pooled('GlobalMaxPool'), 0],
  [depthToSpace, 0],
  [batched, 0],
  [conv, 0],
  [convTranspose, 0],
  [resize('nearest'), 0],
  [resize('linear'), 4],
  [upsample('nearest'), 0],
  [upsample('linear'), 4],
  [recurrent('LSTM', 4, 2), 64],
  [recurrent('GRU', 3, 1), 64],
  [recurrent('RNN', 1, 1), 64],
  [windowed('MaxPool'), 0],
  [windowed('AveragePool', (random) => ({ count_include_pad: random.int(0, 1) })), 16],
]

describe('onnxruntime computes nearly the same', () => {
  it.each(families.map(([generate, most], i) => [generate(new Random(i)).op, generate, most, i] as const))(
    '%s',
    async (_, generate, most, seed) => {
      const random = new Random(seed)
      let ran = 0
      for (let i = 0; i < 15; i++) {
        const each = generate(random)
        const wrong = await disagreement(each, most)
        if (wrong === 'refused') continue
        ran++
        expect(wrong, caseText(each)).toBe(undefined)
      }
      expect(ran).toBeGreaterThan(5)
    },
  )
})
