// Gemm: alpha * A B + beta * C, with C broadcast one way onto the product.
import type { GemmJob } from '../backend/gemm-job.ts'
import { type DType, isFloat, type Storage } from '../dtype/dtype.ts'
import { BroadcastError, OperandError, wrongOperand, wrongOption } from '../errors/index.ts'
import { FLAG } from '../expr/attributes.ts'
import { gemm as row } from '../expr/rows/gemm.ts'
import { formatShape } from '../shape/dim.ts'
import { unidirectional } from '../shape/rules/index.ts'
import { type Layout, spread, transposed } from '../tensor/layout.ts'
import { resolveOrThrow } from '../tensor/resolve.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { type Allowed, described } from './arguments.ts'
import type { Gemm } from './calls.ts'
import { checkGiven, checkOut } from './checks.ts'
import type { Computation } from './computation.ts'
import { copying } from './compute.ts'
import { bothWays } from './elementwise.ts'
import type { GemmOptions } from './options.ts'
import { overlaps } from './overlap.ts'
import { productArguments, productExecution } from './product.ts'
import { freshTensor } from './result.ts'

/** The type that all operands of a product have; throws where there is none. */
export function checkProductTypes(name: string, operands: readonly Tensor[]): DType {
  checkGiven({ ...row, name }, operands)
  return operands[0]!.dtype
}

function check(operands: readonly Tensor[], { alpha = 1, beta = 1 }: GemmOptions): DType {
  const dtype = checkProductTypes('Gemm', operands)
  for (const [i, operand] of operands.entries()) {
    if (i < 2 && operand.rank !== 2) {
      throw wrongOperand('Gemm', i, `has shape ${formatShape(operand.shape)}`, 'it must be a matrix')
    }
  }
  for (const [name, value] of [
    ['alpha', alpha],
    ['beta', beta],
  ] as const) {
    const kind = isFloat(dtype) ? 'a number' : dtype === 'real' ? 'a finite number' : 'an integer'
    const fits = isFloat(dtype) || (dtype === 'real' ? Number.isFinite(value) : Number.isInteger(value))
    if (typeof value !== 'number' || !fits) {
      throw wrongOption('Gemm', name, `is ${described(value)}`, `for ${dtype} it must be ${kind}`)
    }
  }
  return dtype
}

const OPTIONS: Allowed = { alpha: undefined, beta: undefined, transA: FLAG, transB: FLAG, out: undefined }

function* product(...args: readonly unknown[]): Computation {
  const { tensors, options } = productArguments<GemmOptions>('Gemm', args, OPTIONS)
  const [a, b, c] = tensors as [Tensor, Tensor, Tensor?]
  const { alpha = 1, beta = 1, transA = false, transB = false, out } = options
  const dtype = check(tensors, options)
  const left = transA ? transposed(a.layout, [1, 0]) : a.layout
  const right = transB ? transposed(b.layout, [1, 0]) : b.layout
  const [m, k] = left.shape as readonly [number, number]
  const [rows, n] = right.shape as readonly [number, number]
  if (k !== rows) {
    throw new OperandError(
      `Gemm: A${transA ? ' transposed' : ''} is ${formatShape(left.shape)} and B${transB ? ' transposed' : ''} is ${formatShape(right.shape)}; A's columns (${k}) must be B's rows (${rows}).`,
    )
  }
  const shape = [m, n]
  const addend = c === undefined ? undefined : placeAddend('Gemm', shape, c)
  if (out !== undefined) checkOut('Gemm', out, dtype, shape)
  // Every element of A and B is read many times and C in another order, so a result on top of them is computed beside
  // them and then moved. An element of C that lies exactly where its result goes is read just before.
  const elsewhere =
    out !== undefined &&
    [a, b, ...(c === undefined || c === out ? [] : [c])].some((tensor) => overlaps(out, tensor, tensor.layout))
  const result = out === undefined || elsewhere ? freshTensor(dtype, shape) : out
  const operand = ({ storage }: Tensor, { offset, strides }: Layout) => ({ storage, offset, strides })
  const place = operand(out ?? result, (out ?? result).layout)
  const job: GemmJob = {
    dtype,
    sizes: { m, n, k },
    a: operand(a, left),
    b: operand(b, right),
    c: addend && { storage: addend.storage, ...addend.layout },
    alpha,
    beta,
    out: operand(result, result.layout),
  }
  yield productExecution(job, [...tensors.map(({ storage }) => storage), result.storage, place.storage])
  if (out === undefined || !elsewhere) return result
  yield copying(result, place)
  result.dispose()
  return out
}

/**
 * alpha * A B + beta * C. C is a matrix, a row, a column or a scalar that goes onto the product.
 *
 * @example
 * ```ts
 * gemm(tensor([[1, 2], [3, 4]]), tensor([[1, 0], [0, 1]]), tensor([10, 20])).toArray() // [[11, 22], [13, 24]]
 * ```
 */
export const gemm: Gemm = /* @__PURE__ */ bothWays('Gemm', product)

/** C as it is seen in the shape of a product. */
export function placeAddend(name: string, shape: readonly number[], c: Tensor): { storage: Storage; layout: Layout } {
  try {
    const { axes } = resolveOrThrow(unidirectional, [shape, c.shape])
    return { storage: c.storage, layout: spread(c.layout, shape, axes[1]!) }
  } catch (error) {
    if (!(error instanceof BroadcastError)) throw error
    throw new BroadcastError(
      `${name}: C goes onto the product (A here), which keeps its shape: ${error.message}`,
      error,
    )
  }
}
