// Calls of reductions that repeat over other tensors of the same kind, which machine code runs without planning them
// again, give what WebAssembly gives, to the bit, wherever operands and results lie, and say what is wrong with them.
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as bcast from 'bcast'
import {
  arrayEqual,
  configure,
  empty,
  fromData,
  fuse,
  grad,
  IndexError,
  matmul,
  max,
  mul,
  OperandError,
  ReadOnlyError,
  sum,
  type Tensor,
  tensor,
  valueAndGrad,
} from 'bcast'
import { provideKernels } from 'bcast/kernels'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeRandom } from '../../../testing/random.ts'
import { onDefaultSeed, seed } from '../../../testing/seed.ts'
import { compiling } from '../../bcast/src/backend/backends.ts'
import { recordings } from '../../bcast/src/backend/recording.ts'
import { install } from '../src/install.ts'
import { found } from './found.ts'

afterEach(() => {
  provideKernels(undefined)
  configure({ threads: 1 })
})

type Type = 'float32' | 'float64' | 'float16' | 'int32' | 'uint8'
type Call = (x: Tensor, options: object) => Tensor

const NAMES = ['sum', 'mean', 'max', 'min', 'prod', 'sumSquare', 'norm', 'logSumExp'] as const
const calls = bcast as unknown as Readonly<Record<string, Call>>

function made(dtype: Type, shape: readonly number[], stream: number): Tensor {
  const random = makeRandom(seed + stream)
  const count = shape.reduce((product, size) => product * size, 1)
  const elements = Float64Array.from({ length: count }, () => random.below(200) - (dtype === 'uint8' ? 0 : 100))
  return bcast.cast(tensor(elements, { shape: [...shape] }), dtype) as Tensor
}

/** Other places for the same elements. */
const PLACES: Readonly<Record<string, (x: Tensor) => Tensor>> = {
  own: (x) => x,
  turned: (x) => bcast.identity(x.T as Tensor).T as Tensor,
  part: (x) => (bcast.concat([x, x, x], { axis: 0 }) as Tensor).slice([x.shape[0]!, 2 * x.shape[0]!]) as Tensor,
  caller: (x) => fromData(x.dtype, x.data.slice() as never, x.shape as number[]) as Tensor,
}

const cases = fc.record({
  name: fc.constantFrom(...NAMES),
  dtype: fc.constantFrom<Type>('float32', 'float64', 'float16', 'int32', 'uint8'),
  shape: fc.tuple(fc.constantFrom(3, 40, 300), fc.constantFrom(5, 64, 331)),
  axes: fc.constantFrom([0], [1], [0, 1]),
  keepdims: fc.boolean(),
  place: fc.constantFrom(...Object.keys(PLACES)),
  into: fc.constantFrom('fresh', 'out', 'out of the caller'),
  threads: fc.constantFrom(1, 2),
  stream: fc.nat(1000),
})

const products = fc.record({
  dtype: fc.constantFrom<Type>('float32', 'float64', 'int32', 'float16'),
  sizes: fc.tuple(fc.constantFrom(1, 3, 40, 300), fc.constantFrom(1, 17, 64, 200), fc.constantFrom(1, 2, 50, 257)),
  /** Matrices of both sides, in a stack. */
  stacked: fc.constantFrom<readonly [readonly number[], readonly number[]]>(
    [[], []],
    [[5], [5]],
    [[9], []],
    [[3, 1], [4]],
  ),
  turned: fc.boolean(),
  into: fc.boolean(),
  threads: fc.constantFrom(1, 2),
  stream: fc.nat(1000),
})

const functions = fc.record({
  name: fc.constantFrom('loss', 'error', 'total'),
  rows: fc.constantFrom(50, 300, 1000),
  columns: fc.constantFrom(10, 40, 64),
  threads: fc.constantFrom(1, 2),
  stream: fc.nat(1000),
})

// biome-ignore lint/suspicious/noExplicitAny: operands inside have no types that are known before
type Any = any

