// Steps on bits: integers and truth values.
import type { BlockLoops } from './loops.ts'
import type { L, W } from './registers.ts'

export const and: BlockLoops = {
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! & b[i]!
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! & b[i]!
  },
}

export const or: BlockLoops = {
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! | b[i]!
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! | b[i]!
  },
}

export const xor: BlockLoops = {
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! ^ b[i]!
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! ^ b[i]!
  },
}

export const not: BlockLoops = {
  word: (out: W, a: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = ~a[i]!
  },
  wide: (out: L, a: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = ~a[i]!
  },
  bool: (out: W, a: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! ^ 1
  },
  inexact: true,
}

export const shl: BlockLoops = {
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! << b[i]!
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! << b[i]!
  },
  inexact: true,
}

export const shr: BlockLoops = {
  word: (out: W, a: W, b: W, n: number) => {
    if (out instanceof Uint32Array) for (let i = 0; i < n; i++) out[i] = a[i]! >>> b[i]!
    else for (let i = 0; i < n; i++) out[i] = a[i]! >> b[i]!
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! >> b[i]!
  },
}
