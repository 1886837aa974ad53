// Steps that add, multiply, negate and order. Floats compute in float64 and are rounded by a step of their own; typed
// arrays wrap integers at 32 and 64 bits by themselves.
import type { BlockLoops } from './loops.ts'
import type { F, L, W } from './registers.ts'

export const add: BlockLoops = {
  float: (out: F, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! + b[i]!
  },
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! + b[i]!
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! + b[i]!
  },
  inexact: true,
}

export const sub: BlockLoops = {
  float: (out: F, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! - b[i]!
  },
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! - b[i]!
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! - b[i]!
  },
  inexact: true,
}

export const mul: BlockLoops = {
  float: (out: F, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! * b[i]!
  },
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = Math.imul(a[i]!, b[i]!)
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! * b[i]!
  },
  inexact: true,
}

export const neg: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = -a[i]!
  },
  word: (out: W, a: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = -a[i]!
  },
  wide: (out: L, a: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = -a[i]!
  },
  inexact: true,
}

export const abs: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = Math.abs(a[i]!)
  },
  word: (out: W, a: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = Math.abs(a[i]!)
  },
  wide: (out: L, a: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < 0n ? -a[i]! : a[i]!
  },
  inexact: true,
}

export const sign: BlockLoops = {
  float: (out: F, a: F, n: number) => {
    // Adding 0 turns -0 into 0: the sign of either zero is 0.
    for (let i = 0; i < n; i++) out[i] = Math.sign(a[i]!) + 0
  },
  word: (out: W, a: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = Math.sign(a[i]!)
  },
  wide: (out: L, a: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < 0n ? -1n : a[i]! > 0n ? 1n : 0n
  },
}

export const max: BlockLoops = {
  // Math.max and Math.min give NaN if either is NaN and order -0 below +0, as decided.
  float: (out: F, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = Math.max(a[i]!, b[i]!)
  },
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! > b[i]! ? a[i]! : b[i]!
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! > b[i]! ? a[i]! : b[i]!
  },
}

export const min: BlockLoops = {
  float: (out: F, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = Math.min(a[i]!, b[i]!)
  },
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? a[i]! : b[i]!
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? a[i]! : b[i]!
  },
}
