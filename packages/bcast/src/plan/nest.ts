// Operands' layouts to the loops that visit them: ones dropped, neighbouring axes joined where every operand steps
// evenly across both. Order stays row-major, so the first element that fails is the lowest index.
import type { Shape } from '../shape/dim.ts'

export interface Nest {
  /** Sizes of the loops, outermost first; at least one, and no ones beside it. */
  readonly sizes: readonly number[]
  /** For each operand, its stride in each loop. */
  readonly strides: readonly (readonly number[])[]
}

export function makeNest(shape: Shape, operands: readonly (readonly number[])[]): Nest {
  const sizes: number[] = []
  const strides: number[][] = operands.map(() => [])
  for (let axis = 0; axis < shape.length; axis++) {
    const size = shape[axis]!
    if (size === 1) continue
    const last = sizes.length - 1
    const joins = last >= 0 && operands.every((own, i) => strides[i]![last] === own[axis]! * size)
    if (joins) {
      sizes[last] = sizes[last]! * size
      for (const [i, own] of operands.entries()) strides[i]![last] = own[axis]!
    } else {
      sizes.push(size)
      for (const [i, own] of operands.entries()) strides[i]!.push(own[axis]!)
    }
  }
  if (sizes.length === 0) {
    sizes.push(1)
    for (const own of strides) own.push(0)
  }
  return { sizes, strides }
}
