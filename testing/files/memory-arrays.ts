// Arrays in memory that behave as files do: in either order, able to go back or not, counting what is read.
import type { Tensor } from 'bcast'
import { elementsOver, newElements, type StoredDType, type TypedArray } from '../../packages/cli/src/files/element.ts'
import type { ArraySink } from '../../packages/cli/src/files/sink.ts'
import type { ArraySource, Order } from '../../packages/cli/src/files/source.ts'

export interface MemorySource extends ArraySource {
  /** Elements that were read so far. */
  readonly taken: () => number
}

export function sourceOf(tensor: Tensor, order: Order = 'row-major', seekable = true): MemorySource {
  const stored = (order === 'row-major' ? tensor : tensor.transpose()).data as TypedArray
  let taken = 0
  let reached = 0
  let isReading = false
  return {
    label: 'x',
    dtype: tensor.dtype as StoredDType,
    shape: tensor.shape,
    order,
    seekable,
    taken: () => taken,
    async read(start, target) {
      if (!seekable && (start < reached || isReading)) throw new Error(`reads ${start} after ${reached}`)
      if (start + target.length > stored.length) throw new Error(`reads ${start} to ${start + target.length}`)
      isReading = true
      reached = start + target.length
      taken += target.length
      await new Promise((resolve) => setImmediate(resolve))
      ;(target as Uint8Array).set(stored.subarray(start, start + target.length) as Uint8Array)
      isReading = false
    },
    async close() {},
  }
}

/** Keeps what is written. */
export class MemorySink implements ArraySink {
  readonly parts: TypedArray[] = []
  largest = 0
  #isWriting = false

  async write(elements: TypedArray): Promise<void> {
    if (this.#isWriting) throw new Error('two writes at once')
    this.#isWriting = true
    await new Promise((resolve) => setImmediate(resolve))
    this.parts.push(elements.slice() as TypedArray)
    this.largest = Math.max(this.largest, elements.length)
    this.#isWriting = false
  }

  async finish(): Promise<void> {}

  async abort(): Promise<void> {}

  elements(dtype: StoredDType): TypedArray {
    const all = newElements(
      dtype,
      this.parts.reduce((sum, part) => sum + part.length, 0),
    )
    let at = 0
    for (const part of this.parts) {
      ;(all as Uint8Array).set(part as Uint8Array, at)
      at += part.length
    }
    return all
  }
}

/** The bits of elements, so that NaNs and zeros are told apart. */
export const bitsOf = (elements: TypedArray): Uint8Array =>
  elementsOver('uint8', elements.buffer, elements.byteOffset, elements.byteLength) as Uint8Array
