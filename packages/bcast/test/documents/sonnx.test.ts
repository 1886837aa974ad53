// The two drafts of SONNX's Broadcast, clause by clause, on the library. The drafts count from 1 in places; the
// library counts from 0.
import 'bcast/real'
import { add, broadcast, broadcastShapes, numpy, sonnx, type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { expectMeeting, expectRefused, numbered } from './support.ts'

describe('first draft', () => {
  it('[sonnx1.signature] N tensors give N tensors', () => {
    expect(broadcast([numbered([2]), numbered([1]), numbered([])])).toHaveLength(3)
  })
  it('[sonnx1.anytype] of any element type, also different ones', () => {
    const [a, b] = broadcast(tensor(['x']), tensor([true, false]))
    expect([a.toArray(), b.toArray()]).toEqual([
      ['x', 'x'],
      [true, false],
    ])
  })
  it('[sonnx1.purpose, sonnx1.purpose.rank, sonnx1.purpose.size] one rank, the largest; per axis one size, the largest', () => {
    expectMeeting([[2, 1], [3], []], sonnx, [2, 3])
  })
  it('[sonnx1.pad, sonnx1.y] missing dimensions come first, are 1, and shift the indices', () => {
    const [y] = broadcast(numbered([3]), numbered([1, 1, 3]))
    expect(y.shape).toEqual([1, 1, 3])
    expect(y.get(0, 0, 2)).toBe(2)
  })
  it('[sonnx1.stretch] added elements are those of the first index', () => {
    const [z] = broadcast(numbered([2, 1]), numbered([2, 3]))
    expect(z.toArray()).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ])
  })
  it('[sonnx1.max, sonnx1.c1] each size is the largest or 1', () => {
    expectMeeting(
      [
        [1, 4],
        [3, 1],
      ],
      sonnx,
      [3, 4],
    )
    expectRefused([[2], [3]], sonnx, -1)
  })
  it('[sonnx1.relation, sonnx1.f] z at an index is x at that index, or at the first where x has size 1', () => {
    const x = numbered([2, 1, 4])
    const [z] = broadcast(x, numbered([2, 3, 4]))
    for (const [i, j, k] of [
      [0, 0, 0],
      [1, 2, 3],
      [0, 1, 2],
    ] as const)
      expect(z.get(i, j, k)).toBe(x.get(i, 0, k))
  })
  it('[sonnx1.f.otherwise] no other case can occur, since C1 rules it out', () =>
    expectRefused(
      [
        [2, 3],
        [2, 2],
      ],
      sonnx,
      -1,
    ))
})

