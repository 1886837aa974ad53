// Arrays in .npy files, and in anything that holds one: a member of an archive, stdin.
import { FileError } from '../errors/file-error.ts'
import { checkNothingFollows, forwardSource, storedSource } from './blocks/stored-array.ts'
import type { ByteStream } from './bytes/byte-stream.ts'
import type { Bytes } from './bytes/bytes.ts'
import { bytesPerElement, countOf } from './element.ts'
import { type NpyHeader, readNpyHeader, type Take } from './npy-header.ts'
import type { ArraySource } from './source.ts'

/** Bytes of a whole .npy file with such a header. */
export const npySize = ({ dtype, shape, length }: NpyHeader): number => length + countOf(shape) * bytesPerElement(dtype)

/** Compares what a header claims with the bytes that are there. */
export function checkNpySize(label: string, header: NpyHeader, size: number): void {
  const expected = npySize(header)
  if (size === expected) return
  const wrong =
    size < expected ? `${expected - size} bytes are missing` : `${size - expected} bytes follow the last element`
  throw new FileError(
    label,
    `${wrong}: shape (${header.shape.join(',')}) of ${header.dtype} takes ${expected} bytes with its header, and there are ${size}.`,
  )
}

/** An .npy file whose bytes can be read at any place. */
export async function npySource(label: string, bytes: Bytes): Promise<ArraySource> {
  let at = 0
  const take: Take = async (length) => {
    const part = new Uint8Array(Math.min(length, bytes.size - at))
    await bytes.read(at, part)
    at += part.length
    return part
  }
  const header = await readNpyHeader(label, take)
  checkNpySize(label, header, bytes.size)
  return storedSource({ label, ...header }, bytes, header.length)
}

/** An .npy file that comes as a stream of `size` bytes, where that is known. */
export async function npyStreamSource(label: string, stream: ByteStream, size?: number): Promise<ArraySource> {
  const take: Take = async (length) => {
    const part = new Uint8Array(length)
    return part.subarray(0, await stream.fill(part))
  }
  const header = await readNpyHeader(label, take)
  if (size !== undefined) checkNpySize(label, header, size)
  if (countOf(header.shape) === 0) await checkNothingFollows(label, stream, header.length)
  return forwardSource({ label, ...header }, stream, header.length)
}
