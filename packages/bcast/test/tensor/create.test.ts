// Making tensors: what type and shape they get, what is shared and what is copied, and errors that show where.
import '../../src/real.ts'
import { runInNewContext } from 'node:vm'
import { add, BcastError, type DType, DTypeError, dtypes, fromData, Tensor, tensor, ValueError } from 'bcast'
import { real } from 'bcast/real'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrayOf, elementsOf, make, sameElement, specials, type Value } from '../../../../testing/elements.ts'

/** Types made at run time, without the compiler's view of them. */
const loosely = tensor as unknown as (
  values: unknown,
  options?: { dtype?: string; shape?: readonly number[]; share?: boolean },
) => Tensor

describe('nested arrays', () => {
  it('numbers make float32', () => {
    const x = tensor([
      [1, 2, 3],
      [4, 5, 6],
    ])
    expect(x.dtype).toBe('float32')
    expect(x.shape).toEqual([2, 3])
    expect(x.data).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6))
  })

  it('other kinds make the type that holds them', () => {
    expect(tensor([1n, 2n])).toMatchObject({ dtype: 'int64', shape: [2], data: BigInt64Array.of(1n, 2n) })
    expect(tensor([[true], [false]])).toMatchObject({ dtype: 'bool', shape: [2, 1], data: Uint8Array.of(1, 0) })
    expect(tensor(['a', ''])).toMatchObject({ dtype: 'string', shape: [2], data: ['a', ''] })
    expect(tensor([real('1/3')])).toMatchObject({ dtype: 'real', shape: [1] })
  })

  it('scalars have rank 0', () => {
    expect(tensor(5)).toMatchObject({ dtype: 'float32', shape: [], rank: 0, size: 1 })
    expect(tensor(5n).dtype).toBe('int64')
    expect(tensor(true).toArray()).toBe(true)
    expect(tensor('x').toArray()).toBe('x')
    expect(tensor(real('1/3')).dtype).toBe('real')
  })

  it('empty arrays keep the axes that can be seen', () => {
    expect(tensor([])).toMatchObject({ dtype: 'float32', shape: [0], size: 0 })
    expect(tensor([[], []])).toMatchObject({ shape: [2, 0], size: 0 })
    expect(tensor([], { dtype: 'int64', shape: [0, 3] })).toMatchObject({ dtype: 'int64', shape: [0, 3] })
  })

  it('a shape rearranges what fits', () => {
    expect(tensor([1, 2, 3, 4], { shape: [2, 2] }).toArray()).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(tensor([[1, 2]], { shape: [2] }).toArray()).toEqual([1, 2])
    expect(loosely(5, { shape: [1, 1] }).toArray()).toEqual([[5]])
  })

  it('is copied: changing the array later changes nothing', () => {
    const row = [1, 2]
    const shape = [1, 2]
    const x = loosely(row, { shape })
    row[0] = 9
    shape[0] = 2
    expect(x.toArray()).toEqual([[1, 2]])
    expect(x.shape).toEqual([1, 2])
  })

  it.each(dtypes)('every special value of %s goes in and comes out', (dtype) => {
    const values = specials(dtype)
    const given =
      dtype === 'real' ? values.map((value) => real((value as { n: bigint }).n, (value as { d: bigint }).d)) : values
    const made = loosely(given, { dtype })
    expect(elementsOf(made).every((element, i) => sameElement(element, values[i]))).toBe(true)
    expect(made.dtype).toBe(dtype)
  })
})

