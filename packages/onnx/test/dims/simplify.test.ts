// What the sizes of common operators come down to. That every simplification is right is proven in properties.test.ts.
import { describe, expect, it } from 'vitest'
import {
  add,
  bounds,
  ceilDiv,
  clamp,
  constantOf,
  type Dim,
  type DimLike,
  floorDiv,
  floorMod,
  floorScale,
  format,
  isAtMost,
  isDivisible,
  isEqual,
  isLess,
  max,
  mul,
  neg,
  parse,
  product,
  sameForm,
  sub,
  sum,
  symbol,
  truncDiv,
} from '../../src/dims/index.ts'

const [N, M, C, H, W] = ['N', 'M', 'C', 'H', 'W'].map((name) => symbol(name)) as [Dim, Dim, Dim, Dim, Dim]

/** The output size of a convolution or pooling. */
const windows = (size: DimLike, kernel: number, stride: number, pads = 0, dilation = 1): Dim =>
  add(floorDiv(sub(add(size, pads), dilation * (kernel - 1) + 1), stride), 1)

/** The size of a slice with a positive step. */
const slice = (size: Dim, start: DimLike, end: DimLike, step = 1): Dim =>
  max(ceilDiv(sub(clamp(end, 0, size), clamp(start, 0, size)), step), 0)

describe('convolution and pooling', () => {
  it('that keep the size give the size itself', () => {
    expect(windows(H, 3, 1, 2).key).toBe('H')
    expect(windows(H, 3, 1, 4, 2).key).toBe('H')
  })

  it('chained are one division', () => {
    let size: Dim = H
    const texts = [1, 2, 3, 4].map(() => format((size = windows(size, 3, 2, 2))))
    expect(texts).toEqual(['floor((H + 1)/2)', 'floor((H + 3)/4)', 'floor((H + 7)/8)', 'floor((H + 15)/16)'])
    expect(format(windows(windows(H, 5, 2), 2, 2))).toBe('floor((H - 3)/4)')
    expect(format(windows(windows(H, 3, 1), 3, 1))).toBe('H - 4')
  })

  it('undone by upsampling is the size rounded up', () => {
    expect(format(mul(windows(H, 2, 2), 2))).toBe('2*floor(H/2)')
    expect(windows(mul(H, 2), 2, 2).key).toBe('H')
    expect(format(sub(H, mul(windows(H, 2, 2), 2)))).toBe('mod(H, 2)')
  })

  it('have sizes that bounds know', () => {
    const size = windows(symbol('S', { min: 1, max: 224 }), 7, 2, 6)
    expect(bounds(size)).toEqual({ min: 1n, max: 112n })
  })
})

describe('Resize', () => {
  it('multiplies by exact fractions', () => {
    expect(floorScale(H, 2).key).toBe(mul(H, 2).key)
    expect(format(floorScale(H, 1.5))).toBe('floor(3*H/2)')
    expect(format(floorScale(H, 0.25))).toBe('floor(H/4)')
    expect(floorScale(mul(H, 4), 0.25).key).toBe('H')
    expect(format(floorScale(H, 2.5))).toBe('floor(5*H/2)')
    expect(floorScale(7, 0.1).key).toBe('0')
    expect(() => floorScale(H, Number.NaN)).toThrow(expect.objectContaining({ code: 'DIM_VALUE' }))
  })
})

describe('Reshape', () => {
  const half = windows(H, 3, 2, 2)

  it.each<[string, Dim, Dim, string]>([
    ['products', product([N, C, H, W]), mul(C, H), 'N*W'],
    ['numbers', mul(product([N, C]), 12), mul(C, 4), '3*N'],
    ['floors inside', product([N, C, half, half]), mul(C, half), 'N*floor((H + 1)/2)'],
    ['sums', mul(add(N, 1), C), add(N, 1), 'C'],
    ['sums times products', product([add(N, 1), C, W]), mul(add(N, 1), W), 'C'],
    ['sums times numbers', mul(mul(add(N, 1), C), 8), mul(add(N, 1), 4), '2*C'],
    ['products of sums', mul(add(N, 1), sub(M, 2)), sub(M, 2), 'N + 1'],
    ['what is left over', product([N, C, H]), mul(C, 4), 'floor(H*N/4)'],
    ['what does not divide', mul(N, 6), mul(C, 4), 'floor(3*N/(2*C))'],
  ])('divides out %s', (_, all, known, left) => {
    expect(format(floorDiv(all, known))).toBe(left)
    // Sizes are not negative, so ONNX's division is the same.
    expect(format(truncDiv(all, known))).toBe(left)
  })
})

