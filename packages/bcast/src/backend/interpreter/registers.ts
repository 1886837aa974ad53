// Registers hold one block of elements. Three kinds of number cover all types: float64 (floats, the 16-bit ones
// decoded), 32-bit words (smaller integers and bool, signed or unsigned by view), 64-bit words. Strings and
// rationals are plain values.
import { type DType, isFloat, isWide, kindOf } from '../../dtype/dtype.ts'

/** Elements of a block: large enough to hide the cost of a step, small enough that registers stay in cache. */
export const BLOCK = 1024

export type RegisterClass = 'float' | 'word' | 'wide' | 'value'

export interface Register {
  readonly float: Float64Array
  readonly signed: Int32Array
  readonly unsigned: Uint32Array
  readonly wide: BigInt64Array
  readonly unsignedWide: BigUint64Array
  readonly value: unknown[]
}

/** Floats. */
export type F = Float64Array
/** 32-bit words. */
export type W = Int32Array | Uint32Array
/** 64-bit words. */
export type L = BigInt64Array | BigUint64Array
/** Plain values. */
export type V = unknown[]

/** What a step sees of a register: the view that fits the type. */
export type View = F | W | L | V

export function classOf(dtype: DType): RegisterClass {
  if (isFloat(dtype)) return 'float'
  if (dtype === 'string' || dtype === 'real') return 'value'
  return isWide(dtype) ? 'wide' : 'word'
}

export function makeRegister(): Register {
  const buffer = new ArrayBuffer(BLOCK * 8)
  return {
    float: new Float64Array(buffer),
    signed: new Int32Array(buffer),
    unsigned: new Uint32Array(buffer),
    wide: new BigInt64Array(buffer),
    unsignedWide: new BigUint64Array(buffer),
    value: [],
  }
}

export function viewOf(register: Register, dtype: DType): View {
  const signed = kindOf(dtype) === 'int'
  switch (classOf(dtype)) {
    case 'float':
      return register.float
    case 'word':
      return signed ? register.signed : register.unsigned
    case 'wide':
      return signed ? register.wide : register.unsignedWide
    case 'value':
      return register.value
  }
}