describe('typed arrays', () => {
  const ARRAYS = [
    [new Float32Array(4), 'float32'],
    [new Float64Array(4), 'float64'],
    [new Int8Array(4), 'int8'],
    [new Int16Array(4), 'int16'],
    [new Int32Array(4), 'int32'],
    [new BigInt64Array(4), 'int64'],
    [new Uint8Array(4), 'uint8'],
    [new Uint16Array(4), 'uint16'],
    [new Uint32Array(4), 'uint32'],
    [new BigUint64Array(4), 'uint64'],
  ] as const

  const oneOf = (array: (typeof ARRAYS)[number][0]): number | bigint => (typeof array[0] === 'bigint' ? 1n : 1)

  it.each(ARRAYS)('%o is copied and keeps its type', (given, dtype) => {
    const array = given.slice()
    const x = loosely(array, { shape: [2, 2] })
    expect(x.dtype).toBe(dtype)
    expect(x.data).toEqual(array)
    array.fill(oneOf(array) as never)
    expect(x.data).toEqual(given)
    expect(loosely(array).shape).toEqual([4])
  })

  it.each(ARRAYS)('%o is shared where that is asked for', (array, dtype) => {
    expect(loosely(array, { share: true }).data).toBe(array)
    expect(loosely(array, { share: true, dtype, shape: [2, 2] }).data).toBe(array)
    expect(loosely(array, { share: false }).data).not.toBe(array)
  })

  it('sharing needs memory that can be shared', () => {
    const refusal = (values: unknown, dtype?: string) => () => loosely(values, { share: true, ...(dtype && { dtype }) })
    expect(refusal(new Float32Array(2), 'int8')).toThrow(
      'tensor: { share: true } keeps the elements where they are, as float32, so they cannot be int8; leave it out for a copy.',
    )
    for (const values of [[1, 2], 1, tensor([1])]) {
      expect(refusal(values)).toThrow(
        'tensor: { share: true } is for typed arrays, whose memory a tensor can be; leave it out for a copy.',
      )
    }
  })

  it('clamped bytes are uint8, shared', () => {
    const clamped = Uint8ClampedArray.of(1, 2)
    const x = loosely(clamped, { share: true })
    expect(x.dtype).toBe('uint8')
    expect(x.data).toBeInstanceOf(Uint8Array)
    clamped[0] = 7
    expect(x.toArray()).toEqual([7, 2])
  })

  it('part of a buffer stays that part', () => {
    const whole = Float32Array.of(1, 2, 3, 4)
    const x = tensor(whole.subarray(1, 3), { share: true })
    expect(x.toArray()).toEqual([2, 3])
    whole[1] = 8
    expect(x.get(0)).toBe(8)
  })

  it('of another realm are as those of this one', () => {
    for (const [array, dtype] of ARRAYS) {
      const one = oneOf(array)
      const foreign = runInNewContext(`new ${array.constructor.name}(4)`).fill(one)
      expect(loosely(foreign)).toEqual(loosely(array.slice().fill(one as never)))
      const shared = loosely(foreign, { share: true })
      expect(shared.data).toBeInstanceOf(array.constructor)
      foreign[0]++
      expect(Number(shared.get(0))).toBe(2)
      expect(fromData(dtype, foreign, [4]).data).toBeInstanceOf(array.constructor)
    }
    expect(loosely(runInNewContext('Uint8ClampedArray.of(1, 2)'))).toEqual(loosely(Uint8Array.of(1, 2)))
    expect(loosely(runInNewContext('[[1, 2], [3, 4]]'))).toEqual(loosely([[1, 2], [3, 4]])) // biome-ignore format: one line
  })

  it('a Float16Array, where there is one, is its bits', () => {
    // Node 20 has none; an object with that tag and layout stands in for it.
    class Float16Array extends Uint16Array {
      override get [Symbol.toStringTag](): 'Uint16Array' {
        return 'Float16Array' as 'Uint16Array'
      }
    }
    const half = Float16Array.of(0x3c00, 0xc000)
    expect(loosely(half)).toMatchObject({ dtype: 'float16' })
    expect(loosely(half).toArray()).toEqual([1, -2])
    expect(loosely(half, { dtype: 'float64' }).data).toEqual(Float64Array.of(1, -2))
    expect(loosely(half, { dtype: 'int8' }).data).toEqual(Int8Array.of(1, -2))
  })

  it('another type converts, value by value', () => {
    expect(tensor(Float64Array.of(1, -0, 2.5), { dtype: 'float32' }).data).toEqual(Float32Array.of(1, -0, 2.5))
    expect(tensor(Int32Array.of(1, 2), { dtype: 'int64' }).data).toEqual(BigInt64Array.of(1n, 2n))
    expect(tensor(Uint8Array.of(0, 1), { dtype: 'bool' }).toArray()).toEqual([false, true])
    expect(tensor(Float32Array.of(1, 65520), { dtype: 'float16' }).data).toEqual(Uint16Array.of(0x3c00, 0x7c00))
    expect(() => tensor(Float32Array.of(1, 2.5), { dtype: 'int8' })).toThrow(
      '2.5 at [1] cannot be an element of type int8: it is not an integer.',
    )
    expect(() => tensor(Uint8Array.of(0, 2), { dtype: 'bool' })).toThrow('2 at [1] cannot be an element of type bool')
  })

  it('a DataView and a detached kind are refused', () => {
    expect(() => loosely(new DataView(new ArrayBuffer(8)))).toThrow(BcastError)
  })
})

