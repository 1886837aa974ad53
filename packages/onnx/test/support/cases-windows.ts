// Random nodes of the operators whose windows slide: convolutions and pools.
import type { Attributes } from '../../../../testing/models/infer.ts'
import type { Case, Given } from './engine.ts'
import type { Random } from './random.ts'

/** Makes a node; attributes that may be left out are at random. */
export type Generate = (random: Random) => Case

const autoPads = ['SAME_UPPER', 'SAME_LOWER', 'VALID', 'NOTSET'] as const

interface Windowed {
  readonly spatial: readonly number[]
  readonly kernel: readonly number[]
  readonly attributes: Attributes & { readonly strides?: readonly number[] }
}

/** Pads stay below the kernel, as engines want it. */
function windowed(random: Random, axes: number, options: { dilate?: boolean; auto?: boolean } = {}): Windowed {
  const { dilate = true, auto = true } = options
  const kernel = random.ints(axes, 1, 4)
  const byAuto = auto && random.chance(0.4)
  const dilations = dilate && random.chance(0.4) ? random.ints(axes, 1, 3) : undefined
  const pads = byAuto || random.chance(0.4) ? undefined : [...kernel, ...kernel].map((size) => random.int(0, size - 1))
  const strides = random.chance(0.7) ? random.ints(axes, 1, 4) : undefined
  const spatial = kernel.map((size, axis) => (size - 1) * (dilations?.[axis] ?? 1) + random.int(1, 9))
  return {
    spatial,
    kernel,
    attributes: {
      ...(dilations && { dilations }),
      ...(pads && { pads }),
      ...(strides && { strides }),
      ...(byAuto && { auto_pad: random.pick(...autoPads) }),
    },
  }
}

const conv =
  (op: string, domain = ''): Generate =>
  (random) => {
    const { spatial, kernel, attributes } = windowed(random, random.int(1, 2))
    const [batch, group, inner, outer] = [random.int(1, 2), random.int(1, 2), random.int(1, 3), random.int(1, 3)]
    const data = [batch, group * inner, ...spatial]
    const bias = random.chance() ? [{ shape: [group * outer] }] : []
    return {
      ...{ op, domain },
      inputs: [{ shape: data }, { shape: [group * outer, inner, ...kernel] }, ...bias],
      attributes: { ...attributes, group, ...(random.chance() ? { kernel_shape: kernel } : {}) },
    }
  }

const byte = (shape: readonly number[], constant = false): Given => ({ element: 'uint8', shape, constant })
const one = (element: 'uint8' | 'float32'): Given => ({ element, shape: [], values: [1], constant: true })
const quantization = [one('float32'), one('uint8')]

const convInteger: Generate = (random) => {
  const { spatial, kernel, attributes } = windowed(random, 2)
  return {
    op: 'ConvInteger',
    inputs: [byte([1, 2, ...spatial]), byte([3, 2, ...kernel])],
    attributes,
  }
}

const qLinearConv: Generate = (random) => {
  const { spatial, kernel, attributes } = windowed(random, 2)
  const bias: Given[] = random.chance() ? [{ element: 'int32', shape: [3], constant: true }] : []
  return {
    op: 'QLinearConv',
    inputs: [
      byte([1, 2, ...spatial]),
      ...quantization,
      byte([3, 2, ...kernel], true),
      ...quantization,
      ...quantization,
      ...bias,
    ],
    attributes,
  }
}

const convTranspose: Generate = (random) => {
  const axes = random.int(1, 2)
  const { spatial, kernel, attributes } = windowed(random, axes)
  const strides = attributes.strides ?? kernel.map(() => 1)
  const [group, inner, outer] = [random.int(1, 2), random.int(1, 2), random.int(1, 3)]
  const extra = random.chance(0.4) ? { output_padding: strides.map((stride) => random.int(0, stride - 1)) } : {}
  const asked = random.chance(0.2)
    ? { output_shape: spatial.map((size, axis) => size * strides[axis]! + random.int(0, kernel[axis]! - 1)) }
    : {}
  return {
    op: 'ConvTranspose',
    inputs: [{ shape: [random.int(1, 2), group * inner, ...spatial] }, { shape: [group * inner, outer, ...kernel] }],
    attributes: { ...attributes, group, ...extra, ...asked },
  }
}

const col2Im: Generate = (random) => {
  const [block, dilations, strides] = [random.ints(2, 1, 3), random.ints(2, 1, 2), random.ints(2, 1, 2)]
  const blocks = random.ints(2, 1, 4)
  const image = block.map((size, axis) => (size - 1) * dilations[axis]! + 1 + (blocks[axis]! - 1) * strides[axis]!)
  const channels = random.int(1, 3)
  const constant = random.chance()
  return {
    op: 'Col2Im',
    inputs: [
      { shape: [random.int(1, 2), channels * block[0]! * block[1]!, blocks[0]! * blocks[1]!] },
      { element: 'int64', shape: [2], values: image, constant },
      { element: 'int64', shape: [2], values: block, constant: constant || random.chance() },
    ],
    attributes: { dilations, strides },
  }
}

