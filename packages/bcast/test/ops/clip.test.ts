// Clip: bounds that are left out, that cross, that are numbers, tensors or operands of fuse.
import { BroadcastError, clip, DTypeError, dtypeInfo, fuse, OperandError, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { loosely, looselyLater } from '../support/operators.ts'

const x = tensor([-3, -0.5, 0.5, 3])

describe('bounds', () => {
  it('are numbers or tensors that go onto x', () => {
    expect(clip(x, -1, 1).toArray()).toEqual([-1, -0.5, 0.5, 1])
    expect(clip(x, tensor([0, -1, -1, 4]), tensor([9])).toArray()).toEqual([0, -0.5, 0.5, 4])
    expect(() => loosely('clip')(tensor([1, 2]), tensor([[0], [1]]))).toThrow(BroadcastError)
  })

  it('may be left out', () => {
    expect(clip(x, 0).toArray()).toEqual([0, 0, 0.5, 3])
    expect(clip(x, undefined, 0).toArray()).toEqual([-3, -0.5, 0, 0])
    expect(clip(x).toArray()).toEqual(x.toArray())
    const out = tensor([0, 0, 0, 0])
    expect(loosely('clip')(x, 0, { out })).toBe(out)
    expect(out.toArray()).toEqual([0, 0, 0.5, 3])
    expect(loosely('clip')(x, { out })).toBe(out)
    expect(out.toArray()).toEqual(x.toArray())
  })

  it.each(['float16', 'bfloat16', 'float32', 'float64'] as const)('that are left out make %s finite', (dtype) => {
    const infinite = tensor([Number.NEGATIVE_INFINITY, Number.NaN, Number.POSITIVE_INFINITY], { dtype })
    const { min, max } = dtypeInfo(dtype)
    expect(clip(infinite).toArray()).toEqual([min, Number.NaN, max])
  })

  it('that cross: the upper one wins', () => {
    expect(clip(x, 2, 1).toArray()).toEqual([1, 1, 1, 1])
  })

  it('of integers have their type', () => {
    const bytes = tensor([-128n, 127n, 5n], { dtype: 'int64' })
    expect(clip(bytes, -3n, 9n).toArray()).toEqual([-3n, 9n, 5n])
    expect(clip(tensor([-128, 127], { dtype: 'int8' }), undefined, 3).toArray()).toEqual([-128, 3])
    expect(() => loosely('clip')(tensor([1], { dtype: 'int8' }), tensor([1], { dtype: 'int16' }))).toThrow(DTypeError)
    expect(() => loosely('clip')(tensor(['a']))).toThrow('Clip does not take string for A')
  })
})

it('is a method inside fuse, where bounds may be left out too', () => {
  const f = fuse((a, low) => a.mul(2).clip(low, 3).add(a.clip(undefined, 0)).add(a.clip()))
  expect(f(x, tensor(-1)).toArray()).toEqual([-1 - 3 - 3, -1 - 0.5 - 0.5, 1 + 0 + 0.5, 3 + 0 + 3])
})

it('repeats, with the same bounds and with others', async () => {
  for (const bound of [1, 1, 2, 2]) expect(clip(x, -bound, bound).get(3)).toBe(bound)
  for (let i = 0; i < 2; i++) expect(clip(x, undefined, 1).toArray()).toEqual([-3, -0.5, 0.5, 1])
  expect((await looselyLater('clip')(x, undefined, 1)).toArray()).toEqual([-3, -0.5, 0.5, 1])
})

it('refuses what is too much, and nothing at all', () => {
  expect(() => loosely('clip')()).toThrow(OperandError)
  expect(() => loosely('clip')(x, 0, 1, 2)).toThrow('Clip takes 3 operands, and options behind them; argument 4 is 2.')
  expect(() => loosely('clip')(x, 0, { outt: x })).toThrow('Clip has no option outt')
  expect(() => loosely('clip')(undefined, 0, 1)).toThrow(OperandError)
})
