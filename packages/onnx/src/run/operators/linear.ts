// Products of matrices, each by the library's gemm: of every element ascending k, one accumulator.
import { broadcastShapes, broadcastTo, gemm as gemmOf, matmulBatch, type Tensor } from 'bcast'
import { transposes } from '../../infer/attributes/forms.ts'
import { addendRule, meetingOf } from '../../infer/attributes/legacy.ts'
import type { Call } from '../call.ts'
import type { Computation } from '../computation.ts'
import { indicesOf } from '../indices.ts'
import type { KernelRow } from '../row.ts'
import { MULTIPLIED } from '../types.ts'
import { roomFor } from './join.ts'

const multiply = gemmOf

/** C; where an old set places it, as a view of the product's shape. */
function addendOf(call: Call, rows: number, columns: number): Tensor | undefined {
  if (!call.has(2)) return undefined
  if (meetingOf(call) === 'general') return call.tensor(2)
  return call.own(broadcastTo(call.tensor(2), [rows, columns], { broadcast: addendRule(call) }) as Tensor)
}

const gemm: KernelRow = {
  kind: 'kernel',
  name: 'Gemm',
  types: MULTIPLIED,
  typed: [0, 1, 2],
  *compute(call) {
    const { attributes } = call
    const [a, b] = [call.tensor(0), call.tensor(1)]
    const [transA, transB] = transposes(call)
    const c = addendOf(call, a.shape[transA ? 1 : 0]!, b.shape[transB ? 0 : 1]!)
    const [alpha, beta] = [attributes.float('alpha', 1), attributes.float('beta', 1)]
    return [yield* call.apply(multiply, a, b, c, { alpha, beta, transA, transB })]
  },
}

/** Matrices with one and the same right one are one tall matrix. */
function* productByOne(call: Call, a: Tensor, b: Tensor): Computation<Tensor> {
  const [k, n] = [a.shape.at(-1)!, b.shape[1]!]
  const rows = a.shape.slice(0, -1)
  const tall = a.rank === 2 ? a : yield* call.reshaped(a, [rows.reduce((product, size) => product * size, 1), k])
  const product = yield* call.apply(multiply, tall, b)
  return a.rank === 2 ? product : yield* call.reshaped(product, [...rows, n])
}

/** One product for every index into the common batch. */
function* productByBatch(call: Call, a: Tensor, b: Tensor, batch: readonly number[]): Computation<Tensor> {
  const [m, k, n] = [a.shape.at(-2)!, a.shape.at(-1)!, b.shape.at(-1)!]
  const [left, right] = [
    call.own(a.broadcastTo([...batch, m, k]) as Tensor),
    call.own(b.broadcastTo([...batch, k, n]) as Tensor),
  ]
  const result = yield* roomFor(call, a.dtype, [...batch, m, n])
  for (const index of indicesOf(batch)) {
    const [x, y, out] = [left, right, result].map((each) => call.own(each.slice(...index) as Tensor))
    yield* call.apply(multiply, x, y, undefined, { out })
    for (const view of [x!, y!, out!]) call.drop(view)
  }
  return result
}

/** A vector on the left is a row, one on the right a column; the axis it is given goes again. */
export function* productOf(call: Call, a: Tensor, b: Tensor): Computation<Tensor> {
  const batch = broadcastShapes([a.shape, b.shape], { broadcast: matmulBatch }) as readonly number[]
  const left = a.rank === 1 ? call.own(a.reshape([1, a.size]) as Tensor) : a
  const right = b.rank === 1 ? call.own(b.reshape([b.size, 1]) as Tensor) : b
  const [columns, rows] = [left.shape.at(-1)!, right.shape.at(-2)!]
  if (columns !== rows) {
    call.fail(
      `A is (${a.shape.join(',')}) and B is (${b.shape.join(',')}); A's columns (${columns}) must be B's rows (${rows}).`,
    )
  }
  const product =
    right.rank === 2 ? yield* productByOne(call, left, right) : yield* productByBatch(call, left, right, batch)
  if (a.rank > 1 && b.rank > 1) return product
  const shape = [...batch, ...(a.rank > 1 ? [left.shape.at(-2)!] : []), ...(b.rank > 1 ? [right.shape.at(-1)!] : [])]
  return yield* call.reshaped(product, shape)
}

const matmul: KernelRow = {
  kind: 'kernel',
  name: 'MatMul',
  types: MULTIPLIED,
  typed: 'all',
  *compute(call) {
    return [yield* productOf(call, call.tensor(0), call.tensor(1))]
  },
}

export const linearRows: readonly KernelRow[] = [gemm, matmul]
