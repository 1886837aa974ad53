// Tensordot: a product of matrices whose rows, columns and sums are several axes each. Operands stay where they are if
// their axes can be read as a matrix, or be gathered by the kernels that pack them; otherwise they are copied first.
import { canGather } from '../backend/gemm.ts'
import type { GemmJob } from '../backend/gemm-job.ts'
import type { DType, Storage } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import { elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { show } from '../shape/show.ts'
import { type Layout, respelled, rowMajor } from '../tensor/layout.ts'
import type { Placed } from '../tensor/placed.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { Allowed } from './arguments.ts'
import type { Tensordot } from './calls.ts'
import { checkOut } from './checks.ts'
import type { Computation, Execution } from './computation.ts'
import { copying } from './compute.ts'
import { bothWays } from './elementwise.ts'
import { checkProductTypes, placeAddend } from './gemm.ts'
import type { TensordotOptions } from './options.ts'
import { overlaps } from './overlap.ts'
import { productArguments, productExecution } from './product.ts'
import { freshTensor } from './result.ts'

const OPTIONS: Allowed = { axes: undefined, out: undefined }

interface Parsed {
  readonly tensors: readonly Tensor[]
  readonly axes: number
  readonly out: Tensor | undefined
}

function parse(args: readonly unknown[]): Parsed {
  const { tensors, options } = productArguments<TensordotOptions>('Tensordot', args, OPTIONS)
  const { axes = 2, out } = options
  const most = Math.min(tensors[0]!.rank, tensors[1]!.rank)
  if (!Number.isInteger(axes) || axes < 0 || axes > most) {
    throw new OperandError(`Tensordot: axes is ${show(axes)}; with these operands it is an integer from 0 to ${most}.`)
  }
  return { tensors, axes, out }
}

const placed = (storage: Storage, { offset, strides }: Layout): Placed => ({ storage, offset, strides })

/** An operand that has to be copied before it can be read as a matrix. */
interface Source {
  readonly dtype: DType
  readonly layout: Layout
  readonly storage: Storage
}

function* product(...args: readonly unknown[]): Computation {
  const { tensors, axes, out } = parse(args)
  const [a, b, c] = tensors as [Tensor, Tensor, Tensor?]
  const dtype = checkProductTypes('Tensordot', tensors)
  const [kept, summed] = [a.shape.slice(0, a.rank - axes), a.shape.slice(a.rank - axes)]
  const columns = b.shape.slice(axes)
  if (summed.some((size, axis) => size !== b.shape[axis])) {
    throw new OperandError(
      `Tensordot: A is ${formatShape(a.shape)} and B is ${formatShape(b.shape)}; the last ${axes} axes of A must be the first ${axes} of B.`,
    )
  }
  const [m, n, k] = [kept, columns, summed].map(elementCount) as [number, number, number]
  const shape = [...kept, ...columns]
  const addend = c === undefined ? undefined : placeAddend('Tensordot', shape, c)
  if (out !== undefined) checkOut('Tensordot', out, dtype, shape)
  const made: Tensor[] = []
  const arrays = tensors.map(({ storage }) => storage)
  if (out !== undefined) arrays.push(out.storage)
  // Whatever is executed first holds all arrays until everything is.
  const holding = (execution: Execution): Execution => ({ ...execution, arrays: [...execution.arrays, ...arrays] })
  function* asMatrix(source: Source, size: Shape): Generator<Execution, Placed, number> {
    const layout = respelled(source.layout, size)
    if (layout !== undefined) return placed(source.storage, layout)
    const copy = freshTensor(dtype, source.layout.shape)
    made.push(copy)
    yield holding(copying(source, placed(copy.storage, copy.layout)))
    return placed(copy.storage, { ...rowMajor(size), offset: copy.layout.offset })
  }
  try {
    const right = respelled(b.layout, [k, n])
    const strides = b.layout.strides
    const gathered =
      right === undefined && canGather(dtype, b.storage)
        ? {
            along: { shape: summed, strides: strides.slice(0, axes) },
            across: { shape: columns, strides: strides.slice(axes) },
          }
        : undefined
    const fits = out !== undefined && respelled(out.layout, [m, n])
    const elsewhere = fits === undefined || tensors.some((tensor) => out && overlaps(out, tensor, tensor.layout))
    const result = out === undefined || elsewhere ? freshTensor(dtype, shape) : out
    if (result !== out) made.push(result)
    const left = yield* asMatrix(a, [m, k])
    const job: GemmJob = {
      dtype,
      sizes: { m, n, k },
      a: left,
      b: gathered === undefined ? yield* asMatrix(b, [k, n]) : placed(b.storage, b.layout),
      gathered,
      c: addend && (yield* asMatrix({ dtype, layout: addend.layout, storage: addend.storage }, [m, n])),
      alpha: 1,
      beta: 1,
      out: placed(result.storage, respelled(result.layout, [m, n])!),
    }
    yield holding(productExecution(job, [result.storage]))
    if (out !== undefined && result !== out) yield copying(result, placed(out.storage, out.layout))
    if (result !== out && out === undefined) made.splice(made.indexOf(result), 1)
    return out ?? result
  } finally {
    for (const each of made) each.dispose()
  }
}

/**
 * Products summed over the last `axes` axes of A and the first of B (2 unless said), as NumPy's tensordot, by ascending
 * row-major order of those axes; C, if given, goes onto the result and is added at the end.
 *
 * @example
 * ```ts
 * tensordot(tensor([[1, 2], [3, 4]]), tensor([1, 10]), { axes: 1 }).toArray() // [21, 43]
 * ```
 */
export const tensordot: Tensordot = /* @__PURE__ */ bothWays('Tensordot', product)
