// Steps on plain values: strings compare and move; rationals compute exactly with the arithmetic that bcast/real
// provides. Nothing here is fast, and nothing here rounds.
import { type Real, realArithmetic } from '../../dtype/real.ts'
import { ceilReal, floorReal, isZero, roundReal } from '../../dtype/real-convert.ts'
import { ValueError } from '../../errors/index.ts'

type V = unknown[]
type R = Real[]
/** Gives the first position without a result, or -1. */
type Checked = (out: V, a: V, b: V, n: number) => number
type Unary = (out: V, a: V, n: number) => void

const map =
  (compute: (a: Real) => Real): Unary =>
  (out, a, n) => {
    for (let i = 0; i < n; i++) out[i] = compute((a as R)[i]!)
  }

const zip =
  (compute: (a: Real, b: Real) => Real | undefined): Checked =>
  (out, a, b, n) => {
    for (let i = 0; i < n; i++) {
      const result = compute((a as R)[i]!, (b as R)[i]!)
      if (result === undefined) return i
      out[i] = result
    }
    return -1
  }

const arithmetic = realArithmetic
const integer = (value: number | bigint): Real => arithmetic().from(value)

export const realUnary: Readonly<Record<string, Unary>> = {
  neg: map((a) => arithmetic().sub(integer(0), a)),
  abs: map((a) => (a.s < 0n ? arithmetic().sub(integer(0), a) : a)),
  sign: map((a) => integer(isZero(a) ? 0 : a.s)),
  floor: map((a) => integer(floorReal(a))),
  ceil: map((a) => integer(ceilReal(a))),
  round: map((a) => integer(roundReal(a))),
}

export const realBinary: Readonly<Record<string, Checked>> = {
  add: zip((a, b) => arithmetic().add(a, b)),
  sub: zip((a, b) => arithmetic().sub(a, b)),
  mul: zip((a, b) => arithmetic().mul(a, b)),
  div: zip((a, b) => (isZero(b) ? undefined : arithmetic().div(a, b))),
  max: zip((a, b) => (arithmetic().compare(a, b) < 0 ? b : a)),
  min: zip((a, b) => (arithmetic().compare(b, a) < 0 ? b : a)),
  power: zip((a, b) => {
    if (b.d !== 1n) throw new ValueError(`Pow of real takes integer exponents; ${b} has no exact power.`, b)
    return b.s < 0n && isZero(a) ? undefined : arithmetic().pow(a, b.s * b.n)
  }),
}

const compared =
  (holds: (order: number) => boolean) =>
  (out: Uint32Array, a: V, b: V, n: number): void => {
    for (let i = 0; i < n; i++) out[i] = holds(arithmetic().compare((a as R)[i]!, (b as R)[i]!)) ? 1 : 0
  }

export const realCompare: Readonly<Record<string, (out: Uint32Array, a: V, b: V, n: number) => void>> = {
  equal: compared((order) => order === 0),
  less: compared((order) => order < 0),
  lessEqual: compared((order) => order <= 0),
}

export function stringEqual(out: Uint32Array, a: V, b: V, n: number): void {
  for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0
}

export function valueSelect(out: V, c: Uint32Array, a: V, b: V, n: number): void {
  for (let i = 0; i < n; i++) out[i] = c[i] !== 0 ? a[i] : b[i]
}

export function valueCopy(out: V, a: V, n: number): void {
  for (let i = 0; i < n; i++) out[i] = a[i]
}
