// Tensors from nested arrays, typed arrays and scalars. Ragged nesting, wrong lengths and values that the type
// cannot hold are errors that show where.
import {
  arrayOver,
  type DType,
  dtypeOf,
  dtypeOfArray,
  makeStorage,
  type Storage,
  type StorageOf,
  type TypedArray,
} from '../dtype/dtype.ts'
import { fromStored, toStored } from '../dtype/element.ts'
import type { Real } from '../dtype/real.ts'
import { DTypeError, ValueError } from '../errors/index.ts'
import { checkShape, elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { checkOptionsOf } from '../shape/options.ts'
import type { FitsFilling, FitsNesting } from './checked-types.ts'
import { rowMajor } from './layout.ts'
import { Tensor } from './tensor.ts'

export type Leaf = number | bigint | boolean | string | Real
/** Nested arrays; the compiler follows literals as deep as they go, so the bound itself stays shallow. */
export type Nested = Leaf | readonly unknown[]

/** Options of `tensor`. */
export interface TensorOptions {
  readonly dtype?: DType | 'float' | 'double' | 'boolean'
  readonly shape?: Shape
}

const OPTIONS: readonly (keyof TensorOptions)[] = ['dtype', 'shape']

type LeafOf<V> = V extends readonly (infer E)[] ? LeafOf<E> : V
type Aliased<N> = N extends 'float'
  ? 'float32'
  : N extends 'double'
    ? 'float64'
    : N extends 'boolean'
      ? 'bool'
      : N & DType
type OfLeaf<L> = [L] extends [never]
  ? 'float32'
  : [L] extends [number]
    ? 'float32'
    : [L] extends [bigint]
      ? 'int64'
      : [L] extends [boolean]
        ? 'bool'
        : [L] extends [string]
          ? 'string'
          : [L] extends [Real]
            ? 'real'
            : DType
type OfArray<A> = A extends Float32Array
  ? 'float32'
  : A extends Float64Array
    ? 'float64'
    : A extends BigInt64Array
      ? 'int64'
      : A extends BigUint64Array
        ? 'uint64'
        : A extends { readonly [Symbol.toStringTag]: `${infer N}Array` }
          ? Lowercase<N> extends DType
            ? Lowercase<N>
            : DType
          : DType
type OfValues<V> = V extends ArrayBufferView ? OfArray<V> : OfLeaf<LeafOf<V>>

/** The element type of `tensor(values, options)`. */
export type DTypeFor<V, O> = O extends { readonly dtype: infer D } ? Aliased<D> : OfValues<V>

type NestedShape<V> = V extends readonly (infer E)[]
  ? number extends V['length']
    ? [number, ...NestedShape<E>]
    : V extends readonly [infer H, ...unknown[]]
      ? [V['length'], ...NestedShape<H>]
      : [V['length']]
  : []

type AnyShape<V, O> = O extends { readonly shape: infer S extends Shape }
  ? { -readonly [I in keyof S]: S[I] }
  : V extends ArrayBufferView
    ? [number]
    : NestedShape<V>

/** The shape of `tensor(values, options)`. */
export type ShapeFor<V, O> = AnyShape<V, O> extends infer S extends Shape ? S : never

const defaultDType = (leaf: unknown): DType => {
  if (typeof leaf === 'bigint') return 'int64'
  if (typeof leaf === 'boolean') return 'bool'
  if (typeof leaf === 'string') return 'string'
  return typeof leaf === 'object' && leaf !== null ? 'real' : 'float32'
}

/** Sizes by following first entries; raggedness shows when elements are read. */
function nestedShape(values: unknown): number[] {
  const shape: number[] = []
  for (let level = values; Array.isArray(level); level = level[0]) {
    shape.push(level.length)
    if (level.length === 0) break
  }
  return shape
}

const at = (path: readonly number[]): string => (path.length === 0 ? 'at the top' : `at [${path.join(', ')}]`)

/** Reads nested arrays of the given shape into storage. */
function readNested(values: unknown, shape: Shape, dtype: DType, storage: Storage): void {
  let position = 0
  const path: number[] = []
  const kind = typeof firstLeaf(values)
  const read = (value: unknown, axis: number): void => {
    if (axis < shape.length) {
      if (!Array.isArray(value)) {
        throw new ValueError(
          `ragged nesting ${at(path)}: ${String(value)} where an array of ${shape[axis]} was expected, as in its neighbours.`,
          value,
          [...path],
        )
      }
      if (value.length !== shape[axis]) {
        throw new ValueError(
          `ragged nesting ${at(path)}: ${value.length} entries where its neighbours have ${shape[axis]}.`,
          value,
          [...path],
        )
      }
      for (let i = 0; i < value.length; i++) {
        path.push(i)
        read(value[i], axis + 1)
        path.pop()
      }
      return
    }
    if (Array.isArray(value)) {
      throw new ValueError(
        `ragged nesting ${at(path)}: an array where an element was expected, as in its neighbours.`,
        value,
        [...path],
      )
    }
    if (typeof value !== kind) {
      throw new ValueError(
        `mixed elements ${at(path)}: ${typeof value} ${String(value)} among ${kind}s; give elements of one kind.`,
        value,
        [...path],
      )
    }
    ;(storage as unknown[])[position++] = toStored(dtype, value, path)
  }
  read(values, 0)
}

const firstLeaf = (values: unknown): unknown => {
  let level = values
  while (Array.isArray(level)) level = level[0]
  return level
}

function wrongLength(given: number, shape: Shape): ValueError {
  return new ValueError(
    `${given} elements do not fill shape ${formatShape(shape)}, which takes ${elementCount(shape)}.`,
    given,
  )
}

/** Elements of a typed array in another type; the values must fit. */
function converted(array: TypedArray, from: DType, to: DType): Storage {
  if (from === to) return array
  const storage = makeStorage(to, array.length) as unknown as unknown[]
  for (let i = 0; i < array.length; i++) storage[i] = toStored(to, fromStored(from, array, i), [i])
  return storage as unknown as Storage
}

const viewOf = (values: unknown): ArrayBufferView | undefined =>
  ArrayBuffer.isView(values) && !(values instanceof DataView) ? values : undefined

/** A checked copy: a tensor's shape must not follow an array that its maker goes on using. */
function ownShape(shape: unknown): Shape {
  checkShape(shape)
  return [...shape]
}

const bytesAs = (dtype: DType, { buffer, byteOffset, byteLength }: ArrayBufferView): TypedArray =>
  arrayOver(dtype, buffer, byteOffset, byteLength)

/** Bytes that clamp as bytes that do not, so that what is stored is what was computed. */
const unclamped = (array: TypedArray | Uint8ClampedArray): TypedArray =>
  array instanceof Uint8ClampedArray ? bytesAs('uint8', array) : array

/** The bits of a Float16Array, where the platform has one. */
function float16Bits(view: ArrayBufferView): TypedArray | undefined {
  return Object.prototype.toString.call(view) === '[object Float16Array]' ? bytesAs('float16', view) : undefined
}

/**
 * A tensor from nested arrays, a typed array or a scalar. Numbers make float32, bigints int64, booleans bool,
 * strings string; a typed array keeps its type and is shared, not copied. `dtype` converts, `shape` shapes.
 */
export function tensor<
  const V extends Nested | ArrayBufferView,
  const O extends TensorOptions = Record<never, never>,
  Gate = unknown,
>(
  values: FitsNesting<V>,
  given?: FitsFilling<ShapeFor<V, Record<never, never>>, O, Gate>,
): Tensor<DTypeFor<V, O>, ShapeFor<V, O>> {
  const options: TensorOptions | undefined = given as O | undefined
  checkOptionsOf('tensor', options, OPTIONS)
  const wanted = options?.dtype === undefined ? undefined : dtypeOf(options.dtype)
  const shape = options?.shape === undefined ? undefined : ownShape(options.shape)
  const view = viewOf(values)
  const made = view === undefined ? fromNested(values, wanted, shape) : fromView(view, wanted, shape)
  return made as never
}

function fromView(view: ArrayBufferView, wanted: DType | undefined, given: Shape | undefined): Tensor {
  const bits = float16Bits(view)
  const array = bits ?? unclamped(view as TypedArray)
  const dtype = bits === undefined ? dtypeOfArray(view) : 'float16'
  if (dtype === undefined)
    throw new DTypeError(`${Object.prototype.toString.call(view)} has no element type of bcast.`, 'unknown')
  const shape = given ?? [array.length]
  if (elementCount(shape) !== array.length) throw wrongLength(array.length, shape)
  return new Tensor(wanted ?? dtype, rowMajor(shape), converted(array, dtype, wanted ?? dtype))
}

function fromNested(values: unknown, wanted: DType | undefined, given: Shape | undefined): Tensor {
  const nested = nestedShape(values)
  const dtype = wanted ?? defaultDType(firstLeaf(values))
  const count = elementCount(nested)
  if (given !== undefined && elementCount(given) !== count) throw wrongLength(count, given)
  const storage = makeStorage(dtype, count)
  readNested(values, nested, dtype, storage)
  return new Tensor(dtype, rowMajor(given ?? nested), storage)
}

/** A tensor over data as `.data` gives it (16-bit floats as bit patterns, bools as 0 and 1), shared and not copied. */
export function fromData<const D extends DType, const S extends Shape>(
  dtype: D,
  data: StorageOf<D>,
  shape: S,
): Tensor<D, { -readonly [I in keyof S]: S[I] }> {
  const type = dtypeOf(dtype)
  const own = ownShape(shape)
  const [expected, given] = [makeStorage(type, 0), data].map((array) =>
    Object.prototype.toString.call(array).slice(8, -1),
  )
  if (given !== expected) throw new DTypeError(`data of ${type} is a ${expected}, not ${given}.`, type)
  if (data.length !== elementCount(own)) throw wrongLength(data.length, own)
  if (type === 'bool' && (data as Uint8Array).some((element) => element > 1)) {
    throw new ValueError('data of bool holds 0 and 1 only.', data)
  }
  return new Tensor(type, rowMajor(own), data as Storage) as Tensor<D, { -readonly [I in keyof S]: S[I] }>
}
