// Steps on 32-bit words: integers up to 32 bits and bool. Views are signed or unsigned by type, so the same loops
// serve both; typed arrays wrap at 32 bits by themselves, and `narrowed` wraps the smaller types.
import type { DType } from '../../dtype/dtype.ts'

type W = Int32Array | Uint32Array
type Unary = (out: W, a: W, n: number) => void
type Binary = (out: W, a: W, b: W, n: number) => void
/** Gives the first position without a result, or -1. */
type Checked = (out: W, a: W, b: W, n: number) => number
type Compare = (out: Uint32Array, a: W, b: W, n: number) => void

export const wordUnary: Readonly<Record<string, Unary>> = {
  neg: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = -a[i]!
  },
  abs: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = Math.abs(a[i]!)
  },
  sign: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = Math.sign(a[i]!)
  },
  not: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = ~a[i]!
  },
  notBool: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! ^ 1
  },
}

export const wordBinary: Readonly<Record<string, Binary>> = {
  add: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! + b[i]!
  },
  sub: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! - b[i]!
  },
  mul: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = Math.imul(a[i]!, b[i]!)
  },
  max: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! > b[i]! ? a[i]! : b[i]!
  },
  min: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < b[i]! ? a[i]! : b[i]!
  },
  and: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! & b[i]!
  },
  or: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! | b[i]!
  },
  xor: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! ^ b[i]!
  },
  shl: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! << b[i]!
  },
  shr: (out, a, b, n) => {
    if (out instanceof Uint32Array) for (let i = 0; i < n; i++) out[i] = a[i]! >>> b[i]!
    else for (let i = 0; i < n; i++) out[i] = a[i]! >> b[i]!
  },
}

export const wordChecked: Readonly<Record<string, Checked>> = {
  div: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0) return i
      out[i] = Math.trunc(a[i]! / b[i]!)
    }
    return -1
  },
  floorDiv: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0) return i
      out[i] = Math.floor(a[i]! / b[i]!)
    }
    return -1
  },
  rem: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0) return i
      out[i] = a[i]! % b[i]!
    }
    return -1
  },
  mod: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      const divisor = b[i]!
      if (divisor === 0) return i
      const rest = a[i]! % divisor
      out[i] = rest !== 0 && rest < 0 !== divisor < 0 ? rest + divisor : rest
    }
    return -1
  },
  power: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      let base: number = a[i]!
      let exponent: number = b[i]!
      if (exponent < 0) {
        if (base === 0) return i
        out[i] = base === 1 ? 1 : base === -1 ? (exponent % 2 === 0 ? 1 : -1) : 0
        continue
      }
      let result = 1
      for (; exponent > 0; exponent = Math.floor(exponent / 2)) {
        if (exponent % 2 === 1) result = Math.imul(result, base)
        base = Math.imul(base, base)
      }
      out[i] = result
    }
    return -1
  },
}

export const wordCompare: Readonly<Record<string, Compare>> = {
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

export function wordSelect(out: W, c: Uint32Array, a: W, b: W, n: number): void {
  for (let i = 0; i < n; i++) out[i] = c[i] !== 0 ? a[i]! : b[i]!
}

/** Wraps a register to a type smaller than 32 bits; the others need no step. */
export const narrowed: Partial<Record<DType, Unary>> = {
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
  bool: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i] !== 0 ? 1 : 0
  },
}
