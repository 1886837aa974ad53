// Steps on floats alone: roots, roundings, and the operations on bits of float64 that the shared functions are made of.
import type { BlockLoops } from './loops.ts'
import type { F } from './registers.ts'

/** In [2^52, 2^53) float64 holds only integers, so adding 2^52 rounds to one, ties to even. */
const INTEGERS = 2 ** 52
const float64: Float64Array = /* @__PURE__ */ new Float64Array(1)
const words: Int32Array = /* @__PURE__ */ new Int32Array(float64.buffer)
/** Moves the boundary between exponents from 1 to the square root of 1/2, in the upper word. */
const SHIFT = 0x3ff00000 - 0x3fe6a09e

export const sqrt: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = Math.sqrt(a[i]!)
  },
  inexact: true,
}

export const floor: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = Math.floor(a[i]!)
  },
}

export const ceil: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = Math.ceil(a[i]!)
  },
}

export const round: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    for (let i = 0; i < n; i++) {
      const x = a[i]!
      const magnitude = Math.abs(x)
      // Below zero the sum must be negated, and -0 kept: 1 / x tells -0 from 0.
      if (!(magnitude < INTEGERS)) out[i] = x
      else if (x < 0 || (x === 0 && 1 / x < 0)) out[i] = -(magnitude + INTEGERS - INTEGERS)
      else out[i] = magnitude + INTEGERS - INTEGERS
    }
  },
}

export const power2: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    words[0] = 0
    for (let i = 0; i < n; i++) {
      words[1] = (a[i]! + 1023) << 20
      out[i] = float64[0]!
    }
  },
}

export const exponent: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    for (let i = 0; i < n; i++) {
      float64[0] = a[i]!
      out[i] = ((words[1]! + SHIFT) >>> 20) - 1023
    }
  },
}

export const mantissa: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    for (let i = 0; i < n; i++) {
      float64[0] = a[i]!
      words[1] = ((words[1]! + SHIFT) & 0xfffff) + 0x3fe6a09e
      out[i] = float64[0]!
    }
  },
}

export const high: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    for (let i = 0; i < n; i++) {
      float64[0] = a[i]!
      words[0] = words[0]! & 0xf8000000
      out[i] = float64[0]!
    }
  },
}

export const withSign: BlockLoops = {
  float: (out: F, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) {
      const sign = b[i]!
      out[i] = sign < 0 || (sign === 0 && 1 / sign < 0) ? -Math.abs(a[i]!) : Math.abs(a[i]!)
    }
  },
}
