// Copies an operand's elements into the kernels' memory and back, as integers, so that every bit is kept.
import { dtypeOfArray, makeStorage, type TypedArray } from '../../../dtype/dtype.ts'
import type { RepeatedRow } from '../../../plan/copies.ts'
import type { Packing } from '../../../plan/staging.ts'

/** Stretches from this many integers on are moved by one call, shorter ones element by element. */
const LONG = 64

type Integers = Uint8Array | Uint16Array | Uint32Array

/** Memory as integers of at most 32 bits, which JavaScript reads without allocating. */
function integers(buffer: ArrayBufferLike, width: number, at: number, length: number): Integers {
  if (width === 1) return new Uint8Array(buffer, at, length)
  if (width === 2) return new Uint16Array(buffer, at, length)
  return new Uint32Array(buffer, at, (length * width) / 4)
}

/** A plain class of arrays. */
export interface ArrayClass {
  new (length: number): TypedArray
  new (buffer: ArrayBufferLike, offset: number, length: number): TypedArray
}

/** The plain class of an array that may be of another: Node's Buffer is a Uint8Array. */
export const arrayClass = (array: TypedArray): ArrayClass =>
  makeStorage(dtypeOfArray(array)!, 0).constructor as unknown as ArrayClass

/** Copies the elements of `packed`, the operand's first at `first`, to an address or back from it. */
export function copy(
  array: TypedArray,
  first: number,
  packed: Packing,
  buffer: ArrayBufferLike,
  address: number,
  direction: 'in' | 'out',
): void {
  const { stretch, around, low, length } = packed
  const width = array.BYTES_PER_ELEMENT
  const scale = width === 8 ? 2 : 1
  const theirs = integers(array.buffer, width, array.byteOffset, array.length)
  const ours = integers(buffer, width, address, length)
  const out = direction === 'out'
  const [from, to] = out ? [ours, theirs] : [theirs, ours]
  const count = stretch * scale
  const rows = around[0]?.size ?? 1
  const rowStep = (around[0]?.step ?? 0) * scale
  const [sourceStep, targetStep] = out ? [count, rowStep] : [rowStep, count]
  const index = around.map(() => 0)
  let there = (first + low) * scale
  for (let here = 0; here < ours.length; here += rows * count) {
    let source = out ? here : there
    let target = out ? there : here
    for (let row = 0; row < rows; row++) {
      if (count >= LONG) to.set(from.subarray(source, source + count), target)
      else for (let i = 0; i < count; i++) to[target + i] = from[source + i]!
      source += sourceStep
      target += targetStep
    }
    for (let loop = 1; loop < around.length; loop++) {
      const step = around[loop]!.step * scale
      there += step
      if (++index[loop]! < around[loop]!.size) break
      there -= step * around[loop]!.size
      index[loop] = 0
    }
  }
}

/** Writes a short row of an operand, its first element at `first`, over and over to an address. */
export function repeatRow(
  array: TypedArray,
  first: number,
  { stride, period, length }: RepeatedRow,
  buffer: ArrayBufferLike,
  address: number,
): void {
  const width = array.BYTES_PER_ELEMENT
  const scale = width === 8 ? 2 : 1
  const theirs = integers(array.buffer, width, array.byteOffset, array.length)
  const row = integers(buffer, width, address, length)
  for (let i = 0; i < period; i++) {
    for (let part = 0; part < scale; part++) row[i * scale + part] = theirs[(first + i * stride) * scale + part]!
  }
  for (let filled = period * scale; filled < row.length; filled *= 2) {
    row.copyWithin(filled, 0, Math.min(filled, row.length - filled))
  }
}
