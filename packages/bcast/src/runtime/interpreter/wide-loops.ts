// Steps on 64-bit words. Typed arrays wrap at 64 bits by themselves; views are signed or unsigned by type.
type L = BigInt64Array | BigUint64Array
type Unary = (out: L, a: L, n: number) => void
type Binary = (out: L, a: L, b: L, n: number) => void
/** Gives the first position without a result, or -1. */
type Checked = (out: L, a: L, b: L, n: number) => number
type Compare = (out: Uint32Array, a: L, b: L, n: number) => void

export const wideUnary: Readonly<Record<string, Unary>> = {
  neg: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = -a[i]!
  },
  abs: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < 0n ? -a[i]! : a[i]!
  },
  sign: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! < 0n ? -1n : a[i]! > 0n ? 1n : 0n
  },
  not: (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = ~a[i]!
  },
}

export const wideBinary: Readonly<Record<string, Binary>> = {
  add: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! + b[i]!
  },
  sub: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! - b[i]!
  },
  mul: (out, a, b, n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! * b[i]!
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
    for (let i = 0; i < n; i++) out[i] = a[i]! >> b[i]!
  },
}

export const wideChecked: Readonly<Record<string, Checked>> = {
  div: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0n) return i
      out[i] = a[i]! / b[i]!
    }
    return -1
  },
  floorDiv: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      const divisor = b[i]!
      if (divisor === 0n) return i
      const quotient = a[i]! / divisor
      const inexact = quotient * divisor !== a[i]!
      out[i] = inexact && a[i]! < 0n !== divisor < 0n ? quotient - 1n : quotient
    }
    return -1
  },
  rem: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0n) return i
      out[i] = a[i]! % b[i]!
    }
    return -1
  },
  mod: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      const divisor = b[i]!
      if (divisor === 0n) return i
      const rest = a[i]! % divisor
      out[i] = rest !== 0n && rest < 0n !== divisor < 0n ? rest + divisor : rest
    }
    return -1
  },
  power: (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      let base = a[i]!
      let exponent = b[i]!
      if (exponent < 0n) {
        if (base === 0n) return i
        out[i] = base === 1n ? 1n : base === -1n ? ((exponent & 1n) === 0n ? 1n : -1n) : 0n
        continue
      }
      let result = 1n
      for (; exponent > 0n; exponent >>= 1n) {
        if ((exponent & 1n) === 1n) result = BigInt.asUintN(64, result * base)
        base = BigInt.asUintN(64, base * base)
      }
      out[i] = result
    }
    return -1
  },
}

export const wideCompare: Readonly<Record<string, Compare>> = {
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

export function wideSelect(out: L, c: Uint32Array, a: L, b: L, n: number): void {
  for (let i = 0; i < n; i++) out[i] = c[i] !== 0 ? a[i]! : b[i]!
}
