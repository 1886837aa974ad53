// A product of matrices by machine code: operands are read where they lie, or packed into strips a block at a time, and
// sums go to the result at once where its elements lie side by side, with alpha and C as well.
import { bitsOf, type TypedArray } from '../../../dtype/dtype.ts'
import { planProduct } from '../../../plan/machine-product.ts'
import { extent } from '../../../tensor/layout.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { GemmJob } from '../../gemm-job.ts'
import { sumType } from '../codegen/gemm.ts'
import { FACTORS, finishOf } from '../gemm/finish.ts'
import type { Steps } from '../gemm/scratch.ts'
import { tablesOf } from '../gemm/tables.ts'
import { sameMemory } from '../memory/arena.ts'
import type { MachineCode, ProductTile } from './code.ts'
import { turnedJob } from './lying.ts'
import { type Ending, ProductBlocks } from './product-blocks.ts'
import { ProductKernels } from './product-kernels.ts'
import type { Tables } from './product-operands.ts'
import { rowSteps } from './row-product.ts'
import type { ProductRequest } from './seam.ts'

/** How much smaller blocks may get when the arena is nearly full. */
const SHRINKS = [1, 4, 16]

/** The same product the other way round where the result's elements lie side by side that way. */
function wellTurned(job: GemmJob): GemmJob {
  const { sizes, out, gathered } = job
  const { m, n } = sizes
  if (gathered !== undefined || n === 1 || out.strides[1] === 1 || (out.strides[0] !== 1 && m > 1)) return job
  return turnedJob(job)
}

/** How the kernel that multiplies ends; `stays` tells what lies where it says until then. */
function endingOf(
  { sizes: { m, n }, c, alpha, out }: GemmJob,
  tile: ProductTile,
  isSplit: boolean,
  stays: (placed: Placed) => boolean,
): Ending {
  if ((n > 1 && out.strides[1] !== 1) || !stays(out)) return 'kept'
  if (c === undefined) return alpha === 1 ? undefined : tile.finishes ? 'none' : 'kept'
  if (!tile.finishes || !stays(c) || (isSplit && overlap(c, out, [m, n]))) return 'kept'
  return n === 1 || c.strides[1] === 0 ? 'column' : c.strides[1] === 1 ? 'row' : 'kept'
}

/** Whether sums that go to the result would come upon elements of C that are still to be read. */
function overlap(c: Placed, out: Placed, shape: readonly number[]): boolean {
  const [lowC, highC] = rangeOf(c, shape)
  const [lowOut, highOut] = rangeOf(out, shape)
  const [a, b] = [c.storage as TypedArray, out.storage as TypedArray]
  return sameMemory(a.buffer, b.buffer) && lowC <= highOut && lowOut <= highC
}

/** Bytes of a buffer that an operand begins and ends with. */
function rangeOf({ storage, offset, strides }: Placed, shape: readonly number[]): readonly [number, number] {
  const { byteOffset, BYTES_PER_ELEMENT } = storage as TypedArray
  const { low, high } = extent({ shape, strides, offset })!
  return [byteOffset + low * BYTES_PER_ELEMENT, byteOffset + high * BYTES_PER_ELEMENT]
}

