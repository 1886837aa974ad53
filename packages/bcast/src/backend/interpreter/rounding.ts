// The steps that finish a result: integers smaller than their register wrap, floats narrower than float64 round, once.
import { roundToBfloat16 } from '../../dtype/bfloat16.ts'
import type { DType } from '../../dtype/dtype.ts'
import { roundToFloat16 } from '../../dtype/float16.ts'
import type { F, W } from './registers.ts'

/** Rounds a register to a float type; float64 needs nothing but a copy. */
export const rounded: Partial<Record<DType, (out: F, a: F, n: number) => void>> = {
  float64: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]!
  },
  float32: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = Math.fround(a[i]!)
  },
  float16: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = roundToFloat16(a[i]!)
  },
  bfloat16: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = roundToBfloat16(a[i]!)
  },
}

/** Wraps a register to a type smaller than 32 bits; the others need no step. */
export const narrowed: Partial<Record<DType, (out: W, a: W, n: number) => void>> = {
  int8: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = (a[i]! << 24) >> 24
  },
  int16: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = (a[i]! << 16) >> 16
  },
  uint8: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! & 0xff
  },
  uint16: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! & 0xffff
  },
}
