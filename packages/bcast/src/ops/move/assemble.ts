// A result put together from elements of others: each piece is a layout to read and a layout to write, and the engine
// moves it. Whatever only moves elements comes through here.
import type { DType } from '../../dtype/dtype.ts'
import type { Shape } from '../../shape/dim.ts'
import { type Layout, respelled } from '../../tensor/layout.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { checkOut } from '../checks.ts'
import type { Computation, Execution } from '../computation.ts'
import { copying } from '../compute.ts'
import { overlaps } from '../overlap.ts'
import { freshTensor } from '../result.ts'

/** Elements of a tensor, seen through a layout, and where in the result they go. */
export interface Piece {
  readonly from: Tensor
  readonly seen: Layout
  readonly to: Layout
}

export interface Assembly {
  readonly name: string
  readonly dtype: DType
  readonly shape: Shape
  /** The shape that it is written in, where that is another one of as many elements. */
  readonly writtenAs?: Shape
  /** All tensors that elements come from. */
  readonly operands: readonly Tensor[]
  readonly out: Tensor | undefined
  /** What writes the result through a layout: later ones over earlier ones. */
  readonly moves: (result: Tensor, layout: Layout) => Iterable<Execution>
}

/** Moves a piece. */
export const moving = ({ from, seen, to }: Piece, result: Tensor): Execution =>
  copying({ dtype: from.dtype, layout: seen, storage: from.storage }, { storage: result.storage, ...to })

export function* assembled(assembly: Assembly): Computation {
  const { name, dtype, shape, writtenAs = shape, operands, out, moves } = assembly
  if (out !== undefined) checkOut(name, out, dtype, shape)
  const elsewhere =
    out !== undefined &&
    (respelled(out.layout, writtenAs) === undefined || operands.some((x) => overlaps(out, x, x.layout)))
  const result = out === undefined || elsewhere ? freshTensor(dtype, shape) : out
  const place = out?.storage
  const arrays = [...operands, result].map(({ storage }) => storage)
  if (place !== undefined) arrays.push(place)
  let made: Tensor | undefined
  try {
    // All at once: operands may be given back while the first is executed, which holds all arrays until everything is.
    for (const move of [...moves(result, respelled(result.layout, writtenAs)!)]) yield { ...move, arrays }
    if (elsewhere && result.size > 0) yield copying(result, { storage: place!, ...out.layout })
    made = out ?? result
    return made
  } finally {
    if (result !== made && result !== out) result.dispose()
  }
}

/** A computation that holds a tensor from its beginning, though it comes to it late. */
export function* holding(tensor: Tensor | undefined, computation: Computation): Computation {
  const held = tensor === undefined ? [] : [tensor.storage]
  try {
    let step = computation.next()
    while (!step.done) {
      const { arrays, ...execution } = step.value
      step = computation.next(yield { ...execution, arrays: [...arrays, ...held] })
    }
    return step.value
  } finally {
    computation.return(undefined as never)
  }
}

/** `count` positions of an axis of a layout from `start` on, `step` apart; a step of 0 repeats one. */
export function along(
  { shape, strides, offset }: Layout,
  axis: number,
  start: number,
  count: number,
  step = 1,
): Layout {
  return {
    shape: shape.with(axis, count),
    strides: strides.with(axis, strides[axis]! * step),
    offset: count === 0 ? offset : offset + start * strides[axis]!,
  }
}
