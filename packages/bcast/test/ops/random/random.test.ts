// Random numbers: the generator against its authors' vectors, draws against their definition and on every backend, and
// the distributions by tests that a wrong one fails.
import { roundNumber } from '@bcast/spec'
import { cast, configure, normal, random, type Tensor, uniform } from 'bcast'
import { describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../../testing/backends.ts'
import { elementsOf } from '../../../../../testing/elements.ts'
import { philox } from '../../../src/ops/random/philox.ts'

const floats = ['float16', 'bfloat16', 'float32', 'float64'] as const

describe('Philox4x32-10', () => {
  // From kat_vectors of Random123, by the authors of the generator: counter, key, block.
  it.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ])('counter %s', (counter, key, block) => {
    const words = new Uint32Array(4)
    const [c0, c1, c2, c3] = counter as [number, number, number, number]
    philox(c0, c1, c2, c3, key[0]!, key[1]!, words, 0)
    expect([...words]).toEqual(block)
  })

  it('is read block by block, with the seed as key and the stream above the count', () => {
    const words = new Uint32Array(8)
    const seed = 0x299f31d0_a4093822n
    philox(0, 0, 7, 0, 0xa4093822, 0x299f31d0, words, 0)
    philox(1, 0, 7, 0, 0xa4093822, 0x299f31d0, words, 4)
    const stream = random(seed, { stream: 7 })
    expect([...stream.words(3), ...stream.words(4)]).toEqual([...words])
    expect(stream.position).toBe(2n)
  })
})

describe('uniform', () => {
  const BITS = { float16: 11, bfloat16: 8, float32: 24, float64: 53 }

  it.each(floats)('%s is the upper bits of its words, moved to the range and rounded once', (dtype) => {
    const words = random(9).words(dtype === 'float64' ? 14 : 7)
    const wanted = Array.from({ length: 7 }, (_, i) => {
      const word = (at: number): bigint => BigInt(words[at]!)
      const bits =
        dtype === 'float64'
          ? ((word(2 * i) >> 5n) << 26n) | (word(2 * i + 1) >> 6n)
          : word(i) >> BigInt(32 - BITS[dtype])
      return Number(bits) / 2 ** BITS[dtype]
    })
    expect(elementsOf(uniform(random(9), [7], { dtype }) as Tensor)).toEqual(wanted)
    expect(elementsOf(uniform(random(9), [7], { dtype, low: -3, high: 5 }) as Tensor)).toEqual(
      wanted.map((u) => roundNumber(dtype, -3 + u * 8)),
    )
  })

  it('goes on where the last draw ended, and begins again with the seed', () => {
    const stream = random(42)
    const [first, second] = [uniform(stream, [2, 2]), uniform(stream, [2, 2])]
    expect(first.toArray()).not.toEqual(second.toArray())
    expect(uniform(random(42), [2, 4]).data.slice(4)).toEqual(second.data)
    expect(uniform(random(42, { stream: 1 }), [2, 2]).toArray()).not.toEqual(first.toArray())
    expect(uniform(random(43), [2, 2]).toArray()).not.toEqual(first.toArray())
    expect(uniform(stream, [0, 3]).toArray()).toEqual([])
  })

  it('fills its range evenly', () => {
    const { data } = uniform(random(1), [100_000])
    const counts = new Array<number>(100).fill(0)
    for (const x of data as Float32Array) counts[Math.floor(x * 100)]!++
    // Of 99 degrees of freedom: one in ten thousand seeds lies outside.
    const chi = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)
    expect(chi).toBeGreaterThan(52)
    expect(chi).toBeLessThan(161)
  })
})

