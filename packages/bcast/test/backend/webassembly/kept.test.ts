// Small results share slabs, and one that is kept keeps its slab. Whichever of many results a program keeps, and
// whether or not anything can be collected meanwhile, the memory held is bounded by what is kept.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Built, build } from '../../support/built.ts'

const MIB = 2 ** 20
/** Times its own bytes that a kept result may hold, the least it may hold, and what there is besides: scratch, open slabs. */
const SHARERS = 16
const LEAST = 1024
const BESIDE = 4 * MIB

let built: Built
beforeAll(async () => {
  built = await build(120_000)
}, 60_000)
afterAll(() => built?.remove())

interface Report {
  readonly kept: number
  readonly used: number
  readonly grown: number
  readonly wrong: number
  readonly left: number
}

/** Makes `total` results of `count` float32 elements and keeps one in `every`, or as many at random. */
async function keeping(count: number, every: number, total: number, how: 'regular' | 'random' | 'data', turns: number) {
  const script = `
    import { add, configure, tensor } from '${built.url('node.js')}'
    import { compiling } from '${built.url('backend/backends.js')}'
    const settle = async () => {
      for (let i = 0; i < 5; i++) { globalThis.gc(); await new Promise((resolve) => setTimeout(resolve, 5)) }
    }
    configure({ threads: 1, memory: 2 ** 30 })
    const x = add(tensor(new Float32Array(${count}), { share: true }), 1)
    let seed = 1
    const chosen = ${how === 'random' ? `() => (seed = (seed * 1103515245 + 12345) % 2147483648) % ${every} === 0` : `(i) => i % ${every} === 0`}
    let kept = []
    const work = (from, to) => {
      for (let i = from; i < to; i++) {
        const y = add(x, i % 1000)
        if (chosen(i)) kept.push([i, ${how === 'data' ? 'y.data' : 'y'}])
      }
    }
    for (let turn = 0; turn < ${turns}; turn++) {
      work(turn * ${total / turns}, (turn + 1) * ${total / turns})
      await settle()
    }
    const { arena } = compiling()
    const used = () => arena.buffer.byteLength - arena.freeBytes
    const held = used()
    // Whatever was given back is written over.
    ;(() => { for (let i = 0; i < 10_000; i++) add(x, -7) })()
    const first = (y) => ${how === 'data' ? 'y[0]' : 'y.get(0)'}
    const last = (y) => ${how === 'data' ? 'y.at(-1)' : 'y.get(-1)'}
    const wrong = kept.filter(([i, y]) => first(y) !== 1 + (i % 1000) || last(y) !== first(y)).length
    const count = kept.length
    const grown = arena.buffer.byteLength
    kept = undefined
    await settle()
    console.log(JSON.stringify({ kept: count, used: held, grown, wrong, left: used() }))
  `
  const { stdout, stderr } = await built.run(script, '--expose-gc')
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Report
}

describe('small results of which few are kept', () => {
  it.each([
    [4, 4096, 500_000, 'regular', 1],
    [4, 64, 100_000, 'regular', 1],
    [4, 100, 100_000, 'data', 4],
    [64, 50, 100_000, 'random', 4],
    [256, 64, 100_000, 'regular', 1],
    [1024, 16, 50_000, 'data', 4],
  ] as const)('%i floats, one in %i of %i kept (%s, in %i turns)', async (count, every, total, how, turns) => {
    const { kept, used, wrong, left } = await keeping(count, every, total, how, turns)
    expect(wrong).toBe(0)
    expect(kept).toBeGreaterThan(0)
    const own = Math.ceil((4 * count) / 16) * 16
    expect(used).toBeLessThan(kept * Math.max(LEAST, SHARERS * own) + BESIDE)
    expect(left).toBeLessThan(BESIDE)
  })

  it('what is given back between turns is used again', async () => {
    // One in 100 of 256 bytes: what lies between those kept is 25 KiB each.
    const { kept, grown } = await keeping(64, 100, 250_000, 'regular', 10)
    expect(kept).toBe(2500)
    // Without use of it the arena would hold all of 64 MiB.
    expect(grown).toBeLessThan(2500 * SHARERS * 256 + 16 * MIB)
  })
})
