// Tensors from what `toJSON` made of them, in another program or worker: every type comes back exactly.
import { type DType, dtypeOf, isFloat, isWide, makeStorage, type StorageOf } from '../dtype/dtype.ts'
import { toStored } from '../dtype/element.ts'
import { OperandError, ValueError } from '../errors/index.ts'
import { checkShape, elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { checkNames, isOptions } from '../shape/options.ts'
import { show } from '../shape/show.ts'
import { fromData, tensor } from './create.ts'
import type { Tensor, TensorJSON } from './tensor.ts'

/** What a number that JSON cannot write is written as. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
])

/** An element as JSON has it as the JavaScript value that it stands for. */
function writtenAs(dtype: DType, element: unknown): unknown {
  if (typeof element !== 'string') return element
  if (isFloat(dtype)) return NUMBERS.get(element) ?? element
  return isWide(dtype) && /^-?\d+$/.test(element) ? BigInt(element) : element
}

/** A tensor as plain data: of `toJSON`, or with elements as `data` gives them, as a message to a worker has them. */
type Plain<D extends DType, S extends Shape> =
  | TensorJSON<D, S>
  | { readonly dtype: D; readonly shape: S; readonly data: StorageOf<D> }

/**
 * The tensor that `x.toJSON()`, or `JSON.parse(JSON.stringify(x))`, tells of. Elements may be a typed array as well, as in
 * a message to a worker: `postMessage({ dtype: x.dtype, shape: x.shape, data: x.data.slice() })`.
 *
 * @example
 * ```ts
 * fromJSON({ dtype: 'int64', shape: [2], data: ['1', '2'] }).toArray() // [1n, 2n]
 * ```
 */
export function fromJSON<const D extends DType, const S extends Shape>(json: Plain<D, S>): Tensor<D, S>
export function fromJSON(json: Plain<DType, Shape>, ...[options]: readonly unknown[]): Tensor {
  // Behind it stands a number where `map` calls it.
  if (isOptions(options)) checkNames('fromJSON', options, [])
  if (typeof json !== 'object' || json === null || !('dtype' in json && 'shape' in json && 'data' in json)) {
    const fix =
      typeof json === 'string' ? 'parse the text first: fromJSON(JSON.parse(text))' : 'it is { dtype, shape, data }'
    throw new OperandError(`fromJSON: ${show(json)} is no tensor; ${fix}.`, { operator: 'fromJSON' })
  }
  const { shape, data } = json
  const dtype = dtypeOf(json.dtype)
  checkShape(shape)
  if (ArrayBuffer.isView(data)) return tensor(fromData(dtype, data as never, shape))
  if (!Array.isArray(data) || data.length !== elementCount(shape)) {
    const given = Array.isArray(data) ? `${data.length} elements` : show(data)
    throw new ValueError(
      `fromJSON: data is ${given}; shape ${formatShape(shape)} takes an array of ${elementCount(shape)}.`,
      data,
    )
  }
  const storage = makeStorage(dtype, data.length) as unknown[]
  for (let i = 0; i < data.length; i++) storage[i] = toStored(dtype, writtenAs(dtype, data[i]), [i])
  return tensor(fromData(dtype, storage as never, shape))
}
