// Copies of operands: tiles cover the loops exactly once and stay within their bounds, and in a copy every element of
// the tile is where the copy's strides say, moved in stretches that lie in the operand as they do in the copy.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsIn, packing, roomFor, tileSizes } from '../../src/plan/staging.ts'
import { settings } from '../support/oracle.ts'
import { visits } from '../support/visits.ts'

describe('packing', () => {
  it('of what lies together is one stretch', () => {
    expect(packing([4, 100], [100, 1])).toEqual({
      strides: [100, 1],
      first: 0,
      low: 0,
      length: 400,
      stretch: 400,
      around: [],
      gaps: false,
    })
    expect(packing([4, 100], [0, 1])).toMatchObject({ strides: [0, 1], length: 100, stretch: 100, around: [] })
    expect(packing([4, 100], [0, 0])).toMatchObject({ strides: [0, 0], length: 1, stretch: 1, around: [] })
  })

  it('takes small gaps along and leaves large ones out', () => {
    expect(packing([4, 100], [200, 2])).toMatchObject({ strides: [200, 2], stretch: 799, gaps: true })
    expect(packing([4, 100], [1000, 1])).toMatchObject({
      strides: [100, 1],
      length: 400,
      stretch: 100,
      around: [{ size: 4, step: 1000 }],
      gaps: false,
    })
    expect(packing([4, 100], [1000, 10])).toMatchObject({
      strides: [100, 1],
      stretch: 1,
      around: [
        { size: 100, step: 10 },
        { size: 4, step: 1000 },
      ],
    })
  })

  it('follows the memory of a transposed operand', () => {
    expect(packing([128, 64], [1, 4096])).toMatchObject({
      strides: [1, 128],
      stretch: 128,
      around: [{ size: 64, step: 4096 }],
    })
  })

  it('keeps running backwards', () => {
    expect(packing([3, 4], [-4, -1])).toMatchObject({ strides: [-4, -1], first: 11, low: -11, stretch: 12 })
  })

  it('gives the asked loop stride 1', () => {
    expect(packing([4, 100], [200, 2], 1)).toMatchObject({ strides: [100, 1], stretch: 1, gaps: false })
    expect(packing([4, 100], [1, 4], 0)).toMatchObject({ strides: [1, 4], stretch: 400 })
  })

  /** A layout without overlaps: any order of the axes, steps and gaps, some backwards, some repeating. */
  const layouts = fc
    .record({
      sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
      keys: fc.array(fc.nat(99), { minLength: 4, maxLength: 4 }),
      gaps: fc.array(fc.constantFrom(1, 1, 1, 2, 3, 9), { minLength: 4, maxLength: 4 }),
      signs: fc.array(fc.constantFrom(1, 1, -1, 0), { minLength: 4, maxLength: 4 }),
    })
    .map(({ sizes, keys, gaps, signs }) => {
      const strides = new Array<number>(sizes.length)
      let next = 1
      for (const axis of sizes.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]!)) {
        next *= gaps[axis]!
        strides[axis] = next * signs[axis]!
        if (signs[axis] !== 0) next *= sizes[axis]!
      }
      return { sizes, strides }
    })

  it('has every element where its strides say', () => {
    fc.assert(
      fc.property(layouts, fc.boolean(), ({ sizes, strides }, asked) => {
        const unit = asked ? sizes.length - 1 : -1
        const packed = packing(sizes, strides, unit)
        // Where each place of the copy comes from.
        const source: number[] = []
        const steps = packed.around.map(({ step }) => [step]).toReversed()
        const starts = visits(packed.around.map(({ size }) => size).toReversed(), [steps.map(([step]) => step!)]).map(
          ([at]) => at! + packed.low,
        )
        for (const start of starts) for (let i = 0; i < packed.stretch; i++) source.push(start + i)
        expect(source).toHaveLength(packed.length)
        const places = visits(sizes, [packed.strides]).map(([at]) => source[at! + packed.first])
        expect(places).toEqual(visits(sizes, [strides]).map(([at]) => at))
        expect(packed.length).toBeLessThanOrEqual(roomFor(elementsIn(sizes, strides)))
        expect(packed.gaps).toBe(new Set(places).size !== source.length)
        if (asked && sizes[unit] !== 1 && strides[unit] !== 0) expect(Math.abs(packed.strides[unit]!)).toBe(1)
      }),
      settings(1500),
    )
  })
})

describe('tileSizes', () => {
  it('are whole rows where rows are short, and as many as fit', () => {
    const own = [4096, 1]
    const limit = 16_384
    const operands = [own, own, own].map((strides) => ({ strides, limit }))
    expect(tileSizes([4096, 4096], operands)).toEqual([4, 4096])
    expect(tileSizes([10, 100], operands)).toEqual([10, 100])
  })

  it('cut a long row', () => {
    expect(tileSizes([2, 5_000_000], [{ strides: [5_000_000, 1], limit: 1000 }])).toEqual([1, 1000])
  })

  it('are square where operands lie across each other', () => {
    const operands = [
      { strides: [1, 4096], limit: 16_384 },
      { strides: [4096, 1], limit: 16_384 },
    ]
    expect(tileSizes([4096, 4096], operands)).toEqual([128, 128])
  })

  it('do not mind how an operand lies that mostly repeats', () => {
    const operands = [
      { strides: [784, 1], limit: 16_384 },
      { strides: [1, 0], limit: Infinity },
    ]
    expect(tileSizes([8192, 784], operands)).toEqual([20, 784])
  })

  it('stay within every bound, and use one of them up', () => {
    const cases = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 4 }).chain((sizes) =>
      fc.tuple(
        fc.constant(sizes),
        fc.array(
          fc.record({
            strides: fc.array(fc.constantFrom(0, 1, -1, 3, 50, 4096), {
              minLength: sizes.length,
              maxLength: sizes.length,
            }),
            limit: fc.constantFrom(1, 7, 100, 16_384, Infinity),
          }),
          { minLength: 1, maxLength: 4 },
        ),
      ),
    )
    fc.assert(
      fc.property(cases, ([sizes, operands]) => {
        const tile = tileSizes(sizes, operands)
        const within = (sizesOfTile: readonly number[]): boolean =>
          elementsIn(sizesOfTile, sizesOfTile) <= 1 << 20 &&
          operands.every(({ strides, limit }) => elementsIn(sizesOfTile, strides) <= limit)
        expect(tile.every((size, loop) => Number.isInteger(size) && size >= 1 && size <= sizes[loop]!)).toBe(true)
        expect(within(tile)).toBe(true)
        // No loop could be one step longer.
        tile.forEach((size, loop) => {
          if (size < sizes[loop]!) expect(within(tile.with(loop, size + 1))).toBe(false)
        })
      }),
      settings(500),
    )
  })
})
