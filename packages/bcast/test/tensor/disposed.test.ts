// A tensor that was given back: what it says of itself stays readable, a console can show it, and every use of its
// elements is a DisposedError, whatever else is wrong with the call.
import { inspect } from 'node:util'
import { broadcast, broadcastTo, configure, DisposedError, fuse, Tensor, tensor } from 'bcast'
import { afterEach, describe, expect, it } from 'vitest'
import { HINTED } from '../../src/tensor/hints.ts'
import { loosely, looselyLater } from '../support/operators.ts'

afterEach(() => configure({ backend: 'auto' }))

const WORDS = 'this float32 tensor of shape (2) was disposed; make a new one.'

/** Tensors that were given back, made in different ways. */
const kinds: Readonly<Record<string, () => Tensor>> = {
  'over an array': () => tensor(Float32Array.of(1, 2), { share: true }) as Tensor,
  'of nested arrays': () => tensor([1, 2]) as Tensor,
  'a small result': () => loosely('add')(tensor([1, 2]), 1),
  'a view': () => (tensor([1, 2, 3]) as Tensor).slice([1]) as Tensor,
  'a broadcast view': () => broadcastTo(tensor(1), [2] as never) as Tensor,
}

const gone = (make = kinds['of nested arrays']!): Tensor => {
  const x = make()
  x.dispose()
  return x
}

/** Every member of the class that uses elements, by name. */
const uses: Readonly<Record<string, readonly ((x: Tensor) => unknown)[]>> = {
  storage: [(x) => x.storage],
  view: [(x) => x.view()],
  viewAs: [(x) => x.viewAs(x.layout)],
  data: [(x) => x.data],
  T: [(x) => x.T],
  at: [(x) => x.at(0)],
  item: [(x) => x.item()],
  get: [(x) => x.get(0), (x) => x.get(9), (x) => x.get()],
  toArray: [(x) => x.toArray()],
  toJSON: [(x) => x.toJSON(), (x) => JSON.stringify(x)],
  slice: [(x) => x.slice([0, 1])],
  transpose: [(x) => x.transpose()],
  reshape: [(x) => x.reshape(1, 2)],
  broadcastTo: [(x) => x.broadcastTo([2, 2] as never)],
  toString: [(x: Tensor) => String(x), (x: Tensor) => `${x}`],
}

const own: Readonly<Record<string, (x: Tensor) => unknown>> = {
  dtype: (x) => x.dtype,
  shape: (x) => x.shape,
  isRowMajor: (x) => x.isRowMajor,
  rank: (x) => x.rank,
  size: (x) => x.size,
  readOnly: (x) => x.readOnly,
  layout: (x) => x.layout,
  elements: (x) => x.elements,
}

const calls: Readonly<Record<string, (x: Tensor) => unknown>> = {
  'an operator': (x) => loosely('neg')(x),
  'an operator beside others': (x) => loosely('add')(tensor([1, 2]), x),
  'an operator of no elements': (x) => loosely('add')(tensor([], { shape: [0, 2] }), x),
  'as out': (x) => loosely('add')(tensor([1, 2]), 1, { out: x }),
  broadcast: (x) => broadcast(x, x),
  'broadcast to': (x) => broadcastTo(x, [2, 2] as never),
  expand: (x) => loosely('expand')(x, [2]),
  cast: (x) => loosely('cast')(x, 'int8'),
  'a fused function': (x) => fuse((a) => a.neg())(x),
  'a fused function around it': (x) => fuse((a) => a.add(x))(tensor([1, 2]) as never),
}

describe.each(Object.entries(kinds))('a tensor given back, %s', (_, make) => {
  it.each(Object.entries(uses))('%s is an error', (_, ways) => {
    const x = gone(make)
    for (const use of ways) {
      expect(() => use(x)).toThrow(DisposedError)
      expect(() => use(x)).toThrow(WORDS)
    }
  })

  it.each(Object.entries(own))('%s stays readable', (_, read) => {
    const x = make()
    const before = read(x)
    x.dispose()
    expect(read(x)).toEqual(before)
  })

  it.each(['auto', 'interpreter'] as const)('operators of the %s backend refuse it', async (backend) => {
    configure({ backend })
    for (const [name, call] of Object.entries(calls)) {
      const x = make()
      // Calls that are known from before take a shorter way.
      if (!(name === 'as out' && x.readOnly)) for (let i = 0; i < 2; i++) call(x)
      x.dispose()
      if (name === 'as out' && x.readOnly) continue
      expect(() => call(x), name).toThrow(DisposedError)
    }
    await expect(looselyLater('neg')(gone(make))).rejects.toThrow(DisposedError)
    await expect(looselyLater('add')(tensor([1, 2]), 1, { out: gone(kinds['a small result']) })).rejects.toThrow(
      DisposedError,
    )
    await expect(fuse((a) => a.neg()).async(gone(make) as never)).rejects.toThrow(DisposedError)
  })

  it('is shown as such', () => {
    expect(inspect(gone(make))).toBe('float32 (2) disposed')
    expect(inspect({ x: gone(make) })).toBe('{ x: float32 (2) disposed }')
  })
})

it('every member is spoken of here', () => {
  const inherited = Object.getOwnPropertyNames(Tensor.prototype).filter((name) => name !== 'constructor')
  const members = [...inherited, ...Object.keys(tensor(1))]
  expect(members.sort()).toEqual([...Object.keys(uses), ...Object.keys(own), ...HINTED, 'dispose'].sort())
})

describe('a tensor given back', () => {
  it.each([
    ['float32 () disposed', () => tensor(1)],
    ['int64 (2,3) disposed', () => tensor(new BigInt64Array(6), { share: true, shape: [2, 3] })],
    ['string (1) disposed', () => tensor(['a'])],
    ['bool (0,2) disposed', () => tensor([], { dtype: 'bool', shape: [0, 2] })],
  ])('is shown as %s', (text, make) => {
    expect(inspect(gone(make as () => Tensor))).toBe(text)
    expect(() => String(gone(make as () => Tensor))).toThrow(DisposedError)
  })

  it('leaves views made before', () => {
    const x = tensor([1, 2])
    const view = x.slice([null, null, -1])
    x.dispose()
    expect(view.toArray()).toEqual([2, 1])
  })

  it('twice is given back once: other views keep their elements', () => {
    const x = loosely('add')(tensor(new Float32Array(5000), { share: true }), 7)
    const [a, b] = [x.slice([0, 10]) as Tensor, x.slice([10, 20]) as Tensor]
    for (let i = 0; i < 3; i++) a.dispose()
    for (let i = 0; i < 3; i++) x.dispose()
    loosely('add')(tensor(new Float32Array(5000), { share: true }), 9)
    expect(b.toArray()).toEqual(new Array(10).fill(7))
    b.dispose()
    expect(() => b.data).toThrow(DisposedError)
  })

  it('works with using', () => {
    let seen: Tensor | undefined
    {
      using x = tensor([1, 2])
      seen = x as Tensor
      expect(seen.get(1)).toBe(2)
    }
    expect(() => seen?.data).toThrow(DisposedError)
    {
      using y = tensor([1, 2])
      y.dispose()
    }
  })
})
