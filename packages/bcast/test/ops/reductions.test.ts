// Reductions as they are called: axes and options, where results go, long runs in parts, threads, and what is refused.
// Their elements are judged in reductions.against-spec.test.ts.
import { add, all, any, argMax, configure, logSumExp, max, mean, norm, prod, sum, type Tensor, tensor } from 'bcast'
import { afterEach, describe, expect, it } from 'vitest'
import { randomTensor } from '../support/random.ts'

afterEach(() => configure({ backend: 'auto', threads: 2 }))

type Loose = (...args: unknown[]) => Tensor

describe('long runs', () => {
  const shapes: readonly (readonly [shape: readonly number[], axes: number | readonly number[] | undefined])[] = [
    [[(1 << 17) + 77], undefined],
    [[70_001, 3], 0],
    [[70_001, 3], undefined],
    [[3, 70_001], 1],
    [[33_000, 9], 0],
    [
      [40, 50, 60],
      [0, 2],
    ],
    [[300, 400], 0],
    // Wider than the strips in which columns are taken: 8192 bytes of results.
    [[140, 9_001], 0],
  ]

  it.each(shapes)(
    '%j over %j have the bits of the interpreter, in parts, on threads, wherever they lie',
    async (shape, axes) => {
      for (const dtype of ['float32', 'int8'] as const) {
        const x = randomTensor(dtype, shape, 1)
        const [...reversed] = shape.map(() => [null, null, -1] as const)
        // Of the caller's memory, backwards, and of the engine's.
        const computed = add(x, 0) as Tensor
        const backwards = x.slice(...(reversed as never[])) as Tensor
        const views = [x, backwards, computed, ...(shape.length === 2 ? [turned(x)] : [])]
        for (const view of views) {
          for (const call of [sum, max, prod] as unknown as readonly (Loose & {
            async: (...args: unknown[]) => Promise<Tensor>
          })[]) {
            const options = axes === undefined ? {} : { axes }
            configure({ backend: 'interpreter' })
            const wanted = call(view, options)
            for (const threads of [1, 3]) {
              configure({ backend: 'auto', threads })
              expectSame(call(view, options), wanted)
              expectSame(await call.async(view, options), wanted)
            }
          }
        }
      }
    },
  )

  const expectSame = (got: Tensor, wanted: Tensor): void => {
    expect([got.dtype, got.shape]).toEqual([wanted.dtype, wanted.shape])
    const elements = wanted.data as Float32Array
    expect((got.data as Float32Array).findIndex((element, i) => !Object.is(element, elements[i]))).toBe(-1)
  }

  /** The same elements and shape, its columns one behind the other in memory. */
  const turned = (x: Tensor): Tensor => (add(x.transpose() as Tensor, 0) as Tensor).transpose() as Tensor
})

describe('results', () => {
  const x = tensor([
    [1, 2, 3],
    [4, 5, 6],
  ])

  it('have the shape that is left', () => {
    expect([sum(x).shape, sum(x, { axes: 0 }).shape, sum(x, { axes: [0, -1], keepdims: true }).shape]).toEqual([
      [],
      [3],
      [1, 1],
    ])
    expect(mean(x, { axes: 1 }).toArray()).toEqual([2, 5])
    expect(norm(tensor([3, 4])).item()).toBe(5)
    expect(argMax(x).item()).toBe(5n)
    expect([any(tensor([false, true])).item(), all(tensor([false, true])).item()]).toEqual([true, false])
    expect(logSumExp(tensor([1000, 1000])).item()).toBeCloseTo(1000.6931, 3)
  })

  it('go where they are told, over their own operand too', () => {
    const out = tensor([9, 9, 9, 9, 9, 9])
    const every = out.slice([null, null, 2])
    expect(sum(x, { axes: 0, out: every as never })).toBe(every)
    expect(out.toArray()).toEqual([5, 9, 7, 9, 9, 9])
    const own = tensor([
      [1, 2],
      [3, 4],
    ])
    sum(own, { axes: 0, out: own.at(1) as never })
    expect(own.toArray()).toEqual([
      [1, 2],
      [4, 6],
    ])
    const foreign = new Float64Array(2)
    mean(tensor([[1, 2], [3, 5]], { dtype: 'float64' }), { axes: 1, out: tensor(foreign, { share: true }) as never }) // biome-ignore format: one line
    expect([...foreign]).toEqual([1.5, 4])
  })
})

describe('are refused', () => {
  const x = tensor([[1, 2]])
  it.each([
    [() => (sum as Loose)(x, { axis: 0 }), 'axis'],
    [() => (sum as Loose)(x, { axes: 2 }), 'axis 2 does not exist in rank 2'],
    [() => (sum as Loose)(x, { axes: [0, -2] }), 'axis 0 may be named once'],
    [() => (sum as Loose)(x, { axes: '0' }), 'it is an axis or an array of axes'],
    [() => (sum as Loose)(x, { keepdims: 1 }), 'keepdims'],
    [() => (sum as Loose)(x, { out: tensor([1, 2, 3]) }), 'out has shape (3) and the result has ()'],
    [() => (prod as Loose)(x, x), 'prod takes a tensor, and options such as { axes: 0 } behind it.'],
    [() => (prod as Loose)([1, 2]), 'wrap it with tensor'],
    [() => (any as Loose)(x), 'any does not take float32'],
    [() => (mean as Loose)(tensor([1], { dtype: 'int32' })), 'mean does not take int32'],
    [() => (norm as Loose)(x, { ord: 3 }), 'it is 1 or 2'],
    [() => (argMax as Loose)(tensor([], { shape: [0, 2] }), { axis: 0 }), 'has no elements'],
    [() => (argMax as Loose)(x, { axis: [0] }), 'it is a number'],
  ])('%s', (call, words) => {
    expect(call).toThrow(words)
  })
})
