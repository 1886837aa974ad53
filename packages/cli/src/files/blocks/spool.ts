// A place for bytes that must be read again: in memory while they are few, else in a temporary file without a name.
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { about } from '../../errors/file-error.ts'
import { type Bytes, handleBytes, memoryBytes } from '../bytes/bytes.ts'
import { bytesOf, bytesPerElement, countOf, newElements } from '../element.ts'
import type { ArraySource } from '../source.ts'
import { writeAll } from '../writing/write-all.ts'
import { storedSource } from './stored-array.ts'

/** Opens a file that ends with the process, however that ends: it has no name from the start. */
export async function temporaryFile(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `bcast-${process.pid}-${randomBytes(6).toString('hex')}`)
  const handle = await open(name, 'wx+', 0o600)
  await unlink(name)
  return handle
}

export const LABEL = `temporary file in ${tmpdir()} (TMPDIR names another place)`

export class Spool {
  /** Joining the pieces in memory takes as much again. */
  readonly #inMemory: number
  #pieces: Uint8Array[] = []
  #size = 0
  #file: FileHandle | undefined

  /** `memory` bounds what it holds; the rest goes to a file. */
  constructor(memory: number) {
    this.#inMemory = memory / 2
  }

  /** Takes a copy of the bytes. */
  async append(bytes: Uint8Array): Promise<void> {
    await about(LABEL, async () => {
      if (this.#file === undefined && this.#size + bytes.length > this.#inMemory) {
        this.#file = await temporaryFile()
        for (const piece of this.#pieces) await writeAll(this.#file, piece)
        this.#pieces = []
      }
      if (this.#file !== undefined) await writeAll(this.#file, bytes)
      else this.#pieces.push(bytes.slice())
      this.#size += bytes.length
    })
  }

  /** What was appended, from the front. */
  bytes(): Bytes {
    if (this.#file !== undefined) return handleBytes(LABEL, this.#file, this.#size)
    const whole = Buffer.concat(this.#pieces)
    this.#pieces = []
    return memoryBytes(whole)
  }

  /** Gives up what was appended. */
  async discard(): Promise<void> {
    this.#pieces = []
    await this.#file?.close()
  }
}

/** Everything that chunks hold, readable at any place. */
export async function spooled(chunks: AsyncIterable<Uint8Array>, memory: number): Promise<Bytes> {
  const spool = new Spool(memory)
  try {
    for await (const chunk of chunks) await spool.append(chunk)
  } catch (error) {
    await spool.discard()
    throw error
  }
  return spool.bytes()
}

const BLOCK_BYTES = 2 ** 20

export async function* elementBlocks(source: ArraySource): AsyncGenerator<Uint8Array> {
  const count = countOf(source.shape)
  const block = newElements(source.dtype, Math.min(count, BLOCK_BYTES / bytesPerElement(source.dtype)))
  for (let start = 0; start < count; start += block.length) {
    const part = block.subarray(0, Math.min(block.length, count - start))
    await source.read(start, part)
    yield bytesOf(part)
  }
}

/**
 * The source itself where it is seekable; else one that reads it once into memory (up to `memory` bytes) or a temporary
 * file that has no name, and may then go back. The given source is closed.
 */
export async function rewindable(source: ArraySource, memory: number): Promise<ArraySource> {
  if (source.seekable) return source
  try {
    return storedSource({ ...source, littleEndian: true }, await spooled(elementBlocks(source), memory), 0)
  } finally {
    await source.close()
  }
}
