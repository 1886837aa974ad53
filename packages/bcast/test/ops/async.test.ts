// The asynchronous form of every function that computes: the same tensor or the same refusal, as a promise, while the
// calling thread goes on, computes other things, and gives memory back.
import * as bcast from 'bcast'
import {
  add,
  BroadcastError,
  cast,
  configure,
  DisposedError,
  DivisionByZeroError,
  type DType,
  DTypeError,
  div,
  EngineError,
  fuse,
  gemm,
  identity,
  mul,
  OperandError,
  ReadOnlyError,
  type Tensor,
  tensor,
} from 'bcast'
import 'bcast/real'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { compiling } from '../../src/backend/backends.ts'
import { Arena } from '../../src/backend/webassembly/memory/arena.ts'
import * as CONTROL from '../../src/backend/webassembly/threads/control.ts'
import * as rows from '../../src/expr/rows/index.ts'
import { loosely, looselyLater, type PublicName } from '../support/operators.ts'
import { settings } from '../support/oracle.ts'
import { firstDifference, randomTensor } from '../support/random.ts'

const LARGE = 1 << 20
const bytesOf = ({ data }: Tensor): Buffer => {
  const { buffer, byteOffset, byteLength } = data as Uint8Array
  return Buffer.from(buffer, byteOffset, byteLength)
}
const firstDifferenceOf = (a: Tensor, b: Tensor): number =>
  firstDifference(a.dtype, a.data as Uint8Array, b.data as Uint8Array)
const same = (a: Tensor, b: Tensor): void => {
  expect([a.dtype, a.shape]).toEqual([b.dtype, b.shape])
  expect(firstDifferenceOf(a, b)).toBe(-1)
}
const isSame = (a: Tensor, b: Tensor): boolean =>
  a.dtype === b.dtype && String(a.shape) === String(b.shape) && firstDifferenceOf(a, b) === -1
const rejection = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('nothing was rejected')
    },
    (error: Error) => error,
  )
const pause = (milliseconds = 0): Promise<unknown> => new Promise((go) => setTimeout(go, milliseconds))
/** Batches that the threads have ended. */
const batches = (): number => Atomics.load(compiling()!.pool!.words, CONTROL.ended)
const inArena = (x: Tensor): Tensor => identity(x) as Tensor
const floats = (shape: readonly number[], stream: number): Tensor => randomTensor('float32', shape, stream)

beforeEach(() => configure({ threads: 2, backend: 'auto' }))

describe('every function that computes', () => {
  /** The rows are the operators there are; what else computes has none, or shares one. */
  const others =
    'all any argMax argMin broadcastBackprop cast castLike concat cumSum expand gather gemm isClose logSumExp matmul norm pad prod select stack sumSquare sumTo sumToEach take tensordot tile'
  const computing = new Set([...Object.keys(rows), ...others.split(' ')])
  const functions = Object.entries(bcast).filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))

  it('has an asynchronous form, and nothing else has', () => {
    expect(functions.filter(([, value]) => 'async' in value).map(([name]) => name)).toEqual(
      functions.map(([name]) => name).filter((name) => computing.has(name)),
    )
    expect(functions.filter(([name]) => computing.has(name)).length).toBe(computing.size)
  })

  it('works on the threads', async () => {
    const x = inArena(floats([1024, 1024], 1))
    const small = inArena(floats([256, 256], 2))
    const sixteen = cast(x, 'float16') as Tensor
    const integers = cast(x, 'int32') as Tensor
    const condition = bcast.greater(x, 0) as Tensor
    const fused = fuse((a, b) => a.sub(b).abs()) as unknown as { async(...args: Tensor[]): Promise<Tensor> }
    const calls: readonly (() => Promise<Tensor>)[] = [
      () => looselyLater('add')(x, x),
      () => looselyLater('max')([x, x, x]),
      () => looselyLater('where')(condition, x, 0),
      () => looselyLater('cast')(x, 'bfloat16'),
      () => looselyLater('castLike')(x, sixteen),
      () => looselyLater('expand')(small, [4, 256, 256]),
      () => looselyLater('bitShift')(cast(integers, 'uint32'), cast(integers, 'uint32'), { direction: 'LEFT' }),
      () => looselyLater('prelu')(x, 0.5),
      () => looselyLater('gemm')(small, small),
      () => looselyLater('tensordot')(small, small, undefined, { axes: 1 }),
      () => fused.async(x, x),
    ]
    for (const call of calls) {
      const before = batches()
      expect(await call()).toBeInstanceOf(bcast.Tensor)
      expect(batches()).toBeGreaterThan(before)
    }
  })

  it('computes types that only the interpreter knows', async () => {
    const real = tensor(['1/3', '2'], { dtype: 'real' }) as Tensor
    expect(String(await looselyLater('add')(real, real))).toBe('[2/3   4]')
    const words = await looselyLater('where')(tensor([true, false]), tensor(['a', 'b']), tensor(['c', 'd']))
    expect(words.toArray()).toEqual(['a', 'd'])
    configure({ backend: 'interpreter' })
    same(await looselyLater('exp')(floats([100_000], 3)), loosely('exp')(floats([100_000], 3)))
  })
})

