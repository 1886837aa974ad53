// Nodes of numbers of few bits.
import type { DType, Tensor } from 'bcast'
import type { Attributes } from '../../../../../testing/models/infer.ts'
import type { Case } from '../../support/cases.ts'
import type { Random } from '../../support/random.ts'
import { filled, made, positive, shapeOf } from './elements.ts'

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

export const quantizeLinear = (random: Random): Case =>
  scaled(random, 'QuantizeLinear', 'float32', random.pick<DType>('int8', 'uint8', 'int16', 'uint16'))

export const dequantizeLinear = (random: Random): Case => {
  const dtype = random.pick<DType>('int8', 'uint8', 'int16', 'uint16', 'int32')
  return scaled(random, 'DequantizeLinear', dtype, dtype)
}

export const dynamicQuantizeLinear = (random: Random): Case =>
  made('DynamicQuantizeLinear', 11, [random.pick(filled, positive)(random, shapeOf(random))], {}, 3)

export const matMulInteger = (random: Random): Case => {
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