describe('second draft', () => {
  it('[sonnx2.types] fourteen types, with the names float, double and boolean', () => {
    expect(tensor([1], { dtype: 'float' }).dtype).toBe('float32')
    expect(tensor([1], { dtype: 'double' }).dtype).toBe('float64')
    expect(tensor([true], { dtype: 'boolean' }).dtype).toBe('bool')
  })

  const stretched = (x: Tensor): unknown => (broadcast(x, numbered([2, 2])) as Tensor[])[0]!.toArray()
  const twice = (row: unknown) => [row, row]

  it('[sonnx2.type.real]', () => {
    const [z] = broadcast(tensor(['1/3', '-2'], { dtype: 'real' }), numbered([2, 2]))
    expect(String(z)).toBe('[[1/3  -2]\n [1/3  -2]]')
  })
  it('[sonnx2.type.float16]', () =>
    expect(stretched(tensor([0.1, 2], { dtype: 'float16' }))).toEqual(twice([0.0999755859375, 2])))
  it('[sonnx2.type.float]', () =>
    expect(stretched(tensor([0.1, 2], { dtype: 'float' }))).toEqual(twice([Math.fround(0.1), 2])))
  it('[sonnx2.type.double]', () => expect(stretched(tensor([0.1, 2], { dtype: 'double' }))).toEqual(twice([0.1, 2])))
  it('[sonnx2.type.int8]', () => expect(stretched(tensor([-128, 127], { dtype: 'int8' }))).toEqual(twice([-128, 127])))
  it('[sonnx2.type.int16]', () =>
    expect(stretched(tensor([-32768, 32767], { dtype: 'int16' }))).toEqual(twice([-32768, 32767])))
  it('[sonnx2.type.int32]', () =>
    expect(stretched(tensor([-(2 ** 31), 5], { dtype: 'int32' }))).toEqual(twice([-(2 ** 31), 5])))
  it('[sonnx2.type.int64]', () => expect(stretched(tensor([-(2n ** 63n), 5n]))).toEqual(twice([-(2n ** 63n), 5n])))
  it('[sonnx2.type.uint8]', () => expect(stretched(tensor([0, 255], { dtype: 'uint8' }))).toEqual(twice([0, 255])))
  it('[sonnx2.type.uint16]', () =>
    expect(stretched(tensor([0, 65535], { dtype: 'uint16' }))).toEqual(twice([0, 65535])))
  it('[sonnx2.type.uint32]', () =>
    expect(stretched(tensor([0, 2 ** 32 - 1], { dtype: 'uint32' }))).toEqual(twice([0, 2 ** 32 - 1])))
  it('[sonnx2.type.uint64]', () =>
    expect(stretched(tensor([0n, 2n ** 64n - 1n], { dtype: 'uint64' }))).toEqual(twice([0n, 2n ** 64n - 1n])))
  it('[sonnx2.type.string]', () => expect(stretched(tensor(['a', '']))).toEqual(twice(['a', ''])))
  it('[sonnx2.type.boolean]', () => expect(stretched(tensor([true, false]))).toEqual(twice([true, false])))

  it('[sonnx2.signature] as many results as operands, in order', () => {
    const [z0, z1, z2] = broadcast(tensor([1]), tensor([2, 2]), tensor(3))
    expect([z0.toArray(), z1.toArray(), z2.toArray()]).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  })
  it('[sonnx2.l] one operand is enough and very many are fine', () => {
    expect((broadcast([numbered([2, 3])]) as Tensor[])[0]!.shape).toEqual([2, 3])
    const many = Array.from({ length: 20_000 }, (_, i) => numbered(i % 2 === 0 ? [2, 1] : [3]))
    const results = broadcast(many) as Tensor[]
    expect(results).toHaveLength(20_000)
    expect(results.every(({ shape }) => shape[0] === 2 && shape[1] === 3)).toBe(true)
  })
  it('[sonnx2.onnx, sonnx2.restrictions] where no size is 0 it is ONNX broadcasting', () => {
    for (const shapes of [
      [[2, 1], [3]],
      [
        [4, 5],
        [2, 3, 4, 5],
      ],
      [[], [1]],
    ]) {
      expect(broadcastShapes(shapes as number[][], { broadcast: sonnx })).toEqual(
        broadcastShapes(shapes as number[][], { broadcast: numpy }),
      )
    }
    expectMeeting([[0], [1]], numpy, [0])
    expectRefused([[0], [1]], sonnx, -1)
  })
  it('[sonnx2.elementwise] lets Add take different shapes', () => {
    expect(add(tensor([[1], [2]]), tensor([10, 20]), { broadcast: sonnx }).toArray()).toEqual([
      [11, 21],
      [12, 22],
    ])
  })
  it('[sonnx2.purpose, sonnx2.repeat] results share one shape and repeat elements as needed', () => {
    const [a, b] = broadcast(numbered([2, 1]), numbered([3]))
    expect(a.shape).toEqual(b.shape)
    expect(a.toArray()).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ])
  })
  it('[sonnx2.condition.1, sonnx2.step.1, sonnx2.ny, sonnx2.pad] the rank is the largest, missing sizes in front are 1', () => {
    expectMeeting([[5], [2, 3, 5]], sonnx, [2, 3, 5])
    expectMeeting([[5], [1, 1, 5]], sonnx, [1, 1, 5])
  })
  it('[sonnx2.condition.2, sonnx2.step.2, sonnx2.max] each size is the largest on its axis', () => {
    expectMeeting(
      [
        [2, 1, 1],
        [1, 3, 1],
        [1, 1, 4],
      ],
      sonnx,
      [2, 3, 4],
    )
  })
  it('[sonnx2.index, sonnx2.index.last] indices shift by the padding', () => {
    const x = numbered([2, 3])
    const [y] = broadcast(x, numbered([1, 1, 2, 3]))
    expect(y.get(0, 0, 1, 2)).toBe(x.get(1, 2))
  })
  it('[sonnx2.c1] every size is the largest or 1', () => {
    expectRefused(
      [
        [2, 3],
        [3, 3],
      ],
      sonnx,
      -2,
    )
    expectRefused([[0, 3], [3]], sonnx, -2)
  })
  it('[sonnx2.f, sonnx2.relation] z at an index is y at f of it', () => {
    const y = numbered([1, 3, 1])
    const [z] = broadcast(y, numbered([2, 3, 4]))
    const f = (a: number, size: number, target: number) => (size === target ? a : 0)
    for (const [i, j, k] of [
      [0, 0, 0],
      [1, 2, 3],
      [1, 0, 2],
    ] as const) {
      expect(z.get(i, j, k)).toBe(y.get(f(i, 1, 2), f(j, 3, 3), f(k, 1, 4)))
    }
  })
  it('[sonnx2.f.otherwise] other sizes do not occur under C1', () => expectRefused([[4], [2]], sonnx, -1))
  it('[sonnx2.commutative] permuting operands permutes results', () => {
    const [a, b, c] = [numbered([2, 1]), numbered([3]), numbered([])]
    const [x, y, z] = broadcast(a, b, c)
    const [z2, x2, y2] = broadcast(c, a, b)
    expect([x2, y2, z2].map((t) => t.toArray())).toEqual([x, y, z].map((t) => t.toArray()))
  })
  it('[sonnx2.recursive, sonnx2.binary] folding pairs gives the same as all at once', () => {
    const [a, b, c] = [numbered([2, 1]), numbered([3]), numbered([4, 1, 1])]
    const all = broadcast(a, b, c)
    const [ab, ba] = broadcast(a, b)
    const [abc, cab] = broadcast(ab, c)
    const [bac] = broadcast(ba, c)
    expect([abc.toArray(), bac.toArray(), cab.toArray()]).toEqual(all.map((t) => t.toArray()))
  })
  it('[sonnx2.binary.ny, sonnx2.binary.pad, sonnx2.binary.index] of two, the one of smaller rank is padded', () => {
    const x1 = numbered([3])
    const [y1] = broadcast(x1, numbered([1, 3]))
    expect(y1.shape).toEqual([1, 3])
    expect(y1.get(0, 1)).toBe(x1.get(1))
  })
  it('[sonnx2.binary.same] the other keeps shape and indices', () => {
    const x2 = numbered([2, 3])
    const [, y2] = broadcast(numbered([3]), x2)
    expect(y2.toArray()).toEqual(x2.toArray())
  })
  it('[sonnx2.binary.max, sonnx2.binary.relation] sizes are the larger ones, elements follow f', () => {
    const [z1, z2] = broadcast(numbered([2, 1]), numbered([1, 3]))
    expect(z1.toArray()).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ])
    expect(z2.toArray()).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ])
  })
})
