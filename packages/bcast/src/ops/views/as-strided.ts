// Elements of a tensor under strides of one's own, as other libraries describe their arrays.
import type { DType } from '../../dtype/dtype.ts'
import { IndexError, OperandError } from '../../errors/index.ts'
import { checkShape, formatShape, type Shape } from '../../shape/dim.ts'
import { checkOptionsOf } from '../../shape/options.ts'
import { show } from '../../shape/show.ts'
import { extent } from '../../tensor/layout.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { checkNoMore, checkTensors } from '../arguments.ts'

/** How the elements of a view lie among those of its tensor. */
export interface Strided<S extends Shape = Shape> {
  readonly shape: S
  /** Elements from one to the next on each axis: 0 repeats, negative ones run backwards. */
  readonly strides: readonly number[]
  /** The place of the first element; 0 unless said. */
  readonly offset?: number
}

/** Whether no two positions are surely one element: each step leads beyond all that shorter ones reach. */
function areApart(shape: Shape, strides: readonly number[]): boolean {
  const axes = [...shape.keys()].filter((axis) => shape[axis]! > 1)
  axes.sort((a, b) => Math.abs(strides[a]!) - Math.abs(strides[b]!))
  let reach = 0
  for (const axis of axes) {
    const step = Math.abs(strides[axis]!)
    if (step <= reach) return false
    reach += step * (shape[axis]! - 1)
  }
  return true
}

/**
 * A view of the elements of a tensor in row-major order, as NumPy's as_strided, of which every position is checked: how
 * arrays of other libraries become tensors without a copy. Where positions may be one element it is read-only.
 *
 * @example
 * ```ts
 * asStrided(tensor([1, 2, 3, 4, 5, 6]), { shape: [3, 2], strides: [1, 3] }).toArray() // [[1, 4], [2, 5], [3, 6]]
 * ```
 */
export function asStrided<D extends DType, const S extends Shape>(x: Tensor<D>, strided: Strided<S>): Tensor<D, S>
export function asStrided(x: Tensor, strided: Strided, ...rest: readonly unknown[]): Tensor {
  checkNoMore('asStrided', rest, 'a tensor, and an object that says how its elements lie')
  checkTensors('asStrided', [x])
  const said = 'as in { shape: [3, 2], strides: [1, 3], offset: 0 }'
  if (strided === undefined) throw new OperandError(`asStrided takes a tensor and how its elements lie, ${said}.`)
  checkOptionsOf('asStrided', strided, ['shape', 'strides', 'offset'])
  const { shape, strides, offset = 0 } = strided
  checkShape(shape, 'asStrided to')
  if (!Array.isArray(strides) || strides.length !== shape.length || ![...strides, offset].every(Number.isSafeInteger)) {
    const given = `strides ${show(strides)} and offset ${show(offset)} for shape ${formatShape(shape)}`
    throw new OperandError(`asStrided: ${given}; they are integers, a stride for each axis, ${said}.`)
  }
  if (!x.isRowMajor) {
    throw new OperandError(
      `asStrided: the elements of this tensor of shape ${formatShape(x.shape)} do not lie one after another; make a copy with identity(x) first.`,
    )
  }
  const reached = extent({ shape, strides, offset })
  if (reached !== undefined && (reached.low < 0 || reached.high >= x.size)) {
    const outside = reached.low < 0 ? reached.low : reached.high
    throw new IndexError(
      `asStrided: shape ${formatShape(shape)} with strides [${strides.join(', ')}] and offset ${offset} reaches element ${outside} of ${x.size}.`,
      { value: outside, size: x.size },
    )
  }
  const layout = { shape: [...shape], strides: [...strides], offset: x.layout.offset + offset }
  return x.viewAs(layout, x.readOnly || !areApart(shape, strides))
}
