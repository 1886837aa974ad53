// Between storage and registers. A block is `rows` runs of `count` elements; steps are distances in elements.
// Each element type has a loop of its own although they read alike: JavaScript engines compile a loop for the array
// types it has met, and one loop for all twelve would look up the type at every element.
import { bfloat16ToNumber, numberToBfloat16 } from '../../dtype/bfloat16.ts'
import type { DType, Storage } from '../../dtype/dtype.ts'
import { float16ToNumber, numberToFloat16 } from '../../dtype/float16.ts'
import type { View } from './registers.ts'

/** Which elements of a storage make up a block. */
export interface Stretch {
  start: number
  rows: number
  rowStep: number
  count: number
  step: number
}

type Load = (from: Storage, to: View, stretch: Stretch) => void
type Store = (from: View, to: Storage, stretch: Stretch) => void

const loadFloat16 = (from: Uint16Array, to: Float64Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = float16ToNumber(from[p]!)
  }
}
const loadBfloat16 = (from: Uint16Array, to: Float64Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = bfloat16ToNumber(from[p]!)
  }
}
const loadFloat32 = (from: Float32Array, to: Float64Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]!
  }
}
const loadFloat64 = (from: Float64Array, to: Float64Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]!
  }
}
const loadInt8 = (from: Int8Array, to: Int32Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]!
  }
}
const loadInt16 = (from: Int16Array, to: Int32Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]!
  }
}
const loadInt32 = (from: Int32Array, to: Int32Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]!
  }
}
const loadInt64 = (from: BigInt64Array, to: BigInt64Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]!
  }
}
const loadUint8 = (from: Uint8Array, to: Uint32Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]!
  }
}
const loadUint16 = (from: Uint16Array, to: Uint32Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]!
  }
}
const loadUint32 = (from: Uint32Array, to: Uint32Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]!
  }
}
const loadUint64 = (from: BigUint64Array, to: BigUint64Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]!
  }
}
const loadValue = (from: unknown[], to: unknown[], { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[i++] = from[p]
  }
}

const storeFloat16 = (from: Float64Array, to: Uint16Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = numberToFloat16(from[i++]!)
  }
}
const storeBfloat16 = (from: Float64Array, to: Uint16Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = numberToBfloat16(from[i++]!)
  }
}
const storeFloat32 = (from: Float64Array, to: Float32Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]!
  }
}
const storeFloat64 = (from: Float64Array, to: Float64Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]!
  }
}
const storeInt8 = (from: Int32Array, to: Int8Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]!
  }
}
const storeInt16 = (from: Int32Array, to: Int16Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]!
  }
}
const storeInt32 = (from: Int32Array, to: Int32Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]!
  }
}
const storeInt64 = (from: BigInt64Array, to: BigInt64Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]!
  }
}
const storeUint8 = (from: Uint32Array, to: Uint8Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]!
  }
}
const storeUint16 = (from: Uint32Array, to: Uint16Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]!
  }
}
const storeUint32 = (from: Uint32Array, to: Uint32Array, { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]!
  }
}
const storeUint64 = (
  from: BigUint64Array,
  to: BigUint64Array,
  { start, rows, rowStep, count, step }: Stretch,
): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]!
  }
}
const storeValue = (from: unknown[], to: unknown[], { start, rows, rowStep, count, step }: Stretch): void => {
  for (let row = 0, i = 0; row < rows; row++) {
    for (let j = 0, p = start + row * rowStep; j < count; j++, p += step) to[p] = from[i++]
  }
}

/** The loop that reads elements of a type. */
export const loads = {
  float16: loadFloat16,
  bfloat16: loadBfloat16,
  float32: loadFloat32,
  float64: loadFloat64,
  int8: loadInt8,
  int16: loadInt16,
  int32: loadInt32,
  int64: loadInt64,
  uint8: loadUint8,
  uint16: loadUint16,
  uint32: loadUint32,
  uint64: loadUint64,
  bool: loadUint8,
  string: loadValue,
  real: loadValue,
} as unknown as Readonly<Record<DType, Load>>

/** The loop that writes elements of a type. */
export const stores = {
  float16: storeFloat16,
  bfloat16: storeBfloat16,
  float32: storeFloat32,
  float64: storeFloat64,
  int8: storeInt8,
  int16: storeInt16,
  int32: storeInt32,
  int64: storeInt64,
  uint8: storeUint8,
  uint16: storeUint16,
  uint32: storeUint32,
  uint64: storeUint64,
  bool: storeUint8,
  string: storeValue,
  real: storeValue,
} as unknown as Readonly<Record<DType, Store>>