describe('products', () => {
  const sizes = fc.record({
    m: fc.constantFrom(1, 70, 260, 530),
    n: fc.constantFrom(3, 129, 600),
    k: fc.constantFrom(1, 130, 300),
  })
  const types: readonly DType[] = ['float32', 'float64', 'float16', 'int32', 'uint64']

  it('are the same to the bit, wherever operands lie and whatever the number of threads', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...types),
      sizes,
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      fc.constantFrom('none', 'matrix', 'row', 'in place'),
      fc.constantFrom('none', 'arena', 'foreign', 'gaps', 'operand'),
      async (dtype, { m, n, k }, [homeA, homeB, homeC, transA, transB, both], withC, into) => {
        const make = () => {
          const home = (x: Tensor, arena: boolean | undefined): Tensor => (arena === true ? inArena(x) : x)
          const a = home(randomTensor(dtype, transA === true ? [k, m] : [m, k], 1), homeA)
          const b = home(randomTensor(dtype, transB === true ? [n, k] : [k, n], 2), homeB)
          const room = home(randomTensor(dtype, [m, 2 * n + 1], 3), homeC)
          const out = {
            none: undefined,
            arena: inArena(randomTensor(dtype, [m, n], 5)),
            foreign: randomTensor(dtype, [m, n], 5),
            gaps: room.slice(null, [1, null, 2]) as Tensor,
            operand: m === k && (k as number) === n ? a : undefined,
          }[into]
          const c =
            withC === 'none'
              ? undefined
              : withC === 'in place' && out !== undefined
                ? out
                : home(randomTensor(dtype, withC === 'row' ? [n] : [m, n], 4), homeC)
          const factors = both === true ? { alpha: 2, beta: -3 } : {}
          const options = { transA, transB, ...factors, ...(out === undefined ? {} : { out }) }
          return { args: [a, b, c, options], read: (made: Tensor) => (into === 'gaps' ? room : made) }
        }
        configure({ threads: 1 })
        const now = make()
        const wanted = now.read(loosely('gemm')(...now.args))
        for (const threads of [1, 2]) {
          configure({ threads })
          const later = make()
          same(later.read(await looselyLater('gemm')(...later.args)), wanted)
        }
      },
    )
    await fc.assert(property, settings(20))
  })
})

