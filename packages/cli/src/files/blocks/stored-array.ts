// Elements as they lie in a file, one after the other: what npy, raw, stored npz members and ONNX tensors come down to.
// Reading goes straight into the caller's memory; only the other byte order and odd booleans cost a pass over it.
import { FileError } from '../../errors/file-error.ts'
import type { ByteStream } from '../bytes/byte-stream.ts'
import type { Bytes } from '../bytes/bytes.ts'
import { bytesOf, bytesPerElement, countOf, type StoredDType, type TypedArray } from '../element.ts'
import type { ArraySource, Order } from '../source.ts'

export interface StoredArray {
  readonly label: string
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  readonly order: Order
  readonly littleEndian: boolean
}

function swapBytes(target: TypedArray): void {
  const bytes = Buffer.from(target.buffer, target.byteOffset, target.byteLength)
  if (target.BYTES_PER_ELEMENT === 2) bytes.swap16()
  else if (target.BYTES_PER_ELEMENT === 4) bytes.swap32()
  else if (target.BYTES_PER_ELEMENT === 8) bytes.swap64()
}

/** NumPy takes every byte but 0 for True, so that is what it becomes here; bytes are looked at four at a time. */
function normaliseBooleans(target: Uint8Array): void {
  const aligned = (4 - (target.byteOffset % 4)) % 4
  const count = Math.max(0, target.length - aligned) >> 2
  const words = count === 0 ? new Uint32Array() : new Uint32Array(target.buffer, target.byteOffset + aligned, count)
  const edges = [target.subarray(0, aligned), target.subarray(aligned + 4 * count)]
  const odd = words.some((word) => (word & 0xfefefefe) !== 0) || edges.some((edge) => edge.some((byte) => byte > 1))
  if (odd) for (let i = 0; i < target.length; i++) target[i] = target[i] === 0 ? 0 : 1
}

/** Bytes as they came from a file become elements of this machine. */
export function settleElements(dtype: StoredDType, littleEndian: boolean, target: TypedArray): void {
  if (!littleEndian) swapBytes(target)
  if (dtype === 'bool') normaliseBooleans(target as Uint8Array)
}

const checkRange = ({ label, shape }: StoredArray, start: number, length: number): void => {
  if (start < 0 || start + length > countOf(shape)) {
    throw new RangeError(`elements ${start} to ${start + length} of ${label}, which has ${countOf(shape)}`)
  }
}

/** Elements from `offset` of the bytes on; their number was compared with the size before. */
export function storedSource(array: StoredArray, bytes: Bytes, offset: number): ArraySource {
  const width = bytesPerElement(array.dtype)
  const { label, dtype, shape, order } = array
  return {
    label,
    dtype,
    shape,
    order,
    seekable: true,
    async read(start, target) {
      checkRange(array, start, target.length)
      await bytes.read(offset + start * width, bytesOf(target))
      settleElements(dtype, array.littleEndian, target)
    },
    close: () => bytes.close(),
  }
}

/** Counting what follows the last element stops here: stdin may never end. */
const TRAILING_LIMIT = 2 ** 24

/** Throws when bytes follow the last element. */
export async function checkNothingFollows(label: string, stream: ByteStream, whole: number): Promise<void> {
  const extra = await stream.skip(TRAILING_LIMIT)
  if (extra === 0) return
  const count = extra === TRAILING_LIMIT ? `${extra} bytes or more` : `${extra} bytes`
  throw new FileError(label, `${count} follow the last element, where ${whole} bytes were expected in all.`)
}

/** Elements that come next in a stream; `before` bytes of it are taken already. */
export function forwardSource(array: StoredArray, stream: ByteStream, before: number): ArraySource {
  const width = bytesPerElement(array.dtype)
  const { label, dtype, shape, order } = array
  const count = countOf(shape)
  const whole = before + count * width
  let position = 0

  const tooShort = (missing: number): FileError =>
    new FileError(label, `it ends ${missing} bytes before its last element, where ${whole} bytes were expected.`)

  const skipTo = async (start: number): Promise<void> => {
    const gap = (start - position) * width
    const skipped = await stream.skip(gap)
    if (skipped < gap) throw tooShort((count - position) * width - skipped)
    position = start
  }

  return {
    label,
    dtype,
    shape,
    order,
    seekable: false,
    async read(start, target) {
      checkRange(array, start, target.length)
      if (start < position) throw new RangeError(`${label} only goes forward: at ${position}, asked for ${start}`)
      if (start > position) await skipTo(start)
      const filled = await stream.fill(bytesOf(target))
      if (filled < target.byteLength) throw tooShort((count - position) * width - filled)
      position += target.length
      settleElements(dtype, array.littleEndian, target)
      if (position === count) await checkNothingFollows(label, stream, whole)
    },
    close: () => stream.close(),
  }
}
