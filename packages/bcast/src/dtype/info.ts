// What is known of an element type, for whoever stores, compares or prints elements and should not have to take its name
// apart.
import { arrayClassOf, bitsOf, type DType, dtypeOf, isFloat, isHalf, isInteger, type Kind, kindOf } from './dtype.ts'
import { integerRange } from './element.ts'

/** A class of arrays that holds elements: of so many, or over memory that is there. */
export type ArrayClass<D extends DType = DType> = D extends 'string' | 'real'
  ? undefined
  : NonNullable<ReturnType<typeof arrayClassOf>>

/** What `dtypeInfo` says of an element type. */
export interface DTypeInfo<D extends DType = DType> {
  readonly dtype: D
  readonly kind: Kind
  /** Bits of one element; 0 where elements are JavaScript values. */
  readonly bits: number
  readonly bytes: number
  readonly isFloat: boolean
  readonly isInteger: boolean
  /** The smallest and the largest finite element; undefined where there is none. */
  readonly min: number | bigint | boolean | undefined
  readonly max: number | bigint | boolean | undefined
  /** Significant bits of a float; undefined for other types. */
  readonly precision: number | undefined
  /** What `data` is an instance of; undefined where it is a plain array. */
  readonly array: ArrayClass<D>
  /** The type that operators compute in before they round once to this one. */
  readonly computesIn: DType
}

/** Significant bits of each float, and the exponent of its largest ones. */
const FORMATS: Partial<Record<DType, readonly [precision: number, exponent: number]>> = {
  float16: [11, 15],
  bfloat16: [8, 127],
  float32: [24, 127],
  float64: [53, 1023],
}

function rangeOf(dtype: DType): Pick<DTypeInfo, 'min' | 'max'> {
  const format = FORMATS[dtype]
  if (format !== undefined) {
    const largest = (2 - 2 ** (1 - format[0])) * 2 ** format[1]
    return { min: -largest, max: largest }
  }
  if (!isInteger(dtype)) return dtype === 'bool' ? { min: false, max: true } : { min: undefined, max: undefined }
  const { min, max } = integerRange(dtype)
  return bitsOf(dtype) === 64 ? { min, max } : { min: Number(min), max: Number(max) }
}

const known = new Map<DType, DTypeInfo>()

/**
 * The facts about an element type, such as `dtypeInfo('int8').max`.
 *
 * @example
 * ```ts
 * dtypeInfo('float16').max // 65504
 * ```
 */
export function dtypeInfo<const D extends DType>(dtype: D): DTypeInfo<D> {
  const type = dtypeOf(dtype)
  let info = known.get(type)
  if (info === undefined) {
    const bits = bitsOf(type)
    info = {
      dtype: type,
      kind: kindOf(type),
      bits,
      bytes: bits / 8,
      isFloat: isFloat(type),
      isInteger: isInteger(type),
      ...rangeOf(type),
      precision: FORMATS[type]?.[0],
      array: arrayClassOf(type),
      computesIn: isHalf(type) ? 'float32' : type,
    }
    known.set(type, Object.freeze(info))
  }
  return info as DTypeInfo<D>
}
