// Operands of products as machine code sees them, and products the other way round.
import type { Storage } from '../../../dtype/dtype.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { GemmJob } from '../../gemm-job.ts'

/** A matrix by addresses of the process: its first element, and steps from row to row and from column to column. */
export interface Lying {
  readonly at: number
  readonly steps: readonly [rows: number, columns: number]
  readonly array: Storage
}

const turned = <P extends Placed | undefined>(placed: P): P =>
  placed && { ...placed, strides: [placed.strides[1]!, placed.strides[0]!] }

/** The same product with rows and columns exchanged. */
export function turnedJob(job: GemmJob): GemmJob {
  const { sizes, a, b, c, out } = job
  const { m, n, k } = sizes
  return { ...job, sizes: { m: n, n: m, k }, a: turned(b), b: turned(a), c: turned(c), out: turned(out) }
}
