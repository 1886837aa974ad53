// Elements and nothing else; type and shape come from the user.

import type { NumpyType } from 'bcast/npy'
import { FileError } from '../../errors/file-error.ts'
import { checkNothingFollows, forwardSource, type StoredArray, storedSource } from '../blocks/stored-array.ts'
import type { ByteStream } from '../bytes/byte-stream.ts'
import type { Bytes } from '../bytes/bytes.ts'
import { bytesPerElement, countOf } from '../element.ts'
import type { ArraySource } from '../source.ts'

const described = (label: string, { dtype, littleEndian }: NumpyType, shape: readonly number[]): StoredArray => {
  if (Number.isSafeInteger(countOf(shape) * bytesPerElement(dtype))) {
    return { label, dtype, shape, order: 'row-major', littleEndian }
  }
  throw new FileError(label, `shape (${shape.join(',')}) is larger than any file.`)
}

/** One axis of as many elements as there are, where no shape is given. */
function wholeShape(label: string, { dtype }: NumpyType, size: number): readonly number[] {
  const width = bytesPerElement(dtype)
  if (size % width === 0) return [size / width]
  throw new FileError(label, `${size} bytes are no whole number of ${dtype}, which takes ${width} bytes each.`)
}

export function rawSource(label: string, bytes: Bytes, type: NumpyType, shape?: readonly number[]): ArraySource {
  const array = described(label, type, shape ?? wholeShape(label, type, bytes.size))
  const expected = countOf(array.shape) * bytesPerElement(type.dtype)
  if (bytes.size === expected) return storedSource(array, bytes, 0)
  const wrong =
    bytes.size < expected ? `${expected - bytes.size} bytes are missing` : `${bytes.size - expected} bytes are too many`
  throw new FileError(
    label,
    `${wrong}: shape (${array.shape.join(',')}) of ${type.dtype} takes ${expected} bytes, and there are ${bytes.size}.`,
  )
}

export async function rawStreamSource(
  label: string,
  stream: ByteStream,
  type: NumpyType,
  shape: readonly number[],
): Promise<ArraySource> {
  const array = described(label, type, shape)
  if (countOf(shape) === 0) await checkNothingFollows(label, stream, 0)
  return forwardSource(array, stream, 0)
}
