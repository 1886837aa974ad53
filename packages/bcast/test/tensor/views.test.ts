// Views: reshape, transpose, slice and broadcastTo against nested arrays that are rebuilt at every step. Views share
// storage; only a reshape that no strides can say copies.
import { DisposedError, empty, IndexError, type Range, ShapeError, type Tensor, tensor } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settings } from '../support/oracle.ts'

type Nested = number | Nested[]

/** A nested array with its shape, which the nesting alone loses where a size is 0. */
interface Model {
  readonly shape: readonly number[]
  readonly at: (index: readonly number[]) => number
}

const nest = ({ shape, at }: Model, index: readonly number[] = []): Nested =>
  index.length === shape.length
    ? at(index)
    : Array.from({ length: shape[index.length]! }, (_, i) => nest({ shape, at }, [...index, i]))

const countOf = (shape: readonly number[]): number => shape.reduce((n, size) => n * size, 1)

const flatIndex = (shape: readonly number[], index: readonly number[]): number =>
  index.reduce((sum, i, axis) => sum * shape[axis]! + i, 0)

const unflatten = (shape: readonly number[], position: number): number[] => {
  let rest = position
  const index = shape.map(() => 0)
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index[axis] = rest % shape[axis]!
    rest = Math.floor(rest / shape[axis]!)
  }
  return index
}

/** Python's slice, by walking: the positions that a range selects. */
function positions(range: Range, size: number): number[] {
  if (range === null || range === undefined) return [...Array(size).keys()]
  if (typeof range === 'number') return [range < 0 ? range + size : range]
  const [start, stop, step = 1] = range
  const fromEnd = (value: number) => (value < 0 ? value + size : value)
  const found: number[] = []
  if (step > 0) {
    const end = stop === null || stop === undefined ? size : fromEnd(stop)
    let i = start === null || start === undefined ? 0 : fromEnd(start)
    // A start before the beginning is the beginning.
    if (i < 0) i = 0
    for (; i < end && i < size; i += step) found.push(i)
  } else {
    const end = stop === null || stop === undefined ? -1 : Math.max(fromEnd(stop), -1)
    let i = start === null || start === undefined ? size - 1 : fromEnd(start)
    if (i > size - 1) i = size - 1
    for (; i > end && i >= 0; i += step) found.push(i)
  }
  return found
}

function slicedModel(model: Model, ranges: readonly Range[]): Model {
  const chosen = model.shape.map((size, axis) => positions(ranges[axis], size))
  const kept = model.shape.flatMap((_, axis) => (typeof ranges[axis] === 'number' ? [] : [axis]))
  return {
    shape: kept.map((axis) => chosen[axis]!.length),
    at: (index) =>
      model.at(model.shape.map((_, axis) => chosen[axis]![kept.includes(axis) ? index[kept.indexOf(axis)]! : 0]!)),
  }
}

const transposedModel = (model: Model, order: readonly number[]): Model => ({
  shape: order.map((axis) => model.shape[axis]!),
  at: (index) => model.at(model.shape.map((_, axis) => index[order.indexOf(axis)]!)),
})

const reshapedModel = (model: Model, shape: readonly number[]): Model => ({
  shape,
  at: (index) => model.at(unflatten(model.shape, flatIndex(shape, index))),
})

const stretchedModel = (model: Model, shape: readonly number[]): Model => ({
  shape,
  at: (index) =>
    model.at(model.shape.map((size, axis) => (size === 1 ? 0 : index[axis + shape.length - model.shape.length]!))),
})

const counting = (shape: readonly number[]): { x: Tensor; model: Model } => ({
  x: tensor(
    Int32Array.from({ length: countOf(shape) }, (_, i) => i),
    { share: true, shape },
  ) as Tensor,
  model: { shape, at: (index) => flatIndex(shape, index) },
})

/** Everything a tensor shows of its elements, against the model. */
function expectModel(x: Tensor, model: Model): void {
  expect(x.shape).toEqual(model.shape)
  expect(x.toArray()).toEqual(nest(model))
  const flat = Array.from({ length: countOf(model.shape) }, (_, i) => model.at(unflatten(model.shape, i)))
  expect(Array.from(x.data as Int32Array)).toEqual(flat)
  for (let i = 0; i < flat.length; i += 7) expect(x.get(...unflatten(model.shape, i))).toBe(flat[i])
}

const bound = fc.oneof(fc.constant(null), fc.integer({ min: -8, max: 8 }))
const range: fc.Arbitrary<Range> = fc.oneof(
  fc.constant(null),
  fc.tuple(bound, bound, fc.constantFrom(1, 2, 3, -1, -2, -3)),
  fc.tuple(bound, bound).map(([start, stop]): Range => [start, stop]),
)
const shapes = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 4 })

