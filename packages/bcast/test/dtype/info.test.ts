// The facts about element types, against what tensors of them hold and refuse.
import '../../src/real.ts'
import { floatFormats, largest } from '@bcast/spec'
import { cast, type DType, DTypeError, dtypeInfo, dtypes, empty, tensor, ValueError } from 'bcast'
import { describe, expect, it } from 'vitest'

describe('dtypeInfo', () => {
  it.each(dtypes)('%s: what data is', (dtype) => {
    const { array, bytes, bits } = dtypeInfo(dtype)
    const { data } = empty([3], { dtype })
    if (array === undefined) expect([Array.isArray(data), bytes, bits]).toEqual([true, 0, 0])
    else {
      expect(data).toBeInstanceOf(array)
      expect((data as Uint8Array).byteLength).toBe(3 * bytes)
      expect(bits).toBe(8 * bytes)
      expect(new array(2)).toHaveLength(2)
    }
  })
})

describe('the range', () => {
  const integers = dtypes.filter((dtype) => dtypeInfo(dtype).isInteger)
  it.each(integers)('of %s is what a tensor holds', (dtype) => {
    const { min, max } = dtypeInfo(dtype) as { min: number | bigint; max: number | bigint }
    expect(tensor([min, max], { dtype }).toArray()).toEqual([min, max])
    for (const beyond of [BigInt(min) - 1n, BigInt(max) + 1n])
      expect(() => tensor(beyond, { dtype })).toThrow(ValueError)
  })

  const floats = dtypes.filter((dtype) => dtypeInfo(dtype).isFloat)
  it.each(floats)('of %s ends at the largest finite number', (dtype) => {
    const { min, max, precision } = dtypeInfo(dtype)
    expect([min, max]).toEqual([-Number(max), Number(largest(dtype as 'float32'))])
    expect(precision).toBe(floatFormats[dtype as 'float32'].precision)
    expect(cast(tensor(max as number, { dtype: 'float64' }), dtype).toArray()).toBe(max)
  })

  it('of bool is false and true, and strings have none', () => {
    expect(dtypeInfo('bool')).toMatchObject({ kind: 'bool', min: false, max: true, isInteger: false, isFloat: false })
    expect(dtypeInfo('string')).toMatchObject({ min: undefined, max: undefined, precision: undefined })
  })
})

it('16-bit floats are computed with in float32, others in themselves', () => {
  const computing = (dtype: DType): DType => dtypeInfo(dtype).computesIn
  expect(dtypes.filter((dtype) => computing(dtype) !== dtype)).toEqual(['float16', 'bfloat16'])
  expect([computing('float16'), computing('bfloat16')]).toEqual(['float32', 'float32'])
})

it('takes the names that documents use, and refuses others', () => {
  expect(dtypeInfo('double' as DType)).toBe(dtypeInfo('float64'))
  expect(() => dtypeInfo('float8' as DType)).toThrow(DTypeError)
})
