// The loops over a result: ones dropped, neighbours joined where every operand steps evenly across both. Kernels take
// them in the order of the result's memory, like NumPy's iterator, backward axes turned round, the unit axis innermost;
// the interpreter takes them row-major, so that the first element that fails is the lowest.
import type { Shape } from '../shape/dim.ts'

export interface Loops {
  /** Sizes from the outermost loop to the innermost; at least one. */
  readonly sizes: readonly number[]
  /** For each operand, its stride in elements in each loop. */
  readonly strides: readonly (readonly number[])[]
  /** For each operand, how far its first element moves because axes were turned round. */
  readonly shifts: readonly number[]
}

/** Loops over axes from the outermost on; `turned` says which are walked from their end. */
function joined(
  shape: Shape,
  operands: readonly (readonly number[])[],
  axes: readonly number[],
  turned: (axis: number) => boolean,
): Loops {
  const shifts = operands.map(() => 0)
  const sizes: number[] = []
  const strides: number[][] = operands.map(() => [])
  for (const axis of axes) {
    const size = shape[axis]!
    if (size === 1) continue
    const turn = turned(axis)
    const steps = operands.map((own, i) => {
      if (turn) shifts[i] = shifts[i]! + (size - 1) * own[axis]!
      return turn ? -own[axis]! : own[axis]!
    })
    const last = sizes.length - 1
    if (last >= 0 && steps.every((step, i) => strides[i]![last] === step * size)) {
      sizes[last] = sizes[last]! * size
      for (const [i, step] of steps.entries()) strides[i]![last] = step
    } else {
      sizes.push(size)
      for (const [i, step] of steps.entries()) strides[i]!.push(step)
    }
  }
  if (sizes.length === 0) {
    sizes.push(1)
    for (const own of strides) own.push(0)
  }
  return { sizes, strides, shifts }
}

/** Loops over `shape` for operands' strides, the result's last, in the order of the result's memory. */
export function planLoops(shape: Shape, operands: readonly (readonly number[])[]): Loops {
  const result = operands.at(-1)!
  const axes = shape.map((_, axis) => axis)
  axes.sort((a, b) => Math.abs(result[b]!) - Math.abs(result[a]!) || a - b)
  return joined(shape, operands, axes, (axis) => result[axis]! < 0)
}

/** Loops over `shape` in row-major order. */
export const rowMajorLoops = (shape: Shape, operands: readonly (readonly number[])[]): Loops =>
  joined(
    shape,
    operands,
    shape.map((_, axis) => axis),
    () => false,
  )

/** Part of the loops: `count` steps of a loop from `begin` on. */
export function narrowed(loops: Loops, loop: number, begin: number, count: number): Loops {
  return {
    sizes: loops.sizes.with(loop, count),
    strides: loops.strides,
    shifts: loops.shifts.map((shift, i) => shift + begin * loops.strides[i]![loop]!),
  }
}
