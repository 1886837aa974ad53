// Tensors from nested arrays, typed arrays, tensors and scalars, as copies in the memory that kernels compute in; and
// tensors over memory of the caller.
import { type DType, dtypeOf, makeStorage, type Storage, type StorageOf } from '../dtype/dtype.ts'
import type { Real } from '../dtype/real.ts'
import { DTypeError, OperandError, ValueError } from '../errors/index.ts'
import { checkShape, elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { checkOptionsOf } from '../shape/options.ts'
import { show } from '../shape/show.ts'
import type { FitsFilling, FitsNesting } from './checked-types.ts'
import { rowMajor, rowMajorStrides } from './layout.ts'
import { roomFor } from './memory.ts'
import { nestingOf, readNested, typedOf, typeOf } from './nested.ts'
import { Tensor } from './tensor.ts'

export type Leaf = number | bigint | boolean | string | Real
/** Nested arrays; the compiler follows literals as deep as they go, so the bound itself stays shallow. */
export type Nested = Leaf | readonly unknown[]

/** Options of `tensor`. */
export interface TensorOptions {
  readonly dtype?: DType | 'float' | 'double' | 'boolean'
  readonly shape?: Shape
  /** Whether a typed array itself, and not a copy, is the tensor's memory. */
  readonly share?: boolean
}

const OPTIONS: readonly (keyof TensorOptions)[] = ['dtype', 'shape', 'share']

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
  : [L] extends [Tensor<infer D>]
    ? D
    : [L] extends [ArrayBufferView]
      ? OfArray<L>
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

/** The element type of `tensor(values, options)`. */
export type DTypeFor<V, O> = O extends { readonly dtype: infer D } ? Aliased<D> : OfLeaf<LeafOf<V>>

type NestedShape<V> = V extends readonly (infer E)[]
  ? number extends V['length']
    ? [number, ...NestedShape<E>]
    : V extends readonly [infer H, ...unknown[]]
      ? [V['length'], ...NestedShape<H>]
      : [V['length']]
  : V extends Tensor<DType, infer S>
    ? S extends readonly [...infer T]
      ? T
      : S
    : V extends ArrayBufferView
      ? [number]
      : []

type AnyShape<V, O> = O extends { readonly shape: infer S extends Shape }
  ? { -readonly [I in keyof S]: S[I] }
  : NestedShape<V>

/** The shape of `tensor(values, options)`. */
export type ShapeFor<V, O> = AnyShape<V, O> extends infer S extends Shape ? S : never

function wrongLength(given: number, shape: Shape): ValueError {
  return new ValueError(
    `${given} elements do not fill shape ${formatShape(shape)}, which takes ${elementCount(shape)}.`,
    given,
  )
}

/** A checked copy: a tensor's shape must not follow an array that its maker goes on using. */
function ownShape(shape: unknown): Shape {
  checkShape(shape)
  return [...shape]
}

/** Throws where options are what a program writes for another library. */
function checkGiven(options: unknown, count: number): void {
  const meant = Array.isArray(options)
    ? `shape: ${show(options)}`
    : typeof options === 'string' && `dtype: '${options}'`
  if (meant) throw new OperandError(`tensor: options are ${show(options)}; write { ${meant} }.`, { operator: 'tensor' })
  checkOptionsOf('tensor', options, OPTIONS)
  if (count > 2)
    throw new OperandError('tensor takes values and, behind them, { dtype, shape }.', { operator: 'tensor' })
}

/**
 * A tensor of its own from nested arrays, a typed array, a tensor or a scalar. Numbers make float32, bigints int64,
 * booleans bool, strings string; typed arrays and tensors keep their type, and arrays of them are stacked. `dtype`
 * converts, `shape` shapes.
 *
 * Elements are copied into the memory that operators compute in; writing to the array afterwards changes nothing.
 * `share: true` makes the caller's typed array itself the tensor's memory instead: what either writes the other sees,
 * and every call has to fetch the elements from there.
 *
 * @example
 * ```ts
 * tensor([[1, 2, 3], [4, 5, 6]]).shape // [2, 3]
 * tensor(new Float64Array(6), { shape: [2, 3] }).dtype // 'float64'
 * tensor([1, 2], { dtype: 'int8' }).data // new Int8Array([1, 2])
 * ```
 */
export function tensor<
  const V extends Nested | ArrayBufferView | Tensor,
  const O extends TensorOptions = Record<never, never>,
  Gate = unknown,
>(
  values: FitsNesting<V>,
  given?: FitsFilling<ShapeFor<V, Record<never, never>>, O, Gate>,
): Tensor<DTypeFor<V, O>, ShapeFor<V, O>> {
  const options: TensorOptions | undefined = given as O | undefined
  // biome-ignore lint/complexity/noArguments: a third argument is no part of the type, and must not be taken silently
  checkGiven(options, arguments.length)
  const wanted = options?.dtype === undefined ? undefined : dtypeOf(options.dtype)
  const wantedShape = options?.shape === undefined ? undefined : ownShape(options.shape)
  const { shape: nested, first } = nestingOf(values)
  const dtype = wanted ?? typeOf(first)
  const shape = wantedShape ?? nested
  const count = elementCount(nested)
  if (elementCount(shape) !== count) throw wrongLength(count, shape)
  if (options?.share === true) return sharing(values, dtype, shape) as never
  const { storage, offset, release } = roomFor(dtype, shape)
  try {
    readNested(values, nested, dtype, storage, offset)
  } catch (error) {
    release?.()
    throw error
  }
  return new Tensor(dtype, { shape, strides: rowMajorStrides(shape), offset }, storage, release) as never
}

/** A tensor over the memory of a typed array. */
function sharing(values: unknown, dtype: DType, shape: Shape): Tensor {
  const typed = ArrayBuffer.isView(values) ? typedOf(values) : undefined
  if (typed?.dtype === dtype) return new Tensor(dtype, rowMajor(shape), typed.storage)
  const why =
    typed === undefined
      ? 'is for typed arrays, whose memory a tensor can be'
      : `keeps the elements where they are, as ${typed.dtype}, so they cannot be ${dtype}`
  throw new OperandError(`tensor: { share: true } ${why}; leave it out for a copy.`, {
    operator: 'tensor',
    option: 'share',
  })
}

/**
 * A tensor over data as `.data` gives it (16-bit floats as bit patterns, bools as 0 and 1), shared and not copied.
 *
 * @example
 * ```ts
 * fromData('float32', new Float32Array([1, 2, 3, 4]), [2, 2]).toArray() // [[1, 2], [3, 4]]
 * ```
 */
export function fromData<const D extends DType, const S extends Shape>(
  dtype: D,
  data: StorageOf<D>,
  shape: S,
): Tensor<D, { -readonly [I in keyof S]: S[I] }>
export function fromData(dtype: DType, data: Storage, shape: Shape, ...rest: readonly unknown[]): Tensor {
  if (rest.length > 0) {
    throw new OperandError("fromData takes a type, data and a shape: fromData('float32', data, [2, 3]).", {
      operator: 'fromData',
    })
  }
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
  return new Tensor(type, rowMajor(own), Array.isArray(data) ? data : typedOf(data)!.storage)
}