const deformConv: Generate = (random) => {
  const { spatial, kernel, attributes } = windowed(random, 2, { auto: false })
  const numbers = (name: string, otherwise: number, count: number): readonly number[] =>
    (attributes[name] as readonly number[] | undefined) ?? new Array<number>(count).fill(otherwise)
  const [dilations, strides, pads] = [numbers('dilations', 1, 2), numbers('strides', 1, 2), numbers('pads', 0, 4)]
  const out = spatial.map((size, axis) => {
    const room = size + pads[axis]! + pads[axis + 2]! - (kernel[axis]! - 1) * dilations[axis]! - 1
    return Math.floor(room / strides[axis]!) + 1
  })
  return {
    op: 'DeformConv',
    inputs: [
      { shape: [1, 2, ...spatial] },
      { shape: [3, 2, ...kernel] },
      { shape: [1, 2 * kernel[0]! * kernel[1]!, ...out] },
    ],
    attributes,
  }
}

const pool =
  (op: string, outputs: number, opsets: readonly number[], dilateSince: number, ceilSince: number): Generate =>
  (random) => {
    const opset = random.pick(...opsets)
    const { spatial, kernel, attributes } = windowed(random, random.int(1, 3), { dilate: opset >= dilateSince })
    const ceil = opset >= ceilSince && random.chance() ? { ceil_mode: 1 } : {}
    return {
      ...{ op, opset, outputs },
      inputs: [{ shape: [random.int(1, 2), random.int(1, 3), ...spatial] }],
      attributes: { ...attributes, kernel_shape: kernel, ...ceil },
    }
  }

const globalPool =
  (op: string): Generate =>
  (random) => ({ op, opset: random.pick(7, 13), inputs: [{ shape: random.ints(random.int(3, 5), 1, 4) }] })

const maxUnpool: Generate = (random) => {
  const [kernel, strides, spatial] = [random.ints(2, 1, 3), random.ints(2, 1, 3), random.ints(2, 1, 4)]
  const pads = kernel.map((size) => random.int(0, Math.min(1, size - 1)))
  const shape = [1, 1, ...spatial]
  const asked = [1, 1, ...spatial.map((size) => size * 4)]
  const values = Array.from({ length: spatial[0]! * spatial[1]! }, () => 0)
  return {
    op: 'MaxUnpool',
    inputs: [
      { shape },
      { element: 'int64', shape, values },
      ...(random.chance() ? [{ element: 'int64' as const, shape: [4], values: asked, constant: random.chance() }] : []),
    ],
    attributes: { kernel_shape: kernel, strides, pads: [...pads, ...pads] },
  }
}

const maxRoiPool: Generate = (random) => {
  const count = random.int(1, 4)
  return {
    op: 'MaxRoiPool',
    opset: 13,
    inputs: [
      { shape: [1, 2, 8, 9] },
      { shape: [count, 5], values: Array.from({ length: count }, () => [0, 1, 1, 5, 6]).flat() },
    ],
    attributes: { pooled_shape: random.ints(2, 1, 3) },
  }
}

const roiAlign: Generate = (random) => {
  const count = random.int(1, 4)
  return {
    op: 'RoiAlign',
    opset: random.pick(10, 16, 22),
    inputs: [
      { shape: [1, random.int(1, 3), 8, 9] },
      { shape: [count, 4] },
      { element: 'int64', shape: [count], values: new Array<number>(count).fill(0) },
    ],
    attributes: random.chance() ? { output_height: random.int(1, 4), output_width: random.int(1, 4) } : {},
  }
}

const quantizedPool =
  (op: string): Generate =>
  (random) => {
    const channelsLast = random.int(0, 1)
    const { spatial, kernel, attributes } = windowed(random, 2, { dilate: false, auto: op === 'QLinearAveragePool' })
    const shape = channelsLast ? [1, ...spatial, 3] : [1, 3, ...spatial]
    const windows = op === 'QLinearAveragePool' ? { ...attributes, kernel_shape: kernel } : {}
    return {
      ...{ op, domain: 'com.microsoft' },
      inputs: [byte(shape), ...quantization, ...quantization],
      attributes: { ...windows, channels_last: channelsLast },
    }
  }

const nhwcMaxPool: Generate = (random) => {
  const { spatial, kernel, attributes } = windowed(random, 2)
  return {
    ...{ op: 'NhwcMaxPool', domain: 'com.microsoft' },
    inputs: [byte([1, ...spatial, 3])],
    attributes: { ...attributes, kernel_shape: kernel, ...(random.chance() ? { ceil_mode: 1 } : {}) },
  }
}

export const windowCases: readonly Generate[] = [
  conv('Conv'),
  conv('FusedConv', 'com.microsoft'),
  convInteger,
  qLinearConv,
  convTranspose,
  col2Im,
  deformConv,
  pool('MaxPool', 2, [8, 10, 11, 12, 22], 10, 10),
  pool('MaxPool', 1, [1, 7, 11, 12], 10, 10),
  pool('AveragePool', 1, [7, 10, 11, 19, 22], 19, 10),
  pool('LpPool', 1, [2, 11, 18, 22], 18, 18),
  ...['GlobalAveragePool', 'GlobalMaxPool', 'GlobalLpPool'].map(globalPool),
  maxUnpool,
  maxRoiPool,
  roiAlign,
  quantizedPool('QLinearAveragePool'),
  quantizedPool('QLinearGlobalAveragePool'),
  nhwcMaxPool,
]
