// Small calls that repeat go another way from the third on: the same bits, of whatever is in the operands then, and the
// same errors.
import {
  all,
  any,
  cast,
  configure,
  type DType,
  div,
  fuse,
  grad,
  identity,
  jvp,
  logSumExp,
  matmul,
  max,
  mean,
  norm,
  prod,
  sum,
  sumSquare,
  type Tensor,
  tensor,
  valueAndGrad,
} from 'bcast'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { compiling } from '../../src/backend/backends.ts'
import { randomTensor } from '../support/random.ts'
import { type Body, bodyOf, float64, functions } from '../support/random-functions.ts'
import { thrownBy } from '../support/thrown.ts'

afterEach(() => configure({ backend: 'auto', threads: 2 }))

type Loose = (...args: unknown[]) => Tensor

/** What a call gives time after time, on elements that change; the interpreter keeps nothing. */
function expectSame(call: Loose, operandsOf: (time: number) => readonly Tensor[], options?: object): void {
  const behind = options === undefined ? [] : [options]
  const given = Array.from({ length: 6 }, (_, time) => operandsOf(time))
  configure({ backend: 'interpreter' })
  const wanted = given.map((operands) => call(...operands, ...behind))
  configure({ backend: 'auto' })
  const made = given.map((operands) => call(...operands, ...behind))
  expect(made).toEqual(wanted)
}

describe('options of calls that repeat', () => {
  it('are told apart by name and value, whatever a name looks like', () => {
    const x = tensor([
      [1, 2],
      [3, 4],
    ])
    for (let i = 0; i < 6; i++) sum(x, { axes: [0], keepdims: true })
    for (const name of ['axes:object 0 keepdims', '"axes":object 0 "keepdims"', 'axes":object 0 "keepdims']) {
      expect(() => sum(x, { [name]: true } as object)).toThrow('has no option')
    }
  })
})

