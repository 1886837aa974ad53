// Nodes that fold axes, and normalisations made of that.
import type { DType } from 'bcast'
import type { Attributes } from '../../../../../testing/models/infer.ts'
import type { Case } from '../../support/cases.ts'
import type { Random } from '../../support/random.ts'
import { filled, ints, made, positive, shapeOf } from './elements.ts'

export const reduction =
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

export const softmax =
  (op: string) =>
  (random: Random): Case => {
    const shape = shapeOf(random)
    const axis = random.int(-shape.length, shape.length - 1)
    return made(op, random.pick(11, 12, 13), [filled(random, shape)], { axis })
  }

export const arg =
  (op: string) =>
  (random: Random): Case => {
    const shape = shapeOf(random)
    const x = filled(random, shape, random.pick<DType>('float32', 'int32'))
    const axis = random.int(-shape.length, shape.length - 1)
    return made(op, 13, [x], { axis, keepdims: random.int(0, 1), select_last_index: random.int(0, 1) })
  }

export const perChannel =
  (op: string, operands: number, opset: number, attributes: Attributes = {}) =>
  (random: Random): Case => {
    const shape = [random.int(1, 3), 4, ...random.ints(random.int(1, 2), 1, 6)]
    const inputs = Array.from({ length: operands }, () => positive(random, [4]))
    return made(op, opset, [filled(random, shape), ...inputs], { epsilon: { float: 0.001 }, ...attributes })
  }

export const layerNormalization = (random: Random): Case => {
  const shape = shapeOf(random, 2)
  const axis = random.int(-shape.length, shape.length - 1)
  const scale = shape.slice(axis)
  const inputs = [filled(random, shape), filled(random, scale), ...(random.chance() ? [filled(random, scale)] : [])]
  return made('LayerNormalization', 17, inputs, { axis, epsilon: { float: 0.01 } })
}

export const lrn = (random: Random): Case =>
  made('LRN', 13, [filled(random, [2, random.int(1, 7), ...random.ints(2, 1, 4)])], {
    ...{ size: random.pick(1, 3, 5, 7), alpha: { float: 0.3 }, beta: { float: 0.6 }, bias: { float: 1.5 } },
  })

export const pooled =
  (op: string) =>
  (random: Random): Case =>
    made(op, 13, [filled(random, [2, 3, ...random.ints(2, 1, 9)])])
