// Results that are disposed make room for the next ones. Whatever a program keeps, takes apart, or has computed later,
// nothing of it is written over.
import { add, cast, configure, type Tensor, tensor } from 'bcast'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compiling } from '../../src/backend/backends.ts'
import { settings } from '../support/oracle.ts'

type Vector = Tensor<'float32', number[]>

beforeAll(() => configure({ backend: 'auto', threads: 2 }))
afterAll(() => configure({ backend: 'auto' }))

/** In slabs that results share, alone in a block that waits for the next, and too large to wait. */
const LENGTHS = [1, 64, 1000, 1024, 1500, 40_000, 300_000]
const operands = LENGTHS.map((length) => tensor(new Float32Array(length).map((_, i) => i % 7)) as Vector)

/** Every element is that of its place and `n`. */
const made = (length: number, n: number): Vector => add(operands[length]!, n)
const isMade = (elements: ArrayLike<number>, n: number): boolean => {
  for (let i = 0; i < elements.length; i++) if (elements[i] !== (i % 7) + n) return false
  return true
}

describe('results that are disposed', () => {
  it.each(LENGTHS.map((length, i) => [length, i] as const))('of %d elements leave room for the next', (length, i) => {
    const held = (): number => compiling()!.arena.pages * 65_536 - compiling()!.arena.freeBytes
    // What lies beside the operands is filled first.
    for (let n = 0; n < 100; n++) made(i, n).dispose()
    const before = held()
    for (let n = 0; n < 200; n++) {
      const result = made(i, n)
      if (result.get(length - 1) !== ((length - 1) % 7) + n) throw new Error(`${result.get(length - 1)} at ${n}`)
      result.dispose()
    }
    expect(held()).toBe(before)
  })

  it.each(LENGTHS.map((length, i) => [length, i] as const))(
    'of %d elements make none while a call that is not waited for reads them',
    async (_, i) => {
      for (let n = 0; n < 100; n++) made(i, n).dispose()
      for (let n = 0; n < 5; n++) {
        const operand = made(i, n)
        // Its result lies elsewhere, so that the operand is alone where it lies.
        const later = cast.async(operand, 'float64')
        operand.dispose()
        const next = Array.from({ length: 3 }, (_, k) => made(i, n + 50 + k))
        expect(isMade((await later).toArray() as number[], n)).toBe(true)
        for (const [k, each] of next.entries()) {
          expect(isMade(each.toArray() as number[], n + 50 + k)).toBe(true)
          each.dispose()
        }
      }
    },
  )

  it('make no room of what is still there: results, their views, their data, calls that are not waited for', async () => {
    const act = fc.record({
      what: fc.constantFrom('make', 'make', 'make', 'view', 'data', 'later', 'dispose', 'dispose', 'dispose twice'),
      length: fc.nat(LENGTHS.length - 1),
      which: fc.nat(100),
    })
    const property = fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 60 }), async (acts) => {
      const live: { readonly tensor: Vector; readonly n: number }[] = []
      const data: { readonly elements: Float32Array; readonly n: number }[] = []
      const later: { readonly result: Promise<Vector>; readonly n: number }[] = []
      acts.forEach(({ what, length, which }, n) => {
        const at = which % Math.max(1, live.length)
        const one = live[at]
        if (what === 'make' || one === undefined) live.push({ tensor: made(length, n), n })
        else if (what === 'view') live.push({ tensor: one.tensor.reshape([-1]) as Vector, n: one.n })
        else if (what === 'data') data.push({ elements: one.tensor.data, n: one.n })
        else if (what === 'later') later.push({ result: add.async(one.tensor, 100) as Promise<Vector>, n: one.n + 100 })
        else {
          one.tensor.dispose()
          if (what === 'dispose twice') one.tensor.dispose()
          live.splice(at, 1)
        }
      })
      for (const { tensor: kept, n } of live) expect(isMade(kept.data, n)).toBe(true)
      for (const { elements, n } of data) expect(isMade(elements, n)).toBe(true)
      for (const { result, n } of later) {
        const ended = await result
        expect(isMade(ended.data, n)).toBe(true)
      }
    })
    await fc.assert(property, settings(60))
  })
})
