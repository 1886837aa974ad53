// Products over several axes give what the product of the same elements as matrices gives, to the bit: wherever operands
// lie, on every backend, in sequences too.
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { offsetsOf } from '../../src/backend/offsets.ts'
import { IndexError } from '../../src/errors/index.ts'
import {
  configure,
  type DType,
  gemm,
  identity,
  type Range,
  sequence,
  slidingWindowView,
  type Tensor,
  tensor,
  tensordot,
} from '../../src/index.ts'
import { type Sample, sample } from '../support/layouts.ts'
import { settings } from '../support/oracle.ts'
import { firstDifference, smallTensor } from '../support/random.ts'

afterEach(() => configure({ backend: 'auto', threads: 2 }))

const count = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1)
const loosely = tensordot as (a: Tensor, b: Tensor, c?: Tensor, options?: object) => Tensor

/** The same by copies that are matrices. */
function byMatrices(a: Tensor, b: Tensor, c: Tensor | undefined, axes: number): Tensor {
  const [kept, columns] = [a.shape.slice(0, a.rank - axes), b.shape.slice(axes)]
  const shape = [...kept, ...columns]
  const size = [count(kept), count(a.shape.slice(a.rank - axes)), count(columns)] as const
  const left = identity(a).reshape([size[0], size[1]])
  const right = identity(b).reshape([size[1], size[2]])
  const added = c && identity(c.broadcastTo(shape) as Tensor).reshape([size[0], size[2]])
  return gemm(left as Tensor, right as Tensor, added as Tensor).reshape(shape) as Tensor
}

function expectSame(got: Tensor, wanted: Tensor): void {
  expect(got.shape).toEqual(wanted.shape)
  expect(firstDifference(got.dtype, got.data as never, wanted.data as never)).toBe(-1)
}

const sizes = (most: number) => fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: most })

const cases = (dtype: DType): fc.Arbitrary<{ a: Sample; b: Sample; c: Sample | undefined; axes: number }> =>
  fc.tuple(sizes(2), sizes(3), sizes(2), fc.constantFrom('none', 'whole', 'one')).chain(([kept, summed, columns, c]) =>
    fc.record({
      a: sample(dtype, [...kept, ...summed]),
      b: sample(dtype, [...summed, ...columns]),
      c:
        c === 'none'
          ? fc.constant(undefined)
          : sample(dtype, c === 'one' ? [] : [...kept.map((size, i) => (i === 0 ? size : 1)), ...columns]),
      axes: fc.constant(summed.length),
    }),
  )

describe.each(['auto', 'interpreter'] as const)('a product over several axes, backend %s', (backend) => {
  it.each(['float16', 'float32', 'float64', 'int32', 'uint64', 'real'] as const)('of %s', (dtype) => {
    configure({ backend })
    const property = fc.property(cases(dtype), ({ a, b, c, axes }) => {
      const wanted = byMatrices(a.tensor, b.tensor, c?.tensor, axes)
      const got = loosely(a.tensor, b.tensor, c?.tensor, { axes })
      expect(got.shape).toEqual(wanted.shape)
      expect(String(got)).toBe(String(wanted))
    })
    fc.assert(property, settings(30))
  })

  it.each([
    ['float32', [5, 3, 3, 3], [3, 20, 33], 1, 1],
    ['float32', [9, 4, 5, 2], [4, 31, 30], 2, 1],
    ['float64', [6, 2, 3, 3], [2, 17, 29], 1, 2],
    ['int32', [4, 3, 1, 1], [3, 19, 40], 2, 1],
    ['float32', [3, 40, 3, 3], [40, 12, 70], 3, 2],
    ['bfloat16', [5, 3, 3, 3], [3, 20, 33], 1, 1],
  ] as const)('of %s, weights %j by windows of %j, steps %i, gaps %i', async (dtype, filter, image, step, gap) => {
    configure({ backend })
    const [weights, bias] = [smallTensor(dtype, filter, 1), smallTensor(dtype, [filter[0], 1, 1], 2)]
    const reach = filter.slice(2).map((size) => (size - 1) * gap + 1)
    const windowsOf = (x: Tensor): Tensor => {
      const all = slidingWindowView(x, reach) as Tensor
      const ranges: Range[] = [null, [0, null, step], [0, null, step], [0, null, gap], [0, null, gap]]
      return (all.slice(...ranges) as Tensor).transpose([0, 3, 4, 1, 2]) as Tensor
    }
    const made = sequence(({ input, call, constant }) => {
      const x = input(dtype, image) as Tensor
      constant(weights)
      return { x, y: call(tensordot, weights, windowsOf(x), bias, { axes: 3 }) }
    })
    for (let round = 0; round < 3; round++) {
      const x = smallTensor(dtype, image, 10 + round)
      const wanted = byMatrices(weights, windowsOf(x), bias, 3)
      expectSame(loosely(weights, windowsOf(x), bias, { axes: 3 }), wanted)
      // In the kernels' memory, where windows are gathered.
      const resident = identity(x)
      expectSame(loosely(weights, windowsOf(resident), bias, { axes: 3 }), wanted)
      expectSame(await tensordot.async(weights, windowsOf(resident), bias, { axes: 3 }), wanted)
      const room = identity(tensor(0, { dtype }).broadcastTo([...wanted.shape, 2] as never) as Tensor)
      const out = room.slice(...wanted.shape.map(() => null), 1) as Tensor
      expect(loosely(weights, windowsOf(resident), bias, { axes: 3, out })).toBe(out)
      expectSame(identity(out), wanted)
      identity(x, { out: made.tensors.x as never })
      made.run()
      expectSame(made.tensors.y, wanted)
      await made.async()
      expectSame(made.tensors.y, wanted)
    }
    made.dispose()
  })

  it('may write over what it reads', () => {
    configure({ backend })
    const x = identity(smallTensor('float32', [20, 20], 3))
    const wanted = byMatrices(x, x, x, 1)
    expect(loosely(x, x, x, { axes: 1, out: x })).toBe(x)
    expectSame(x, wanted)
  })
})

