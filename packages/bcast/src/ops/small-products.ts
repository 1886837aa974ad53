// Many small products of matrices at once, and thin ones: a job of Gemm for each would take longer to begin than to
// compute, or leave most of its lanes empty. The sums of all elements go on together, a few products at a time, as a
// program over the result's shape whose operands are columns of A and rows of B that repeat. Steps and roundings are
// those of Gemm.
import { add, cast, instructionsOf, mul } from '../backend/instructions.ts'
import { type DType, isHalf, isWide } from '../dtype/dtype.ts'
import { Builder, type Program } from '../expr/ir.ts'
import { FEW_ROWS } from '../plan/row-product.ts'
import type { Shape } from '../shape/dim.ts'
import type { Placed } from '../tensor/placed.ts'
import { type Execution, executionOf } from './computation.ts'
import { isAddedTo } from './settled.ts'

const instructions = /* @__PURE__ */ instructionsOf(add, mul, cast)

/** Products of elements that one pass adds. */
const AT_ONCE = 8
/** Products of matrices that are many, and what is small about each. */
const MANY = 4
const SMALL = 1 << 18
const SHORT = 64
/** What is thin about a product, and how long it is. */
const THIN = 4
const LONG = 1 << 10
const SHORT_IF_THIN = 32

/** The type that sums are kept in between passes. */
const sumType = (dtype: DType): DType => (isHalf(dtype) ? 'float32' : dtype)

/** Whether so many products are better computed together. */
export function areTogether(dtype: DType, count: number, m: number, n: number, k: number): boolean {
  const areSmall = count >= MANY && k <= SHORT && m * n * k <= SMALL
  // The fewest rows have kernels of their own, which 16-bit floats do not.
  const thin = Math.min(m, n)
  const isThin = thin <= THIN && (thin > FEW_ROWS || isHalf(dtype))
  const areThin = isThin && Math.max(m, n) >= LONG && k <= SHORT_IF_THIN
  return dtype !== 'real' && k > 0 && (areSmall || areThin)
}

/** The type of sums that have to be kept elsewhere than in the result; undefined where the result does. */
export const keptType = (dtype: DType, k: number): DType | undefined =>
  isHalf(dtype) && k > AT_ONCE ? sumType(dtype) : undefined

/** Products that may be tasks, and how much work one is. */
const MOST_TASKS = 1 << 10
const WORTH_A_TASK = 1 << 12

/** Whether so many products of so much work may as well be tasks of their own. */
export const areWorthTasks = (count: number, work: number): boolean => count <= MOST_TASKS && work >= WORTH_A_TASK

/** Passes as one execution; no element is without a value. */
export const inOne = (passes: () => Iterable<Execution>): Execution => ({
  now: () => {
    for (const pass of passes()) pass.now()
    return -1
  },
  async: async () => {
    for (const pass of passes()) await pass.async()
    return -1
  },
  arrays: [],
  repeated: (to) => {
    for (const { repeated } of passes()) if (!isAddedTo(to, repeated!)) return false
    return true
  },
})

/** Passes over all products; product by product where that is kept, and each costs next to nothing. */
export function togetherOrInPairs(dtype: DType, passes: () => Iterable<Execution>, pairs: Execution): Execution {
  const together = inOne(passes)
  return { ...together, repeated: (to) => isAddedTo(to, (to.multiplies?.(dtype) ? pairs : together).repeated!) }
}

const programs = new Map<string, Program>()

/** Adds products of elements to a sum, or to nothing; the result is of type `to`. */
function programOf(dtype: DType, to: DType, count: number, isFirst: boolean): Program {
  const key = `${dtype} ${to} ${count} ${isFirst}`
  let program = programs.get(key)
  if (program === undefined) {
    const type = sumType(dtype)
    const factors = Array.from({ length: 2 * count }, () => dtype)
    const b = new Builder(isFirst ? factors : [...factors, type])
    let sum = isFirst ? b.constant(type, isWide(type) ? 0n : 0) : b.input(2 * count)
    for (let i = 0; i < count; i++) {
      const [x, y] = [b.cast(b.input(2 * i), type), b.cast(b.input(2 * i + 1), type)]
      sum = b.op('add', sum, b.op('mul', x, y))
    }
    program = b.program(b.cast(sum, to))
    programs.set(key, program)
  }
  return program
}

/** Stacks of matrices: strides of the batch, then from row to row and from column to column. */
export interface SmallProducts {
  readonly dtype: DType
  /** The batch, rows and columns. */
  readonly shape: Shape
  readonly k: number
  readonly a: Placed
  readonly b: Placed
  readonly out: Placed
  /** Where sums are kept that the result cannot keep. */
  readonly kept: Placed | undefined
}

/** What executes them, pass by pass. */
export function* smallProducts({ dtype, shape, k, a, b, out, kept }: SmallProducts): Generator<Execution> {
  const rank = shape.length
  const along = (placed: Placed, axis: number, i: number): Placed => ({
    storage: placed.storage,
    offset: placed.offset + i * placed.strides[axis]!,
    strides: placed.strides.with(axis, 0),
  })
  for (let first = 0; first < k; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, k - first)
    const isLast = first + count === k
    const factors = Array.from({ length: count }, (_, i) => [
      along(a, rank - 1, first + i),
      along(b, rank - 2, first + i),
    ])
    const sums = kept ?? out
    const operands = [...factors.flat(), ...(first === 0 ? [] : [sums]), isLast ? out : sums]
    const program = programOf(dtype, isLast ? dtype : sumType(dtype), count, first === 0)
    yield executionOf({ program, instructions, shape, operands }, [])
  }
}