describe('normal', () => {
  it('is the same on every backend, to the bit', () => {
    for (const dtype of floats) {
      const draws = everyBackend.map(({ use }) => {
        use()
        return elementsOf(normal(random(5), [3, 333], { dtype, mean: 1, std: 3 }) as Tensor)
      })
      anyBackend()
      for (const draw of draws) expect(draw).toEqual(draws[0])
    }
  })

  it('stays what it was', () => {
    configure({ backend: 'auto' })
    expect([...normal(random(42), [4], { dtype: 'float64' }).data]).toEqual([
      1.2345418209781556, 0.6118499302684758, -2.9550533674680803, -0.25885655924451106,
    ])
  })

  it('is what Box and Muller say, of the words of its stream', () => {
    const words = random(3).words(40)
    const at = (i: number): number => ((words[2 * i]! >>> 5) * 2 ** 26 + (words[2 * i + 1]! >>> 6)) / 2 ** 53
    const made = normal(random(3), [20], { dtype: 'float64' }).data
    for (let i = 0; i < 10; i++) {
      const [u, v] = [1 - at(2 * i), at(2 * i + 1)]
      const radius = Math.sqrt(-2 * Math.log(u))
      expect(made[2 * i]).toBeCloseTo(radius * Math.cos(2 * Math.PI * v), 13)
      expect(made[2 * i + 1]).toBeCloseTo(radius * Math.sin(2 * Math.PI * v), 13)
    }
  })

  it('has an odd number of elements, one, or none', () => {
    const even = normal(random(8), [6]).data
    expect(normal(random(8), [5]).data).toEqual(even.slice(0, 5))
    expect(normal(random(8), []).get()).toBe(even[0])
    expect(normal(random(8), [0]).toArray()).toEqual([])
  })

  it('has the moments and the tails of the normal distribution', () => {
    const { data } = normal(random(2), [200_000], { dtype: 'float64' })
    const moment = (power: number): number => data.reduce((sum, x) => sum + x ** power, 0) / data.length
    expect(Math.abs(moment(1))).toBeLessThan(0.01)
    expect(Math.abs(moment(2) - 1)).toBeLessThan(0.015)
    expect(Math.abs(moment(3))).toBeLessThan(0.03)
    expect(Math.abs(moment(4) - 3)).toBeLessThan(0.12)
    const beyond = (limit: number): number => data.filter((x) => Math.abs(x) > limit).length / data.length
    expect(Math.abs(beyond(1) - 0.3173)).toBeLessThan(0.005)
    expect(Math.abs(beyond(3) - 0.0027)).toBeLessThan(0.0005)
    // Neighbours come from one block and must not follow from each other.
    const product = data.reduce((sum, x, i) => sum + (i % 2 === 0 ? x * data[i + 1]! : 0), 0) / (data.length / 2)
    expect(Math.abs(product)).toBeLessThan(0.015)
  })
})

describe('the widest range of a type', () => {
  it.each([
    ['float16', 65504],
    ['bfloat16', 3.38e38],
    // What C calls FLT_MAX, in the digits that people write.
    ['float32', 3.4028235e38],
    ['float64', Number.MAX_VALUE / 2],
  ] as const)('of %s is drawn from', (dtype, most) => {
    const drawn = cast(uniform(random(3), [1000], { dtype, low: -most, high: most }), 'float64')
    expect((drawn.data as Float64Array).every((element) => Math.abs(element) <= most * 1.01)).toBe(true)
  })

  it('has all normal numbers in it', () => {
    const { data } = normal(random(4), [10_000], { dtype: 'float32', std: 3.9e37 })
    expect((data as Float32Array).every(Number.isFinite)).toBe(true)
  })
})

describe('refused', () => {
  it.each([
    [() => random(-1), 'random: seed is -1; it is an integer from 0 to 2^64 - 1.'],
    [() => random(0.5), 'random: seed is 0.5'],
    [() => random(undefined as never), 'random: seed is undefined'],
    [() => random(2n ** 64n), 'random: seed is 18446744073709551616n'],
    [() => random(1, { streams: 1 } as never), 'random has no option streams; it has stream.'],
    [
      () => uniform([2, 3] as never, [2]),
      'uniform draws from a stream: uniform(random(42), [2, 3]); it was given [2, 3].',
    ],
    [() => uniform(random(1), 3 as never), 'shape is not an array'],
    [
      () => uniform(random(1), [2], { dtype: 'int32' as never }),
      "uniform draws floats, not int32; cast(floor(uniform(…)), 'int32')",
    ],
    [() => uniform(random(1), [2], { min: 0 } as never), 'uniform has no option min; it has dtype, low, high.'],
    [() => uniform(random(1), [2], { low: 2 }), 'uniform: high is 1; it is at least low, which is 2.'],
    [
      () => uniform(random(1), [2], { high: Number.POSITIVE_INFINITY }),
      'uniform: high is Infinity; it is a finite number.',
    ],
    [() => normal(random(1), [2], { std: -1 }), 'normal: std is -1; it is at least 0.'],
    [
      () => uniform(random(1), [2], { dtype: 'float64', low: -1e308, high: 1e308 }),
      'uniform: high is 1e+308, and low -1e+308; the range is wider than float64 holds.',
    ],
    [
      () => uniform(random(1), [2], { high: 1e39 }),
      'uniform: high is 1e+39; float32 holds numbers up to 3.4028234663852886e+38.',
    ],
    [
      () => uniform(random(1), [2], { dtype: 'float16', low: -65520 }),
      'uniform: low is -65520; float16 holds numbers up to 65504.',
    ],
    [
      () => normal(random(1), [2], { dtype: 'float16', mean: 1e6 }),
      'normal: mean is 1000000; float16 holds numbers up to 65504.',
    ],
    [() => normal(random(1), [2], { mean: Number.NaN }), 'normal: mean is NaN; it is a finite number.'],
    [
      () => normal(random(1), [2], { dtype: 'float16', std: 1e4 }),
      'normal: std is 10000; numbers reach up to 8.57e+4, and float16 holds numbers up to 65504.',
    ],
    [() => random(2 ** 60), 'it is an integer from 0 to 2^64 - 1, given as a bigint beyond 2^53 - 1.'],
    [() => normal(random(1), [2], { sigma: 1 } as never), 'normal has no option sigma; it has dtype, mean, std.'],
  ])('%s', (call, words) => {
    expect(call).toThrow(words)
  })
})
