// Elements of operands as bytes: random numbers, and results that are compared bit by bit.
import { bitsOf, type DType } from 'bcast/kernels'

export const widthOf = (dtype: DType): number => bitsOf(dtype) / 8

/** Numbers that look random, from a seed. */
export function stream(seed: number): () => number {
  let state = (seed * 2654435761 + 12345) >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return (state ^ (state >>> 13)) >>> 0
  }
}

export function isNaNAt(dtype: DType, bytes: Uint8Array, at: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  if (dtype === 'float64') return Number.isNaN(view.getFloat64(at, true))
  if (dtype === 'float32') return Number.isNaN(view.getFloat32(at, true))
  if (dtype === 'float16') return (view.getUint16(at, true) & 0x7fff) > 0x7c00
  return dtype === 'bfloat16' && (view.getUint16(at, true) & 0x7fff) > 0x7f80
}

/** Where elements differ from those that are wanted, if they do; every NaN is every other. */
export function difference(dtype: DType, bytes: Uint8Array, wanted: Uint8Array): string | undefined {
  const width = widthOf(dtype)
  for (let at = 0; at < wanted.length; at += width) {
    const [own, other] = [bytes.subarray(at, at + width), wanted.subarray(at, at + width)]
    if (own.every((byte, k) => byte === other[k])) continue
    if (isNaNAt(dtype, bytes, at) && isNaNAt(dtype, wanted, at)) continue
    return `${dtype} ${at / width} is ${hex(own)}, and has to be ${hex(other)}`
  }
  return undefined
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes.slice().reverse()).toString('hex')
