// What the cases are made of: elements, shapes and nodes.
import { type DType, type Tensor, tensor } from 'bcast'
import type { Attributes } from '../../../../../testing/models/infer.ts'
import type { Case } from '../../support/cases.ts'
import type { Random } from '../../support/random.ts'

export const count = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1)

/** Elements from -2 to 2, or small integers. */
export function filled(random: Random, shape: readonly number[], dtype: DType = 'float32'): Tensor {
  const whole = (): number => random.int(dtype.startsWith('u') || dtype === 'bool' ? 0 : -3, dtype === 'bool' ? 1 : 4)
  const values = Array.from({ length: count(shape) }, () => (/float/.test(dtype) ? random.next() * 4 - 2 : whole()))
  return tensor(values, { dtype, shape: [...shape] }) as Tensor
}

export const positive = (random: Random, shape: readonly number[]): Tensor =>
  tensor(
    Float32Array.from({ length: count(shape) }, () => 0.1 + random.next()),
    { shape: [...shape] },
  ) as Tensor

/** Whole numbers, so that no order of steps rounds. */
export const whole = (random: Random, shape: readonly number[], dtype: DType = 'float32'): Tensor =>
  tensor(
    Array.from({ length: count(shape) }, () => random.int(-9, 9)),
    { dtype, shape: [...shape] },
  ) as Tensor

export const ints = (values: readonly number[]): Tensor =>
  tensor(values.map(BigInt), { dtype: 'int64', shape: [values.length] }) as Tensor

export const made = (
  op: string,
  opset: number,
  inputs: Case['inputs'],
  attributes: Attributes = {},
  outputs = 1,
): Case => ({
  ...{ op, opset, inputs, attributes, outputs },
})

/** Shapes with an axis that takes the tree several rounds. */
export const shapeOf = (random: Random, least = 1, most = 4): number[] => {
  const shape = random.ints(random.int(least, most), 1, 4)
  return shape.with(random.int(0, shape.length - 1), random.pick(1, 5, 8, 9, 17, 64, 71, 130))
}