describe('Slice', () => {
  const past = symbol('past', { min: 1 })

  it('needs no clamping where bounds prove it', () => {
    expect(slice(N, 0, N).key).toBe('N')
    expect(format(slice(past, 0, sub(past, 1)))).toBe('past - 1')
    expect(slice(past, sub(past, 1), past).key).toBe('1')
    expect(format(slice(N, floorDiv(N, 2), N))).toBe('N - floor(N/2)')
    expect(add(slice(N, 0, floorDiv(N, 2)), slice(N, floorDiv(N, 2), N)).key).toBe('N')
    expect(slice(add(past, M), past, add(past, M)).key).toBe('M')
    expect(slice(add(past, M), M, add(past, M)).key).toBe('past')
  })

  it('is clamped where sizes decide', () => {
    expect(format(slice(N, 0, 3))).toBe('min(N, 3)')
    expect(format(slice(N, 2, N))).toBe('max(N - 2, 0)')
    expect(format(max(sub(N, 5), 0))).toBe('max(N - 5, 0)')
    expect(slice(symbol('S', { min: 8 }), 2, 5).key).toBe('3')
  })

  it('with a step rounds up', () => {
    expect(format(slice(N, 0, N, 2))).toBe('floor((N + 1)/2)')
    expect(slice(N, 0, N, 2).key).toBe(windows(N, 3, 2, 2).key)
    expect(slice(mul(N, 2), 1, mul(N, 2), 2).key).toBe('N')
  })
})

describe('sums and products', () => {
  it('of many', () => {
    expect(format(sum([N, 1, M, N, -1]))).toBe('M + 2*N')
    expect(format(product([N, 2, N, M]))).toBe('2*M*N^2')
    expect(product([]).key).toBe('1')
    expect(sum([]).key).toBe('0')
    expect(constantOf(sub(add(N, 4), N))).toBe(4n)
    expect(constantOf(N)).toBeUndefined()
  })

  it('of 64-bit values and beyond are exact', () => {
    const most = 2n ** 63n - 1n
    expect(add(most, most).key).toBe(String(2n ** 64n - 2n))
    expect(format(clamp(most, 0, N))).toBe(`min(N, ${most})`)
    expect(clamp(most, 0, symbol('S', { max: most })).key).toBe('S')
    expect(clamp(-most, 0, N).key).toBe('0')
  })
})

describe('divisibility', () => {
  it('is known from the form', () => {
    expect(isDivisible(mul(N, 4), 2)).toBe(true)
    expect(isDivisible(add(mul(N, 4), 1), 2)).toBe(false)
    expect(isDivisible(N, 2)).toBeUndefined()
    expect(isDivisible(mul(N, M), M)).toBe(true)
    expect(isDivisible(sub(N, floorMod(N, 8)), 4)).toBe(true)
    expect(floorDiv(mul(N, 2), 2).key).toBe('N')
    expect(floorDiv(add(mul(N, 2), 1), 2).key).toBe('N')
    expect(format(floorDiv(add(mul(N, 4), 3), 6))).toBe('floor((2*N + 1)/3)')
  })
})

describe('quotients that bounds decide', () => {
  it('are numbers', () => {
    expect(floorDiv(N, add(N, 1)).key).toBe('0')
    expect(floorDiv(neg(add(N, 1)), add(N, 1)).key).toBe('-1')
    expect(floorDiv(symbol('s', { min: 4, max: 7 }), 4).key).toBe('1')
    expect(format(floorDiv(add(mul(N, 4), 1), 4))).toBe('N')
    expect(format(floorDiv(add(N, 1), 4))).toBe('floor((N + 1)/4)')
    expect(floorDiv(add(mul(N, 4), 6), 8).key).toBe('floor((N+1)/2)')
    expect(floorDiv(add(mul(N, 4), 3), 8).key).toBe('floor(N/2)')
  })
})

