// JavaScript values to stored elements and back: a value that a type cannot hold is an error, never a wrap.
import '../../src/real.ts'
import { integerTypes, isInteger, integerRange as specRange } from '@bcast/spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { element, sameElement, type Value } from '../../../../testing/elements.ts'
import {
  type DType,
  dtypeOf,
  dtypeOfArray,
  dtypes,
  isFloat,
  isWide,
  kindOf,
  makeStorage,
} from '../../src/dtype/dtype.ts'
import { fromStored, integerRange, toStored } from '../../src/dtype/element.ts'
import { DTypeError, ValueError } from '../../src/errors/index.ts'
import { settings } from '../support/oracle.ts'

describe('element types', () => {
  it('are fifteen, in one order', () => {
    expect(dtypes).toEqual([
      ...['float16', 'bfloat16', 'float32', 'float64'],
      ...['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'],
      ...['bool', 'string', 'real'],
    ])
  })

  it.each(integerTypes)('%s has the range of its width', (dtype) => {
    expect(integerRange(dtype)).toEqual(specRange(dtype))
    expect(isWide(dtype)).toBe(dtype.endsWith('64'))
    expect(kindOf(dtype)).toBe(dtype.startsWith('u') ? 'uint' : 'int')
  })

  it('names mean themselves, or the type that a document calls so', () => {
    for (const dtype of dtypes) expect(dtypeOf(dtype)).toBe(dtype)
    expect([dtypeOf('float'), dtypeOf('double'), dtypeOf('boolean')]).toEqual(['float32', 'float64', 'bool'])
    for (const name of ['Float32', 'int', 'constructor', '', 32, undefined, {}, null])
      expect(() => dtypeOf(name)).toThrow(DTypeError)
    for (const name of ['complex64', 'complex128', 'int4', 'uint4', 'int2', 'float8e5m2', 'float4e2m1'])
      expect(() => dtypeOf(name)).toThrow(`"${name}" is not supported.`)
  })

  it('storage starts as zero, false or empty', () => {
    for (const dtype of dtypes) {
      const storage = makeStorage(dtype, 3) as ArrayLike<unknown>
      expect(storage).toHaveLength(3)
      if (dtype !== 'real')
        expect(fromStored(dtype, storage as never, 2)).toBe(
          dtype === 'string' ? '' : dtype === 'bool' ? false : isWide(dtype) ? 0n : 0,
        )
    }
  })

  it('arrays of no type of ours have none', () => {
    expect(dtypeOfArray(new DataView(new ArrayBuffer(1)))).toBeUndefined()
  })
})

describe('toStored and fromStored', () => {
  it.each(dtypes.filter((dtype) => dtype !== 'real'))('%s keeps every value of the type', (dtype) => {
    fc.assert(
      fc.property(element(dtype), (value) => {
        const storage = makeStorage(dtype, 1) as unknown as unknown[]
        storage[0] = toStored(dtype, value)
        expect(sameElement(fromStored(dtype, storage as never, 0) as Value, value)).toBe(true)
      }),
      settings(300),
    )
  })

  it('integers accept exactly the integers in range, of any kind', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...dtypes.filter((dtype) => isInteger(dtype))),
        fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }),
        fc.boolean(),
        (dtype, value, asNumber) => {
          const given = asNumber ? Number(value) : value
          const exact = BigInt(given)
          const { min, max } = integerRange(dtype)
          if (exact >= min && exact <= max) expect(BigInt(toStored(dtype, given) as number)).toBe(exact)
          else expect(() => toStored(dtype, given)).toThrow(ValueError)
        },
      ),
      settings(600),
    )
  })

  it('refuses other kinds, naming the value', () => {
    const refused: [DType, unknown, string][] = [
      ['float32', '1', '"1" cannot be an element of type float32: it is not a number.'],
      ['float16', {}, '[object Object] cannot be an element of type float16'],
      ['int8', '1', 'it is not a number'],
      ['int8', 1e300, 'it lies outside -128 to 127'],
      ['int64', 0.5, 'it is not an integer'],
      ['bool', 'true', 'it is not a boolean'],
      ['bool', -1, 'it is not a boolean'],
      ['string', 1, 'it is not a string'],
      ['real', Infinity, 'it is not a finite number'],
      ['real', true, 'it is not a finite number'],
    ]
    for (const [dtype, value, message] of refused) expect(() => toStored(dtype, value)).toThrow(message)
    expect(() => toStored('int8', 200n, [1, 2])).toThrow('200n at [1, 2] cannot be an element of type int8')
  })

  it('floats take bigints and booleans too', () => {
    for (const dtype of dtypes.filter(isFloat)) {
      expect(fromStored(dtype, [toStored(dtype, 3n)] as never, 0)).toBe(3)
      expect(fromStored(dtype, [toStored(dtype, true)] as never, 0)).toBe(1)
    }
  })
})
