// The computation of a product of stacks of matrices: a vector is a row on the left and a column on the right, matrices
// are multiplied pair by pair where they lie, many small ones and thin ones in passes over the whole result.
import type { DType } from '../dtype/dtype.ts'
import { wrongOperand } from '../errors/index.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { spread } from '../tensor/layout.ts'
import { type Placed, placedOf } from '../tensor/placed.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Allowed, checkOptions, checkTensors, counted, described } from './arguments.ts'
import { checkOut } from './checks.ts'
import type { Computation, Execution } from './computation.ts'
import { copying } from './compute.ts'
import { checkProductTypes } from './gemm.ts'
import { batchOf, NAME, productShape } from './matmul-shapes.ts'
import type { OutOption } from './options.ts'
import { overlaps } from './overlap.ts'
import { freshTensor } from './result.ts'
import { areTogether, areWorthTasks, inOne, keptType, smallProducts, togetherOrInPairs } from './small-products.ts'
import { executionOfPairs, folded, type Product, type Stack } from './stacks.ts'

const OPTIONS: Allowed = { out: undefined }

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

function factorsOf(tensors: readonly [Tensor, Tensor]): Omit<Product, 'out'> {
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

/** What executes a product that has elements. */
function* executionsOf(product: Product, temporary: (dtype: DType, shape: Shape) => Placed): Generator<Execution> {
  const whole = folded(product)
  const { dtype, batch, m, n, k } = whole
  if (!areTogether(dtype, elementCount(batch), m, n, k)) return yield executionOfPairs(whole)
  const shape = [...batch, m, n]
  const seen = ({ storage, offset, batch: strides, rows, columns }: Stack): Placed => ({
    storage,
    offset,
    strides: [...strides, rows, columns],
  })
  const together = (): Iterable<Execution> => {
    const type = keptType(dtype, k)
    const kept = type && temporary(type, shape)
    return smallProducts({ dtype, shape, k, a: seen(whole.a), b: seen(whole.b), out: seen(whole.out), kept })
  }
  yield areWorthTasks(elementCount(batch), m * n * k)
    ? togetherOrInPairs(dtype, together, executionOfPairs(whole))
    : inOne(together)
}

/** The computation of a product of tensors. */
export function* multiplied(...args: readonly unknown[]): Computation {
  const { tensors, out } = operandsOf(args)
  const factors = factorsOf(tensors)
  const { dtype, batch } = factors
  const shape = productShape(batch, tensors[0].shape, tensors[1].shape)
  if (out !== undefined) checkOut(NAME, out, dtype, shape)
  // Every element of A and B is read many times, so that a result on top of them is computed beside them and then moved.
  const elsewhere = out !== undefined && tensors.some((tensor) => overlaps(out, tensor, tensor.layout))
  const result = out === undefined || elsewhere ? freshTensor(dtype, shape) : out
  const made = result === out ? [] : [result]
  const temporary = (type: DType, sizes: Shape): Placed => {
    const tensor = freshTensor(type, sizes)
    made.push(tensor)
    return placedOf(tensor)
  }
  try {
    if (elementCount(shape) > 0) {
      const product = { ...factors, out: stackOfResult(result, batch, tensors[0].rank === 1) }
      const arrays = [...tensors, result, ...(out === undefined ? [] : [out])].map(({ storage }) => storage)
      for (const execution of executionsOf(product, temporary)) yield { ...execution, arrays }
      if (elsewhere) yield copying(result, placedOf(out))
    }
    if (out === undefined) made.shift()
    return out ?? result
  } finally {
    for (const each of made) each.dispose()
  }
}
