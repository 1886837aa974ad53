// What NumPy's iterator says of operands and a requested shape, against what the iterator does.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Reading, readMessages } from '../../src/messages/read.ts'
import { explained } from '../../src/messages/words.ts'

describe('the requests of NumPy', () => {
  const size = fc.constantFrom(0, 1, 2, 3)
  const open = fc.constantFrom(-1, 0, 1, 2, 3)

  /** As NumPy prints it: open axes and new ones at the left are left out. */
  function printed(sizes: readonly number[]): string {
    const first = sizes.findIndex((one) => one >= 0)
    const shown = (first < 0 ? [] : sizes.slice(first)).map((one) => (one < 0 ? 'newaxis' : one))
    return `(${shown.join(',')}${sizes.length === 1 && shown.length === 1 ? ',' : ''})`
  }

  /** What nditer does: an axis has one size but 1, the one that is requested if any is. */
  const isRefused = (operands: readonly (readonly number[])[], request: readonly number[]): boolean =>
    request.some((wanted, axis) => {
      const sizes = new Set(operands.map((shape) => shape[axis]!).filter((one) => one >= 0 && one !== 1))
      return wanted < 0 ? sizes.size > 1 : [...sizes].some((one) => one !== wanted)
    })

  it('are met or refused as its iterator does', () => {
    const cases = fc.integer({ min: 1, max: 4 }).chain((rank) =>
      fc.record({
        operands: fc.array(fc.array(fc.oneof(size, fc.constant(-1)), { minLength: rank, maxLength: rank }), {
          minLength: 2,
          maxLength: 4,
        }),
        request: fc.array(open, { minLength: rank, maxLength: rank }),
      }),
    )
    fc.assert(
      fc.property(cases, ({ operands, request }) => {
        const moved = operands
          .map((shape) => `${printed(shape.filter((one) => one >= 0))}->${printed(shape)}`)
          .join(' ')
        const text = `operands could not be broadcast together with remapped shapes [original->remapped]: ${moved}  and requested shape ${printed(request)}`
        const [reading] = readMessages(text) as [Reading]
        expect(reading.unread).toBeUndefined()
        expect(explained(reading).verdict).toBe(isRefused(operands, request) ? 'error' : 'ok')
      }),
      { numRuns: 250 },
    )
  })
})
