// alpha * A B + beta * C on WebAssembly. Each block of sums is finished (alpha, beta * C, rounding to 16 bits) while it
// is still in the cache.
import { bitsOf, type TypedArray } from '../../../dtype/dtype.ts'
import { type GemmSizes, planGemm } from '../../../plan/gemm.ts'
import { extent } from '../../../tensor/layout.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { Backend } from '../../backend.ts'
import type { GemmJob, GemmOn, RepeatGemm } from '../../gemm-job.ts'
import { canShareWork } from '../../platform.ts'
import type { Adding } from '../../repeat.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import { sumType } from '../codegen/gemm.ts'
import type { Keeping } from '../keeping.ts'
import { machine } from '../machine/seam.ts'
import type { TaskRepetition } from '../repeat.ts'
import { FACTORS, finishOf } from './finish.ts'
import { type Lines, Multiplication, stripsOf } from './multiply.ts'
import { packedOnce } from './packed.ts'
import { rowProductSteps } from './row-product.ts'
import type { PackAt, ScratchMemory, Steps } from './scratch.ts'
import { tablesOf } from './tables.ts'

/** Up to so many products, packing costs more than it saves. */
const FEW = 512
/** Up to so many, a product is over before a thread would have begun. */
const BRIEF = 1 << 19
/** How much smaller blocks may get when the arena is nearly full. */
const SHRINKS = [1, 4, 16]

/**
 * A product of at least one element in steps for so many threads; undefined without room. `direct` where operands stay
 * where they are until it has run.
 */
export function stepsOn(
  backend: WebAssemblyBackend,
  threads: number,
  job: GemmJob,
  memory: ScratchMemory = backend.arena,
  direct = false,
): Steps | undefined {
  const made = machine?.product({ backend, threads, job, memory, direct })
  if (made !== undefined) return made
  const row = rowProductSteps(backend, job, memory)
  if (row !== undefined) return row
  const { dtype, sizes, a, b } = job
  const { arena } = backend
  const linesOf = ({ storage, offset, strides }: Placed, axis: 0 | 1): Lines => {
    const array = storage as TypedArray
    const foreign = !arena.holds(array)
    return { array, first: offset, across: strides[axis]!, along: strides[1 - axis]!, foreign }
  }
  const { gathered } = job
  const tables = gathered && tablesOf(gathered, (b.storage as TypedArray).BYTES_PER_ELEMENT, stripsOf(dtype).columns)
  const tableBytes = tables === undefined ? 0 : tables.words.byteLength
  let right = linesOf(b, 1)
  // Only what lies in the arena can be gathered.
  if (tables !== undefined && right.foreign) return undefined
  for (const shrink of SHRINKS) {
    const blocks = planGemm(sizes, stripsOf(dtype), threads, shrink)
    const bytes = blocks.bytes + (memory.keep === undefined ? tableBytes : 0)
    const scratch = memory.allocate(bytes)
    if (scratch === undefined) continue
    if (tables !== undefined) {
      const at = memory.keep?.(tableBytes) ?? scratch + blocks.bytes
      new Int32Array(arena.buffer, at, tables.words.length).set(tables.words)
      right = { ...right, tables: { along: at, across: at + tables.across, unit: at + tables.unit } }
    }
    const finish = finishOf(backend, job, {
      sums: scratch + blocks.sums,
      rows: blocks.rows,
      rowLength: blocks.columns,
      factors: memory.keep?.(FACTORS) ?? scratch + blocks.factors,
    })
    const multiplication = new Multiplication(backend, dtype, blocks, scratch)
    const lines = { a: linesOf(a, 0), b: right }
    for (const side of ['a', 'b'] as const) {
      const [operand, shape] = side === 'a' ? [a, [sizes.m, sizes.k]] : [b, [sizes.k, sizes.n]]
      const how = [side, dtype, operand.offset, operand.strides, shape, blocks.rows, blocks.columns, blocks.length]
      if (lines[side].tables !== undefined) continue
      const at = memory.packed?.(operand, shape, how.join(), multiplication.packedBytes(side, sizes), (address) =>
        multiplication.packAll(backend.runner, side, lines[side], sizes, address),
      )
      if (at !== undefined) multiplication.packed[side] = at
    }
    const steps = multiplication.steps(sizes, lines.a, lines.b, finish)
    return { steps, free: () => memory.free(scratch, bytes) }
  }
  return undefined
}

/** Computes it on the calling thread, together with the others; false, having done nothing, without room for scratch. */
export function computeOn(backend: WebAssemblyBackend, job: GemmJob): boolean {
  const planned = stepsOn(backend, canShareWork ? backend.threads : 1, job, backend.arena, true)
  if (planned === undefined) return false
  try {
    for (const step of planned.steps) step(backend.runner, true)
    return true
  } finally {
    planned.free()
  }
}

/** Multiplications of a product. */
const workOf = ({ m, n, k }: GemmSizes): number => m * n * Math.max(1, k)

/** Keeps the tasks of a product; false without room for them. */
const repeatGemm: RepeatGemm = (repetition, job) => {
  const keeping = repetition as Adding as Keeping & Adding
  const { backend } = keeping
  const scratch = { allocate: (bytes: number) => keeping.borrow(bytes), free: () => undefined }
  return keeping.describe(() => {
    // However few products there are, they need no more than their kernels.
    if (job.dtype === 'real' || workOf(job.sizes) === 0) return false
    const isStill = keeping.use !== undefined
    const memory = isStill ? scratch : { ...scratch, ...keptMemory(keeping as TaskRepetition) }
    const { steps } = stepsOn(backend, canShareWork ? keeping.threads : 1, job, memory, isStill)!
    for (const step of steps) step(keeping, true)
    return true
  })
}

/** Memory that stays a sequence's own, where operands that never change are packed once. */
const keptMemory = (tasks: TaskRepetition): Pick<ScratchMemory, 'keep' | 'packed'> => ({
  keep: (bytes: number) => tasks.keep(bytes),
  packed: (operand: Placed, shape: readonly number[], key: string, bytes: number, pack: PackAt) => {
    const reached = extent({ shape, strides: operand.strides, offset: operand.offset })
    if (reached === undefined || !tasks.isConstant({ storage: operand.storage, ...reached })) return undefined
    const packed = packedOnce(tasks.backend.arena, operand.storage, key, bytes, pack)
    if (packed !== undefined) tasks.onRelease(packed.release)
    return packed?.address
  },
})

/** Whether kernels compute it, and faster than an element at a time. */
const isWorth = ({ sizes, dtype }: GemmJob): boolean => workOf(sizes) > FEW && dtype !== 'real'

export const gemmOnWebAssembly: GemmOn = {
  gathers: (backend, dtype, storage) =>
    bitsOf(sumType(dtype)) === bitsOf(dtype) &&
    dtype !== 'real' &&
    (backend as Backend as WebAssemblyBackend).arena.holds(storage as TypedArray),
  repeat: repeatGemm,
  run: (backend, job) => isWorth(job) && computeOn(backend as Backend as WebAssemblyBackend, job),
  runAsync: async (backend, job, check) => {
    const own = backend as Backend as WebAssemblyBackend
    if (workOf(job.sizes) <= BRIEF || job.dtype === 'real' || !own.hasThreads)
      return gemmOnWebAssembly.run(backend, job)
    const planned = stepsOn(own, own.threads, job)
    if (planned === undefined) return false
    try {
      await own.runSteps(planned.steps, check)
      return true
    } finally {
      planned.free()
    }
  },
}
