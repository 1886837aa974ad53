// Nodes that move elements, or choose them by place or by order.
import { type DType, type Tensor, tensor } from 'bcast'
import type { Attributes } from '../../../../../testing/models/infer.ts'
import type { Case } from '../../support/cases.ts'
import type { Random } from '../../support/random.ts'
import { count, filled, ints, made, shapeOf } from './elements.ts'

export const pad = (random: Random): Case => {
  const mode = random.pick('reflect', 'edge', 'wrap', 'constant')
  // onnxruntime leaves zeros where it wraps around more elements than a cut at the other end leaves.
  const shape = random.ints(random.int(1, 3), mode === 'wrap' ? 3 : 2, 5)
  const pads = random.ints(2 * shape.length, -1, mode === 'reflect' ? 1 : 2)
  return made('Pad', 19, [filled(random, shape), ints(pads)], { mode })
}

export const trilu = (random: Random): Case =>
  made(
    'Trilu',
    14,
    [filled(random, random.ints(random.int(2, 3), 1, 5)), tensor(BigInt(random.int(-3, 3))) as Tensor],
    { upper: random.int(0, 1) },
  )

export const eyeLike = (random: Random): Case =>
  made('EyeLike', 9, [filled(random, random.ints(2, 1, 5))], { k: random.int(-2, 2), dtype: random.pick(1, 6, 7) })

export const gather = (random: Random): Case => {
  const shape = random.ints(random.int(1, 3), 2, 6)
  const axis = random.int(0, shape.length - 1)
  const size = shape[axis]!
  const indices = ints(random.ints(6, -size, size - 1)).reshape(random.chance() ? [6] : [2, 3]) as Tensor
  return made('Gather', 13, [filled(random, shape), indices], { axis })
}

export const gatherElements = (random: Random): Case => {
  const shape = random.ints(random.int(1, 3), 2, 5)
  const axis = random.int(-shape.length, shape.length - 1)
  const size = shape.at(axis)!
  const sizes = shape.map((most) => random.int(1, most)).with(axis, random.int(0, 6))
  const indices = ints(random.ints(count(sizes), -size, size - 1)).reshape(sizes) as Tensor
  return made('GatherElements', 13, [filled(random, shape, random.pick<DType>('float32', 'int64')), indices], { axis })
}

export const gatherND = (random: Random): Case => {
  const shape = random.ints(random.int(2, 4), 2, 4)
  const batch = random.int(0, 1)
  const width = random.int(1, shape.length - batch)
  const lead = [...shape.slice(0, batch), ...random.ints(random.int(0, 2), 1, 3)]
  const least = Math.min(...shape)
  const indices = ints(random.ints(count(lead) * width, -least, least - 1)).reshape([...lead, width]) as Tensor
  return made('GatherND', 13, [filled(random, shape), indices], { batch_dims: batch })
}

const reduced = (random: Random): Attributes => ({ reduction: random.pick('none', 'add', 'max', 'min') })

export const scatterElements = (random: Random): Case => {
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

export const scatterND = (random: Random): Case => {
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

export const topK = (random: Random): Case => {
  const shape = random.ints(random.int(1, 3), 1, 6)
  const axis = random.int(-shape.length, shape.length - 1)
  const x = filled(random, shape, random.pick<DType>('float32', 'int64', 'int32'))
  return made('TopK', 11, [x, ints([random.int(0, shape.at(axis)!)])], { axis, largest: random.int(0, 1) }, 2)
}

export const cumSum = (random: Random): Case => {
  const shape = shapeOf(random)
  const axis = tensor(BigInt(random.int(-shape.length, shape.length - 1))) as Tensor
  const x = filled(random, shape, random.pick<DType>('float32', 'int64', 'int32'))
  return made('CumSum', 14, [x, axis], { exclusive: random.int(0, 1), reverse: random.int(0, 1) })
}

export const nonZero = (random: Random): Case =>
  made('NonZero', 13, [
    filled(random, random.ints(random.int(1, 3), 0, 5), random.pick<DType>('int32', 'bool', 'int64', 'float32')),
  ])

export const clip = (random: Random): Case => {
  const dtype = random.pick<DType>('float32', 'int32', 'int8')
  const scalar = (value: number): Tensor => tensor(value, { dtype }) as Tensor
  const [low, high] = [random.chance() ? scalar(-1) : undefined, random.chance() ? scalar(1) : undefined]
  return made('Clip', 13, [filled(random, [3, 4], dtype), low, ...(high === undefined ? [] : [high])])
}

export const range = (random: Random): Case => {
  const dtype = random.pick<DType>('int64', 'int32', 'float32')
  const start = dtype === 'int64' ? 2n ** BigInt(random.int(3, 50)) : BigInt(random.int(-9, 9))
  const [length, delta] = [BigInt(random.int(-20, 20)), BigInt(random.pick(-3, -1, 1, 2, 7))]
  const scalar = (value: bigint): Tensor => tensor(dtype === 'int64' ? value : Number(value), { dtype }) as Tensor
  return made('Range', 11, [scalar(start), scalar(start + length), scalar(delta)])
}
