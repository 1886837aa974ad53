// Arrays in .npy files, and in anything that holds one: a member of an archive, stdin.
import { checkNpySize, endsInHeader, type NpyHeader, parseNpyHeader } from 'bcast/npy'
import { checkNothingFollows, forwardSource, storedSource } from './blocks/stored-array.ts'
import type { ByteStream } from './bytes/byte-stream.ts'
import type { Bytes } from './bytes/bytes.ts'
import { countOf } from './element.ts'
import { soundFormat } from './format-error.ts'
import type { ArraySource } from './source.ts'

/** Hands out the next bytes, fewer than asked for at the end. */
type Take = (length: number) => Promise<Uint8Array>

/** Reads a header; nothing behind it is taken. */
async function readNpyHeader(label: string, take: Take): Promise<NpyHeader> {
  let bytes = new Uint8Array()
  for (;;) {
    const header = soundFormat(label, () => parseNpyHeader(bytes))
    if (typeof header !== 'number') return header
    const part = await take(header - bytes.length)
    bytes = Buffer.concat([bytes, part])
    const missing = header - bytes.length
    if (missing > 0) {
      soundFormat(label, () => {
        throw endsInHeader(missing)
      })
    }
  }
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
  soundFormat(label, () => checkNpySize(header, bytes.size))
  return storedSource({ label, ...header }, bytes, header.length)
}

/** An .npy file that comes as a stream of `size` bytes, where that is known. */
export async function npyStreamSource(label: string, stream: ByteStream, size?: number): Promise<ArraySource> {
  const take: Take = async (length) => {
    const part = new Uint8Array(length)
    return part.subarray(0, await stream.fill(part))
  }
  const header = await readNpyHeader(label, take)
  if (size !== undefined) soundFormat(label, () => checkNpySize(header, size))
  if (countOf(header.shape) === 0) await checkNothingFollows(label, stream, header.length)
  return forwardSource({ label, ...header }, stream, header.length)
}
