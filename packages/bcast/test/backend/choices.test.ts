// A choice between the two that were compared is one instruction of the processor, which gives one of them for zeros of
// both signs and for NaN: always the one that the comparison would have chosen.
import { type DType, fuse, tensor } from 'bcast'
import { afterAll, describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'

afterAll(anyBackend)

const SPECIALS = [0, -0, 1, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** -149, -(2 ** -149)]
const PAIRS = SPECIALS.flatMap((x) => SPECIALS.map((y) => [x, y] as const))

type Pick = (x: number, y: number) => number

const CHOICES: readonly (readonly [string, unknown, Pick])[] = [
  ['x < y ? x : y', fuse((x, y) => x.less(y).where(x, y)), (x, y) => (x < y ? x : y)],
  ['x < y ? y : x', fuse((x, y) => x.less(y).where(y, x)), (x, y) => (x < y ? y : x)],
  ['y < x ? x : y', fuse((x, y) => y.less(x).where(x, y)), (x, y) => (y < x ? x : y)],
  ['y < x ? y : x', fuse((x, y) => y.less(x).where(y, x)), (x, y) => (y < x ? y : x)],
  ['x > y ? x : y', fuse((x, y) => x.greater(y).where(x, y)), (x, y) => (x > y ? x : y)],
  ['x < y ? x : -y', fuse((x, y) => x.less(y).where(x, y.neg())), (x, y) => (x < y ? x : -y)],
  ['x < y ? x : x', fuse((x, y) => x.less(y).where(x, x)), (x) => x],
  ['x <= y ? x : y', fuse((x, y) => x.lessOrEqual(y).where(x, y)), (x, y) => (x <= y ? x : y)],
]

describe.each(everyBackend)('$name', ({ use }) => {
  describe.each<DType>(['float32', 'float64'])('%s', (dtype) => {
    it.each(CHOICES)('%s', (_, fused, pick) => {
      use(1)
      const make = (values: readonly number[]) => tensor([...values] as number[], { dtype })
      const compute = fused as (...given: unknown[]) => { toArray(): number[] }
      const [xs, ys] = [PAIRS.map(([x]) => x), PAIRS.map(([, y]) => y)]
      expect(compute(make(xs), make(ys)).toArray()).toEqual(PAIRS.map(([x, y]) => pick(x, y)))
      // One that stands still.
      for (const y of SPECIALS) {
        expect(compute(make(xs), make([y])).toArray()).toEqual(xs.map((x) => pick(x, y)))
      }
    })
  })
})