describe('slice', () => {
  it('selects what Python would, for every start, stop and step', () => {
    const { x, model } = counting([5])
    const bounds = [null, -9, -6, -5, -4, -1, 0, 1, 4, 5, 6, 9]
    for (const start of bounds) {
      for (const stop of bounds) {
        for (const step of [1, 2, 3, 5, 9, -1, -2, -3, -5, -9]) {
          const wanted = slicedModel(model, [[start, stop, step]])
          expect(x.slice([start, stop, step]).toArray()).toEqual(nest(wanted))
        }
      }
    }
  })

  it('known answers of Python', () => {
    const x = tensor(Int32Array.of(0, 1, 2, 3, 4), { share: true })
    expect(x.slice([1, 4]).toArray()).toEqual([1, 2, 3])
    expect(x.slice([-2]).toArray()).toEqual([3, 4])
    expect(x.slice([]).toArray()).toEqual([0, 1, 2, 3, 4])
    expect(x.slice(undefined).toArray()).toEqual([0, 1, 2, 3, 4])
    expect(x.slice([null, -2]).toArray()).toEqual([0, 1, 2])
    expect(x.slice([null, null, -1]).toArray()).toEqual([4, 3, 2, 1, 0])
    expect(x.slice([3, 0, -1]).toArray()).toEqual([3, 2, 1])
    expect(x.slice([10, -10, -2]).toArray()).toEqual([4, 2, 0])
    expect(x.slice([4, 1]).toArray()).toEqual([])
    expect(x.slice([-100, 100, 3]).toArray()).toEqual([0, 3])
  })

  it('a number picks and drops the axis, from either end', () => {
    const { x } = counting([2, 3, 4])
    expect(x.slice(1).toArray()).toEqual([
      [12, 13, 14, 15],
      [16, 17, 18, 19],
      [20, 21, 22, 23],
    ])
    expect(x.slice(-1, -1, -1).toArray()).toBe(23)
    expect(x.slice(null, 0).shape).toEqual([2, 4])
    expect(x.slice().shape).toEqual([2, 3, 4])
  })

  it('shares storage', () => {
    const { x } = counting([4])
    const part = x.slice([1, null, 2])
    expect(part.storage).toBe(x.storage)
    ;(x.storage as Int32Array)[3] = 99
    expect(part.toArray()).toEqual([1, 99])
  })

  it('refuses what is outside or no range', () => {
    const { x } = counting([2, 3])
    expect(() => x.slice(2)).toThrow(IndexError)
    expect(() => x.slice(2)).toThrow('index 2 on axis 0 of size 2: indices are -2 to 1.')
    expect(() => x.slice(null, -4)).toThrow('index -4 on axis 1 of size 3: indices are -3 to 2.')
    expect(() => x.slice(0.5)).toThrow('index 0.5 on axis 0')
    expect(() => x.slice([0, 2, 0])).toThrow(
      'slice: step 0 on axis 0; a step is at least 1, or at most -1 to run backwards.',
    )
    expect(() => x.slice([0.5])).toThrow('slice: 0.5 on axis 0 is not an integer.')
    expect(() => x.slice({ start: 1 } as never)).toThrow('slice: { start: 1 } on axis 0 is no range')
    expect(() => x.slice(null, null, null)).toThrow('slice: 3 ranges for shape (2,3) of rank 2.')
    expect(() => counting([0]).x.slice(0)).toThrow('index 0 on axis 0 of size 0: it holds nothing.')
  })

  it('random ranges on random shapes', () => {
    fc.assert(
      fc.property(
        shapes.chain((shape) => fc.tuple(fc.constant(shape), fc.array(range, { maxLength: shape.length }))),
        ([shape, ranges]) => {
          const { x, model } = counting(shape)
          expectModel(x.slice(...ranges) as Tensor, slicedModel(model, ranges))
        },
      ),
      settings(300),
    )
  })
})

describe('transpose', () => {
  it('reverses, or takes an order, also counted from the end', () => {
    const { x } = counting([2, 3, 4])
    expect(x.transpose().shape).toEqual([4, 3, 2])
    expect(x.transpose(1, 2, 0).shape).toEqual([3, 4, 2])
    expect(x.transpose([1, 2, 0]).get(2, 3, 1)).toBe(x.get(1, 2, 3))
    expect(x.transpose(-1, 0, 1).shape).toEqual([4, 2, 3])
    expect(counting([]).x.transpose().shape).toEqual([])
  })

  it('shares storage', () => {
    const { x } = counting([2, 3])
    expect(x.transpose().storage).toBe(x.storage)
  })

  it('refuses orders that are none', () => {
    const { x } = counting([2, 3])
    for (const order of [[0], [0, 0], [0, 2], [0, -2], [0, 1, 2], [0.5, 1]])
      expect(() => x.transpose(order as never)).toThrow(IndexError)
    expect(() => x.transpose(1, 1)).toThrow('transpose(1, 1) of shape (2,3): name each of the 2 axes once.')
    expect(() => x.transpose(0, 2)).toThrow('transpose: axis 2 does not exist in rank 2; axes are -2 to 1.')
  })
})