describe('refusals', () => {
  const disposed = add(tensor([1, 2]), 1)
  disposed.dispose()
  const x = tensor([1, 2, 3]) as Tensor
  const cases: readonly (readonly [string, PublicName, readonly unknown[], new (...args: never[]) => Error])[] = [
    ['shapes that do not meet', 'add', [x, tensor([1, 2])], BroadcastError],
    ['types that differ', 'add', [x, tensor([1n])], DTypeError],
    ['types an operator does not take', 'and', [x, x], DTypeError],
    ['no operand', 'max', [], OperandError],
    ['an array as an operand', 'add', [x, [1, 2, 3]], OperandError],
    ['an out of another shape', 'add', [x, x, { out: tensor([1]) }], OperandError],
    ['an out that repeats', 'add', [x, x, { out: tensor([1]).broadcastTo([3]) }], ReadOnlyError],
    ['an out that is none', 'add', [x, x, { out: 3 }], OperandError],
    ['a disposed operand', 'add', [disposed, 1], DisposedError],
    ['a disposed out', 'add', [tensor([1, 2]), 1, { out: disposed }], DisposedError],
    ['a direction that is none', 'bitShift', [x, x, { direction: 'UP' }], OperandError],
    ['a cast of what is no tensor', 'cast', [3, 'int8'], OperandError],
    ['a cast to what is no type', 'cast', [x, 'int9'], DTypeError],
    ['a matrix that is none', 'gemm', [x, x], OperandError],
    ['matrices that do not fit', 'gemm', [tensor([[1, 2]]), tensor([[1, 2]])], OperandError],
    ['a division by zero', 'div', [tensor([1n, 2n]), tensor([1n, 0n])], DivisionByZeroError],
  ]

  it.each(cases)('of %s reject and never throw', async (_, name, args, kind) => {
    const error = await rejection(looselyLater(name)(...args))
    expect(error).toBeInstanceOf(kind)
    expect(() => loosely(name)(...args)).toThrow(error.message)
  })

  it('of a fused function reject, and inside one there is nothing to wait for', async () => {
    const f = fuse((a, b) => a.add(b)) as unknown as { async(...args: unknown[]): Promise<Tensor> }
    expect(await rejection(f.async(x))).toBeInstanceOf(OperandError)
    expect(await rejection(f.async(x, tensor([1, 2])))).toBeInstanceOf(BroadcastError)
    // Thrown, because nobody could wait for a promise in there: a rejected one would end the process.
    for (const call of [(a: unknown) => looselyLater('add')(a, 1), (a: unknown) => f.async(a, x)]) {
      const g = fuse((a) => {
        expect(() => call(a)).toThrow('inside fuse there is no async; the fused function has it')
        return a.neg()
      })
      expect(g(x as never).dtype).toBe('float32')
    }
  })

  it('are decided when the call is made', async () => {
    const a = inArena(floats([LARGE], 1))
    const b = inArena(floats([LARGE], 2))
    const first = looselyLater('add')(a, b)
    const second = looselyLater('add')(a, b)
    a.dispose()
    const late = looselyLater('add')(a, b)
    expect(await rejection(late)).toBeInstanceOf(DisposedError)
    same(await first, await second)
  })

  it('name the lowest index of a division by zero, wherever operands lie', async () => {
    for (const zeros of [[1_499_999], [777_777, 1_400_000], [0], [2999, 3000]]) {
      const divisor = new Int32Array(1_500_000).fill(3)
      for (const at of zeros) divisor[at] = 0
      const shape = [3, 500, 1000]
      const x = tensor(new Int32Array(1_500_000), { share: true, shape }) as Tensor
      for (const by of [
        tensor(divisor, { share: true, shape }) as Tensor,
        inArena(tensor(divisor, { share: true, shape }) as Tensor),
      ]) {
        const error = (await rejection(looselyLater('div')(x, by))) as DivisionByZeroError
        expect(error).toBeInstanceOf(DivisionByZeroError)
        const at = zeros[0]!
        expect(error.index).toEqual([Math.floor(at / 500_000), Math.floor(at / 1000) % 500, at % 1000])
      }
    }
  })
})