/** Undefined where WebAssembly is to compute it. */
export function productSteps(code: MachineCode, request: ProductRequest): Steps | undefined {
  const { backend, threads, memory, direct } = request
  const { arena } = backend
  const job = wellTurned(request.job)
  const { dtype, sizes, a, b, c, out, gathered, alpha, beta } = job
  const { m, n, k } = sizes
  if (k === 0) return undefined
  const stays = ({ storage }: Placed): boolean => direct || arena.holds(storage as TypedArray)
  const [staysA, staysB] = [stays(a), stays(b)]
  // What may move is read beforehand, for good.
  if (!(staysA && staysB) && memory.packed === undefined) return undefined
  const type = sumType(dtype)
  const width = bitsOf(type) / 8
  const tile = code.tile(type)
  if (tile === undefined) return undefined
  const kernels = new ProductKernels(code, backend)
  const { home } = kernels
  const isSame = bitsOf(dtype) === bitsOf(type)
  const areThere = staysA && staysB && stays(out)
  const row = isSame && tile.finishes && areThere ? rowSteps(kernels, { ...request, job }, type, width) : undefined
  if (row !== undefined) return row
  const shape = {
    sizes,
    width,
    alongA: isSame && staysA ? (k === 1 ? 1 : a.strides[1]!) : undefined,
    alongB: isSame && staysB && gathered === undefined ? (n === 1 ? 1 : b.strides[1]!) : undefined,
  }
  const means = { ...tile, ...code.caches }
  const tables = gathered && tablesOf(gathered, width, tile.columns, tile.lanes)
  const tableBytes = tables === undefined ? 0 : tables.words.byteLength
  const tablesAt = tables && (memory.keep?.(tableBytes) ?? memory.allocate(tableBytes))
  let lain: Tables | undefined
  if (tables !== undefined) {
    if (tablesAt === undefined) return undefined
    new Int32Array(arena.buffer, tablesAt, tables.words.length).set(tables.words)
    const at = home + tablesAt
    lain = { along: at, across: at + tables.across, unit: at + tables.unit }
  }
  const freeTables = (): void => {
    if (tablesAt !== undefined && memory.keep === undefined) memory.free(tablesAt, tableBytes)
  }
  for (const shrink of SHRINKS) {
    const bare = planProduct({ ...shape, keepsSums: false }, means, shrink)
    const ending = isSame ? endingOf(job, tile, bare.length < k, stays) : 'kept'
    const plan = ending === 'kept' ? planProduct({ ...shape, keepsSums: true }, means, shrink) : bare
    const [left, right] = [kernels.lying(a), kernels.lying(b)]
    const blocks = new ProductBlocks(kernels, {
      sizes,
      types: { dtype, type, lanes: tile.lanes },
      width,
      tile,
      plan,
      threads,
      a: {
        at: left.at,
        array: left.array,
        across: left.steps[0],
        along: left.steps[1],
        lanes: tile.rowLanes,
        advance: tile.rows,
      },
      b: {
        at: right.at,
        array: right.array,
        across: right.steps[1],
        along: right.steps[0],
        tables: lain,
        lanes: tile.columns,
        advance: tile.columns,
      },
      c: c && kernels.lying(c),
      alpha,
      beta,
      result: kernels.lying(out),
      ending,
    })
    if (!blocks.isPossible) break
    for (const side of ['a', 'b'] as const) {
      const all = blocks.bytesOf(side)
      const [operand, whole] = side === 'a' ? [a, [m, k]] : [b, [k, n]]
      const key = [blocks.key, side, operand.offset, operand.strides, whole].join()
      const pack = (address: number): void => blocks.packAll(backend.runner, side, home + address)
      const at = all && memory.packed?.(operand, whole, key, all, pack)
      if (at) blocks.packed[side] = home + at
      else if (!(side === 'a' ? staysA : staysB)) return undefined
    }
    const [factors, bytes] = [blocks.bytes, blocks.bytes + (ending === 'kept' ? FACTORS : 0)]
    const scratch = bytes === 0 ? 0 : memory.allocate(bytes)
    if (scratch === undefined) continue
    blocks.scratch = home + scratch
    const finish =
      ending === 'kept'
        ? finishOf(backend, job, {
            sums: scratch + blocks.sumsAt,
            rows: plan.rows,
            rowLength: plan.columns,
            factors: memory.keep?.(FACTORS) ?? scratch + factors,
          })
        : undefined
    const free = (): void => {
      if (bytes > 0) memory.free(scratch, bytes)
      freeTables()
    }
    return { steps: blocks.steps(finish), free }
  }
  freeTables()
  return undefined
}
