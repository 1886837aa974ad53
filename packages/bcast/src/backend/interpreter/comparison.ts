// Steps that compare, and that choose by what was found.
import type { BlockLoops } from './loops.ts'
import type { F, L, V, W } from './registers.ts'

export const equal: BlockLoops = {
  float: (out: Uint32Array, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0
  },
  word: (out: Uint32Array, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0
  },
  wide: (out: Uint32Array, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0
  },
  string: (out: Uint32Array, a: V, b: V, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0
  },
}

export const less: BlockLoops = {
  float: (out: Uint32Array, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? 1 : 0
  },
  word: (out: Uint32Array, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? 1 : 0
  },
  wide: (out: Uint32Array, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? 1 : 0
  },
}

export const lessEqual: BlockLoops = {
  float: (out: Uint32Array, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! <= b[i]! ? 1 : 0
  },
  word: (out: Uint32Array, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! <= b[i]! ? 1 : 0
  },
  wide: (out: Uint32Array, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! <= b[i]! ? 1 : 0
  },
}

const selectValue = (out: V, c: Uint32Array, a: V, b: V, n: number): void => {
  for (let i = 0; i < n; i++) out[i] = c[i] !== 0 ? a[i] : b[i]
}

export const select: BlockLoops = {
  float: (out: F, c: Uint32Array, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = c[i] !== 0 ? a[i]! : b[i]!
  },
  word: (out: W, c: Uint32Array, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) out[i] = c[i] !== 0 ? a[i]! : b[i]!
  },
  wide: (out: L, c: Uint32Array, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) out[i] = c[i] !== 0 ? a[i]! : b[i]!
  },
  string: selectValue,
  real: selectValue,
}