describe('reshape', () => {
  it('works out -1', () => {
    const { x } = counting([2, 6])
    expect(x.reshape(3, -1).shape).toEqual([3, 4])
    expect(x.reshape(-1).shape).toEqual([12])
    expect(x.reshape([4, 3]).shape).toEqual([4, 3])
    expect(counting([]).x.reshape(1, 1).shape).toEqual([1, 1])
    expect(counting([1]).x.reshape().shape).toEqual([])
    expect(counting([1]).x.reshape([]).shape).toEqual([])
    expect(counting([0, 3]).x.reshape(-1, 3).shape).toEqual([0, 3])
    expect(counting([0, 3]).x.reshape(7, 0, 5).shape).toEqual([7, 0, 5])
    expect(counting([0, 3]).x.reshape(3, -1).shape).toEqual([3, 0])
  })

  it('refuses other numbers of elements', () => {
    const { x } = counting([2, 3])
    expect(() => x.reshape(4)).toThrow(ShapeError)
    expect(() => x.reshape(4)).toThrow('cannot reshape (2,3) (6 elements) to (4): the numbers of elements differ.')
    expect(() => x.reshape(4, -1)).toThrow('cannot reshape (2,3) (6 elements) to (4,-1)')
    expect(() => x.reshape(-1, -1)).toThrow(ShapeError)
    expect(() => x.reshape(0, -1)).toThrow(ShapeError)
    expect(() => counting([0, 3]).x.reshape(0, -1)).toThrow('beside a size of 0, -1 could be any size; say which.')
    expect(() => x.reshape(2.5, -1)).toThrow(ShapeError)
    expect(() => x.reshape(-2, 3)).toThrow('is negative')
  })

  it('is a view where strides can say it', () => {
    const { x } = counting([4, 6])
    const views = [
      x.reshape(24),
      x.reshape(2, 2, 6),
      x.reshape(4, 2, 3),
      x.reshape(4, 1, 6),
      (x.transpose() as Tensor).reshape(2, 3, 4),
      (x.slice([null, null, 2]) as Tensor).reshape(2, 3, 2),
      (x.slice([null, null, -1], [null, null, -1]) as Tensor).reshape(24),
      (x.slice(0) as Tensor).broadcastTo([3, 6]).reshape(3, 2, 3),
    ]
    for (const view of views) expect(view.storage).toBe(x.storage)
    expect((views[6] as Tensor).toArray()).toEqual(Array.from({ length: 24 }, (_, i) => 23 - i))
  })

  it('copies where they cannot', () => {
    const { x } = counting([2, 3])
    const copied = x.transpose().reshape(6)
    expect(copied.storage).not.toBe(x.storage)
    expect(copied.toArray()).toEqual([0, 3, 1, 4, 2, 5])
    expect(x.slice(null, [0, 2]).reshape(4).toArray()).toEqual([0, 1, 3, 4])
    const stretched = x.slice(0).broadcastTo([2, 3]).reshape(6)
    expect(stretched.toArray()).toEqual([0, 1, 2, 0, 1, 2])
    expect(stretched.readOnly).toBe(false)
  })

  it('has a shape of its own', () => {
    const shape = [3, 2]
    const y = counting([2, 3]).x.reshape(shape)
    shape[0] = 1
    expect(y.shape).toEqual([3, 2])
  })
})

describe('broadcastTo', () => {
  it('repeats without copying', () => {
    const { x } = counting([3, 1])
    const y = x.broadcastTo([2, 3, 4]) as Tensor
    expect(y.storage).toBe(x.storage)
    expectModel(y, stretchedModel(counting([3, 1]).model, [2, 3, 4]))
  })

  it('has a shape of its own', () => {
    const shape = [2, 3]
    const y = counting([3]).x.broadcastTo(shape as [2, 3])
    shape[0] = 9
    expect(y.shape).toEqual([2, 3])
  })
})

