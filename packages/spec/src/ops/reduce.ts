// Reductions: a set of axes of a tensor becomes one element for each index of the others.
//
// Reduced axes that lie side by side are one run of elements in row-major order; kept axes of size 1 do not part them.
// Runs are reduced one after the other, the last first, each in the order of tree.ts. Floats of 16 bits are float32 until
// the end, where they are rounded once; integers wrap.
import { SpecError } from '../error.ts'
import { define, fromFlat, indices, type Shape, type SpecTensor } from '../tensor.ts'
import { inTree } from './tree.ts'
import type { Value } from './value.ts'

/** Which axes are reduced, and whether they stay. */
export interface ReduceOptions {
  /** All unless said; negative ones count from the end. */
  readonly axes?: readonly number[]
  /** Whether reduced axes stay, with size 1. */
  readonly keepdims?: boolean
}

/** What a reduction does to elements: each is prepared, then all are combined, then the result is finished. */
export interface Reduction {
  readonly prepare?: (x: Value) => Value
  readonly combine: (x: Value, y: Value) => Value
  /** The result where there are no elements; none where it is undefined. */
  readonly empty: Value | undefined
  readonly finish?: (x: Value, count: number) => Value
}

export const axesOf = (rank: number, axes: readonly number[] | undefined): ReadonlySet<number> => {
  const all = axes ?? Array.from({ length: rank }, (_, axis) => axis)
  const own = all.map((axis) => (axis < 0 ? axis + rank : axis))
  if (own.some((axis) => !Number.isInteger(axis) || axis < 0 || axis >= rank) || new Set(own).size !== own.length) {
    throw new SpecError('shape', `(${all.join(',')}) are no axes of rank ${rank}`)
  }
  return new Set(own)
}

/** Runs of reduced axes, the last first. */
const runsOf = (shape: Shape, axes: ReadonlySet<number>): number[][] => {
  const runs: number[][] = []
  let parted = true
  shape.forEach((size, axis) => {
    if (!axes.has(axis)) parted ||= size !== 1
    else if (parted) {
      runs.push([axis])
      parted = false
    } else runs.at(-1)!.push(axis)
  })
  return runs.reverse()
}

/** Whole tensors, so that what several elements need is computed once. */
export const settled = <T>(tensor: SpecTensor<T>): SpecTensor<T> =>
  fromFlat(
    tensor.shape,
    [...indices(tensor.shape)].map((index) => tensor.at(index)),
  )

/** One run of axes, which stay with size 1. */
const reduceRun = (
  tensor: SpecTensor<Value>,
  run: readonly number[],
  { combine, empty }: Reduction,
): SpecTensor<Value> => {
  const kept = tensor.shape.map((size, axis) => (run.includes(axis) ? 1 : size))
  const along = run.map((axis) => tensor.shape[axis]!)
  const result = define(kept, (index): Value => {
    const values = [...indices(along)].map((own) => {
      const at = [...index]
      run.forEach((axis, i) => {
        at[axis] = own[i]!
      })
      return tensor.at(at)
    })
    if (values.length > 0) return inTree(combine, values)
    if (empty !== undefined) return empty
    throw new SpecError('shape', 'a reduction of no elements')
  })
  return settled(result)
}

export const without = <T>(tensor: SpecTensor<T>, axes: ReadonlySet<number>): SpecTensor<T> => {
  const kept = tensor.shape.map((_, axis) => axis).filter((axis) => !axes.has(axis))
  return define(
    kept.map((axis) => tensor.shape[axis]!),
    (index) => {
      const at = tensor.shape.map(() => 0)
      kept.forEach((axis, i) => {
        at[axis] = index[i]!
      })
      return tensor.at(at)
    },
  )
}

export const reduceBy = (
  reduction: Reduction,
  tensor: SpecTensor<Value>,
  { axes: given, keepdims = false }: ReduceOptions,
): SpecTensor<Value> => {
  const { prepare = (x) => x, finish = (x) => x } = reduction
  const axes = axesOf(tensor.shape.length, given)
  const prepared = define(tensor.shape, (index): Value => prepare(tensor.at(index)))
  const count = [...axes].reduce((product, axis) => product * tensor.shape[axis]!, 1)
  const reduced = runsOf(tensor.shape, axes).reduce((each, run) => reduceRun(each, run, reduction), prepared)
  const finished = settled(define(reduced.shape, (index): Value => finish(reduced.at(index), count)))
  return keepdims ? finished : settled(without(finished, axes))
}
