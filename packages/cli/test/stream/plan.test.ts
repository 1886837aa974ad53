// Tiles cover the result in row-major order, and what a plan holds stays within the memory given.
import type { Shape } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesHeld, type PlannedArray, planStream } from '../../src/stream/plan.ts'
import { countTiles, isRevisited, product, tileAt, tilesOf, tilingWithin, WHOLE } from '../../src/stream/tiles.ts'

const KIB = 1024
const MIB = KIB * KIB

const shapes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 })

describe('tiles', () => {
  it('cover the result one after the other', () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 400 }), (shape, limit) => {
        const tiling = tilingWithin(shape, [{ sizes: shape, width: 4 }], limit)
        let position = 0
        for (let number = 0; number < countTiles(shape, tiling); number++) {
          const tile = tileAt(shape, tiling, number)
          const first = tile.origin.reduce((at, index, axis) => at * shape[axis]! + index, 0)
          expect(first).toBe(position)
          expect(product(tile.shape) * 4).toBeLessThanOrEqual(Math.max(4, limit))
          position += product(tile.shape)
        }
        expect(position).toBe(product(shape))
      }),
    )
  })

  it('of column-major order follow each other in that order, on the axes of the result', () => {
    const { count, at } = tilesOf([4, 3, 2], { axis: 1, step: 2 }, 'column-major')
    expect(Array.from({ length: count }, (_, number) => at(number))).toEqual([
      { origin: [0, 0, 0], shape: [4, 2, 1] },
      { origin: [0, 2, 0], shape: [4, 1, 1] },
      { origin: [0, 0, 1], shape: [4, 2, 1] },
      { origin: [0, 2, 1], shape: [4, 1, 1] },
    ])
  })

  it('are as large as the limit allows', () => {
    expect(tilingWithin([1000, 1000], [{ sizes: [1000, 1000], width: 4 }], 4 * MIB)).toEqual(WHOLE)
    expect(tilingWithin([1000, 1000], [{ sizes: [1000, 1000], width: 4 }], MIB)).toEqual({ axis: 0, step: 262 })
    expect(tilingWithin([10, 1000], [{ sizes: [10, 1000], width: 4 }], 3000)).toEqual({ axis: 1, step: 750 })
    // A row is there once, however many rows there are.
    const arrays = [
      { sizes: [1000, 100], width: 4 },
      { sizes: [1, 100], width: 4 },
    ]
    expect(tilingWithin([1000, 100], arrays, 4400)).toEqual({ axis: 0, step: 10 })
  })

  it('come back to an array that changes inside a loop along which it is stretched', () => {
    const tiling = { axis: 1, step: 10 }
    expect(isRevisited([5, 100], [1, 100], tiling)).toBe(true)
    expect(isRevisited([5, 100], [5, 1], tiling)).toBe(false)
    expect(isRevisited([5, 100], [5, 100], tiling)).toBe(false)
    expect(isRevisited([1, 100], [1, 100], tiling)).toBe(false)
    expect(isRevisited([5, 100], [1, 100], { axis: 0, step: 2 })).toBe(false)
    expect(isRevisited([5, 100], [1, 100], { axis: 1, step: 100 })).toBe(false)
  })
})

const array = (source: number, sizes: Shape, inRuns = true): PlannedArray => ({ source, sizes, width: 4, inRuns })

describe('plans', () => {
  it('stay within the memory', () => {
    const arrays = fc.array(fc.record({ ones: fc.nat(31), inRuns: fc.boolean(), source: fc.nat(2) }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(shapes, arrays, fc.integer({ min: 200, max: 100_000 }), (shape, given, memory) => {
        const planned = given.map(({ ones, inRuns }, source) =>
          array(
            source,
            shape.map((size, axis) => ((ones >> axis) & 1 ? 1 : size)),
            inRuns,
          ),
        )
        expect(bytesHeld(shape, planned, 4, planStream(shape, planned, 4, memory))).toBeLessThanOrEqual(memory)
      }),
    )
  })

  it('hold what tiles come back to where it fits', () => {
    const shape = [1000, 16 * MIB]
    const rows = [array(0, shape), array(1, [1, 16 * MIB])]
    const roomy = planStream(shape, rows, 4, 256 * MIB)
    expect([...roomy.held]).toEqual([1])
    expect([...roomy.forward]).toEqual([0, 1])
    const tight = planStream(shape, rows, 4, 64 * MIB)
    expect([...tight.held]).toEqual([])
    expect([...tight.forward]).toEqual([0])
  })

  it('take tiles as high as they can where an array lies in another order', () => {
    const shape = [32 * KIB, 32 * KIB]
    const inOrder = planStream(shape, [array(0, shape)], 4, 256 * MIB)
    const across = planStream(shape, [array(0, shape, false)], 4, 256 * MIB)
    expect(inOrder.tiling).toEqual({ axis: 0, step: 32 })
    expect(across.tiling).toEqual({ axis: 0, step: 512 })
    expect(across.buffers).toBe(2)
    const little = planStream(shape, [array(0, shape, false)], 4, 8 * MIB)
    expect([little.tiling, little.buffers]).toEqual([{ axis: 0, step: 32 }, 1])
  })
})
