// When kernels are compiled: not for a call that may stay the only one, and once calls of a program have been enough. When
// threads take part: in small calls as well, where many follow each other.
import { add, arange, configure, full, type Tensor } from 'bcast'
import { type MachineCode, provideKernels } from 'bcast/kernels'
import { afterEach, describe, expect, it } from 'vitest'
import { install } from '../src/install.ts'
import { found } from './found.ts'

afterEach(() => {
  provideKernels(undefined)
  configure({ threads: 1 })
})

/** Has machine code run as it does for users, and counts the kernels that are asked for. */
function start(): { asked: number; shared: number } {
  const counted = { asked: 0, shared: 0 }
  const provide = (code: MachineCode | undefined): void =>
    provideKernels(
      code && {
        ...code,
        kernel(...given) {
          counted.asked++
          return code.kernel(...given)
        },
        share(...given) {
          counted.shared++
          return code.share(...given)
        },
      },
    )
  install(provide, { level: found.at(-1)! })
  counted.asked = 0
  return counted
}

describe.skipIf(found.length === 0)('kernels are compiled', () => {
  // Transposed, so that no call is bound; another shape each time, so that none is like the last. Of a type of its own,
  // because the programs of an operator stay.
  const call = (dtype: 'int32' | 'uint32', i: number): Tensor => {
    const x = full([64 + i, 64], 1, { dtype }) as Tensor
    return add(x, full([64, 64 + i], 2, { dtype }).transpose() as Tensor) as Tensor
  }

  it('once the calls of a program have been enough together', () => {
    const counted = start()
    call('int32', 0)
    expect(counted.asked).toBe(0)
    for (let i = 1; i < 100; i++) expect(call('int32', i).get(0, 0)).toBe(3)
    expect(counted.asked).toBeGreaterThan(0)
  })

  it('at once for a large call, and then for small ones', () => {
    const counted = start()
    const x = full([1024, 1024], 1, { dtype: 'uint32' }) as Tensor
    expect((add(x, x) as Tensor).get(0, 0)).toBe(2)
    expect(counted.asked).toBeGreaterThan(0)
    counted.asked = 0
    call('uint32', 1)
    expect(counted.asked).toBeGreaterThan(0)
  })
})

describe.skipIf(found.length === 0)('threads take part', () => {
  /** How many of a hundred calls are shared, of tensors of so many elements. */
  const sharedOf = (count: number): number => {
    const counted = start()
    configure({ threads: 2 })
    const x = arange(count, { dtype: 'float32' }) as Tensor
    const out = add(x, x) as Tensor
    for (let i = 0; i < 10; i++) add(x, x, { out })
    counted.shared = 0
    for (let i = 0; i < 100; i++) add(x, x, { out })
    expect(out.get(count - 1)).toBe(2 * (count - 1))
    return counted.shared
  }

  it('in calls that take longer than waking them', () => expect(sharedOf(300_000)).toBe(100))

  it('in calls of which many follow each other, as long as they have not gone to sleep', () => {
    expect(sharedOf(100_000)).toBeGreaterThanOrEqual(3)
  })

  it('in none that is over before', () => expect(sharedOf(20_000)).toBe(0))
})