describe('chains of views', () => {
  interface Step {
    readonly x: Tensor
    readonly model: Model
  }
  type Move = (step: Step) => Step

  const factorings = (count: number): number[][] => {
    if (count === 0) return [[0], [3, 0], [0, 2, 2]]
    const found: number[][] = [[count], [1, count], [count, 1]]
    for (let a = 2; a < count; a++) if (count % a === 0) found.push([a, count / a], [a, 1, count / a])
    return found
  }

  const moves: fc.Arbitrary<Move> = fc.oneof(
    fc.array(range, { maxLength: 6 }).map(
      (ranges): Move =>
        ({ x, model }) => {
          const own = ranges.slice(0, model.shape.length)
          return { x: x.slice(...own) as Tensor, model: slicedModel(model, own) }
        },
    ),
    fc.array(fc.nat(99), { minLength: 8, maxLength: 8 }).map(
      (keys): Move =>
        ({ x, model }) => {
          const order = model.shape.map((_, axis) => axis).sort((a, b) => keys[a]! - keys[b]!)
          return { x: x.transpose(order) as Tensor, model: transposedModel(model, order) }
        },
    ),
    fc.nat(99).map(
      (pick): Move =>
        ({ x, model }) => {
          const choices = factorings(countOf(model.shape))
          const shape = choices[pick % choices.length]!
          return { x: x.reshape(shape) as Tensor, model: reshapedModel(model, shape) }
        },
    ),
    fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 3 })).map(
      ([extra, size]): Move =>
        ({ x, model }) => {
          if (countOf(model.shape) > 300) return { x, model }
          const shape = [...new Array<number>(extra).fill(size), ...model.shape.map((n) => (n === 1 ? size : n))].slice(
            -7,
          )
          if (shape.length < model.shape.length) return { x, model }
          return { x: x.broadcastTo(shape as never) as Tensor, model: stretchedModel(model, shape) }
        },
    ),
    fc.tuple(fc.nat(5), fc.integer({ min: -3, max: 3 })).map(
      ([axis, index]): Move =>
        ({ x, model }) => {
          const at = axis % Math.max(1, model.shape.length)
          const size = model.shape[at] ?? 0
          if (index < -size || index >= size) return { x, model }
          const ranges: Range[] = [...new Array<Range>(at).fill(null), index]
          return { x: x.slice(...ranges) as Tensor, model: slicedModel(model, ranges) }
        },
    ),
  )

  it('are the chain of nested arrays', () => {
    fc.assert(
      fc.property(shapes, fc.array(moves, { minLength: 1, maxLength: 6 }), (shape, chain) => {
        const { x, model } = chain.reduce((step, move) => move(step), counting(shape) as Step)
        expectModel(x, model)
      }),
      settings(600),
    )
  })
})

describe('view', () => {
  it('is another tensor over the same elements', () => {
    const x = tensor([
      [1, 2, 3],
      [4, 5, 6],
    ])
    const view = x.transpose().view()
    expect([view.shape, view.toArray()]).toEqual([[3, 2], x.transpose().toArray()])
    expect(view.storage).toBe(x.storage)
    expect(x.broadcastTo([2, 2, 3]).view().readOnly).toBe(true)
  })

  it('is disposed by itself', () => {
    const x = empty([2000])
    const view = x.view()
    x.dispose()
    view.data.fill(7)
    expect(view.get(1999)).toBe(7)
    expect(() => x.data).toThrow(DisposedError)
    const other = empty([2000])
    other.view().dispose()
    other.data.fill(1)
    expect(other.get(0)).toBe(1)
  })
})

describe('isRowMajor', () => {
  it('tells whether elements lie in the order of data', () => {
    const x = tensor([
      [1, 2, 3],
      [4, 5, 6],
    ])
    expect([x, x.view(), x.slice([1, 2]), x.reshape(3, 2)].map(({ isRowMajor }) => isRowMajor)).toEqual(
      new Array(4).fill(true),
    )
    const others = [x.transpose(), x.slice(null, [0, 2]), x.slice([null, null, -1]), x.broadcastTo([2, 2, 3])]
    expect(others.map(({ isRowMajor }) => isRowMajor)).toEqual(new Array(4).fill(false))
    expect([x.slice([0, 0]).isRowMajor, x.transpose().slice([0, 1]).isRowMajor]).toEqual([true, false])
  })
})

describe('the method broadcastTo', () => {
  it('leaves rules to the function, and takes nothing silently', () => {
    const x = tensor([1, 2]) as unknown as { broadcastTo(...given: unknown[]): Tensor }
    for (const other of [{ broadcast: 'pdpd' }, {}, 5]) {
      expect(() => x.broadcastTo([2, 2], other)).toThrow('a rule is for broadcastTo(x, shape, { broadcast })')
    }
    expect(x.broadcastTo([2, 2]).toArray()).toEqual([[1, 2], [1, 2]]) // biome-ignore format: a matrix
  })
})

describe('the method view', () => {
  it('takes no shape, as that of PyTorch does', () => {
    const x = tensor([1, 2, 3, 4]) as unknown as { view(...given: unknown[]): Tensor }
    expect(() => x.view(2, 2)).toThrow('x.reshape(…) gives another shape')
    expect(() => x.view({ shape: [2], strides: [1], offset: 2 })).toThrow(ShapeError)
    expect(x.view().toArray()).toEqual([1, 2, 3, 4])
  })
})
