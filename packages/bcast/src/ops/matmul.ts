// Products of stacks of matrices: a vector is a row on the left and a column on the right, the axes before the last two
// meet by their rule, and every pair of matrices is a job of Gemm where they lie. One right matrix for several left
// ones that lie one behind the other is one job: they are one tall matrix.
import { gemm, gemmAsync, repeatGemm } from '../backend/gemm.ts'
import type { GemmJob } from '../backend/gemm-job.ts'
import { offsetsOf } from '../backend/offsets.ts'
import type { DType, Storage } from '../dtype/dtype.ts'
import { OperandError, wrongOperand } from '../errors/index.ts'
import type { Node } from '../expr/trace.ts'
import { elementCount, formatShape, type Shape } from '../shape/dim.ts'
import type { Resolution } from '../shape/resolve.ts'
import { matmulBatch } from '../shape/rules/index.ts'
import { spread } from '../tensor/layout.ts'
import type { Placed } from '../tensor/placed.ts'
import { resolveOrThrow } from '../tensor/resolve.ts'
import { Tensor } from '../tensor/tensor.ts'
import { type Allowed, checkOptions, checkTensors, counted, described } from './arguments.ts'
import type { Matmul } from './calls.ts'
import { checkOut } from './checks.ts'
import type { Computation, Execution } from './computation.ts'
import { copying } from './compute.ts'
import { bothWays } from './elementwise.ts'
import { checkProductTypes } from './gemm.ts'
import type { OutOption } from './options.ts'
import { overlaps } from './overlap.ts'
import { freshTensor } from './result.ts'
import type { ComputedOperation } from './staged.ts'
import { TracedOperand } from './traced.ts'

const NAME = 'MatMul'
const OPTIONS: Allowed = { out: undefined }

/** Jobs that a sequence keeps, which takes memory for each; more are computed anew in every run. */
const MOST_KEPT = 1 << 12

/** Matrices at the places of a batch. */
interface Stack {
  readonly storage: Storage
  readonly offset: number
  /** Strides of the batch axes. */
  readonly batch: readonly number[]
  /** Strides from row to row, and from column to column. */
  readonly rows: number
  readonly columns: number
}

/** What a product has of both operands: sizes, and where everything lies. */
interface Product {
  readonly dtype: DType
  readonly batch: Shape
  readonly m: number
  readonly k: number
  readonly n: number
  readonly a: Stack
  readonly b: Stack
}

function operandsOf(args: readonly unknown[]): { readonly tensors: readonly [Tensor, Tensor]; readonly out?: Tensor } {
  const { operands, options } = counted(NAME, 2, args)
  checkOptions(NAME, options, OPTIONS)
  operands.forEach((operand, i) => {
    const isNumber = typeof operand === 'number' || typeof operand === 'bigint'
    if (isNumber) throw wrongOperand(NAME, i, `is ${described(operand)}`, 'mul(a, b) multiplies by a number')
  })
  checkTensors(NAME, operands)
  return { tensors: operands as unknown as [Tensor, Tensor], ...(options as OutOption | undefined) }
}

const swapped = (rank: number): string =>
  [...Array.from({ length: rank - 2 }, (_, axis) => axis), rank - 1, rank - 2].join(', ')

/** The error of sizes that are summed over and differ, with what would make them agree. */
function mismatch(a: Shape, b: Shape, k: number, rows: number): OperandError {
  const [of, by] = [a.length > 1 ? 'columns' : 'elements', b.length > 1 ? 'rows' : 'elements']
  const fix =
    b.length > 1 && b.at(-1) === k
      ? ` b.transpose(${swapped(b.length)}) has ${k} rows.`
      : a.length > 1 && a.at(-2) === rows
        ? ` a.transpose(${swapped(a.length)}) has ${rows} columns.`
        : a.length === 1 && b.length === 1
          ? ' mul(unsqueeze(a, 1), b) is the product of each with each.'
          : ''
  return new OperandError(
    `${NAME}: A is ${formatShape(a)} and B is ${formatShape(b)}; A's ${of} (${k}) must be B's ${by} (${rows}).${fix}`,
    { operator: NAME },
  )
}

/** How the axes before the last two meet; throws where shapes have no product. */
function batchOf(a: Shape, b: Shape): Resolution {
  for (const [i, { length }] of [a, b].entries()) {
    if (length === 0) {
      throw wrongOperand(NAME, i, 'is a scalar', 'it must have rows or columns; mul(a, b) multiplies by a scalar')
    }
  }
  const batch = resolveOrThrow(matmulBatch, [a, b])
  const [k, inner] = [a.at(-1)!, b.at(b.length > 1 ? -2 : -1)!]
  if (k !== inner) throw mismatch(a, b, k, inner)
  return batch
}