describe('the calling thread', () => {
  it('turns while the threads compute', async () => {
    const x = inArena(floats([2048, 2048], 1))
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    /** The most turns within one call, which gets more chances where the machine is busy. */
    const turnsWithin = async (call: () => Promise<Tensor>, enough: number): Promise<number> => {
      let most = 0
      for (let round = 0; round < 50 && most < enough; round++) {
        turns = 0
        ;(await call()).dispose()
        most = Math.max(most, turns)
      }
      return most
    }
    expect(await turnsWithin(() => looselyLater('gemm')(x, x), 10)).toBeGreaterThanOrEqual(10)
    expect(await turnsWithin(() => looselyLater('exp')(x), 2)).toBeGreaterThanOrEqual(2)
    clearInterval(timer)
  })

  it('turns while large operands are copied', async () => {
    const x = tensor(new Float64Array(6_000_000), { share: true }) as Tensor
    let turns = 0
    let running = true
    const turn = (): void => {
      turns++
      if (running) setImmediate(turn)
    }
    setImmediate(turn)
    await looselyLater('add')(x, x)
    running = false
    expect(turns).toBeGreaterThan(5)
  })

  it('computes other things meanwhile, alone', async () => {
    const a = inArena(floats([1024, 1024], 1))
    const b = inArena(floats([1024, 1024], 2))
    const foreign = floats([1024, 1024], 3)
    const matrix = inArena(floats([300, 300], 4))
    const calls: readonly (readonly [PublicName, ...Tensor[]])[] = [
      ['mul', a, b],
      ['mul', b, foreign],
      ['gemm', matrix, matrix],
      ['add', tensor([1, 2]) as Tensor, tensor([3, 4]) as Tensor],
    ]
    const wanted = calls.map(([name, ...operands]) => loosely(name)(...operands))
    const later: typeof calls = [
      ['gemm', a, b],
      ['add', a, foreign.transpose() as Tensor],
      ['gemm', b, foreign],
    ]
    const wantedLater = later.map(([name, ...operands]) => loosely(name)(...operands))
    let during = 0
    const wrong: string[] = []
    const check = (name: string, made: Tensor, expected: Tensor): void => {
      if (!isSame(made, expected)) wrong.push(name)
      made.dispose()
    }
    for (let round = 0; round < 3 || (during <= 10 && round < 50); round++) {
      let running = later.length
      const promises = later.map(async ([name, ...operands], i) => {
        const made = await looselyLater(name)(...operands)
        running--
        check(`${name}, later`, made, wantedLater[i]!)
      })
      for (let turn = 0; running > 0; turn++) {
        await pause()
        const [name, ...operands] = calls[turn % calls.length]!
        const { busy, words } = compiling()!.pool!
        const ended = Atomics.load(words, CONTROL.ended)
        check(name, loosely(name)(...operands), wanted[turn % calls.length]!)
        if (busy && Atomics.load(words, CONTROL.ended) === ended) during++
      }
      await Promise.all(promises)
    }
    expect(wrong).toEqual([])
    // Many calls began and ended while the threads were at work.
    expect(during).toBeGreaterThan(10)
  })

  it('may ask for one thing after another without waiting, of any size', async () => {
    const x = inArena(floats([LARGE], 1))
    const out = inArena(floats([LARGE], 2))
    const few = out.slice([5, 9])
    const foreign = tensor(new Float32Array(LARGE), { share: true }) as Tensor
    const [, , part, last] = await Promise.all([
      looselyLater('add')(x, 1, { out }),
      looselyLater('mul')(out, 2, { out }),
      looselyLater('neg')(few),
      looselyLater('add')(out, out, { out: foreign }),
      rejection(looselyLater('div')(tensor([1n]), tensor([0n]))),
    ])
    const wanted = loosely('mul')(loosely('add')(x, 1), 2)
    same(out, wanted)
    same(part!, loosely('neg')(wanted.slice([5, 9])))
    same(last!, loosely('add')(wanted, wanted))
    expect(last).toBe(foreign)
  })

  it('may change what lies between the elements of a result', async () => {
    const x = floats([1024, 1024], 1)
    const halves = (room: Tensor): readonly (readonly [Tensor, Tensor])[] => [
      [room.slice(null, [0, 1024]) as Tensor, room.slice(null, [1024, 2048]) as Tensor],
      [room.slice(null, [0, null, 2]) as Tensor, room.slice(null, [1, null, 2]) as Tensor],
    ]
    const room = tensor(new Float32Array(2 * LARGE), { share: true, shape: [1024, 2048] }) as Tensor
    for (const [here, beside] of [...halves(room), ...halves(inArena(room))]) {
      const running = looselyLater('add')(x, 1, { out: here })
      loosely('add')(x, 2, { out: beside })
      await pause()
      loosely('add')(x, 3, { out: beside })
      await running
      same(inArena(here), loosely('add')(x, 1))
      same(inArena(beside), loosely('add')(x, 3))
    }
  })
})

