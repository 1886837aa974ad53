// How loops are cut into parts: the outermost loop that is long enough, between vectors and blocks of rows.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitLoops } from '../../src/plan/split.ts'
import { settings } from '../support/oracle.ts'

const wish = { elements: 1 << 20, most: 255, lanes: 16, rows: 1 }

describe('splitLoops', () => {
  it('leaves what is small whole', () => {
    expect(splitLoops([100, 100], wish)).toEqual({ loop: 0, length: 100, parts: 1 })
  })

  it('cuts the outermost loop that is long enough, not the longest', () => {
    expect(splitLoops([32, 256, 784], wish)).toEqual({ loop: 0, length: 5, parts: 7 })
    expect(splitLoops([2, 4096, 4096], wish)).toEqual({ loop: 1, length: 128, parts: 32 })
  })

  it('cuts a single loop between vectors', () => {
    expect(splitLoops([10_000_001], wish)).toEqual({ loop: 0, length: 1_000_016, parts: 10 })
  })

  it('cuts rows between blocks of them', () => {
    expect(splitLoops([4000, 4096], { ...wish, rows: 4 })).toEqual({ loop: 0, length: 252, parts: 16 })
    expect(splitLoops([40, 1 << 20], { ...wish, rows: 4 })).toEqual({ loop: 1, length: 26_224, parts: 40 })
  })

  it('covers every step once, in no more parts than may be', () => {
    const property = fc.property(
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 255 }),
      fc.constantFrom(1, 4),
      (sizes, elements, most, rows) => {
        const blocked = sizes.map((size, i) => (i === sizes.length - 2 ? size * rows : size))
        const { loop, length, parts } = splitLoops(blocked, { elements, most, lanes: 8, rows })
        const size = blocked[loop]!
        expect(parts).toBeLessThanOrEqual(most)
        expect((parts - 1) * length).toBeLessThan(size)
        expect(parts * length).toBeGreaterThanOrEqual(size)
        if (loop === blocked.length - 2) expect(length % rows).toBe(0)
      },
    )
    fc.assert(property, settings(300))
  })
})