/** The shape of a product. */
const productShape = (batch: Shape, a: Shape, b: Shape): Shape => [
  ...batch,
  ...(a.length > 1 ? [a.at(-2)!] : []),
  ...(b.length > 1 ? [b.at(-1)!] : []),
]

function productOf(tensors: readonly [Tensor, Tensor]): Product {
  const dtype = checkProductTypes(NAME, tensors)
  const [a, b] = tensors
  const { shape: batch, axes } = batchOf(a.shape, b.shape)
  const k = a.shape.at(-1)!
  const stackOf = ({ storage, layout }: Tensor, i: 0 | 1, rows: number, columns: number): Stack => ({
    storage,
    offset: layout.offset,
    batch: spread(layout, batch, axes[i]!).strides,
    rows,
    columns,
  })
  const strides = [a.layout.strides, b.layout.strides] as const
  return {
    dtype,
    batch,
    m: a.rank > 1 ? a.shape.at(-2)! : 1,
    k,
    n: b.rank > 1 ? b.shape.at(-1)! : 1,
    a: stackOf(a, 0, a.rank > 1 ? strides[0].at(-2)! : 0, strides[0].at(-1)!),
    b: stackOf(b, 1, strides[1].at(b.rank > 1 ? -2 : -1)!, b.rank > 1 ? strides[1].at(-1)! : 0),
  }
}

/** The result as matrices, though a vector left it without rows or columns. */
function stackOfResult({ storage, layout: { offset, strides } }: Tensor, batch: Shape, isRow: boolean): Stack {
  const [first, second] = strides.slice(batch.length)
  const [rows = 0, columns = 0] = isRow ? [0, first] : [first, second]
  return { storage, offset, batch: strides.slice(0, batch.length), rows, columns }
}

/** The jobs of a product, made when they are needed: there may be many. */
interface Jobs extends Iterable<GemmJob> {
  readonly count: number
}

function jobsOf({ dtype, batch, k, n, a, b, ...product }: Product, out: Stack): Jobs {
  let { m } = product
  let [rowsOfA, rowsOfOut] = [a.rows, out.rows]
  const loops = batch.flatMap((size, i) =>
    size === 1 ? [] : [{ size, a: a.batch[i]!, b: b.batch[i]!, out: out.batch[i]! }],
  )
  for (let last = loops.at(-1); last !== undefined && last.b === 0; last = loops.at(-1)) {
    if (m > 1 && (last.a !== rowsOfA * m || last.out !== rowsOfOut * m)) break
    if (m === 1) [rowsOfA, rowsOfOut] = [last.a, last.out]
    m *= last.size
    loops.pop()
  }
  const shape = loops.map(({ size }) => size)
  const [toA, toB, toOut] = (['a', 'b', 'out'] as const).map((of) =>
    offsetsOf({ shape, strides: loops.map((loop) => loop[of]) }),
  ) as [Int32Array, Int32Array, Int32Array]
  const matrix = ({ storage, offset, columns }: Stack, by: number, rows: number): Placed => ({
    storage,
    offset: offset + by,
    strides: [rows, columns],
  })
  const job = (i: number): GemmJob => ({
    dtype,
    sizes: { m, n, k },
    a: matrix(a, toA[i]!, rowsOfA),
    b: matrix(b, toB[i]!, b.rows),
    c: undefined,
    alpha: 1,
    beta: 1,
    out: matrix(out, toOut[i]!, rowsOfOut),
  })
  const count = toOut.length
  return {
    count,
    *[Symbol.iterator]() {
      for (let i = 0; i < count; i++) yield job(i)
    },
  }
}

const executionOfJobs = (jobs: Jobs, arrays: readonly Storage[]): Execution => ({
  now: () => {
    for (const job of jobs) gemm(job)
    return -1
  },
  async: async () => {
    for (const job of jobs) await gemmAsync(job)
    return -1
  },
  arrays,
  // All jobs have the same sizes. Where there is no room for a later one, all are computed anew.
  repeated: (repetition) => {
    if (jobs.count > MOST_KEPT) return false
    for (const job of jobs) if (!repeatGemm(repetition, job)) return false
    return true
  },
})

function* multiplied(...args: readonly unknown[]): Computation {
  const { tensors, out } = operandsOf(args)
  const product = productOf(tensors)
  const { dtype, batch } = product
  const shape = productShape(batch, tensors[0].shape, tensors[1].shape)
  if (out !== undefined) checkOut(NAME, out, dtype, shape)
  // Every element of A and B is read many times, so that a result on top of them is computed beside them and then moved.
  const elsewhere = out !== undefined && tensors.some((tensor) => overlaps(out, tensor, tensor.layout))
  const result = out === undefined || elsewhere ? freshTensor(dtype, shape) : out
  let given: Tensor | undefined
  try {
    if (elementCount(shape) > 0) {
      const arrays = [...tensors, result, ...(out === undefined ? [] : [out])].map(({ storage }) => storage)
      yield executionOfJobs(jobsOf(product, stackOfResult(result, batch, tensors[0].rank === 1)), arrays)
      if (elsewhere) {
        const { storage, layout } = out
        yield copying(result, { storage, offset: layout.offset, strides: layout.strides })
      }
    }
    given = out ?? result
    return given
  } finally {
    if (result !== given && result !== out) result.dispose()
  }
}

