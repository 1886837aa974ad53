// Steps on float64 registers. Results of float32 are rounded by a step of their own (`rounded`), which for one
// operation on float32 operands gives exactly the float32 result.
import { roundToBfloat16 } from '../../dtype/bfloat16.ts'
import type { DType } from '../../dtype/dtype.ts'
import { roundToFloat16 } from '../../dtype/float16.ts'

type F = Float64Array
type Bits = Uint32Array
type Unary = (out: F, a: F, n: number) => void
type Binary = (out: F, a: F, b: F, n: number) => void
type Compare = (out: Bits, a: F, b: F, n: number) => void

/** In [2^52, 2^53) float64 holds only integers, so adding 2^52 rounds to one, ties to even. */
const INTEGERS = 2 ** 52
const float64 = new Float64Array(1)
const words = new Int32Array(float64.buffer)
/** Moves the boundary between exponents from 1 to the square root of 1/2, in the upper word. */
const SHIFT = 0x3ff00000 - 0x3fe6a09e

export const floatUnary: Readonly<Record<string, Unary>> = {
  neg: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = -a[i]!
  },
  abs: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = Math.abs(a[i]!)
  },
  sign: (out, a, n) => {
    // Adding 0 turns -0 into 0: the sign of either zero is 0.
    for (let i = 0; i < n; i++) out[i] = Math.sign(a[i]!) + 0
  },
  sqrt: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = Math.sqrt(a[i]!)
  },
  floor: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = Math.floor(a[i]!)
  },
  ceil: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = Math.ceil(a[i]!)
  },
  round: (out, a, n) => {
    for (let i = 0; i < n; i++) {
      const x = a[i]!
      const magnitude = Math.abs(x)
      // Below zero the sum must be negated, and -0 kept: 1 / x tells -0 from 0.
      if (!(magnitude < INTEGERS)) out[i] = x
      else if (x < 0 || (x === 0 && 1 / x < 0)) out[i] = -(magnitude + INTEGERS - INTEGERS)
      else out[i] = magnitude + INTEGERS - INTEGERS
    }
  },
  power2: (out, a, n) => {
    words[0] = 0
    for (let i = 0; i < n; i++) {
      words[1] = (a[i]! + 1023) << 20
      out[i] = float64[0]!
    }
  },
  exponent: (out, a, n) => {
    for (let i = 0; i < n; i++) {
      float64[0] = a[i]!
      out[i] = ((words[1]! + SHIFT) >>> 20) - 1023
    }
  },
  mantissa: (out, a, n) => {
    for (let i = 0; i < n; i++) {
      float64[0] = a[i]!
      words[1] = ((words[1]! + SHIFT) & 0xfffff) + 0x3fe6a09e
      out[i] = float64[0]!
    }
  },
  high: (out, a, n) => {
    for (let i = 0; i < n; i++) {
      float64[0] = a[i]!
      words[0] = words[0]! & 0xf8000000
      out[i] = float64[0]!
    }
  },
}

export const floatBinary: Readonly<Record<string, Binary>> = {
  add: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! + b[i]!
  },
  sub: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! - b[i]!
  },
  mul: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! * b[i]!
  },
  div: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! / b[i]!
  },
  rem: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! % b[i]!
  },
  mod: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      const divisor = b[i]!
      const rest = a[i]! % divisor
      if (rest === 0) out[i] = divisor < 0 ? -0 : 0
      else out[i] = rest < 0 === divisor < 0 ? rest : rest + divisor
    }
  },
  // Math.max and Math.min give NaN if either is NaN and order -0 below +0, as decided.
  max: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = Math.max(a[i]!, b[i]!)
  },
  min: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = Math.min(a[i]!, b[i]!)
  },
  withSign: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      const sign = b[i]!
      out[i] = sign < 0 || (sign === 0 && 1 / sign < 0) ? -Math.abs(a[i]!) : Math.abs(a[i]!)
    }
  },
}

export const floatCompare: Readonly<Record<string, Compare>> = {
  equal: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0
  },
  less: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? 1 : 0
  },
  lessEqual: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! <= b[i]! ? 1 : 0
  },
}

export function floatSelect(out: F, c: Bits, a: F, b: F, n: number): void {
  for (let i = 0; i < n; i++) out[i] = c[i] !== 0 ? a[i]! : b[i]!
}

/** Rounds a register to a float type, once; float64 needs nothing but a copy. */
export const rounded: Partial<Record<DType, Unary>> = {
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
