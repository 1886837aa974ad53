// The loops of a kernel: like NumPy's iterator, axes in the order of the result's memory, backward ones turned round,
// ones dropped, neighbours joined where every operand steps evenly across both, the unit axis innermost.
import type { Shape } from '../shape/dim.ts'

export interface Loops {
  /** Sizes from the outermost loop to the innermost; at least one. */
  readonly sizes: readonly number[]
  /** For each operand, its stride in elements in each loop. */
  readonly strides: readonly (readonly number[])[]
  /** For each operand, how far its first element moves because axes were turned round. */
  readonly shifts: readonly number[]
}

/** Plans loops over `shape` for operands' strides, the result's last. */
export function planLoops(shape: Shape, operands: readonly (readonly number[])[]): Loops {
  const result = operands.at(-1)!
  const axes = shape.map((_, axis) => axis).filter((axis) => shape[axis] !== 1)
  axes.sort((a, b) => Math.abs(result[b]!) - Math.abs(result[a]!) || a - b)
  const shifts = operands.map(() => 0)
  const sizes: number[] = []
  const strides: number[][] = operands.map(() => [])
  for (const axis of axes) {
    const size = shape[axis]!
    const turn = result[axis]! < 0
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

/** Part of the loops: `count` steps of a loop from `begin` on. */
export function narrowed(loops: Loops, loop: number, begin: number, count: number): Loops {
  return {
    sizes: loops.sizes.with(loop, count),
    strides: loops.strides,
    shifts: loops.shifts.map((shift, i) => shift + begin * loops.strides[i]![loop]!),
  }
}
