// Tensors that are disposed of while a call that is not waited for uses them: the call computes what it would have, and
// what takes their place meanwhile is not written over, whichever step of the call reads or writes last.
import {
  add,
  argMax,
  cast,
  cumSum,
  type DType,
  fuse,
  gemm,
  grad,
  logSumExp,
  matmul,
  mean,
  sum,
  sumTo,
  type Tensor,
  tensor,
  tensordot,
  vjp,
} from 'bcast'
import { afterAll, describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { compiling } from '../../src/backend/backends.ts'

afterAll(anyBackend)

type Call = ((...args: never[]) => Tensor) & { readonly async: (...args: never[]) => Promise<Tensor> }

const made = (shape: readonly number[], seed: number, dtype: DType = 'float32'): Tensor => {
  const count = shape.reduce((product, size) => product * size, 1)
  const values = Float32Array.from({ length: count }, (_, i) => ((i * 31 + seed) % 97) / 8)
  return cast(tensor(values, { shape: [...shape] }) as Tensor, dtype) as Tensor
}

const softmax = fuse((x) => {
  const powers = x.sub(x.max({ axes: -1, keepdims: true })).exp()
  return powers.div(powers.sum({ axes: -1, keepdims: true }))
})

/** Sizes that are computed at once, in some steps, and in parts by threads. */
const SIZES = [8, 40, 300]

const CALLS: Readonly<Record<string, readonly [Call, (n: number) => readonly Tensor[], object?]>> = {
  'a sum of two': [add as unknown as Call, (n) => [made([n, n], 1), made([n], 2)]],
  'a sum over two runs of axes': [sum as unknown as Call, (n) => [made([4, 7 * n, 5], 1)], { axes: [0, 2] }],
  // Results that have blocks of their own.
  'a mean': [mean as unknown as Call, (n) => [made([7 * n, 20], 1)], { axes: [1] }],
  logSumExp: [logSumExp as unknown as Call, (n) => [made([n, n], 1)], { axes: [1] }],
  'argMax along an axis': [argMax as unknown as Call, (n) => [made([n, n], 1)], { axis: 1 }],
  argMax: [argMax as unknown as Call, (n) => [made([n, n], 1)], {}],
  'running sums': [cumSum as unknown as Call, (n) => [made([n, n], 1)], { axis: 0 }],
  'running sums of float16': [cumSum as unknown as Call, (n) => [made([n, n], 1, 'float16')], { axis: 1 }],
  'a product of matrices': [matmul as unknown as Call, (n) => [made([n, n], 1).T, made([n, n], 2)]],
  gemm: [gemm as unknown as Call, (n) => [made([n, n], 1), made([n, n], 2), made([n], 3)]],
  tensordot: [tensordot as unknown as Call, (n) => [made([n, n], 1), made([n, n], 2)], { axes: 1 }],
  softmax: [softmax as unknown as Call, (n) => [made([n, n], 1)]],
}

/** Takes the memory that was given back, as far as it is taken again. */
function taking(shape: readonly number[], dtype: DType): readonly Tensor[] {
  const zero = cast(tensor(0), dtype) as Tensor
  return Array.from({ length: 8 }, () => {
    const five = dtype === 'int64' ? 5n : 5
    return add(zero.broadcastTo(shape as number[]) as Tensor<'float32'>, five as number) as Tensor
  })
}

function isFive(x: Tensor): boolean {
  const data = x.data as unknown as readonly unknown[]
  return data.every((each) => each === data[0]) && Number(x.get(...x.shape.map(() => 0))) === 5
}

const bits = (x: Tensor): readonly unknown[] => [...(x.data as Iterable<unknown>)]

describe.each(everyBackend)('$name', ({ name, use }) => {
  // The interpreter has no parts, and takes its time.
  const sizes = name === 'interpreter' ? SIZES.slice(0, 2) : SIZES

  describe.each(Object.entries(CALLS))('%s', (_, [call, operandsFor, options]) => {
    const behind = options === undefined ? [] : [options]
    const later = (operands: readonly Tensor[], last: readonly object[]): Promise<Tensor> =>
      call.async(...([...operands, ...last] as never[]))

    it('of operands that are disposed of', async () => {
      use(2)
      for (const n of sizes) {
        const wanted = bits(call(...([...operandsFor(n), ...behind] as never[])))
        const operands = operandsFor(n).map((x) => add(x as Tensor<'float32'>, 0) as Tensor)
        const result = later(operands, behind)
        for (const x of operands) x.dispose()
        const others = operands.flatMap(({ shape, dtype }) => taking(shape, dtype))
        expect(bits(await result)).toEqual(wanted)
        expect(others.every(isFive)).toBe(true)
      }
    })

    it('into a tensor that is disposed of', async () => {
      use(2)
      for (const n of sizes) {
        const operands = operandsFor(n)
        const { shape, dtype } = call(...([...operands, ...behind] as never[]))
        const [out] = taking(shape, dtype)
        const result = later(operands, [{ ...options, out }])
        out!.dispose()
        const others = taking(shape, dtype)
        expect(await result).toBe(out)
        expect(others.every(isFive)).toBe(true)
      }
    })

    it('give the tensor that the result was asked into', async () => {
      use(2)
      const operands = operandsFor(8)
      const wanted = call(...([...operands, ...behind] as never[]))
      const [out] = taking(wanted.shape, wanted.dtype)
      expect(await later(operands, [{ ...options, out }])).toBe(out)
      expect(bits(out!)).toEqual(bits(wanted))
    })
  })

  it('gradients, and what pulls them back', async () => {
    use(2)
    const loss = grad((x, y) => x.mul(y).exp().sum(), { wrt: 0 })
    const operands = () => [add(made([40, 40], 1), -6), add(made([40], 2), -6)] as const
    const wanted = bits(loss(...operands()))
    const [x, y] = operands()
    const gradient = loss.async(x, y)
    x.dispose()
    y.dispose()
    taking([40, 40], 'float32')
    expect(bits(await gradient)).toEqual(wanted)

    const [a] = operands()
    const { value, pullback } = vjp((x) => x.exp())(a)
    const [own] = pullback(value) as readonly Tensor[]
    const pulled = pullback.async(value)
    pullback.dispose()
    taking([40, 40], 'float32')
    const [again] = (await pulled) as readonly Tensor[]
    expect(bits(again!)).toEqual(bits(own!))

    const delta = add(made([40, 40], 3), 0)
    const summed = bits(sumTo(delta, [40]))
    const sums = sumTo.async(delta, [40])
    delta.dispose()
    taking([40, 40], 'float32')
    expect(bits(await sums)).toEqual(summed)
  })
})

describe('memory of a search without an axis', () => {
  it('is given back with its tensor', () => {
    everyBackend[0]!.use(1)
    const held = (): number => compiling()!.arena.pages * 65_536 - compiling()!.arena.freeBytes
    const base = made([64, 64], 1) as Tensor<'float32'>
    const once = (): void => {
      const x = add(base, 0)
      argMax(x).dispose()
      x.dispose()
    }
    for (let i = 0; i < 20; i++) once()
    const before = held()
    for (let i = 0; i < 50; i++) once()
    // A view that stays would keep 16 KiB of each.
    expect(held() - before).toBeLessThan(4096)
  })
})
