// Stacks of matrices and the jobs of Gemm that multiply them, pair by pair where they lie. One right matrix for several
// left ones that lie one behind the other is one job: they are one tall matrix.
import { gemm, gemmAsync, repeatGemm } from '../backend/gemm.ts'
import type { GemmJob } from '../backend/gemm-job.ts'
import { offsetsOf } from '../backend/offsets.ts'
import { nextTurn } from '../backend/platform.ts'
import type { DType, Storage } from '../dtype/dtype.ts'
import type { Shape } from '../shape/dim.ts'
import type { Placed } from '../tensor/placed.ts'
import type { Execution } from './computation.ts'

/** Jobs that a sequence keeps, which takes memory for each; more are computed anew in every run. */
const MOST_KEPT = 1 << 12
/** Products of elements that are computed before other things get their turn. */
const PAUSE = 1 << 22

/** Matrices at the places of a batch. */
export interface Stack {
  readonly storage: Storage
  readonly offset: number
  /** Strides of the batch axes. */
  readonly batch: readonly number[]
  /** Strides from row to row, and from column to column. */
  readonly rows: number
  readonly columns: number
}

/** What a product has of both operands: sizes, and where everything lies. */
export interface Product {
  readonly dtype: DType
  readonly batch: Shape
  readonly m: number
  readonly k: number
  readonly n: number
  readonly a: Stack
  readonly b: Stack
  readonly out: Stack
}

/** Axes of size 1 are dropped, and left matrices that are one tall one are put together. */
export function folded({ batch, a, b, out, ...product }: Product): Product {
  let { m } = product
  let [rowsOfA, rowsOfOut] = [a.rows, out.rows]
  const axes = batch.map((_, axis) => axis).filter((axis) => batch[axis] !== 1)
  for (let last = axes.at(-1); last !== undefined && b.batch[last] === 0; last = axes.at(-1)) {
    const [ofA, ofOut] = [a.batch[last]!, out.batch[last]!]
    if (m > 1 && (ofA !== rowsOfA * m || ofOut !== rowsOfOut * m)) break
    if (m === 1) [rowsOfA, rowsOfOut] = [ofA, ofOut]
    m *= batch[last]!
    axes.pop()
  }
  const kept = (stack: Stack, rows: number): Stack => ({
    ...stack,
    batch: axes.map((axis) => stack.batch[axis]!),
    rows,
  })
  return {
    ...product,
    m,
    batch: axes.map((axis) => batch[axis]!),
    a: kept(a, rowsOfA),
    b: kept(b, b.rows),
    out: kept(out, rowsOfOut),
  }
}

/** Columns up to which matrices are multiplied the other way round. */
const NARROW = 8

const transposed = (stack: Stack): Stack => ({ ...stack, rows: stack.columns, columns: stack.rows })

/**
 * Kernels compute several columns side by side, so that a result of few columns is computed as a result of few rows:
 * the same products in the same order.
 */
function widened(product: Product): Product {
  const { m, n, a, b, out } = product
  if (n > NARROW || m <= n) return product
  return { ...product, m: n, n: m, a: transposed(b), b: transposed(a), out: transposed(out) }
}

/** The jobs of a product, made one by one: there may be many. */
function* jobsOf(product: Product): Generator<GemmJob> {
  const { dtype, batch, m, n, k, a, b, out } = widened(product)
  const offsets = [a, b, out].map((stack) => offsetsOf({ shape: batch, strides: stack.batch }))
  const matrix = (stack: Stack, by: number): Placed => ({
    storage: stack.storage,
    offset: stack.offset + by,
    strides: [stack.rows, stack.columns],
  })
  const [toA, toB, toOut] = offsets as [Int32Array, Int32Array, Int32Array]
  for (let i = 0; i < toOut.length; i++) {
    const operands = { a: matrix(a, toA[i]!), b: matrix(b, toB[i]!), c: undefined, out: matrix(out, toOut[i]!) }
    yield { dtype, sizes: { m, n, k }, alpha: 1, beta: 1, ...operands }
  }
}

/** Multiplies pair by pair; every element has a value. */
export const executionOfPairs = (product: Product): Execution => ({
  now: () => {
    for (const job of jobsOf(product)) gemm(job)
    return -1
  },
  async: async () => {
    const { m, n, k } = product
    let work = 0
    for (const job of jobsOf(product)) {
      await gemmAsync(job)
      work += m * n * k
      if (work < PAUSE) continue
      work = 0
      await new Promise<void>(nextTurn)
    }
    return -1
  },
  arrays: [],
  // All jobs have the same sizes. Where there is no room for a later one, all are computed anew.
  repeated: (repetition) => {
    if (product.batch.reduce((count, size) => count * size, 1) > MOST_KEPT) return false
    for (const job of jobsOf(product)) if (!repeatGemm(repetition, job)) return false
    return true
  },
})
