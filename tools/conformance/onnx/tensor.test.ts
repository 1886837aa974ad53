import { describe, expect, it } from 'vitest'
import {
  bytesField,
  doubleBytes,
  doubleField,
  floatBytes,
  floatField,
  join,
  packedVarints,
  textField,
  varintField,
} from './bytes.ts'
import { readTensor, type TensorProto, UnsupportedOnnxError } from './tensor.ts'
import { DamagedOnnxError, spanOf } from './wire.ts'

const read = (...parts: Uint8Array[]): TensorProto => readTensor(spanOf(join(...parts)))
const head = (dataType: number, dims: readonly number[]): Uint8Array =>
  join(packedVarints(1, dims), varintField(2, dataType), textField(8, 'x'))
const raw = (...bytes: number[]): Uint8Array => bytesField(9, Uint8Array.from(bytes))

describe('TensorProto', () => {
  it('reads raw_data of every type', () => {
    expect(read(head(1, [2]), bytesField(9, floatBytes([1.5, -2])))).toEqual({
      name: 'x',
      dtype: 'float32',
      shape: [2],
      values: [1.5, -2],
    })
    expect(read(head(2, [2]), raw(1, 255)).values).toEqual([1, 255])
    expect(read(head(3, [2]), raw(1, 255)).values).toEqual([1, -1])
    expect(read(head(4, [1]), raw(0xfe, 0xff)).values).toEqual([65534])
    expect(read(head(5, [1]), raw(0xfe, 0xff)).values).toEqual([-2])
    expect(read(head(6, [1]), raw(0xfe, 0xff, 0xff, 0xff)).values).toEqual([-2])
    expect(read(head(7, [1]), raw(0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)).values).toEqual([-2n])
    expect(read(head(9, [3]), raw(0, 1, 2)).values).toEqual([false, true, true])
    expect(read(head(10, [6]), raw(0, 0x3c, 1, 0, 0, 0x7c, 0, 0xfc, 1, 0x7c, 0xff, 0xfb)).values).toEqual([
      1,
      2 ** -24,
      Infinity,
      -Infinity,
      NaN,
      -65504,
    ])
    expect(read(head(11, [1]), bytesField(9, doubleBytes([0.1]))).values).toEqual([0.1])
    expect(read(head(12, [1]), raw(0xfe, 0xff, 0xff, 0xff)).values).toEqual([2 ** 32 - 2])
    expect(read(head(13, [1]), raw(0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)).values).toEqual([2n ** 64n - 2n])
    expect(read(head(16, [3]), raw(0x80, 0x3f, 0, 0xc0, 0x80, 0xff)).values).toEqual([1, -2, -Infinity])
  })

  it('reads the typed field of every type', () => {
    expect(read(head(1, [2]), bytesField(4, floatBytes([1.5, -2]))).values).toEqual([1.5, -2])
    expect(read(head(1, [2]), floatField(4, 1.5), floatField(4, -2)).values).toEqual([1.5, -2])
    expect(read(head(2, [1]), packedVarints(5, [255])).values).toEqual([255])
    expect(read(head(3, [1]), packedVarints(5, [-1])).values).toEqual([-1])
    expect(read(head(4, [1]), packedVarints(5, [65535])).values).toEqual([65535])
    expect(read(head(5, [1]), packedVarints(5, [-32768])).values).toEqual([-32768])
    expect(read(head(6, [2]), varintField(5, -7), varintField(5, 7)).values).toEqual([-7, 7])
    expect(read(head(7, [1]), packedVarints(7, [-(2n ** 63n)])).values).toEqual([-(2n ** 63n)])
    expect(read(head(8, [2]), textField(6, 'ab'), textField(6, '')).values).toEqual(['ab', ''])
    expect(read(head(9, [2]), packedVarints(5, [1, 0])).values).toEqual([true, false])
    expect(read(head(10, [2]), packedVarints(5, [0x3c00, 0x8001])).values).toEqual([1, -(2 ** -24)])
    expect(read(head(11, [2]), doubleField(10, 0.1), doubleField(10, 0.2)).values).toEqual([0.1, 0.2])
    expect(read(head(12, [1]), packedVarints(11, [2 ** 32 - 1])).values).toEqual([2 ** 32 - 1])
    expect(read(head(13, [1]), packedVarints(11, [2n ** 64n - 1n])).values).toEqual([2n ** 64n - 1n])
    expect(read(head(16, [1]), packedVarints(5, [0x3f80])).values).toEqual([1])
  })

  it('reads rank 0, and no elements', () => {
    expect(read(head(1, []), floatField(4, 3))).toMatchObject({ shape: [], values: [3] })
    expect(read(head(1, [2, 0]))).toMatchObject({ shape: [2, 0], values: [] })
    expect(read(head(1, [0]), raw())).toMatchObject({ shape: [0], values: [] })
  })

  it('refuses a tensor that does not hold together, with the place', () => {
    const at = (...parts: Uint8Array[]): number => {
      try {
        read(...parts)
      } catch (error) {
        if (error instanceof DamagedOnnxError) return error.offset
        throw error
      }
      throw new Error('nothing was thrown')
    }
    const two = head(1, [2])
    expect(at(two, bytesField(9, floatBytes([1])))).toBe(two.length)
    expect(at(two, floatField(4, 1))).toBe(two.length)
    expect(at(two)).toBe(0)
    expect(at(two, floatField(4, 1), floatField(4, 1), bytesField(9, floatBytes([1, 2])))).toBe(two.length)
    expect(at(head(3, [1]), packedVarints(5, [128]))).toBe(head(3, [1]).length)
    expect(at(head(9, [1]), packedVarints(5, [2]))).toBe(head(9, [1]).length)
    expect(at(head(10, [1]), packedVarints(5, [65536]))).toBe(head(10, [1]).length)
    expect(at(head(8, [1]), raw(65))).toBe(head(8, [1]).length)
    expect(at(head(1, [-1]))).toBe(0)
    expect(at(packedVarints(1, [1]), floatField(4, 1))).toBe(0)
  })

  it('tells what is legal but has no counterpart', () => {
    expect(() => read(head(14, [1]), bytesField(9, floatBytes([1, 2])))).toThrow(UnsupportedOnnxError)
    expect(() => read(head(1, [1]), varintField(14, 1))).toThrow(/another file/)
  })
})