describe('dtype', () => {
  it('[sonnx2.types] has the fourteen types of the document by its names', () => {
    const named = { float: 'float32', double: 'float64', boolean: 'bool' } as const
    const own = [
      'real',
      'float16',
      'int8',
      'int16',
      'int32',
      'int64',
      'uint8',
      'uint16',
      'uint32',
      'uint64',
      'string',
    ] as const
    for (const [name, dtype] of Object.entries(named)) expect(loosely([], { dtype: name }).dtype).toBe(dtype)
    for (const name of own) expect(loosely([], { dtype: name }).dtype).toBe(name)
    expect(own.length + Object.keys(named).length).toBe(14)
  })

  it('converts numbers, bigints and booleans alike', () => {
    expect(tensor([1.5, -2], { dtype: 'float64' }).data).toEqual(Float64Array.of(1.5, -2))
    expect(tensor([1, 2], { dtype: 'uint64' }).data).toEqual(BigUint64Array.of(1n, 2n))
    expect(tensor([1n, 2n], { dtype: 'int8' }).data).toEqual(Int8Array.of(1, 2))
    expect(tensor([true, false], { dtype: 'float32' }).data).toEqual(Float32Array.of(1, 0))
    expect(tensor([0, 1], { dtype: 'bool' }).data).toEqual(Uint8Array.of(0, 1))
    expect(tensor(['1/3', '0.25', '-2'], { dtype: 'real' }).toArray().toString()).toBe('0.(3),0.25,-2')
  })

  it('rounds floats once, ties to even', () => {
    expect(tensor([2049, 2051, 0.1], { dtype: 'float16' }).toArray()).toEqual([2048, 2052, 0.0999755859375])
    expect(tensor([257, 259], { dtype: 'bfloat16' }).toArray()).toEqual([256, 260])
    expect(tensor([0.1]).get(0)).toBe(Math.fround(0.1))
    // One above a tie: going through float64 first would land on the tie and round the other way.
    const above = 2n ** 60n
    expect(tensor([above + 2n ** 52n + 1n], { dtype: 'bfloat16' }).get(0)).toBe(2 ** 60 + 2 ** 53)
    expect(tensor([above + 2n ** 36n + 1n], { dtype: 'float32' }).get(0)).toBe(2 ** 60 + 2 ** 37)
    expect(tensor([-above - 2n ** 36n - 1n], { dtype: 'float32' }).get(0)).toBe(-(2 ** 60) - 2 ** 37)
    expect(tensor([above + 2n ** 36n], { dtype: 'float32' }).get(0)).toBe(2 ** 60)
    expect(tensor([2n ** 2000n, -(2n ** 2000n)], { dtype: 'float32' }).toArray()).toEqual([Infinity, -Infinity])
    expect(tensor(BigInt64Array.of(above + 2n ** 36n + 1n), { dtype: 'float32' }).get(0)).toBe(2 ** 60 + 2 ** 37)
    expect(tensor([above + 2n ** 7n + 1n], { dtype: 'float64' }).get(0)).toBe(2 ** 60 + 2 ** 8)
  })

  it('names that are none list the ones that are', () => {
    expect(() => loosely([1], { dtype: 'float31' })).toThrow(DTypeError)
    expect(() => loosely([1], { dtype: 'float31' })).toThrow(
      '"float31" is not an element type. Element types are float16, bfloat16, float32',
    )
    expect(() => loosely([1], { dtype: 'complex64' })).toThrow('"complex64" is not supported.')
    expect(() => loosely([1], { dtype: 'int4' })).toThrow('"int4" is not supported.')
    expect(() => loosely([1], { dtype: 'float8e4m3fn' })).toThrow('"float8e4m3fn" is not supported.')
    expect(() => loosely([1], { dtype: 'toString' })).toThrow(DTypeError)
    expect(() => loosely([1], { dtype: null as never })).toThrow('null is not an element type')
    expect(() => loosely([1], { dtype: 5n as never })).toThrow('5n is not an element type')
    expect(() => loosely([1], { dtype: Object.create(null) as never })).toThrow('{} is not an element type')
  })
})

describe('fromData', () => {
  it.each(dtypes)('%s is shared as it lies', (dtype) => {
    const data = arrayOf(dtype).from(Array.from(make(dtype, specials(dtype).slice(0, 2)).data as ArrayLike<Value>))
    const x = fromData(dtype as DType, data as never, [1, 2])
    expect(x).toBeInstanceOf(Tensor)
    expect(x.data).toBe(data)
    expect(x.shape).toEqual([1, 2])
  })

  it('16-bit floats are bit patterns', () => {
    expect(fromData('float16', Uint16Array.of(0x3c00, 0x7c00), [2]).toArray()).toEqual([1, Infinity])
    expect(fromData('bfloat16', Uint16Array.of(0x3f80, 0xff80), [2]).toArray()).toEqual([1, -Infinity])
  })

  it('refuses data of another kind or length', () => {
    expect(() => fromData('float32', new Float64Array(2) as never, [2])).toThrow(
      'data of float32 is a Float32Array, not Float64Array.',
    )
    expect(() => fromData('bool', Uint8Array.of(0, 2), [2])).toThrow('data of bool holds 0 and 1 only.')
    expect(() => fromData('int8', new Int8Array(3), [2])).toThrow('3 elements do not fill shape (2), which takes 2.')
    expect(() => fromData('string', new Uint8Array(1) as never, [1])).toThrow(DTypeError)
    expect(() => fromData('float32', null as never, [1])).toThrow(DTypeError)
    expect(() => fromData('complex64' as never, new Float32Array(2) as never, [1])).toThrow('is not supported')
  })

  it('its shape is its own', () => {
    const shape = [2]
    const x = fromData('int8', Int8Array.of(1, 2), shape)
    shape[0] = 1
    expect(x.shape).toEqual([2])
  })
})

