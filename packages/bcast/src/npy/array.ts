// Tensors as .npy files, and back.
import { type DType, dtypes, kindOf, type Storage, type TypedArray } from '../dtype/dtype.ts'
import { DTypeError, OperandError } from '../errors/index.ts'
import { described } from '../ops/arguments.ts'
import { freshTensor } from '../ops/result.ts'
import { checkNames, isOptions } from '../shape/options.ts'
import type { Layout } from '../tensor/layout.ts'
import { pack } from '../tensor/pack.ts'
import { Tensor } from '../tensor/tensor.ts'
import { checkNpySize, endsInHeader, npyHeader, parseNpyHeader } from './header.ts'
import type { StoredDType } from './numpy-type.ts'

/** Bytes of a file: as `fetch` and Node's `readFile` give them. */
export type FileBytes = ArrayBufferLike | ArrayBufferView

/** Throws where a call has options, of which there are none: a file that is not what they ask for would be a wrong one. */
export function checkNoOptions(name: string, [options]: readonly unknown[]): void {
  if (isOptions(options)) checkNames(name, options, [])
}

/** The bytes, whatever holds them. */
export function bytesOf(name: string, given: unknown): Uint8Array {
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  const tag = Object.prototype.toString.call(given)
  if (tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]')
    return new Uint8Array(given as ArrayBuffer)
  throw new OperandError(
    `${name} takes the bytes of a file, a Uint8Array or an ArrayBuffer, such as await readFile('x.npy') gives; it was given ${described(given)}.`,
    { operator: name, operand: 0 },
  )
}

const isStored = (dtype: DType): dtype is StoredDType => kindOf(dtype) !== 'string' && kindOf(dtype) !== 'real'

/** Elements of the other byte order, turned where they lie. */
function turn(bytes: Uint8Array, width: number): void {
  for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse()
}

/** The elements of a tensor's own storage as bytes. */
function storedBytes({ storage, layout, size }: Tensor): Uint8Array {
  const array = storage as TypedArray
  const width = array.BYTES_PER_ELEMENT
  // Without elements a layout may begin anywhere.
  if (size === 0) return new Uint8Array()
  return new Uint8Array(array.buffer, array.byteOffset + layout.offset * width, size * width)
}

/** The tensor in a whole .npy file. */
export function arrayIn(bytes: Uint8Array): Tensor {
  const header = parseNpyHeader(bytes)
  if (typeof header === 'number') throw endsInHeader(header - bytes.length)
  checkNpySize(header, bytes.length)
  const { dtype, shape, order, littleEndian, length } = header
  const isTurned = order === 'column-major'
  const made = freshTensor(dtype, isTurned ? shape.toReversed() : shape)
  const target = storedBytes(made)
  target.set(bytes.subarray(length))
  if (!littleEndian) turn(target, target.length / Math.max(made.size, 1))
  // A bool is any byte in NumPy, and 0 or 1 here.
  if (dtype === 'bool') for (let i = 0; i < target.length; i++) if (target[i]! > 1) target[i] = 1
  return isTurned ? (made.transpose() as Tensor) : made
}

/** A tensor's elements in row-major order, without telling its memory that somebody holds them. */
function packedBytes(x: Tensor): Uint8Array {
  if (x.isRowMajor) return storedBytes(x)
  const array = x.storage as TypedArray
  const packed = new (array.constructor as new (length: number) => Storage)(x.size) as TypedArray
  pack(x.layout as Layout, array, packed)
  return new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength)
}

/** Throws unless a tensor can be in a file. */
export function checkStored(name: string, x: unknown): asserts x is Tensor<StoredDType> {
  if (!(x instanceof Tensor)) {
    throw new OperandError(`${name} takes a tensor; it was given ${described(x)}. Wrap it with tensor(…).`, {
      operator: name,
    })
  }
  if (isStored(x.dtype)) return
  throw new DTypeError(
    `${name}: .npy files hold numbers and bools, not ${x.dtype}; toJSON writes any type.`,
    x.dtype,
    dtypes.filter(isStored),
  )
}

/** A tensor as a whole .npy file. */
export function fileOf(x: Tensor<StoredDType>): Uint8Array {
  const header = npyHeader({ dtype: x.dtype, shape: x.shape })
  const elements = packedBytes(x)
  const file = new Uint8Array(header.length + elements.length)
  file.set(header)
  file.set(elements, header.length)
  return file
}

/**
 * The tensor in an .npy file, of any type, order and version that NumPy writes; one in Fortran order is a view. Objects,
 * text and complex numbers are a FormatError that says what to do.
 *
 * @example
 * ```ts
 * readNpy(writeNpy(tensor([1, 2]))).toArray() // [1, 2]
 * ```
 */
export function readNpy(bytes: FileBytes): Tensor
export function readNpy(bytes: FileBytes, ...rest: readonly unknown[]): Tensor {
  checkNoOptions('readNpy', rest)
  return arrayIn(bytesOf('readNpy', bytes))
}

/**
 * A tensor as the bytes of an .npy file, as np.save writes it.
 *
 * @example
 * ```ts
 * writeNpy(tensor([1, 2])).length // 136
 * ```
 */
export function writeNpy(x: Tensor): Uint8Array
export function writeNpy(x: Tensor, ...rest: readonly unknown[]): Uint8Array {
  checkNoOptions('writeNpy', rest)
  checkStored('writeNpy', x)
  return fileOf(x)
}