describe('tensordot says', () => {
  const a = smallTensor('float32', [2, 3, 4], 4)

  it('what does not go together', () => {
    const b = smallTensor('float32', [4, 3, 5], 5)
    expect(() => tensordot(a, b)).toThrow('the last 2 axes of A must be the first 2 of B')
    expect(loosely(a, b, undefined, { axes: 1 }).shape).toEqual([2, 3, 3, 5])
    expect(loosely(a, b, undefined, { axes: 0 }).shape).toEqual([2, 3, 4, 4, 3, 5])
    for (const axes of [4, -1, 1.5, '2']) {
      expect(() => loosely(a, b, undefined, { axes })).toThrow('an integer from 0 to 3')
    }
    expect(() => loosely(a, smallTensor('float64', [3, 4], 6))).toThrow('Tensordot: element types differ')
    expect(() => loosely(a, smallTensor('float32', [3, 4, 2], 6), smallTensor('float32', [3], 7))).toThrow(
      'Tensordot: C goes onto the product',
    )
    expect(() => loosely(a, a, undefined, { axis: 1 })).toThrow('axis')
    expect(() => (tensordot as unknown as (x: unknown) => void)(a)).toThrow('takes A and B')
  })
})

describe('windows that slide', () => {
  const x = tensor(
    Float32Array.from({ length: 20 }, (_, i) => i),
    { share: true, shape: [4, 5] },
  ) as Tensor

  it('over the last axes, or those that are named', () => {
    const all = slidingWindowView(x, [2, 3])
    expect(all.shape).toEqual([3, 3, 2, 3])
    expect((all.slice(1, 2) as Tensor).toArray()).toEqual([
      [7, 8, 9],
      [12, 13, 14],
    ])
    const down = slidingWindowView(x.transpose() as Tensor, [2], [-1])
    expect(down.shape).toEqual([5, 3, 2])
    expect((down.slice(4, 0) as Tensor).toArray()).toEqual([4, 9])
    expect(slidingWindowView(x, [4], [0]).shape).toEqual([1, 5, 4])
    expect(all.readOnly).toBe(true)
  })

  it('over axes that are in an array', () => {
    for (const axes of [{}, 0, 'x'])
      expect(() => slidingWindowView(tensor([1, 2]), [1], axes as never)).toThrow(IndexError)
  })

  it('and what does not fit is said', () => {
    expect(() => slidingWindowView(x, [5, 1])).toThrow('a window of 5 does not fit axis 0 of shape (4,5); it is 1 to 4')
    expect(() => slidingWindowView(x, [0], [1])).toThrow('a window of 0 does not fit axis 1')
    expect(() => slidingWindowView(x, [1, 1], [1, -1])).toThrow('2 different axes')
    expect(() => slidingWindowView(x, [1], [2])).toThrow('axis 2 does not exist')
    expect(() => slidingWindowView([1] as never, [1])).toThrow('wrap it with tensor')
  })
})

describe('offsets', () => {
  it('are those of elements in row-major order', () => {
    expect([...offsetsOf({ shape: [2, 1, 3], strides: [100, 7, -2] })]).toEqual([0, -2, -4, 100, 98, 96])
    expect([...offsetsOf({ shape: [], strides: [] })]).toEqual([0])
    expect([...offsetsOf({ shape: [2, 0], strides: [1, 1] })]).toEqual([])
  })
})