/** Functions of several steps, made anew, of x (rows, columns), y (rows, 1) and w (columns, 1). */
function functionOf(name: string): (operands: readonly Tensor[]) => readonly Tensor[] {
  if (name === 'loss') {
    const loss = valueAndGrad(
      (x: Any, y: Any, w: Any) => {
        const z = matmul(x, w) as Any
        return z.softplus().sub(y.mul(z)).mean()
      },
      { wrt: 2 },
    ) as Any
    return ([x, y, w]) => {
      const { value, grads } = loss(x, y, w)
      return [value, grads]
    }
  }
  if (name === 'error') {
    const error = fuse((x: Any, y: Any) => x.squaredDifference(y).mean({ axes: 0 }).sqrt()) as Any
    return ([x, y]) => [error(x, y), error(x, y, { out: empty([x!.shape[1]!], { dtype: 'float32' }) })]
  }
  const total = grad((x: Any, y: Any) => x.mul(y).tanh().sum()) as Any
  return ([x, y]) => total(x, y)
}

describe.each(found)('calls that repeat on %s', (level) => {
  it('have the bits of WebAssembly, each time', () => {
    let kept = 0
    fc.assert(
      fc.property(cases, ({ name, dtype, shape, axes, keepdims, place, into, threads, stream }) => {
        const isFloat = dtype.startsWith('float')
        const call = calls[!isFloat && ['mean', 'norm', 'logSumExp'].includes(name) ? 'sum' : name]!
        const given = [0, 1, 2, 3, 4].map((i) => PLACES[place]!(made(dtype, shape, stream + i)))
        configure({ threads })
        provideKernels(undefined)
        const wanted = given.map((x) => call(x, { axes, keepdims }))
        install(provideKernels, { level, least: 0 })
        const before = countKept()
        for (const [i, x] of given.entries()) {
          const room = empty(wanted[i]!.shape, { dtype }) as Tensor
          const outs = { fresh: undefined, out: room, 'out of the caller': PLACES['caller']!(room) }
          const out = outs[into as keyof typeof outs]
          const result = call(x, { axes, keepdims, ...(out === undefined ? {} : { out }) })
          if (out !== undefined) expect(result).toBe(out)
          expect(arrayEqual(result, wanted[i]!, { equalNan: true }), `call ${i}`).toBe(true)
        }
        kept += countKept() - before
      }),
      { numRuns: 150 },
    )
    onDefaultSeed(() => expect(kept).toBeGreaterThan(30))
  })

  it('of products have the bits of WebAssembly, each time', () => {
    let kept = 0
    fc.assert(
      fc.property(products, ({ dtype, sizes: [m, k, n], stacked: [left, right], turned, into, threads, stream }) => {
        const axes = [...left.keys(), left.length + 1, left.length]
        const given = [0, 1, 2, 3].map((i) => [
          turned
            ? (made(dtype, [...left, k, m], stream + i).transpose(axes) as Tensor)
            : made(dtype, [...left, m, k], stream + i),
          made(dtype, [...right, k, n], stream + i + 7),
        ])
        configure({ threads })
        provideKernels(undefined)
        const wanted = given.map(([a, b]) => matmul(a as never, b as never) as Tensor)
        install(provideKernels, { level, least: 0 })
        const before = countKept()
        for (const [i, [a, b]] of given.entries()) {
          const out = into ? (empty(wanted[i]!.shape, { dtype }) as Tensor) : undefined
          const result = matmul(a as never, b as never, (out === undefined ? {} : { out }) as never) as Tensor
          expect(arrayEqual(result, wanted[i]!), `call ${i}`).toBe(true)
        }
        kept += countKept() - before
      }),
      { numRuns: 90 },
    )
    onDefaultSeed(() => expect(kept).toBeGreaterThan(30))
  })

  it('of functions and gradients have the bits of WebAssembly, each time', () => {
    let kept = 0
    fc.assert(
      fc.property(functions, ({ name, rows, columns, threads, stream }) => {
        const small = (shape: readonly number[], i: number): Tensor => mul(made('float32', shape, stream + i), 0.01)
        const given = [0, 1, 2, 3].map((i) => [
          small([rows, columns], i),
          small([rows, 1], i + 7),
          small([columns, 1], i + 14),
        ])
        configure({ threads })
        provideKernels(undefined)
        const wanted = given.map((operands) => functionOf(name)(operands))
        install(provideKernels, { level, least: 0 })
        const before = countKept()
        const again = functionOf(name)
        for (const [i, operands] of given.entries()) {
          for (const [j, result] of again(operands).entries()) {
            expect(arrayEqual(result, wanted[i]![j]!, { equalNan: true }), `result ${j} of call ${i}`).toBe(true)
          }
        }
        kept += countKept() - before
      }),
      { numRuns: 60 },
    )
    onDefaultSeed(() => expect(kept).toBeGreaterThan(10))
  })

  it('go on with other threads, other code, and none', () => {
    const x = made('float32', [400, 500], 1)
    const wanted = sum(x, { axes: 0 })
    for (const threads of [1, 2, 3, 1]) {
      configure({ threads })
      for (const has of [true, false, true]) {
        if (has) install(provideKernels, { level, least: 0 })
        else provideKernels(undefined)
        for (let time = 0; time < 4; time++) expect(arrayEqual(sum(x, { axes: 0 }), wanted)).toBe(true)
      }
    }
  })

  it('are told apart by what their options hold now', () => {
    const x = made('float32', [300, 300], 1)
    const axes = [0]
    const [columns, rows] = [sum(x, { axes: [0] }), sum(x, { axes: [1] })]
    install(provideKernels, { level, least: 0 })
    for (let time = 0; time < 6; time++) {
      axes[0] = time % 2
      expect(arrayEqual(sum(x, { axes } as never), time % 2 === 0 ? columns : rows)).toBe(true)
    }
  })

  it('are refused like the first', () => {
    install(provideKernels, { level, least: 0 })
    const array = new Float32Array(300 * 100).fill(2)
    const x = fromData('float32', array, [300, 100]) as Tensor
    const whole = empty([100, 300], { dtype: 'float32' }) as Tensor
    const still = tensor([1]).broadcastTo([300]) as Tensor
    for (let time = 0; time < 4; time++) {
      expect(max(x, { axes: 1 }).get(299)).toBe(2)
      expect(() => max(x, { axes: 2 } as never)).toThrow(IndexError)
      expect(max(x, { axes: undefined } as never).item()).toBe(2)
      expect(() => max(x, { axis: undefined } as never)).toThrow('has no option axis')
      expect(() => sum(x, { axes: 1, out: still } as never)).toThrow(ReadOnlyError)
      const room = empty([100], { dtype: 'float32' }) as Tensor
      expect(sum(whole, { axes: 1, out: room } as never)).toBe(room)
      // Into a row that is read when others are there already.
      bcast.identity(x.T as Tensor, { out: whole })
      const row = whole.slice(50, [0, 100]) as Tensor
      expect(sum(whole, { axes: 1, out: row } as never)).toBe(row)
      expect([0, 50, 99].map((i) => row.get(i))).toEqual([600, 600, 600])
    }
    structuredClone(array.buffer, { transfer: [array.buffer] })
    expect(() => max(x, { axes: 1 })).toThrow(OperandError)
  })

  it('hold none of the arrays that they were made with', async () => {
    install(provideKernels, { level, least: 0 })
    const held: WeakRef<ArrayBuffer>[] = []
    const softmax = fuse((a: Any) => {
      const e = a.sub(a.max({ axes: -1, keepdims: true })).exp()
      return e.div(e.sum({ axes: -1, keepdims: true }))
    }) as Any
    const error = fuse((a: Any) => a.mul(a).mean()) as Any
    const callers = (shape: readonly number[]): Tensor => {
      const { buffer } = new Float32Array(shape.reduce((product, size) => product * size, 1))
      held.push(new WeakRef(buffer))
      return fromData('float32', new Float32Array(buffer), shape as number[]) as Tensor
    }
    const callWithArrays = (): void => {
      for (let time = 0; time < 4; time++) {
        const x = callers([300, 200])
        sum(x, { axes: 0 })
        sum(x, { axes: 0, out: callers([200]) } as never)
        mul(x, x)
        mul(x, 2, { out: callers([300, 200]) } as never)
        softmax(x)
        error(x)
        matmul(x as never, x.T as never)
      }
    }
    callWithArrays()
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    for (let time = 0; time < 20 && held.some((each) => each.deref() !== undefined); time++) {
      await pause(10)
      collect()
    }
    expect(held.filter((each) => each.deref() !== undefined)).toEqual([])
  })

  it('take arrays of a class of their own', () => {
    /** Makes parts of itself in its own way. */
    class Samples extends Float32Array {
      constructor(count: number) {
        super(typeof count === 'number' ? count : 1)
      }
    }
    const softmax = fuse((a: Any) => a.sub(a.max({ axes: 1, keepdims: true })).exp()) as Any
    for (const has of [false, true]) {
      if (has) install(provideKernels, { level, least: 0 })
      for (const rows of [3, 300]) {
        const x = (fromData('float32', new Samples(4 * rows * 50).fill(2), [4 * rows, 50]) as Tensor).slice([
          rows,
          2 * rows,
        ]) as Tensor
        for (let time = 0; time < 4; time++) {
          expect(sum(x, { axes: 1 }).get(rows - 1)).toBe(100)
          expect((softmax(x) as Tensor).get(rows - 1, 49)).toBe(1)
          expect(bcast.add(x, x).get(rows - 1, 49)).toBe(4)
          expect((matmul(x as never, x.T as never) as Tensor).get(0, 1)).toBe(200)
        }
      }
    }
  })

  it('have shapes of their own', () => {
    install(provideKernels, { level, least: 0 })
    const centred = fuse((a: Any) => a.sub(a.mean({ axes: 0 }))) as Any
    const half = fuse((a: Any) => a.mul(0.5).add(1)) as Any
    for (const rows of [3, 300]) {
      const x = made('float32', [rows, 40], 1)
      for (let time = 0; time < 4; time++) {
        for (const result of [max(x, { axes: 1 }), mul(x, 2), mul(x, x), centred(x), half(x)]) {
          expect(result.shape[0]).toBe(rows)
          result.shape.reverse()
          result.shape[0] = 1
        }
      }
    }
  })

  it('give back what they take, and nothing else', () => {
    install(provideKernels, { level, least: 0 })
    const given = [262_144, 131_072, 4096].flatMap((rows) =>
      (['float32', 'float16'] as const).map((dtype) => bcast.ones([rows, 3], { dtype }) as Tensor),
    )
    // A block that is used to its end has nothing to give back.
    const freed = vi.spyOn(compiling()!.arena, 'free')
    for (let time = 0; time < 3; time++) {
      for (const x of given) for (const name of NAMES) calls[name]!(x, { axes: 1 }).dispose()
    }
    expect(freed.mock.calls.length).toBeGreaterThan(10)
    expect(freed.mock.calls.filter(([, bytes]) => bytes <= 0)).toEqual([])
    freed.mockRestore()
  })

  it('keep little memory', () => {
    install(provideKernels, { level, least: 0 })
    const x = made('float32', [400, 500], 1)
    const out = empty([500], { dtype: 'float32' }) as Tensor
    sum(x, { axes: 0, out } as never)
    const before = compiling()!.arena.freeBytes
    for (let time = 0; time < 10; time++) sum(x, { axes: 0, out } as never)
    expect(before - compiling()!.arena.freeBytes).toBeLessThan(1 << 17)
  })
})

/** How many calls are kept: counted where they are asked for. */
let keptCalls = 0
const watched = new WeakSet<object>()

function countKept(): number {
  const own = recordings()
  if (own !== undefined && !watched.has(own)) {
    watched.add(own)
    const { call } = own
    Object.assign(own, {
      call: (describe: Parameters<typeof call>[0]) => {
        const run = call(describe)
        if (run !== undefined) keptCalls++
        return run
      },
    })
  }
  return keptCalls
}
