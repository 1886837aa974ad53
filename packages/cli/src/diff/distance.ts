// How far two elements are apart, from their bits: for floats in ulp, the number of floats from one to the other; for
// integers their difference.
import type { StoredDType, TypedArray } from '../files/element.ts'

/** A whole number, exactly: a BigInt from 2^53 on, where numbers are rounded. The two compare with each other. */
export type Steps = number | bigint

/** Distance of the elements at a position of two runs. -0 and +0 are 0 apart. */
export type Distance = (position: number) => Steps

const HIGH = 2 ** 32

/** |high * 2^32 + low|. The sum is rounded once, so what comes out below 2^53 is exact; few distances do not. */
function joined(high: number, low: number): Steps {
  const distance = Math.abs(high * HIGH + low)
  if (distance <= Number.MAX_SAFE_INTEGER) return distance
  const exact = BigInt(high) * BigInt(HIGH) + BigInt(low)
  return exact < 0n ? -exact : exact
}

const words = ({ buffer, byteOffset, byteLength }: TypedArray): Uint32Array =>
  new Uint32Array(buffer, byteOffset, byteLength / 4)

/** Floats sort like their bits without the sign, which then counts in both directions from zero. */
function narrowFloats(a: Uint16Array | Uint32Array, b: Uint16Array | Uint32Array, sign: number): Distance {
  const ordered = (bits: number): number => (bits >= sign ? sign - bits : bits)
  return (i) => Math.abs(ordered(a[i]!) - ordered(b[i]!))
}

function float64s(a: Uint32Array, b: Uint32Array): Distance {
  return (i) => {
    const [highA, highB] = [a[2 * i + 1]!, b[2 * i + 1]!]
    const [lowA, lowB] = [a[2 * i]!, b[2 * i]!]
    const [upperA, upperB] = [highA & 0x7fffffff, highB & 0x7fffffff]
    if (highA >>> 31 !== highB >>> 31) return joined(upperA + upperB, lowA + lowB)
    return joined(upperA - upperB, lowA - lowB)
  }
}

function wideIntegers(a: Uint32Array, b: Uint32Array, signed: boolean): Distance {
  const upper = (bits: number): number => (signed ? bits | 0 : bits)
  return (i) => joined(upper(a[2 * i + 1]!) - upper(b[2 * i + 1]!), a[2 * i]! - b[2 * i]!)
}

export function distanceOf(dtype: StoredDType, a: TypedArray, b: TypedArray): Distance {
  switch (dtype) {
    case 'float16':
    case 'bfloat16':
      return narrowFloats(a as Uint16Array, b as Uint16Array, 0x8000)
    case 'float32':
      return narrowFloats(words(a), words(b), 0x8000_0000)
    case 'float64':
      return float64s(words(a), words(b))
    case 'int64':
    case 'uint64':
      return wideIntegers(words(a), words(b), dtype === 'int64')
    default:
      return (i) => Math.abs(Number(a[i]) - Number(b[i]))
  }
}
