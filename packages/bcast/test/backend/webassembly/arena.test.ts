// The arena against a model that only remembers what is handed out: blocks never overlap, all memory comes back, what
// a program holds stays valid when the memory grows, and a full arena says so and recovers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wasm } from '../../../src/backend/platform.ts'
import { Arena, sameMemory } from '../../../src/backend/webassembly/memory/arena.ts'
import { settings } from '../../support/oracle.ts'

const MIB = 2 ** 20
const growing = (limit: number): Arena => new Arena(wasm!, { limit, shared: true })
const fixed = (limit: number): Arena => new Arena(wasm!, { limit, shared: false })

interface Block {
  readonly address: number
  readonly bytes: number
  /** What its bytes were filled with. */
  readonly mark: number
}

const bytesOf = (arena: Arena, { address, bytes }: Block): Uint8Array => new Uint8Array(arena.buffer, address, bytes)

/** Takes everything there is, in blocks of one size. */
function exhaust(arena: Arena, bytes: number): number[] {
  const taken: number[] = []
  for (let at = arena.allocate(bytes); at !== undefined; at = arena.allocate(bytes)) taken.push(at)
  return taken
}

describe('blocks', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ take: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 400_000 })) }),
      fc.record({ give: fc.nat() }),
    ),
    { maxLength: 120 },
  )

  it.each([
    ['memory that grows', () => growing(4 * MIB)],
    ['memory of one size', () => fixed(2 * MIB)],
  ])('of %s do not overlap, are aligned, keep their bytes, and all come back', (_, make) => {
    fc.assert(
      fc.property(steps, (all) => {
        const arena = make()
        const held: Block[] = []
        let mark = 0
        for (const step of all) {
          if ('take' in step) {
            const address = arena.allocate(step.take)
            if (address === undefined) continue
            expect(address % 64).toBe(0)
            expect(address).toBeGreaterThan(0)
            expect(address + step.take).toBeLessThanOrEqual(arena.buffer.byteLength - 1024)
            for (const other of held) {
              const apart = address + step.take <= other.address || other.address + other.bytes <= address
              expect(apart || step.take === 0 || other.bytes === 0).toBe(true)
            }
            mark = (mark + 1) % 256
            const block = { address, bytes: step.take, mark }
            bytesOf(arena, block).fill(mark)
            held.push(block)
          } else if (held.length > 0) {
            const [block] = held.splice(step.give % held.length, 1)
            expect(bytesOf(arena, block!).every((byte) => byte === block!.mark)).toBe(true)
            arena.free(block!.address, block!.bytes)
          }
        }
        for (const block of held) {
          expect(bytesOf(arena, block).every((byte) => byte === block.mark)).toBe(true)
          arena.free(block.address, block.bytes)
        }
        // One range again: a block of all of it can be taken.
        const everything = arena.freeBytes
        expect(everything).toBe(arena.buffer.byteLength - 1024 - 64)
        const grown = arena.pages
        expect(arena.allocate(Math.floor(everything / 64) * 64)).toBe(64)
        expect(arena.pages).toBe(grown)
      }),
      settings(60),
    )
  })

  it('that are freed are used again', () => {
    const arena = growing(16 * MIB)
    const first = arena.allocate(100_000)!
    for (let i = 0; i < 1000; i++) {
      arena.free(first, 100_000)
      expect(arena.allocate(100_000)).toBe(first)
    }
    expect(arena.pages).toBe(32)
  })

  it('of nothing have an address of their own', () => {
    const arena = growing(4 * MIB)
    expect(arena.allocate(0)).not.toBe(arena.allocate(0))
  })
})

describe('growth', () => {
  it('leaves views valid, and of the same bytes', () => {
    const arena = growing(64 * MIB)
    const address = arena.allocate(4096)!
    const old = new Int32Array(arena.buffer, address, 1024)
    old.fill(7)
    const before = arena.buffer
    const far = arena.allocate(40 * MIB)!
    expect(arena.buffer).not.toBe(before)
    expect(arena.buffer.byteLength).toBeGreaterThan(40 * MIB)
    expect(old).toHaveLength(1024)
    const again = new Int32Array(arena.buffer, address, 1024)
    again[3] = 9
    expect([old[2], old[3]]).toEqual([7, 9])
    expect(new Uint8Array(arena.buffer, far, 40 * MIB)).toHaveLength(40 * MIB)
    for (const view of [old, again]) expect(arena.holds(view)).toBe(true)
    expect(sameMemory(old.buffer, again.buffer)).toBe(true)
    expect(arena.holds(new Int32Array(4))).toBe(false)
    expect(sameMemory(old.buffer, growing(4 * MIB).buffer)).toBe(false)
    expect(sameMemory(new ArrayBuffer(8), new ArrayBuffer(8))).toBe(false)
  })

  it('takes little more than is asked for', () => {
    const arena = growing(512 * MIB)
    arena.allocate(100 * MIB)
    expect(arena.buffer.byteLength).toBeLessThan(103 * MIB)
    for (let i = 0; i < 100; i++) arena.allocate(MIB)
    expect(arena.buffer.byteLength).toBeLessThan(1.25 * 203 * MIB)
  })

  it('goes to the last byte of the limit', () => {
    const arena = growing(8 * MIB)
    expect(exhaust(arena, 64 * 1024 - 64).length).toBeGreaterThan(126)
    expect(arena.buffer.byteLength).toBe(8 * MIB)
  })

  it('that the platform refuses is tried with less, then given up', () => {
    const asked: number[] = []
    const arena = growing(64 * MIB)
    const { memory } = arena
    const grow = memory.grow.bind(memory)
    memory.grow = (pages) => {
      asked.push(pages)
      if (pages > 4) throw new RangeError('no memory')
      return grow(pages)
    }
    exhaust(arena, 200_000)
    // The first growth was to be a quarter of what there is.
    expect(asked.slice(0, 2)).toEqual([8, expect.any(Number)])
    expect(asked[1]).toBeLessThanOrEqual(4)
    expect(arena.allocate(MIB)).toBeUndefined()
  })
})

describe('a full arena', () => {
  it.each([
    ['that grew', () => growing(4 * MIB)],
    ['of one size', () => fixed(4 * MIB)],
  ])('%s says so, and recovers', (_, make) => {
    const arena = make()
    const taken = exhaust(arena, 10_000)
    expect(taken.length).toBeGreaterThan(400)
    expect(arena.allocate(10_000)).toBeUndefined()
    expect(arena.allocate(2 ** 31)).toBeUndefined()
    arena.free(taken[5]!, 10_000)
    expect(arena.allocate(10_000)).toBe(taken[5])
    for (const address of taken) arena.free(address, 10_000)
    expect(arena.allocate(3 * MIB)).toBe(64)
  })

  it('may be told to stay smaller, or to go on', () => {
    const arena = growing(64 * MIB)
    arena.limit = 4 * MIB
    expect(arena.allocate(5 * MIB)).toBeUndefined()
    expect(arena.buffer.byteLength).toBeLessThan(4 * MIB)
    arena.limit = 1024 * MIB
    expect(arena.allocate(5 * MIB)).toBeDefined()
    expect(arena.allocate(65 * MIB)).toBeUndefined()
  })
})

describe('memory of one size', () => {
  it('is there from the start and never changes its buffer', () => {
    const arena = fixed(2 * MIB)
    const { buffer } = arena
    expect(buffer).toBeInstanceOf(ArrayBuffer)
    expect(buffer.byteLength).toBe(2 * MIB)
    exhaust(arena, 1000)
    expect(arena.buffer).toBe(buffer)
  })
})
