// The interpreter's programs are kept for their next call; what they need to run must not be kept once per program.
import { memoryUsage } from 'node:process'
import { configure, type Tensor, tensor } from 'bcast'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loosely } from '../support/operators.ts'

beforeAll(() => configure({ backend: 'interpreter' }))
afterAll(() => configure({ backend: 'auto' }))

describe('registers', () => {
  it('are shared by programs, so that varying the number of operands costs no memory', () => {
    const x = tensor([1]) as Tensor
    const before = memoryUsage().arrayBuffers
    for (let count = 1; count <= 64; count++)
      expect(loosely('sum')(new Array<Tensor>(count).fill(x)).get(0)).toBe(count)
    // A register is 8 KiB: kept once per program they would be 17 MiB.
    expect(memoryUsage().arrayBuffers - before).toBeLessThan(4 * 2 ** 20)
  })

  it('of one program hold nothing that another still needs', () => {
    const a = tensor(
      Float32Array.from({ length: 3000 }, (_, i) => i),
      { share: true },
    ) as Tensor
    const b = tensor(
      Float32Array.from({ length: 3000 }, (_, i) => 2 * i),
      { share: true },
    ) as Tensor
    const wanted = loosely('sub')(b, a).toArray()
    loosely('max')(a, b, a, b, a)
    loosely('exp')(b)
    expect(loosely('sub')(b, a).toArray()).toEqual(wanted)
  })

  it('beyond the shared ones belong to the program', () => {
    const many = Array.from({ length: 200 }, (_, i) => tensor(Int32Array.of(i, -i), { share: true }) as Tensor)
    expect(loosely('max')(many).toArray()).toEqual([199, 0])
    expect(loosely('min')(many).toArray()).toEqual([0, -199])
  })
})
