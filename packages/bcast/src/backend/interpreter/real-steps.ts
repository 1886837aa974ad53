// Steps on rationals: exact, with the arithmetic that bcast/real provides, which brings these along. Nothing here is
// fast, and nothing here rounds but a conversion.
import { type DType, isFloat } from '../../dtype/dtype.ts'
import { type Real, realArithmetic } from '../../dtype/real.ts'
import { ceilReal, floorReal, isZero, realToFloat, realToInteger, roundReal } from '../../dtype/real-convert.ts'
import { cannotHold, ValueError } from '../../errors/index.ts'
import type { BlockStep, RealSteps } from './loops.ts'
import { type Register, type V, type View, viewOf } from './registers.ts'
import { rounded } from './rounding.ts'

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

const compared =
  (holds: (order: number) => boolean) =>
  (out: Uint32Array, a: V, b: V, n: number): void => {
    for (let i = 0; i < n; i++) out[i] = holds(arithmetic().compare((a as R)[i]!, (b as R)[i]!)) ? 1 : 0
  }

const loops: RealSteps['loops'] = {
  neg: map((a) => arithmetic().sub(integer(0), a)),
  abs: map((a) => (a.s < 0n ? arithmetic().sub(integer(0), a) : a)),
  sign: map((a) => integer(isZero(a) ? 0 : a.s)),
  floor: map((a) => integer(floorReal(a))),
  ceil: map((a) => integer(ceilReal(a))),
  round: map((a) => integer(roundReal(a))),
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
  equal: compared((order) => order === 0),
  less: compared((order) => order < 0),
  lessEqual: compared((order) => order <= 0),
}

function fromReal(to: DType, out: View, a: unknown[]): BlockStep {
  const convert = (value: Real): number | bigint => {
    if (isFloat(to)) return realToFloat(value, to)
    if (to === 'bool') return isZero(value) ? 0 : 1
    return realToInteger(value, to)
  }
  return (n) => {
    for (let i = 0; i < n; i++) (out as unknown[])[i] = convert(a[i] as Real)
    if (isFloat(to)) rounded[to]!(out as Float64Array, out as Float64Array, n)
  }
}

function toReal(out: unknown[], a: View): BlockStep {
  return (n) => {
    for (let i = 0; i < n; i++) {
      const value = a[i] as number | bigint
      if (typeof value === 'number' && !Number.isFinite(value)) {
        throw cannotHold('real', value, 'it is not a finite number', [])
      }
      out[i] = realArithmetic().from(value)
    }
  }
}

/** Conversions from rationals and to them. */
function cast(to: DType, from: DType, out: Register, a: Register): BlockStep {
  return from === 'real' ? fromReal(to, viewOf(out, to), a.value) : toReal(out.value, viewOf(a, from))
}

export const steps: RealSteps = { loops, cast }
