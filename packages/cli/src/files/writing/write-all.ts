// A write of the system may take fewer bytes than it was given.
import type { FileHandle } from 'node:fs/promises'

/** One call of the system takes at most this many bytes, which lies below what Linux and Node allow. */
const LARGEST_WRITE = 2 ** 30

/** Writes all of `bytes`, which may lie in shared memory: at `position`, or behind what was written before. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, position?: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(LARGEST_WRITE, bytes.length - done)
    const { bytesWritten } = await handle.write(bytes, done, length, position === undefined ? null : position + done)
    done += bytesWritten
  }
}
