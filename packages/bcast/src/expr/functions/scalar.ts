// The functions on single JavaScript numbers: for scalar code, and the plainest reading of the algebra for tests.
// Word 1 of a float64 is its upper half: every platform with WebAssembly memory views in use is little-endian.
import type { Float32Algebra, Float64Algebra } from './algebra.ts'

const float64 = new Float64Array(1)
const words = new Int32Array(float64.buffer)

/** In [2^52, 2^53) float64 holds the integers only, so that adding 2^52 rounds to one, ties to even. */
const INTEGERS = 2 ** 52

/** Moves the boundary between exponents from 1 to the square root of 1/2, in the upper word. */
const SHIFT = 0x3ff00000 - 0x3fe6a09e

export const scalarAlgebra: Float64Algebra<number, boolean> = {
  constant: (value) => value,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  neg: (a) => -a,
  abs: (a) => Math.abs(a),
  withSign: (a, b) => (b < 0 || (b === 0 && 1 / b < 0) ? -Math.abs(a) : Math.abs(a)),
  round: (a) => {
    const magnitude = Math.abs(a)
    if (!(magnitude < INTEGERS)) return a
    const rounded = magnitude + INTEGERS - INTEGERS
    return a < 0 || (a === 0 && 1 / a < 0) ? -rounded : rounded
  },
  power2: (k) => {
    words[0] = 0
    words[1] = (k + 1023) << 20
    return float64[0]!
  },
  exponent: (a) => {
    float64[0] = a
    return ((words[1]! + SHIFT) >>> 20) - 1023
  },
  mantissa: (a) => {
    float64[0] = a
    words[1] = ((words[1]! + SHIFT) & 0xfffff) + 0x3fe6a09e
    return float64[0]!
  },
  high: (a) => {
    float64[0] = a
    words[0] = words[0]! & 0xf8000000
    return float64[0]!
  },
  less: (a, b) => a < b,
  equal: (a, b) => a === b,
  and: (a, b) => a && b,
  or: (a, b) => a || b,
  not: (a) => !a,
  select: (c, a, b) => (c ? a : b),
}

export const scalarAlgebra32: Float32Algebra<number, boolean> = {
  ...scalarAlgebra,
  constant: Math.fround,
  add: (a, b) => Math.fround(a + b),
  sub: (a, b) => Math.fround(a - b),
  mul: (a, b) => Math.fround(a * b),
}
