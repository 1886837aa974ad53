// Deflated bytes, inflated as they are asked for, in little memory: what is read goes through one block that is filled
// again when it has been taken.
import zlib from 'node:zlib'
import { type Bytes, blocksOf } from './bytes/bytes.ts'

const CHUNK = 2 ** 16

/** Writes everything into `inflate`, as fast as it takes it; stops when it is closed. */
async function feed(inflate: zlib.InflateRaw, bytes: Bytes): Promise<void> {
  const closed = new Promise<void>((resolve) => inflate.once('close', resolve))
  for await (const block of blocksOf(bytes)) {
    // An error is told by the stream itself, where it is read.
    const taken = new Promise<void>((resolve) => inflate.write(block, () => resolve()))
    await Promise.race([taken, closed])
    if (inflate.destroyed) return
  }
  inflate.end()
}

/** Fails with zlib's error where the bytes are damaged, and with that of reading them. */
export async function* inflatedChunks(bytes: Bytes): AsyncGenerator<Uint8Array> {
  const inflate = zlib.createInflateRaw({ chunkSize: CHUNK })
  const fed = feed(inflate, bytes).catch((error: Error) => {
    inflate.destroy(error)
  })
  try {
    yield* inflate as AsyncIterable<Uint8Array>
  } finally {
    inflate.destroy()
    // The bytes may be closed when nothing reads them any more.
    await fed
  }
}
