// What a fused function knows of a result before it computes it, and functions that say how many operands they take.
import {
  add,
  BroadcastError,
  broadcastTo,
  DTypeError,
  fuse,
  OperandError,
  pdpd,
  prelu,
  type Shape,
  ShapeError,
  type Tensor,
  type Traced,
  tensor,
} from 'bcast'
import { describe, expect, it } from 'vitest'

const float = (...shape: number[]) => ({ dtype: 'float32', shape }) as const

describe('infer', () => {
  it("gives what is the caller's to change", () => {
    const f = fuse((x) => x.add(1))
    const { shape, operands } = f.infer(float(2))
    ;(shape as number[]).unshift(5)
    ;(operands[0]!.axes as number[]).push(7)
    expect(f(tensor([1, 2])).toArray()).toEqual([2, 3])
    expect(f.infer(float(2)).shape).toEqual([2])
  })

  it('gives the type, the shape, and where operands lie', () => {
    const standardize = fuse((x, mean, std) => x.sub(mean).div(std))
    expect(standardize.infer(float(2, 3, 4), float(4), float(3, 1))).toEqual({
      dtype: 'float32',
      shape: [2, 3, 4],
      operands: [
        { operand: 0, axes: [0, 1, 2] },
        { operand: 1, axes: [2] },
        { operand: 2, axes: [1, 2] },
      ],
    })
    const isBelow = fuse((x, y) => x.less(y))
    expect(isBelow.infer(float(3), float(3)).dtype).toBe('bool')
  })

  it('is what a call gives, and takes its tensors', () => {
    const f = fuse((x, y) => x.mul(y).greater(0.5))
    const [x, y] = [tensor([[1], [2]]), tensor([1, 2, 3])]
    const { dtype, shape } = f.infer(x, y)
    const made = f(x, y)
    expect([dtype, shape]).toEqual([made.dtype, made.shape])
  })

  it('places an operand once for each place that it has', () => {
    const both = fuse((y, x) => y.add(x, { broadcast: pdpd({ axis: 0 }) }).add(x))
    expect(both.infer(float(3, 3), float(3)).operands).toEqual([
      { operand: 0, axes: [0, 1] },
      { operand: 1, axes: [0] },
      { operand: 1, axes: [1] },
    ])
    const once = fuse((x) => x.mul(x).add(x))
    expect(once.infer(float(3)).operands).toEqual([{ operand: 0, axes: [0] }])
  })

  it('says nothing of tensors that the function took from around it', () => {
    const weights = tensor([1, 2, 3])
    const weighted = fuse((x) => x.mul(weights))
    expect(weighted.infer(float(2, 1))).toEqual({
      dtype: 'float32',
      shape: [2, 3],
      operands: [{ operand: 0, axes: [0, 1] }],
    })
  })

  it('computes nothing: shapes may be larger than any memory', () => {
    const f = fuse((x, y) => x.add(y))
    expect(f.infer(float(2 ** 26, 1), float(2 ** 26)).shape).toEqual([2 ** 26, 2 ** 26])
  })

  it('refuses what is no tensor', () => {
    const same = fuse((x) => x)
    for (const given of [null, undefined, 5]) expect(() => same.infer(given as never)).toThrow(OperandError)
  })

  it('refuses what a call refuses', () => {
    const f = fuse((x, y) => x.add(y))
    expect(() => f.infer(float(2), float(3))).toThrow(BroadcastError)
    expect(() => f.infer(float(2), { dtype: 'int8', shape: [2] })).toThrow(DTypeError)
    expect(() => f.infer(float(2))).toThrow('this fused function takes 2 operands, not 1.')
    expect(() => f.infer(float(2), { dtype: 'float32', shape: [-1] })).toThrow(ShapeError)
    expect(() => f.infer(float(2), { dtype: 'float8' as never, shape: [2] })).toThrow(DTypeError)
  })
})

describe('a function that says how many operands it takes', () => {
  const total = fuse((...all: readonly Traced<unknown>[]) => all.reduce((sum, x) => sum.add(x)), { operands: 14 })

  it('is given so many', async () => {
    const ones = Array.from({ length: 14 }, () => tensor([1, 2]) as Tensor)
    expect(total(...ones).toArray()).toEqual([14, 28])
    expect((await total.async(...ones)).toArray()).toEqual([14, 28])
    expect(total.infer(...ones).operands).toHaveLength(14)
    expect(() => total(...ones.slice(1))).toThrow('takes 14 operands, not 13')
    expect(() => total(...ones, ones[0]!)).toThrow(OperandError)
  })

  it('takes functions of the library', () => {
    const f = fuse((...all: readonly Tensor[]) => add(prelu(all[0]!, all[1]!), all[2]!), { operands: 3 })
    const shapes: readonly Shape[] = f.infer(float(2, 3), float(3), float()).operands.map(({ axes }) => axes)
    expect(shapes).toEqual([[0, 1], [1], []])
    expect(f(tensor([-1, 1]), tensor(2), tensor(1)).toArray()).toEqual([-1, 2])
  })

  it('may be of none, where it takes tensors from around it', () => {
    const two = tensor([2])
    const f = fuse((x) => x.add(two))
    expect(f(broadcastTo(tensor([1]), [1])).toArray()).toEqual([3])
  })

  it('refuses what is no number of operands', () => {
    for (const operands of [-1, 1.5, '2', Number.NaN]) {
      expect(() => fuse((x: Traced<unknown>) => x, { operands: operands as number })).toThrow(
        /^fuse: operands is .*; it is how many the function takes\.$/,
      )
    }
    expect(() => fuse((x: Traced<unknown>) => x, { operand: 1 } as never)).toThrow('fuse has no option operand')
  })
})
