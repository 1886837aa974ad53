// Files of real bytes for the benchmark: .npy arrays of random float32, none of them sparse or compressible.
import { closeSync, openSync, writeSync } from 'node:fs'

const CHUNK = 1 << 24

/** A .npy header for row-major float32, padded as NumPy does. */
function header(shape: readonly number[]): Buffer {
  const dict = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`
  const length = Math.ceil((10 + dict.length + 1) / 64) * 64
  const text = Buffer.from(`${dict.padEnd(length - 11)}\n`, 'latin1')
  const head = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, text.length & 0xff, text.length >> 8])
  return Buffer.concat([head, text])
}

/** Numbers from `low` to `high`. */
export function makeFile(file: string, shape: readonly number[], low: number, high: number, seed: number): void {
  const descriptor = openSync(file, 'w')
  let state = seed >>> 0 || 1
  try {
    writeSync(descriptor, header(shape))
    let left = shape.reduce((product, size) => product * size, 1)
    const elements = new Float32Array(CHUNK / 4)
    while (left > 0) {
      const count = Math.min(left, elements.length)
      for (let i = 0; i < count; i++) {
        // Xorshift: fast, and different in every chunk.
        state ^= state << 13
        state ^= state >>> 17
        state ^= state << 5
        elements[i] = low + ((state >>> 0) / 2 ** 32) * (high - low)
      }
      const bytes = new Uint8Array(elements.buffer, 0, count * 4)
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
      left -= count
    }
  } finally {
    closeSync(descriptor)
  }
}