describe('comparisons', () => {
  it('see through floors, extremes and products', () => {
    expect(isAtMost(floorDiv(N, 2), N)).toBe(true)
    expect(isLess(floorDiv(N, 2), add(N, 1))).toBe(true)
    expect(isAtMost(N, mul(N, symbol('K', { min: 1 })))).toBe(true)
    expect(isAtMost(N, mul(N, M))).toBeUndefined()
    expect(isAtMost(clamp(M, 0, N), N)).toBe(true)
    expect(isAtMost(max(sub(N, 3), 0), N)).toBe(true)
    expect(isLess(floorMod(N, 4), 4)).toBe(true)
    expect(isLess(N, N)).toBe(false)
  })

  it('prove what forms do not show', () => {
    const up = sub(N, floorDiv(N, 2))
    expect(sameForm(up, ceilDiv(N, 2))).toBe(false)
    expect(isEqual(up, ceilDiv(N, 2))).toBe(true)
    expect(isEqual(neg(floorDiv(neg(N), 3)), ceilDiv(N, 3))).toBe(true)
  })

  it('know what is never equal', () => {
    expect(isEqual(mul(N, 2), 1)).toBe(false)
    expect(isEqual(add(mul(N, 6), mul(M, 4)), 3)).toBe(false)
    expect(isEqual(N, add(N, 1))).toBe(false)
    expect(isEqual(N, M)).toBeUndefined()
    expect(isEqual(symbol('K', { min: 5 }), 4)).toBe(false)
  })
})

describe('printing', () => {
  it.each([
    ['1 + N*2', '2*N + 1'],
    ['-N + 3', '3 - N'],
    ['-N', '-N'],
    ['N - M - 1', 'N - M - 1'],
    ['- -N', 'N'],
    ['max(1, N)', 'max(N, 1)'],
    ['max(N, 1) + 1', 'max(N, 1) + 1'],
    ['max(N + 1, M + 1)', 'max(M, N) + 1'],
    ['max(2*N, 2*M)', '2*max(M, N)'],
    ['max(C*N, C*M)', 'C*max(M, N)'],
    ['min(max(M, 2), N)', 'min(N, max(M, 2))'],
    ['floor(max(N, 5)/2)', 'max(floor(N/2), 2)'],
    ['floor((A - B)/4)', 'floor((A - B)/4)'],
    ['N // 2 + 1', 'floor(N/2) + 1'],
    ['N % 4', 'mod(N, 4)'],
    ['N % M', 'mod(N, M)'],
    ['2*(N % 4) + 1', '2*mod(N, 4) + 1'],
    ['(4 - N % 4) % 4', 'mod(-N, 4)'],
    ['N + (4 - N % 4) % 4', '4*floor((N + 3)/4)'],
    ['floor(3*N/4)', 'floor(3*N/4)'],
    ['2*floor((2*N - P + 1)/3) + 4*N', '2*floor((8*N - P + 1)/3)'],
    ['5 - 3*floor(N/7)', '5 - 3*floor(N/7)'],
    ['N - 3*floor(N/7)', 'N - 3*floor(N/7)'],
    ['abs(N - M)', '2*max(M, N) - M - N'],
    ['trunc(N/2)', 'floor(N/2)'],
    ['ceil(N/2)', 'floor((N + 1)/2)'],
    ['floor(1.5*N + 0.5)', 'floor((3*N + 1)/2)'],
    ['floor(N/(C*H))', 'floor(N/(C*H))'],
    ['floor(N/(C + 1))', 'floor(N/(C + 1))'],
    ['N^2*M - 1', 'M*N^2 - 1'],
    ['6*N/3', '2*N'],
    ['0', '0'],
    ['"two words" + 1', '"two words" + 1'],
  ])('%s reads %s', (text, expected) => {
    expect(format(parse(text))).toBe(expected)
  })
})
