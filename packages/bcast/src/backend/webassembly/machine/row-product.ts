// A product that has few rows, or one column, by machine code: row by row, the matrix read where it lies.
import type { DType } from '../../../dtype/dtype.ts'
import { MAX_PARTS } from '../../../plan/kernels.ts'
import { ROW } from '../../../plan/product-parameters.ts'
import { FEW_ROWS, rowProductPart } from '../../../plan/row-product.ts'
import type { GemmJob } from '../../gemm-job.ts'
import { FACTORS, finishOf } from '../gemm/finish.ts'
import type { Steps } from '../gemm/scratch.ts'
import type { QueueStep } from '../threads/queue.ts'
import { type Lying, turnedJob } from './lying.ts'
import type { ProductKernels } from './product-kernels.ts'
import type { ProductRequest } from './seam.ts'

/** Columns whose sums lie in scratch at a time. */
const COLUMNS = 1 << 14
/** Columns whose sums the first cache keeps beside what is read. */
const CACHED = 1 << 13

/** The product as one of few rows, and whether the matrix has its columns side by side or the elements of each. */
function fewRows(job: GemmJob): { readonly job: GemmJob; readonly kind: 'across' | 'along' } | undefined {
  const { sizes, a, gathered } = job
  if (gathered !== undefined) return undefined
  if (sizes.m <= FEW_ROWS && (sizes.m <= sizes.n || sizes.n > 1)) return wayOf(job)
  // The kernel that multiplies takes two columns or three at once, where they do not lie better the other way round.
  return sizes.n === 1 || (sizes.n <= FEW_ROWS && a.strides[0] === 1) ? wayOf(turnedJob(job)) : undefined
}

function wayOf(job: GemmJob): ReturnType<typeof fewRows> {
  const { sizes, b } = job
  if (b.strides[1] === 1 && sizes.n > 1) return { job, kind: 'across' }
  return b.strides[0] === 1 || sizes.k === 1 ? { job, kind: 'along' } : undefined
}

/** A product of few rows in steps; undefined where it is none, without room, or where the system takes no code. */
export function rowSteps(
  kernels: ProductKernels,
  request: ProductRequest,
  type: DType,
  width: number,
): Steps | undefined {
  const found = fewRows(request.job)
  if (found === undefined) return undefined
  const { job, kind } = found
  const { backend, memory, threads } = request
  if (!kernels.has({ kind, type })) return undefined
  const { m, n, k } = job.sizes
  const [row, matrix, result] = [job.a, job.b, job.out].map((placed) => kernels.lying(placed)) as [Lying, Lying, Lying]
  // One times a sum is the sum.
  const isDirect = job.alpha === 1 && job.c === undefined && (n === 1 || result.steps[1] === width)
  const columns = isDirect ? n : Math.min(n, COLUMNS)
  const sumBytes = isDirect ? 0 : Math.ceil((columns * width) / 64) * 64
  const bytes = isDirect ? 0 : sumBytes + FACTORS
  const scratch = isDirect ? 0 : memory.allocate(bytes)
  if (scratch === undefined) return undefined
  const finish = isDirect
    ? undefined
    : finishOf(backend, job, {
        sums: scratch,
        rows: 1,
        rowLength: columns,
        factors: memory.keep?.(FACTORS) ?? scratch + sumBytes,
      })
  const most = threads === 1 ? n : rowProductPart(columns, k, width, kind === 'across')
  const perPart = Math.max(Math.ceil(columns / MAX_PARTS), kind === 'across' ? Math.min(most, CACHED) : most)

  function* steps(): Generator<QueueStep> {
    for (let i = 0; i < m; i++) {
      for (let column = 0; column < n; column += columns) {
        const count = Math.min(columns, n - column)
        yield (runner) => {
          const sums = isDirect ? result.at + i * result.steps[0] : kernels.home + scratch!
          const told = kernels.parameters(runner, Math.ceil(count / perPart), ROW.bytes)
          for (let part = 0; part < told.parts; part++) {
            const first = part * perPart
            told.point(part, ROW.row, row.at + i * row.steps[0], row.array)
            told.write(part, ROW.rowStep, row.steps[1])
            told.point(part, ROW.matrix, matrix.at + (column + first) * matrix.steps[1], matrix.array)
            told.write(part, ROW.step, matrix.steps[kind === 'across' ? 0 : 1])
            told.write(part, ROW.columns, Math.min(perPart, count - first))
            told.write(part, ROW.length, k)
            told.point(part, ROW.sums, sums + first * width, isDirect ? result.array : undefined)
          }
          kernels.run(runner, { kind, type }, told, threads === 1 ? 0 : count * k)
          return true
        }
        if (finish !== undefined) yield (runner, now) => finish(runner, now, i, column, 1, count)
      }
    }
  }
  return { steps: steps(), free: () => (isDirect ? undefined : memory.free(scratch, bytes)) }
}
