// Bytes that may be read at any place: a file, a part of one, or memory.
import fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { about, FileError } from '../../errors/file-error.ts'

export interface Bytes {
  readonly size: number
  /** Fills `target`, which may lie in shared memory, with the bytes from `position` on. Reads may overlap. */
  read(position: number, target: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** One call of the system takes at most this many bytes, which lies below what Linux and Node allow. */
const LARGEST_READ = 2 ** 30

const readSome = (fd: number, target: Uint8Array, done: number, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const length = Math.min(LARGEST_READ, target.length - done)
    fs.read(fd, target, done, length, position + done, (error, count) => (error ? reject(error) : resolve(count)))
  })

class FileBytes implements Bytes {
  readonly size: number
  readonly #label: string
  readonly #fd: number
  readonly close: () => Promise<void>

  constructor(label: string, fd: number, size: number, close: () => Promise<void>) {
    this.#label = label
    this.#fd = fd
    this.size = size
    this.close = close
  }

  async read(position: number, target: Uint8Array): Promise<void> {
    for (let done = 0; done < target.length; ) {
      const count = await about(this.#label, () => readSome(this.#fd, target, done, position))
      if (count === 0) {
        throw new FileError(this.#label, `it ended at byte ${position + done} of ${this.size} while it was read.`)
      }
      done += count
    }
  }
}

/** A regular file. */
export const fileBytes = (label: string, path: string): Promise<Bytes> =>
  about(label, async () => {
    const handle = await open(path, 'r')
    return handleBytes(label, handle, (await handle.stat()).size)
  })

/** A file that is open already; closing the bytes closes it. */
export const handleBytes = (label: string, handle: FileHandle, size: number): Bytes =>
  new FileBytes(label, handle.fd, size, () => handle.close())

/** A file that another thread of the process has open, and closes. */
export const descriptorBytes = (label: string, fd: number, size: number): Bytes =>
  new FileBytes(label, fd, size, async () => {})

export const memoryBytes = (bytes: Uint8Array): Bytes => ({
  size: bytes.length,
  async read(position, target) {
    target.set(bytes.subarray(position, position + target.length))
  },
  async close() {},
})

/** `size` bytes of others, from `start` on. */
export const partOf = (whole: Bytes, start: number, size: number): Bytes => ({
  size,
  read: (position, target) => whole.read(start + position, target),
  close: () => whole.close(),
})

const BLOCK = 2 ** 18

/**
 * The bytes from front to back, in blocks. Each is there until the next is asked for: all lie in one place, since fresh
 * memory for each would pile up long before it is collected.
 */
export async function* blocksOf(bytes: Bytes): AsyncGenerator<Uint8Array> {
  const room = new Uint8Array(Math.min(BLOCK, bytes.size))
  for (let position = 0; position < bytes.size; position += BLOCK) {
    const block = room.subarray(0, Math.min(BLOCK, bytes.size - position))
    await bytes.read(position, block)
    yield block
  }
}
