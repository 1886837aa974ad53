// Windows over images, images of another size, and boxes in them.
import { type Tensor, tensor } from 'bcast'
import type { Attributes } from '../../../../../testing/models/infer.ts'
import type { Case } from '../../support/cases.ts'
import type { Random } from '../../support/random.ts'
import { filled, ints, made, positive, whole } from './elements.ts'

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

export const conv = (random: Random): Case => {
  const rank = random.int(1, 3)
  const group = random.pick(1, 2, 3)
  const [channels, filters] = [random.pick(1, 1, 2, 3), random.pick(1, 1, 2)]
  const window = windowOf(random, rank)
  const x = whole(random, [random.int(1, 2), channels * group, ...random.ints(rank, 6, 9)])
  const weights = whole(random, [filters * group, channels, ...window.kernel_shape])
  const bias = random.chance() ? [whole(random, [filters * group])] : []
  return made('Conv', random.pick(9, 11, 22), [x, weights, ...bias], { ...window, group })
}

export const convTranspose = (random: Random): Case => {
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

export const windowed =
  (op: string, attributes: (random: Random) => Attributes = () => ({})) =>
  (random: Random): Case => {
    const rank = random.int(1, 2)
    const x = filled(random, [2, 3, ...random.ints(rank, 6, 9)])
    const rounding = { ceil_mode: random.int(0, 1) }
    const window = windowOf(random, rank, op === 'MaxPool')
    return made(op, 11, [x], { ...window, ...('auto_pad' in window ? {} : rounding), ...attributes(random) })
  }

export const resize =
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

export const upsample =
  (mode: string) =>
  (random: Random): Case => {
    const x = filled(random, [1, 2, ...random.ints(2, 1, 6)])
    return made('Upsample', 9, [x, tensor([1, 1, random.pick(1, 2, 2.5), random.pick(1, 2, 3)]) as Tensor], { mode })
  }

export const depthToSpace = (random: Random): Case =>
  made('DepthToSpace', 13, [filled(random, [2, 8, 3, 2])], { blocksize: 2, mode: random.pick('DCR', 'CRD') })

/** Boxes by corners in any order, or by centres and sizes, which are positive. */
export const nonMaxSuppression = (random: Random): Case => {
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

export const roiAlign = (random: Random): Case => {
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
