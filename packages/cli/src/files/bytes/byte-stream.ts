// Bytes that only go forward: stdin, a pipe, a compressed member of an archive.
import { about } from '../../errors/file-error.ts'
import { chunkArrived } from './garbage.ts'

export class ByteStream {
  readonly #label: string
  readonly #chunks: AsyncIterator<Uint8Array>
  /** What has arrived and is not taken yet. */
  #arrived: Uint8Array = new Uint8Array()

  constructor(label: string, chunks: AsyncIterable<Uint8Array>) {
    this.#label = label
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async #next(): Promise<Uint8Array | undefined> {
    const { value, done } = await about(this.#label, () => this.#chunks.next())
    if (done === true) return undefined
    chunkArrived(value.length)
    return value
  }

  /** Fills `target` as far as there are bytes; the number of bytes is less than its length only at the end. */
  async fill(target: Uint8Array): Promise<number> {
    for (let done = 0; ; ) {
      const taken = this.#arrived.subarray(0, target.length - done)
      target.set(taken, done)
      this.#arrived = this.#arrived.subarray(taken.length)
      done += taken.length
      if (done === target.length) return done
      const chunk = await this.#next()
      if (chunk === undefined) return done
      this.#arrived = chunk
    }
  }

  /** The next bytes, `length` of them where there are as many, which stay to be taken. */
  async peek(length: number): Promise<Uint8Array> {
    while (this.#arrived.length < length) {
      const chunk = await this.#next()
      if (chunk === undefined) break
      this.#arrived = Buffer.concat([this.#arrived, chunk])
    }
    return this.#arrived.subarray(0, length)
  }

  /** Passes over bytes, at most `limit`; the number that there were. */
  async skip(limit: number): Promise<number> {
    const scratch = new Uint8Array(Math.min(limit, 2 ** 16))
    let skipped = 0
    while (skipped < limit) {
      const part = scratch.subarray(0, Math.min(scratch.length, limit - skipped))
      const count = await this.fill(part)
      skipped += count
      if (count < part.length) break
    }
    return skipped
  }

  /** What is left, chunk by chunk as it arrives. */
  async *rest(): AsyncGenerator<Uint8Array> {
    for (let chunk: Uint8Array | undefined = this.#arrived; chunk !== undefined; chunk = await this.#next()) {
      this.#arrived = new Uint8Array()
      if (chunk.length > 0) yield chunk
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