/** Inside an expression: a view of a part as it is, of a vector as a row or a column, or of matrices turned. */
const seen = (arg: Node, shape: Shape, axes: readonly number[]): Node => ({
  kind: 'view',
  arg,
  shape,
  axes,
  dtype: arg.dtype,
})

/** Matrices with their rows as columns. */
function turned(arg: Node, shape: Shape): Node {
  const rank = shape.length
  const axes = [...shape.slice(2).keys(), rank - 1, rank - 2]
  return seen(arg, [...shape.slice(0, -2), shape.at(-1)!, shape.at(-2)!], axes)
}

const operation: ComputedOperation = {
  name: NAME,
  shapeOf: (shapes) => {
    const [a, b] = shapes as [Shape, Shape]
    return productShape(batchOf(a, b).shape, a, b)
  },
  compute: ([a, b], out) => multiplied(a, b, { out }),
  // The product of the gradient and the other operand turned, summed over the batches that an operand did not have.
  derivative: (operand, { args, shapes, delta, summedTo }) => {
    const [a, b] = shapes as [Shape, Shape]
    const { shape: batch, axes } = batchOf(a, b)
    const [isRow, isColumn] = [a.length === 1, b.length === 1]
    const rowsOf = (own: Shape): readonly number[] => [...own.keys()]
    const whole = (arg: Node, own: Shape, asRow: boolean): { node: Node; size: Shape } => {
      if (own.length > 1) return { node: arg, size: own }
      const size = asRow ? [1, own[0]!] : [own[0]!, 1]
      return { node: seen(arg, size, [asRow ? 1 : 0]), size }
    }
    const left = whole(args[0]!, a, true)
    const right = whole(args[1]!, b, false)
    const full = [...batch, left.size.at(-2)!, right.size.at(-1)!]
    const missing = [...rowsOf(batch), ...(isRow ? [] : [batch.length]), ...(isColumn ? [] : [batch.length + 1])]
    const given = isRow || isColumn ? seen(delta, full, missing) : delta
    const factors = operand === 0 ? [given, turned(right.node, right.size)] : [turned(left.node, left.size), given]
    const product: Node = { kind: 'call', operation, args: factors, dtype: delta.dtype }
    const own = operand === 0 ? left.size : right.size
    const size = [...batch, own.at(-2)!, own.at(-1)!]
    // Where the axes of the operand lie in the product; those of a vector that was a row or a column go.
    const places = axes[operand]!.map((place, axis) => {
      const fromEnd = shapes[operand]!.length - axis
      if (place >= 0 || fromEnd > 2) return place
      if (shapes[operand]!.length === 1) return size.length - (operand === 0 ? 1 : 2)
      return size.length - fromEnd
    })
    return summedTo(product, size, shapes[operand]!, places)
  },
}

/** A product inside an expression. */
function recorded({ recording }: TracedOperand, args: readonly unknown[]): TracedOperand {
  const { operands, options } = counted(NAME, 2, args)
  checkOptions(NAME, options, {})
  operands.forEach((operand, i) => {
    if (operand instanceof TracedOperand || operand instanceof Tensor) return
    throw wrongOperand(NAME, i, `is ${described(operand)}`, 'mul(a, b) multiplies by a number')
  })
  checkProductTypes(NAME, operands as readonly Tensor[])
  return recording.operation(operation, operands)
}

/**
 * The product of matrices, or of stacks of them, as NumPy's matmul: axes before the last two meet by the rule
 * `matmulBatch`, a vector on the left is a row and one on the right a column. Each element is a sum by ascending k, the
 * same bits for every layout, thread count and backend.
 *
 * @example
 * ```ts
 * matmul(tensor([[1, 2], [3, 4]]), tensor([[0, 1], [1, 0]])).toArray() // [[2, 1], [4, 3]]
 * matmul(tensor([[1, 2], [3, 4]]), tensor([1, -1])).toArray() // [-1, -1]
 * matmul(zeros([8, 1, 2, 3]), zeros([5, 3, 4])).shape // [8, 5, 2, 4]
 * ```
 */
export const matmul: Matmul = /* @__PURE__ */ bothWays(NAME, multiplied, recorded)
