// A product that has few rows, or few columns, which is the same turned: row by row, the matrix read where it lies.
import { bitsOf, type DType, type TypedArray } from '../../../dtype/dtype.ts'
import { Builder, type Program } from '../../../expr/ir.ts'
import { FEW_ROWS, rowProductPart } from '../../../plan/row-product.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { GemmJob } from '../../gemm-job.ts'
import { instructionsOf } from '../../instructions.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import { sumType } from '../codegen/gemm.ts'
import { compileRowAcross, compileRowAlong, ROW_PRODUCT } from '../codegen/row-product.ts'
import { arrayClass } from '../memory/copy.ts'
import type { Runner } from '../task.ts'
import type { QueueStep } from '../threads/queue.ts'
import { FACTORS, type Finish, finishOf } from './finish.ts'
import { kernelFor } from './multiply.ts'
import type { ScratchMemory, Steps } from './scratch.ts'

const PARAMETERS = 4 * Object.keys(ROW_PRODUCT).length
/** Columns whose sums lie in scratch at a time. */
const COLUMNS = 1 << 14

const instructions = /* @__PURE__ */ instructionsOf()
const programs = new Map<DType, Program>()

/** Gives what it is given. */
function identity(dtype: DType): Program {
  let program = programs.get(dtype)
  if (program === undefined) {
    const b = new Builder([dtype])
    programs.set(dtype, (program = b.program(b.input(0))))
  }
  return program
}

const turned = <P extends Placed | undefined>(placed: P): P =>
  placed && { ...placed, strides: [placed.strides[1]!, placed.strides[0]!] }

/** The product as one of few rows; undefined where it has more. */
function withFewRows(job: GemmJob): GemmJob | undefined {
  const { m, n, k } = job.sizes
  if (m <= FEW_ROWS && m <= n) return job
  if (n > FEW_ROWS) return m <= FEW_ROWS ? job : undefined
  const { a, b, c, out } = job
  return { ...job, sizes: { m: n, n: m, k }, a: turned(b), b: turned(a), c: turned(c), out: turned(out) }
}

/** How kernels go through the matrix; undefined where neither way has its elements side by side. */
function wayOf({ dtype, sizes: { n, k }, b, gathered }: GemmJob): 'across' | 'along' | undefined {
  if (gathered !== undefined || k === 0 || bitsOf(sumType(dtype)) !== bitsOf(dtype)) return undefined
  if (b.strides[1] === 1 && n > 1) return 'across'
  return b.strides[0] === 1 || k === 1 ? 'along' : undefined
}

/** A product of few rows in steps; undefined where it is none, or without room. */
export function rowProductSteps(backend: WebAssemblyBackend, given: GemmJob, memory: ScratchMemory): Steps | undefined {
  const job = withFewRows(given)
  const way = job && wayOf(job)
  if (job === undefined || way === undefined) return undefined
  const { arena } = backend
  const { dtype, sizes, a, b, c, alpha, out } = job
  const { m, n, k } = sizes
  const { storage: matrix, offset, strides } = b as Placed & { storage: TypedArray }
  if (!arena.holds(matrix)) return undefined
  const width = matrix.BYTES_PER_ELEMENT
  const row = a as Placed & { storage: TypedArray }
  const isRowInPlace = arena.holds(row.storage) && (row.strides[1] === 1 || k === 1)
  const result = out as Placed & { storage: TypedArray }
  // One times a sum is the sum.
  const isDirect = alpha === 1 && c === undefined && arena.holds(result.storage) && (result.strides[1] === 1 || n === 1)
  const columns = isDirect ? n : Math.min(n, COLUMNS)
  const padded = (size: number): number => Math.ceil((size * width) / 64) * 64
  const [rowBytes, sumBytes] = [isRowInPlace ? 0 : padded(k), isDirect ? 0 : padded(columns)]
  const bytes = rowBytes + sumBytes + FACTORS
  const allocated = memory.allocate(bytes)
  if (allocated === undefined) return undefined
  const scratch: number = allocated
  const sumsAt = scratch + rowBytes
  const finish: Finish | undefined = isDirect
    ? undefined
    : finishOf(backend, job, {
        sums: sumsAt,
        rows: 1,
        rowLength: columns,
        factors: memory.keep?.(FACTORS) ?? sumsAt + sumBytes,
      })
  const type = sumType(dtype)
  const compile = way === 'across' ? compileRowAcross : compileRowAlong
  const kernel = kernelFor(backend, `row ${way} ${type}`, () => compile(type, arena))

  /** Sums of so many columns, in parts. */
  const multiply = (runner: Runner, rowAt: number, column: number, count: number, sums: number): void => {
    const perPart = rowProductPart(count, k, width, way === 'across')
    const parts = Math.ceil(count / perPart)
    const parametersAt = runner.parameters(parts * PARAMETERS)
    const words = new Int32Array(arena.buffer, parametersAt, (parts * PARAMETERS) / 4)
    const step = way === 'across' ? strides[0]! : strides[1]!
    for (let part = 0; part < parts; part++) {
      const own = words.subarray((part * PARAMETERS) / 4)
      const first = part * perPart
      own[ROW_PRODUCT.row / 4] = rowAt
      own[ROW_PRODUCT.matrix / 4] = matrix.byteOffset + (offset + (column + first) * strides[1]!) * width
      own[ROW_PRODUCT.step / 4] = step * width
      own[ROW_PRODUCT.columns / 4] = Math.min(perPart, count - first)
      own[ROW_PRODUCT.length / 4] = k
      own[ROW_PRODUCT.sums / 4] = sums + first * width
    }
    runner.run({ ...kernel, parts, parametersAt, parametersSize: PARAMETERS }, count * k)
  }

  function* steps(): Generator<QueueStep> {
    for (let i = 0; i < m; i++) {
      const from = { ...row, offset: row.offset + i * row.strides[0]!, strides: [row.strides[1]!] }
      const rowAt = isRowInPlace ? row.storage.byteOffset + from.offset * width : scratch
      if (!isRowInPlace) {
        const storage = new (arrayClass(row.storage))(arena.buffer, scratch, k)
        const operands = [from, { storage, offset: 0, strides: [1] }]
        const copying = { program: identity(dtype), instructions, shape: [k], operands }
        yield (runner, now) => backend.runOn(runner, copying, now)
      }
      const outAt = result.storage.byteOffset + (result.offset + i * result.strides[0]!) * width
      for (let column = 0; column < n; column += columns) {
        const count = Math.min(columns, n - column)
        yield (runner) => {
          multiply(runner, rowAt, column, count, isDirect ? outAt : sumsAt)
          return true
        }
        if (finish !== undefined) yield (runner, now) => finish(runner, now, i, column, 1, count)
      }
    }
  }
  return { steps: steps(), free: () => memory.free(scratch, bytes) }
}