describe('memory', () => {
  const arena = () => compiling()!.arena
  const inUse = (): number => arena().pages * 65_536 - arena().freeBytes

  it('of disposed operands and results is given back when the computation has ended, not before', async () => {
    const x = inArena(floats([LARGE], 1))
    const y = inArena(floats([LARGE], 2))
    const out = inArena(floats([LARGE], 3))
    const wanted = bytesOf(loosely('mul')(x, y)).slice()
    const kept = new Float32Array(arena().buffer, (out.storage as Float32Array).byteOffset, LARGE)
    const places = [x, y, out].map(({ storage }) => (storage as Float32Array).byteOffset)
    const before = inUse()
    const running = looselyLater('mul')(x, y, { out })
    x.dispose()
    x.dispose()
    y.dispose()
    out.dispose()
    // Nothing else gets their memory. What is in use may shrink meanwhile, because what others left is collected.
    const others = places.map(() => arena().allocate(4 * LARGE)!)
    expect(others.filter((address) => places.includes(address))).toEqual([])
    for (const address of others) arena().free(address, 4 * LARGE)
    for (let i = 0; i < 3; i++) loosely('add')(tensor(new Float32Array(LARGE), { share: true }), 7).dispose()
    const made = await running
    expect(made).toBe(out)
    expect(() => made.data).toThrow(DisposedError)
    expect(Buffer.compare(Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength), wanted)).toBe(0)
    // Calls that repeat keep a few words each, and small results share blocks.
    expect(inUse()).toBeLessThanOrEqual(before - 3 * 4 * LARGE + 65_536)
  })

  it('of an operand that two computations use waits for both, and comes back after a failure too', async () => {
    const x = cast(inArena(floats([LARGE], 1)), 'int32') as Tensor
    const zero = inArena(tensor(new Int32Array(LARGE), { share: true }) as Tensor)
    const first = rejection(looselyLater('div')(x, zero))
    const second = looselyLater('sub')(x, x)
    const before = inUse()
    x.dispose()
    expect(await first).toBeInstanceOf(DivisionByZeroError)
    expect(((await second).data as Int32Array).every((element) => element === 0)).toBe(true)
    expect(inUse()).toBeLessThan(before + 4 * LARGE)
    zero.dispose()
  })

  it('for copies is bounded, and all of it comes back', async () => {
    const shape = [3000, 2000]
    const a = randomTensor('float64', shape, 1)
    const b = randomTensor('float64', [2000, 3000], 2).transpose() as Tensor
    const row = randomTensor('float64', [2000], 3)
    const out = randomTensor('float64', shape, 4)
    const wanted = loosely('add')(a, b, { out: randomTensor('float64', shape, 4) })
    const before = inUse()
    let most = 0
    const { allocate } = Arena.prototype
    const watched = vi.spyOn(arena(), 'allocate').mockImplementation(function (this: Arena, bytes) {
      const address = allocate.call(this, bytes)
      most = Math.max(most, inUse() - before)
      return address
    })
    const made = await looselyLater('add')(a, b, { out })
    watched.mockRestore()
    same(made, wanted)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(3 * 2 ** 23)
    expect(inUse()).toBeLessThanOrEqual(before)
    same(
      await looselyLater('mul')(a.transpose(), row.reshape(2000, 1)),
      loosely('mul')(a.transpose(), row.reshape(2000, 1)),
    )
  })

  it('that is full means that the calling thread computes', async () => {
    const x = floats([LARGE], 1)
    const wanted = loosely('add')(x, x)
    configure({ memory: 2 ** 22 })
    const kept: number[] = []
    for (let at = arena().allocate(65_536); at !== undefined; at = arena().allocate(65_536)) kept.push(at)
    same(await looselyLater('add')(x, x), wanted)
    const matrix = floats([90, 90], 5)
    const product = await looselyLater('gemm')(matrix, matrix)
    for (const at of kept) arena().free(at, 65_536)
    configure({ memory: 2 ** 30 })
    same(product, loosely('gemm')(matrix, matrix))
  })

  it('that was transferred meanwhile is noticed', async () => {
    const array = new Float32Array(4 * LARGE)
    const x = tensor(array, { share: true }) as Tensor
    const running = rejection(looselyLater('add')(x, 1))
    structuredClone(array.buffer, { transfer: [array.buffer] })
    expect(await running).toBeInstanceOf(OperandError)
    const target = new Float32Array(LARGE)
    const into = rejection(
      looselyLater('add')(inArena(floats([LARGE], 1)), 1, { out: tensor(target, { share: true }) }),
    )
    structuredClone(target.buffer, { transfer: [target.buffer] })
    expect((await into).message).toContain('was resized or transferred')
  })
})