describe('small calls that repeat', () => {
  const reductions = { sum, mean, max, prod, sumSquare, norm, logSumExp } as unknown as Record<string, Loose>
  const types: readonly DType[] = ['float32', 'float64', 'float16', 'bfloat16', 'int8', 'int64', 'uint32']

  it.each(types)('reductions of %s', (dtype) => {
    for (const [name, call] of Object.entries(reductions)) {
      if (['mean', 'norm', 'logSumExp'].includes(name) && !dtype.includes('float')) continue
      for (const [shape, options] of [
        [[4, 5], undefined],
        [[4, 5], { axes: 0 }],
        [[2, 3, 4], { axes: [0, -1], keepdims: true }],
        [[1, 1], { axes: 1 }],
      ] as const) {
        expectSame(call, (time) => [randomTensor(dtype, shape, time + 1)], options)
      }
    }
  })

  it('of truth values, and products of matrices', () => {
    const bools = (time: number) => [cast(randomTensor('int8', [3, 4], time), 'bool') as Tensor]
    expectSame(any as Loose, bools, { axes: 0 })
    expectSame(all as Loose, bools)
    for (const [a, b] of [
      [
        [3, 4],
        [4, 5],
      ],
      [[4], [4]],
      [[2, 3, 4], [4]],
      [
        [5, 2, 3],
        [5, 3, 2],
      ],
    ] as const) {
      for (const dtype of ['float32', 'int32', 'float16'] as const) {
        expectSame(matmul as Loose, (time) => [randomTensor(dtype, a, time), randomTensor(dtype, b, time + 9)])
      }
    }
  })

  it('random functions of several stages, their gradients and their derivatives in a direction', () => {
    const property = fc.property(functions, ([shape, other, steps, stream]) => {
      const operands = (time: number): Tensor[] =>
        [shape, other].map((own, i) => cast(float64(own, stream + 2 * time + i), 'float32') as Tensor)
      const fn = bodyOf(steps)
      expectSame((fuse as unknown as (fn: Body) => Loose)(fn), operands)
      const both = (valueAndGrad as unknown as (fn: Body) => (...all: Tensor[]) => { value: Tensor; grads: Tensor[] })(
        fn,
      )
      expectSame(((...all: Tensor[]) => both(...all).grads) as unknown as Loose, operands)
      const along = (jvp as unknown as (fn: Body) => (...all: Tensor[][]) => { tangent: Tensor })(fn)
      expectSame(((...all: Tensor[]) => along(all, all).tangent) as unknown as Loose, operands)
    })
    fc.assert(property, { numRuns: 5 })
  })

  it('see operands as they are: other layouts, memory of the caller, tensors from around', () => {
    const scale = tensor(new Float32Array([1, 2, 3]), { share: true })
    const centred = fuse((x) => x.sub(x.mean({ axes: 0, keepdims: true })).mul(scale)) as unknown as Loose
    const memory = new Float32Array(6)
    const shared = tensor(memory, { share: true, shape: [2, 3] })
    for (let time = 1; time < 8; time++) {
      memory.set([0, 0, 0, 2 * time, 2 * time, 2 * time])
      ;(scale.data as Float32Array)[0] = time + 1
      const wanted = [
        [-time * (time + 1), -2 * time, -3 * time],
        [time * (time + 1), 2 * time, 3 * time],
      ]
      expect(centred(shared).toArray()).toEqual(wanted)
      // The same shape, its columns one behind the other.
      const turned = identity(shared.transpose()).transpose() as Tensor
      expect(centred(turned).toArray()).toEqual(wanted)
    }
  })

  it('give tensors of their own', () => {
    const results = Array.from({ length: 6 }, (_, i) => sum(tensor([[i, i + 1]]), { axes: 0 }))
    expect(results.map((each) => each.toArray())).toEqual(results.map((_, i) => [i, i + 1]))
    expect(new Set(results).size).toBe(6)
    const slopes = Array.from({ length: 6 }, (_, i) => grad((x) => x.mul(x).sum())(tensor([i]))[0])
    expect(slopes.map((each) => each.toArray())).toEqual(slopes.map((_, i) => [2 * i]))
  })

  it('say what is wrong as they did before', () => {
    const quotient = fuse((x, y) => x.div(y).sum().add(x)) as unknown as Loose
    const [x, y, zero] = [
      tensor([6, 8], { dtype: 'int32' }),
      tensor([2, 4], { dtype: 'int32' }),
      tensor([2, 0], { dtype: 'int32' }),
    ]
    for (let time = 0; time < 5; time++) expect(quotient(x, y).toArray()).toEqual([11, 13])
    const error = thrownBy(() => quotient(x, zero))
    expect(error.message).toBe(thrownBy(() => fuse((a, b) => a.div(b).sum().add(a))(x, zero)).message)
    expect(error.constructor).toBe(thrownBy(() => div(x, zero)).constructor)
    expect(quotient(x, y).toArray()).toEqual([11, 13])
    const gone = tensor([1, 2])
    for (let time = 0; time < 5; time++) sum(gone)
    gone.dispose()
    expect(() => sum(gone)).toThrow('disposed')
    const buffer = new ArrayBuffer(8)
    const shared = tensor(new Float32Array(buffer), { share: true })
    for (let time = 0; time < 5; time++) sum(shared)
    structuredClone(buffer, { transfer: [buffer] })
    expect(() => sum(shared)).toThrow()
    for (let time = 0; time < 5; time++) {
      expect(() => (sum as Loose)(tensor([1]), { axes: 1 })).toThrow('axis')
      expect(() => (sum as Loose)(tensor([1]), { axis: 0 })).toThrow('axis')
    }
  })

  it('keep little memory, however many there are', () => {
    const { arena } = compiling()!
    const before = arena.freeBytes
    for (let size = 1; size < 400; size++) {
      const x = tensor(new Float32Array(size), { share: true })
      for (let time = 0; time < 4; time++) norm(x).dispose()
    }
    expect(before - arena.freeBytes).toBeLessThan(64 * 3 * 8192)
  })
})
