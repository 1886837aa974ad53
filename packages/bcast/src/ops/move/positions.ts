// Positions along an axis, in any order, as elements that the engine moves: in as few moves as there are runs of evenly
// spaced positions, or one by one where those are many and short.
import { asIntegers, makeStorage, type Storage } from '../../dtype/dtype.ts'
import { elementCount, type Shape } from '../../shape/dim.ts'
import { isRowMajor, type Layout } from '../../tensor/layout.ts'
import { pack } from '../../tensor/pack.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { Computation, Execution } from '../computation.ts'
import { along, assembled, moving } from './assemble.ts'

/** More runs than this, of fewer elements than that, are moved one by one: planning a move takes longer than it. */
const MOST_RUNS = 16
const SHORT_RUN = 256
/** Elements that the system moves faster than a loop. */
const LONG_BLOCK = 32

type Run = readonly [start: number, count: number, step: number]

/** Positions as runs of evenly spaced ones. */
export function runsOf(positions: ArrayLike<number>): Run[] {
  const runs: Run[] = []
  for (let first = 0; first < positions.length; ) {
    const start = positions[first]!
    const step = (positions[first + 1] ?? start + 1) - start
    let end = first + 1
    while (end < positions.length && positions[end] === start + (end - first) * step) end++
    runs.push([start, end - first, step])
    first = end
  }
  return runs
}

interface Taking {
  readonly name: string
  readonly x: Tensor
  readonly axis: number
  readonly positions: ArrayLike<number>
  /** What the axis becomes; one axis of as many positions unless said. */
  readonly becomes?: Shape
  readonly out: Tensor | undefined
}

/** The elements at positions of an axis, in their order. */
export function takenAlong({ name, x, axis, positions, becomes = [positions.length], out }: Taking): Computation {
  const { dtype, shape } = x
  return assembled({
    name,
    dtype,
    shape: shape.toSpliced(axis, 1, ...becomes),
    writtenAs: shape.with(axis, positions.length),
    operands: [x],
    out,
    *moves(result, layout) {
      if (result.size === 0) return
      const runs = runsOf(positions)
      if (runs.length > MOST_RUNS && result.size / runs.length < SHORT_RUN && isRowMajor(layout)) {
        yield oneByOne(x, axis, positions, result)
        return
      }
      let at = 0
      for (const [start, count, step] of runs) {
        const seen = along(x.layout, axis, start, count, step)
        yield moving({ from: x, seen, to: along(layout, axis, at, count) }, result)
        at += count
      }
    },
  })
}

/** The elements of a layout one after another, and where they begin. */
const packed = (layout: Layout, x: Tensor, storage: Storage): readonly [Storage, number] =>
  isRowMajor(layout) ? [storage, layout.offset] : [pack(layout, storage, makeStorage(x.dtype, x.size)), 0]

function oneByOne(x: Tensor, axis: number, positions: ArrayLike<number>, result: Tensor): Execution {
  const { layout, storage } = x
  const target = result.storage
  const outer = elementCount(layout.shape.slice(0, axis))
  const inner = elementCount(layout.shape.slice(axis + 1))
  const size = layout.shape[axis]!
  const now = (): number => {
    const [elements, offset] = packed(layout, x, storage)
    // Bits are moved, not numbers.
    const [from, to] = [asIntegers(elements), asIntegers(target)]
    let at = result.layout.offset
    for (let i = 0; i < outer; i++) {
      for (let j = 0; j < positions.length; j++) {
        const start = offset + (i * size + positions[j]!) * inner
        if (inner >= LONG_BLOCK && !Array.isArray(from) && !Array.isArray(to)) {
          ;(to as Uint8Array).set((from as Uint8Array).subarray(start, start + inner), at)
        } else for (let k = 0; k < inner; k++) to[at + k] = from[start + k]!
        at += inner
      }
    }
    return -1
  }
  return { now, async: async () => now(), arrays: [], repeated: () => false }
}