describe('a platform', () => {
  const PLATFORM = '../../src/backend/platform.ts'
  const TIMERS = '../../src/backend/webassembly/threads/timers.ts'
  type Platform = typeof import('../../src/backend/platform.ts')
  type Timers = typeof import('../../src/backend/webassembly/threads/timers.ts')

  afterEach(() => {
    vi.doUnmock(PLATFORM)
    vi.doUnmock(TIMERS)
    vi.resetModules()
  })

  /** Computes on another platform. */
  async function on(change: Partial<Platform>, timers: Partial<Timers> = {}) {
    vi.resetModules()
    vi.doMock(PLATFORM, async (original) => ({ ...(await original<Platform>()), ...change }))
    vi.doMock(TIMERS, async (original) => ({ ...(await original<Timers>()), ...timers }))
    const library = await import('bcast')
    const backend = await import('../../src/backend/backends.ts')
    library.configure({ threads: 2 })
    const x = library.add(library.tensor(new Float32Array(LARGE).fill(2), { share: true }), 1)
    const y = await library.mul.async(x, x)
    return { right: y.data.every((element) => element === 9), engine: backend.compiling(), x, library }
  }

  it('that cannot call back when a word changes is looked at', async () => {
    const { right, engine } = await on({}, { waitAsync: undefined })
    expect(right).toBe(true)
    expect(Atomics.load(engine!.pool!.words, CONTROL.ended)).toBe(1)
  })

  it('that cannot share memory computes on the calling thread, after this turn', async () => {
    const { right, engine, library, x } = await on({ canShareMemory: () => false })
    expect(right).toBe(true)
    expect(engine!.arena.shared).toBe(false)
    const running = library.add.async(x, x)
    x.dispose()
    expect((await running).data[7]).toBe(6)
  })

  it('without WebAssembly does too', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect((await on({ wasm: undefined })).right).toBe(true)
    vi.restoreAllMocks()
  })
})

// Last, because the engine of this file is lost.
describe('an engine that loses its threads', () => {
  it('rejects what was with them, and is replaced for what comes next', async () => {
    const x = inArena(floats([LARGE], 1))
    const y = inArena(floats([LARGE], 2))
    const large = inArena(floats([16 * LARGE], 3))
    const wanted = loosely('mul')(x, y)
    const lost = compiling()!
    const pool = lost.pool!
    const { words } = pool
    await looselyLater('mul')(x, y)
    const running = rejection(looselyLater('pow')(large, large))
    const next = looselyLater('mul')(x, y)
    while (!pool.busy) await Promise.resolve()
    const ticket = Atomics.load(words, CONTROL.ticket)
    while (Atomics.load(words, CONTROL.ticket) === ticket) await pause()
    // As if a thread had a part and went away with it.
    Atomics.sub(words, CONTROL.done, 1)
    pool.whenGone!()
    expect(await running).toBeInstanceOf(EngineError)
    same(await next, wanted)
    expect(compiling()).not.toBe(lost)
    same(await looselyLater('mul')(x, y), wanted)
    same(loosely('mul')(x, y), wanted)
    expect([div, gemm, mul].every((f) => 'async' in f)).toBe(true)
  })
})
