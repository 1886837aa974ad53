// Memory over a long time, seen from outside: results that nobody disposes, in one synchronous loop in which nothing
// can be collected, and what comes back once the loop is over.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Built, build } from '../support/built.ts'

const MIB = 2 ** 20
/** What the arena may take here, and what the process may take beside it. */
const LIMIT = 128
const BESIDE = 512

let built: Built
beforeAll(async () => {
  built = await build()
})
afterAll(() => built?.remove())

/** Runs a script that prints one JSON value. */
async function report<T>(script: string): Promise<T> {
  const head = `
    import { add, configure, tensor } from '${built.url('node.js')}'
    import { compiling } from '${built.url('backend/backends.js')}'
    const settle = async () => {
      for (let i = 0; i < 5; i++) { globalThis.gc(); await new Promise((resolve) => setTimeout(resolve, 5)) }
    }
    const arena = () => compiling().arena
    const filled = (count, value, shape = [count]) => tensor(new Float32Array(count).fill(value), { share: true, shape })
  `
  const { stdout, stderr } = await built.run(head + script, '--expose-gc')
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

describe('a loop that disposes nothing', () => {
  it('of two hundred thousand small sums and two thousand large ones stays within bounds', async () => {
    interface Report {
      readonly small: readonly number[]
      readonly large: boolean
      readonly wrong: number
      readonly limit: number
      readonly peak: number
      readonly left: number
      readonly spilled: number
    }
    const { small, large, wrong, limit, peak, left, spilled } = await report<Report>(`
      configure({ memory: ${LIMIT * MIB}, threads: 2 })
      let peak = 0
      let wrong = 0
      const look = () => { peak = Math.max(peak, process.memoryUsage().rss) }
      const a = filled(64, 1, [8, 8])
      const b = filled(8, 2)
      let last = b
      for (let i = 0; i < 200_000; i++) {
        last = add(a, b)
        if (i % 10_000 === 0) { look(); if (last.get(7, 7) !== 3) wrong++ }
      }
      const small = [...last.data]
      const x = add(filled(262_144, 1), 0)
      const y = filled(262_144, 2)
      let spilled = 0
      for (let i = 0; i < 2_000; i++) {
        last = add(x, y)
        if (!arena().holds(last.storage)) spilled++
        if (i % 100 === 0) { look(); if (last.get(i) !== 3) wrong++ }
      }
      const large = last.data.every((element) => element === 3)
      last = undefined
      const limit = arena().buffer.byteLength
      await settle()
      const left = limit - arena().freeBytes
      console.log(JSON.stringify({ small, large, wrong, limit, peak, left, spilled }))
    `)
    expect(small).toEqual(new Array(64).fill(3))
    expect([large, wrong]).toEqual([true, 0])
    expect(limit).toBeLessThanOrEqual(LIMIT * MIB)
    expect(spilled).toBeGreaterThan(1_500)
    // Kept, the results would be 2 GiB.
    expect(peak / MIB).toBeLessThan(LIMIT + BESIDE)
    // Scratch space, operands and the last slab.
    expect(left / MIB).toBeLessThan(8)
  })
})

describe('the collector', () => {
  it('gives memory back that nobody can reach, and none that somebody can', async () => {
    interface Report {
      readonly kept: unknown
      readonly after: number
      readonly later: number
    }
    const { kept, after, later } = await report<Report>(`
      configure({ memory: ${64 * MIB}, threads: 1 })
      const make = (value) => add(filled(262_144, value - 1), 1)
      const x = make(1)
      ;(() => make(6).dispose())()
      let held = {
        // Where the disposed one was: it is given back once, not again when that one is collected.
        reused: make(5).data,
        data: make(2).data,
        part: make(3).data.subarray(5, 9).subarray(1, 3),
        row: make(4).reshape(512, 512).slice([7, 8]),
        small: add(tensor([1, 2, 3]), 4).data,
        smallPart: add(tensor([1, 2, 3]), 5).data.subarray(1),
      }
      ;(() => { for (let i = 0; i < 20; i++) make(9) })()
      await settle()
      const used = () => arena().buffer.byteLength - arena().freeBytes
      const after = used()
      // Whatever was given back is written over.
      ;(() => { for (let i = 0; i < 40; i++) make(77) })()
      for (let i = 0; i < 1000; i++) add(filled(64, 77), 0)
      const kept = (({ reused, data, part, row, small, smallPart }) => [reused.every((x) => x === 5), data.every((x) => x === 2), [...part], row.get(0, 511), [...small], [...smallPart]])(held)
      held = undefined
      await settle()
      console.log(JSON.stringify({ kept, after, later: used(), x: x.get(0) }))
    `)
    expect(kept).toEqual([true, true, [3, 3], 4, [5, 6, 7], [7, 8]])
    // Scratch space and x are 2 MiB; what is held keeps four more.
    expect(after / MIB).toBeGreaterThan(6)
    expect(after / MIB).toBeLessThan(7)
    expect(later / MIB).toBeLessThan(3)
  })
})
