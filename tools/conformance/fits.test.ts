import { describe, expect, it } from 'vitest'
import { castWritten, dimFits, elementFits, shapeFits, toFloat, writtenFits } from './fits.ts'

describe('dimensions', () => {
  it('pass when equal or tighter', () => {
    expect(dimFits(3, 3)).toBe(true)
    expect(dimFits(3, null)).toBe(true)
    expect(dimFits('N', 'N')).toBe(true)
    expect(dimFits('N', null)).toBe(true)
    expect(dimFits({ min: 2, max: 4 }, { min: 1, max: 4 })).toBe(true)
    expect(dimFits({ min: 2, max: 4 }, { min: 2, max: null })).toBe(true)
    expect(dimFits(4, { min: 2, max: 4 })).toBe(true)
    expect(dimFits(null, { min: 0, max: null })).toBe(true)
  })

  it('fail when different or wider', () => {
    expect(dimFits(3, 4)).toBe(false)
    expect(dimFits(null, 4)).toBe(false)
    expect(dimFits('M', 'N')).toBe(false)
    expect(dimFits(4, 'N')).toBe(false)
    expect(dimFits(5, { min: 2, max: 4 })).toBe(false)
    expect(dimFits({ min: 1, max: 4 }, { min: 2, max: 4 })).toBe(false)
    expect(dimFits({ min: 2, max: null }, { min: 2, max: 4 })).toBe(false)
    expect(dimFits(null, { min: 1, max: null })).toBe(false)
    expect(dimFits('N', { min: 0, max: 9 })).toBe(false)
  })

  it('make a shape that passes only with the expected rank', () => {
    expect(shapeFits([2, 3], null)).toBe(true)
    expect(shapeFits(null, null)).toBe(true)
    expect(shapeFits(null, [null])).toBe(false)
    expect(shapeFits([2], [2, 3])).toBe(false)
    expect(shapeFits([2, 3], [2, null])).toBe(true)
  })
})

describe('elements', () => {
  it('are exact, NaN equal to NaN, zeros whatever their sign', () => {
    expect(elementFits(NaN, NaN, 'float32', false)).toBe(true)
    expect(elementFits(-0, 0, 'float32', false)).toBe(true)
    expect(elementFits(1, 1 + 2 ** -23, 'float32', false)).toBe(false)
    expect(elementFits(2n, 2n, 'int64', false)).toBe(true)
    expect(elementFits(2n, 3n, 'int64', true)).toBe(false)
    expect(elementFits(2, 2n, 'int64', false)).toBe(false)
    expect(elementFits(true, false, 'bool', false)).toBe(false)
  })

  it('may miss by the tolerance of an approximate operator', () => {
    expect(elementFits(1.000009, 1, 'float32', true)).toBe(true)
    expect(elementFits(1.00002, 1, 'float32', true)).toBe(false)
    expect(elementFits(1.0019, 1, 'float16', true)).toBe(true)
    expect(elementFits(1.0021, 1, 'bfloat16', true)).toBe(false)
    expect(elementFits(Infinity, 1, 'float32', true)).toBe(false)
  })

  it('are cast as the type demands', () => {
    expect(castWritten(135424, 'float16')).toBe(Infinity)
    expect(castWritten(65519, 'float16')).toBe(65504)
    expect(castWritten(65520, 'float16')).toBe(Infinity)
    expect(castWritten(2049, 'float16')).toBe(2048)
    expect(castWritten(2051, 'float16')).toBe(2052)
    expect(castWritten(2 ** -25, 'float16')).toBe(0)
    expect(castWritten(3 * 2 ** -25, 'float16')).toBe(2 ** -23)
    expect(castWritten(257, 'bfloat16')).toBe(256)
    expect(castWritten(0.1, 'float32')).toBe(Math.fround(0.1))
    expect(castWritten('-Infinity', 'float64')).toBe(-Infinity)
    expect(castWritten('NaN', 'float16')).toBeNaN()
    expect(castWritten(300, 'uint8')).toBe(44)
    expect(castWritten(-1, 'uint16')).toBe(65535)
    expect(castWritten('9223372036854775808', 'uint64')).toBe(2n ** 63n)
    expect(castWritten(-3, 'int64')).toBe(-3n)
    expect(castWritten(1, 'bool')).toBe(true)
    expect(castWritten('1', 'string')).toBe('1')
  })

  it('round to sixteen bits as the formats do, on both sides of a power of two', () => {
    for (let exponent = -14; exponent < 15; exponent++) {
      const step = 2 ** (exponent - 10)
      expect(toFloat(2 ** exponent + step / 2, 'float16')).toBe(2 ** exponent)
      expect(toFloat(2 ** exponent + step * 1.5, 'float16')).toBe(2 ** exponent + 2 * step)
      expect(toFloat(-(2 ** exponent), 'float16')).toBe(-(2 ** exponent))
    }
  })

  it('allow for the rounding of a written decimal, and for that alone', () => {
    const third = Math.fround(1 / 3)
    expect(writtenFits(third, 0.3333333, 'float32', false)).toBe(true)
    expect(writtenFits(third, 0.333, 'float32', false)).toBe(false)
    expect(writtenFits(0.25 + 2 ** -25, 0.25, 'float32', false)).toBe(false)
    expect(writtenFits(3 + 2 ** -22, 3, 'float32', false)).toBe(false)
    expect(writtenFits(2050, 2049, 'float16', false)).toBe(false)
    expect(writtenFits(Infinity, 135424, 'float16', false)).toBe(true)
  })
})
