// Steps that divide and raise to integer powers. Those on integers give the first position without a result, or -1.
import type { BlockLoops } from './loops.ts'
import type { F, L, W } from './registers.ts'

export const div: BlockLoops = {
  float: (out: F, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! / b[i]!
  },
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0) return i
      out[i] = Math.trunc(a[i]! / b[i]!)
    }
    return -1
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0n) return i
      out[i] = a[i]! / b[i]!
    }
    return -1
  },
  inexact: true,
}

export const floorDiv: BlockLoops = {
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0) return i
      out[i] = Math.floor(a[i]! / b[i]!)
    }
    return -1
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) {
      const divisor = b[i]!
      if (divisor === 0n) return i
      const quotient = a[i]! / divisor
      const inexact = quotient * divisor !== a[i]!
      out[i] = inexact && a[i]! < 0n !== divisor < 0n ? quotient - 1n : quotient
    }
    return -1
  },
  inexact: true,
}

export const rem: BlockLoops = {
  float: (out: F, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) out[i] = a[i]! % b[i]!
  },
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0) return i
      out[i] = a[i]! % b[i]!
    }
    return -1
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0n) return i
      out[i] = a[i]! % b[i]!
    }
    return -1
  },
}

export const mod: BlockLoops = {
  float: (out: F, a: F, b: F, n: number) => {
    for (let i = 0; i < n; i++) {
      const divisor = b[i]!
      const rest = a[i]! % divisor
      if (rest === 0) out[i] = divisor < 0 ? -0 : 0
      else out[i] = rest < 0 === divisor < 0 ? rest : rest + divisor
    }
  },
  word: (out: W, a: W, b: W, n: number) => {
    for (let i = 0; i < n; i++) {
      const divisor = b[i]!
      if (divisor === 0) return i
      const rest = a[i]! % divisor
      out[i] = rest !== 0 && rest < 0 !== divisor < 0 ? rest + divisor : rest
    }
    return -1
  },
  wide: (out: L, a: L, b: L, n: number) => {
    for (let i = 0; i < n; i++) {
      const divisor = b[i]!
      if (divisor === 0n) return i
      const rest = a[i]! % divisor
      out[i] = rest !== 0n && rest < 0n !== divisor < 0n ? rest + divisor : rest
    }
    return -1
  },
  inexact: true,
}

export const power: BlockLoops = {
  word: (out: W, a: W, b: W, n: number) => {
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
  wide: (out: L, a: L, b: L, n: number) => {
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
  inexact: true,
}
