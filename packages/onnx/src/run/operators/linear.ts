// Products of matrices, each by the library's: of every element ascending k, one accumulator.
import { broadcastTo, gemm as gemmOf, matmul as matmulOf, type Tensor } from 'bcast'
import { transposes } from '../../infer/attributes/forms.ts'
import { addendRule, meetingOf } from '../../infer/attributes/legacy.ts'
import type { Call } from '../call.ts'
import type { KernelRow } from '../row.ts'
import { MULTIPLIED } from '../types.ts'

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
    return [yield* call.apply(gemmOf, a, b, c, { alpha, beta, transA, transB })]
  },
}

const matmul: KernelRow = {
  kind: 'kernel',
  name: 'MatMul',
  types: MULTIPLIED,
  typed: 'all',
  *compute(call) {
    return [yield* call.apply(matmulOf, call.tensor(0), call.tensor(1))]
  },
}

export const linearRows: readonly KernelRow[] = [gemm, matmul]