describe('round trip', () => {
  it('toArray of a tensor makes that tensor again', () => {
    const types = dtypes.filter((dtype) => dtype !== 'real')
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }),
        fc.nat(),
        (dtype, shape, seed) => {
          const pool = specials(dtype)
          const count = shape.reduce((n, size) => n * size, 1)
          const values = Array.from({ length: count }, (_, i) => pool[(seed + i * 7) % pool.length]!)
          const x = make(dtype, values, shape)
          const again = loosely(x.toArray(), { dtype })
          expect(again.shape).toEqual(shape)
          expect(elementsOf(again).every((element, i) => sameElement(element, values[i]))).toBe(true)
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('tensors and arrays of typed arrays', () => {
  const x = tensor([
    [1, 2],
    [3, 4],
  ])

  it('a tensor is copied, whatever its layout', () => {
    const copy = tensor(x)
    add(x, 1, { out: copy })
    expect(x.toArray()).toEqual([[1, 2], [3, 4]]) // biome-ignore format: one line
    expect(tensor(x.transpose())).toEqual(x.transpose())
    expect(tensor(x.broadcastTo([2, 2, 2])).readOnly).toBe(false)
    expect(tensor(x, { dtype: 'int8', shape: [4] })).toEqual(tensor([1, 2, 3, 4], { dtype: 'int8' }))
    expect(() => tensor(tensor([1.5]), { dtype: 'int8' })).toThrow('1.5 at [0] cannot be an element of type int8')
  })

  it('arrays of them are stacked', () => {
    expect(loosely([Float64Array.of(1, 2), Float64Array.of(3, 4)])).toEqual(tensor(x, { dtype: 'float64' }))
    expect(loosely([[x, x.transpose()]]).toArray()).toEqual([[x.toArray(), x.transpose().toArray()]])
    expect(loosely([tensor(1), tensor(2)])).toEqual(tensor([1, 2]))
    expect(loosely([tensor(['a', 'b']), tensor(['c', 'd'])]).toArray()).toEqual([['a', 'b'], ['c', 'd']]) // biome-ignore format: one line
    const long = Float32Array.from({ length: 100 }, (_, i) => i)
    expect([...(loosely([long, long]).data as Float32Array)]).toEqual([...long, ...long])
  })

  it('do not go with others', () => {
    expect(() => loosely([new Float32Array(2), new Float32Array(3)])).toThrow(
      'ragged nesting at [1]: shape (3) where its neighbours have (2).',
    )
    expect(() => loosely([new Float32Array(2), new Float64Array(2)])).toThrow(
      'mixed elements at [1]: float64 among float32s; give elements of one kind.',
    )
    expect(() => loosely([[1, 2], new Float32Array(2)])).toThrow('mixed elements at [1]: float32 among numbers')
    expect(() => loosely([new Float32Array(2), [1, 2]])).toThrow('mixed elements at [1, 0]: number 1 among float32s')
  })

  it('over memory that has gone are refused', () => {
    const array = new Float32Array(4)
    const shared = tensor(array, { share: true })
    structuredClone(array.buffer, { transfer: [array.buffer] })
    expect(() => tensor(shared)).toThrow('was resized or transferred')
  })
})

describe('what has no elements', () => {
  it.each([
    ['an ArrayBuffer', new ArrayBuffer(8), 'this ArrayBuffer is no element: say what its bytes are with a view of it'],
    ['a DataView', new DataView(new ArrayBuffer(8)), 'this DataView is no element: say what its bytes are with a view'],
    ['a Set', new Set([1]), 'this Set is no element: spread it into an array, as in [...values].'],
    ['a generator', (function* () {})(), 'this Generator is no element: spread it into an array'],
    ['a promise', Promise.resolve(1), 'this Promise is no element: await it.'],
    ['a tensor of another library', { dtype: 'float32', shape: [1], data: [1] }, 'tensor(x.data, { shape: x.shape })'],
    ['an object', {}, 'this Object is no element: tensors are made of numbers, bigints'],
    ['an object in an array', [[{}]], 'this Object at [0, 0] is no element'],
    ['an object among numbers', [1, {}], 'this Object at [1] is no element'],
  ])('%s says what to do', (_, value, words) => {
    expect(() => loosely(value)).toThrow(ValueError)
    expect(() => loosely(value)).toThrow(words)
  })
})
