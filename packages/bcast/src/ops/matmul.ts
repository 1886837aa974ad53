// The product of matrices as it is called: with tensors it is computed, inside an expression it is recorded, with its
// gradient.
import { wrongOperand } from '../errors/index.ts'
import type { Node } from '../expr/trace.ts'
import type { Shape } from '../shape/dim.ts'
import { Tensor } from '../tensor/tensor.ts'
import { checkOptions, counted, described } from './arguments.ts'
import type { Matmul } from './calls.ts'
import { bothWays } from './elementwise.ts'
import { checkProductTypes } from './gemm.ts'
import { multiplied } from './matmul-computation.ts'
import { batchOf, NAME, productShape } from './matmul-shapes.ts'
import { SmallCalls } from './small-calls.ts'
import type { ComputedOperation } from './stage.ts'
import { TracedOperand } from './traced.ts'

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
export const matmul: Matmul = /* @__PURE__ */ bothWays(NAME, multiplied, recorded, /* @__PURE__ */ new SmallCalls())
