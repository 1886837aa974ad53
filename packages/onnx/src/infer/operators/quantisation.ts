// Quantisation: shapes stay, element types change; products of quantized matrices.
import { isEqual } from '../../dims/index.ts'
import type { ElementType } from '../../model/element-type.ts'
import { elementTypeOf } from '../../model/element-type.ts'
import { axisOf } from '../attributes/axes.ts'
import { quantizedNumber } from '../attributes/types.ts'
import type { Call } from '../call.ts'
import { tensor } from '../known.ts'
import type { Row } from '../row.ts'
import { matmulShape } from './linear.ts'

/** The type that an attribute names; undefined where it is 0 or left out. */
function namedType(call: Call): ElementType | undefined {
  const type = quantizedNumber(call)
  return type === 0 ? undefined : elementTypeOf(type)
}

/** Scales of one axis are as many as it has elements; one scale is for all, and blocks have another rank. */
function checkScales(call: Call): void {
  const [shape, scales] = [call.shape(0), call.shape(1)]
  const takesAxis = call.node.domain !== '' || call.opset >= 13
  if (!takesAxis || shape === null || shape.length < 2 || scales?.length !== 1) return
  if (isEqual(scales[0]!, 1) !== false) return
  const axis = call.axis(axisOf(call), shape.length)
  call.learn(shape[axis]!, scales[0]!, () => `axis ${axis} has another size than there are scales.`)
}

/** The zero point tells the type, then an attribute; else it is uint8. */
export const inferQuantize: Row['infer'] = (call) => {
  checkScales(call)
  const zero = call.optional(2)
  const element = zero === undefined ? (namedType(call) ?? 'uint8') : zero.element
  return [tensor(element, call.shape(0))]
}

/** The scale tells the type, unless an attribute does. */
export const inferDequantize: Row['infer'] = (call) => {
  checkScales(call)
  return [tensor(namedType(call) ?? call.element(1), call.shape(0))]
}

const quantizeLinear: Row = { name: 'QuantizeLinear', since: 10, infer: inferQuantize }

const dequantizeLinear: Row = { name: 'DequantizeLinear', since: 10, infer: inferDequantize }

const dynamicQuantizeLinear: Row = {
  name: 'DynamicQuantizeLinear',
  since: 11,
  infer: (call) => [tensor('uint8', call.shape(0)), tensor('float32', []), tensor('uint8', [])],
}

const matMulInteger: Row = {
  name: 'MatMulInteger',
  since: 10,
  infer: (call) => [tensor('int32', matmulShape(call, 0, 1))],
}

/** Each operand comes with its scale and zero point; the result has the type of its own zero point. */
const qLinearMatMul: Row = {
  name: 'QLinearMatMul',
  since: 10,
  infer: (call) => [tensor(call.element(7), matmulShape(call, 0, 3))],
}

export const quantisationRows: readonly Row[] = [
  ...[quantizeLinear, dequantizeLinear, dynamicQuantizeLinear, matMulInteger, qLinearMatMul],
]
