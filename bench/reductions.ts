// Workloads that make fewer elements of many: sums over axes, functions with reductions inside, gradients. Sums have
// their bytes as target: reading them once is all that a sum has to wait for.
import * as targets from './targets.ts'
import { elementCount, f32, type OperandSpec } from './task.ts'
import type { Described } from './workload.ts'

const formatted = (shape: readonly number[]): string => `(${shape})`

function sum(id: string, what: string, { shape, dtype }: OperandSpec, axes: readonly number[]): Described {
  return {
    id,
    title: `sum of ${formatted(shape)} ${what}`,
    op: 'sum',
    operands: [{ shape, dtype }],
    result: { dtype, shape: shape.filter((_, axis) => !axes.includes(axis)) },
    axes,
    targets: targets.reduction,
    // Some add one element after the other, however many there are; one of some thousands that is missing is found.
    tolerance: elementCount(axes.map((axis) => shape[axis]!)) > 10_000 ? 1e-3 : 1e-4,
    roofline: ['read', ...shape],
  }
}

function sumTo(id: string, delta: OperandSpec, result: OperandSpec, axes: readonly number[]): Described {
  return {
    ...sum(id, '', delta, axes),
    title: `gradient of ${formatted(delta.shape)} to ${formatted(result.shape)}`,
    op: 'sumTo',
    result,
  }
}

function sums(n: number, small: boolean): Described[] {
  const matrix = f32(n, n)
  const d = small ? 16 : 256
  const pixels = f32(small ? 20_000 : 4_000_000, 3)
  return [
    sum('sum-rows', 'over axis 1', matrix, [1]),
    sum('sum-columns', 'over axis 0', matrix, [0]),
    sum('sum-both', 'over both axes', matrix, [0, 1]),
    sum('sum-middle', 'over axis 1', f32(d, d, d), [1]),
    sum('sum-pixels', 'over axis 0', pixels, [0]),
    sum('sum-channels', 'over axis 1', pixels, [1]),
    sum('sum-image', 'over both axes', pixels, [0, 1]),
    sumTo('sum-to-row', matrix, f32(n), [0]),
    sumTo('sum-to-column', matrix, f32(n, 1), [1]),
  ]
}

/** Every workload with reductions. */
export function reductions(n: number, small: boolean): Described[] {
  const matrix = f32(n, n)
  const row = f32(n)
  const [samples, features] = small ? [200, 16] : [10_000, 64]
  return [
    ...sums(n, small),
    {
      id: 'softmax',
      title: 'softmax of rows',
      op: 'softmax',
      operands: [matrix],
      result: matrix,
      targets: targets.every(1.5),
      tolerance: 1e-5,
    },
    {
      id: 'layer-norm',
      title: 'layer normalisation of rows',
      op: 'layerNorm',
      operands: [matrix, row, row],
      result: matrix,
      targets: targets.every(1.5),
      tolerance: 1e-5,
      roofline: ['layer-norm', n, n],
    },
    {
      id: 'normalise-grad',
      title: 'mean of ((x - m) / s)², and gradients',
      op: 'normaliseGrad',
      operands: [matrix, row, row],
      result: f32(),
      also: [matrix, row, row],
      targets: targets.every(2),
      // The mean is over millions of elements, which some add one after the other.
      tolerance: [2.5e-3, 1e-5, 1e-4, 1e-4],
    },
    {
      id: 'logistic',
      title: `logistic regression, a step of (${samples},${features})`,
      op: 'logisticStep',
      operands: [
        { ...f32(samples, features), drawn: 'signed' },
        { ...f32(samples, 1), drawn: 'labels' },
        { ...f32(features, 1), drawn: 'small' },
      ],
      result: f32(),
      also: [f32(features, 1)],
      targets: targets.every(1),
      tolerance: 1e-5,
    },
  ]
}
