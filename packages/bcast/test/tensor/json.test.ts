// Tensors as JSON and as messages: every type comes back exactly, and what cannot be sent says so.
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import {
  BcastError,
  type DType,
  DTypeError,
  dtypes,
  fromJSON,
  OperandError,
  type Tensor,
  tensor,
  ValueError,
} from 'bcast'
import { real } from 'bcast/real'
import { describe, expect, it } from 'vitest'
import { make, specials } from '../../../../testing/elements.ts'

const loosely = fromJSON as (json: unknown) => Tensor
const roundTrip = (x: Tensor): Tensor => loosely(JSON.parse(JSON.stringify(x)))

describe('JSON and back', () => {
  it.each(dtypes)('%s', (dtype) => {
    const given = make(dtype, [...specials(dtype)])
    expect(roundTrip(given)).toEqual(given)
    expect(roundTrip(given).dtype).toBe(dtype)
    for (const element of specials(dtype))
      expect(roundTrip(make(dtype, [element], []))).toEqual(make(dtype, [element], []))
  })

  it('is what a person would write', () => {
    const text = (x: unknown): string => JSON.stringify(x)
    expect(text(tensor([[1, 0.5]]))).toBe('{"dtype":"float32","shape":[1,2],"data":[1,0.5]}')
    expect(text(tensor([-0, Number.NaN, Number.NEGATIVE_INFINITY]))).toBe(
      '{"dtype":"float32","shape":[3],"data":["-0","NaN","-Infinity"]}',
    )
    expect(text(tensor([2n ** 63n - 1n]))).toBe('{"dtype":"int64","shape":[1],"data":["9223372036854775807"]}')
    expect(text(tensor([real('-1/3')]))).toBe('{"dtype":"real","shape":[1],"data":["-1/3"]}')
    expect(text(tensor(true))).toBe('{"dtype":"bool","shape":[],"data":[true]}')
  })

  it('of views and of nothing', () => {
    const x = tensor([[1, 2, 3], [4, 5, 6]]) // biome-ignore format: one line
    expect(roundTrip(x.transpose())).toEqual(x.transpose())
    expect(roundTrip(x.broadcastTo([2, 2, 3])).shape).toEqual([2, 2, 3])
    expect(roundTrip(x.slice([0, 0]))).toEqual(x.slice([0, 0]))
  })
})

describe('messages', () => {
  it('with a copy of the data make a tensor', () => {
    const x = tensor([1.5, 2], { dtype: 'float16' })
    const { port1, port2 } = new MessageChannel()
    port1.postMessage({ dtype: x.dtype, shape: x.shape, data: x.data.slice() })
    const { message } = receiveMessageOnPort(port2)!
    port1.close()
    expect(loosely(message)).toEqual(x)
    expect(loosely(structuredClone(x.toJSON()))).toEqual(x)
  })

  it('of a tensor itself are refused by the platform, and never lose the elements', () => {
    expect(() => structuredClone(tensor([1]))).toThrow('TensorElements> could not be cloned')
    expect(() => structuredClone({ deep: [tensor([1])] })).toThrow('could not be cloned')
  })
})

describe('what is no tensor', () => {
  it.each([
    ['text', '{}', OperandError, 'fromJSON: "{}" is no tensor; parse the text first: fromJSON(JSON.parse(text)).'],
    ['nothing', undefined, OperandError, 'fromJSON: undefined is no tensor; it is { dtype, shape, data }.'],
    ['an array', [1, 2], OperandError, 'fromJSON: [1, 2] is no tensor; it is { dtype, shape, data }.'],
    ['another type', { dtype: 'complex64', shape: [1], data: [1] }, DTypeError, '"complex64" is not supported'],
    [
      'too few',
      { dtype: 'int8', shape: [2], data: [1] },
      ValueError,
      'fromJSON: data is 1 elements; shape (2) takes an array of 2.',
    ],
    [
      'no data',
      { dtype: 'int8', shape: [2], data: 'x' },
      ValueError,
      'fromJSON: data is "x"; shape (2) takes an array of 2.',
    ],
    [
      'too large',
      { dtype: 'int8', shape: [1], data: [300] },
      ValueError,
      '300 at [0] cannot be an element of type int8',
    ],
    [
      'words',
      { dtype: 'float32', shape: [1], data: ['one'] },
      ValueError,
      '"one" at [0] cannot be an element of type float32',
    ],
    [
      'no integer',
      { dtype: 'int64', shape: [1], data: ['1.5'] },
      ValueError,
      '"1.5" at [0] cannot be an element of type int64',
    ],
    [
      'a wrong array',
      { dtype: 'int8', shape: [1], data: new Float32Array(1) },
      DTypeError,
      'data of int8 is a Int8Array',
    ],
  ])('%s', (_, json, type, words) => {
    expect(() => loosely(json)).toThrow(BcastError)
    expect(() => loosely(json)).toThrow(type as never)
    expect(() => loosely(json)).toThrow(words)
  })
})

it('types are those of the JSON', () => {
  const x: Tensor<'float32', [2]> = fromJSON(tensor([1, 2]).toJSON())
  const types: readonly DType[] = [x.dtype]
  expect(types).toEqual(['float32'])
})
