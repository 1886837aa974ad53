// Where results live and who computes them: memory is given back by dispose, what a program holds stays as it is, a
// full memory means ordinary arrays and not errors, and a platform that lacks something means the interpreter.
import os from 'node:os'
import { add, configure, identity, OperandError, type Tensor, tensor } from 'bcast'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { compiling } from '../../src/backend/backends.ts'
import { loosely } from '../support/operators.ts'

const MIB = 2 ** 20
const LIMIT = 16 * MIB

// Said before the first result, so that the memory of this file stays small.
configure({ memory: LIMIT, threads: 2 })
afterAll(() => configure({ backend: 'auto' }))

const arena = () => compiling()!.arena
// The storage, not `data`: asking for that would keep dispose from giving memory back.
const elements = (x: Tensor): Float32Array => x.storage as Float32Array
const inArena = (x: Tensor): boolean => arena().holds(elements(x))
const filled = (count: number, value: number): Tensor =>
  tensor(new Float32Array(count).fill(value), { share: true }) as Tensor
/** A result of a mebibyte, every element the given value. */
const result = (value: number): Tensor => loosely('add')(filled(MIB / 4, value - 1), 1)
const holds = (x: Tensor, value: number): boolean => elements(x).every((element) => element === value)

describe('configure', () => {
  it('refuses what makes no sense', () => {
    for (const threads of [0, -1, 1.5, Number.NaN, '2' as never])
      expect(() => configure({ threads })).toThrow(OperandError)
    for (const memory of [0, -1, Number.NaN, 1000, 'much' as never])
      expect(() => configure({ memory })).toThrow(OperandError)
    expect(() => configure({ backend: 'gpu' as never })).toThrow("it is 'auto' or 'interpreter'")
  })

  it('chooses who computes', () => {
    expect(inArena(result(3))).toBe(true)
    configure({ backend: 'interpreter' })
    expect(elements(result(3)).buffer).toBeInstanceOf(ArrayBuffer)
    configure({ backend: 'auto' })
    expect(inArena(result(3))).toBe(true)
  })
})

describe('memory', () => {
  it('is given back by dispose, and by the end of a block', () => {
    const x = result(1)
    const free = arena().freeBytes
    x.dispose()
    expect(arena().freeBytes).toBe(free + MIB)
    x.dispose()
    expect(arena().freeBytes).toBe(free + MIB)
    {
      using y = result(2)
      expect(arena().freeBytes).toBe(free)
      expect(y.get(0)).toBe(2)
    }
    expect(arena().freeBytes).toBe(free + MIB)
  })

  it('of what was made of an array or of nested arrays is like that of results', () => {
    const array = new Float32Array(MIB / 4).fill(3)
    const makes = [
      () => tensor(array),
      () => tensor([array]),
      () => tensor([...array]),
      () => tensor(tensor(array, { share: true })),
    ]
    for (const make of makes) {
      const free = arena().freeBytes
      const x = make() as Tensor
      expect(inArena(x)).toBe(true)
      expect(arena().freeBytes).toBe(free - MIB)
      expect(holds(x, 3)).toBe(true)
      x.dispose()
      expect(arena().freeBytes).toBe(free)
    }
    const mixed = (): unknown => tensor([...array, 'x'] as never)
    // For the first one the arena may grow.
    expect(mixed).toThrow('mixed elements')
    const free = arena().freeBytes
    expect(mixed).toThrow('mixed elements')
    expect(arena().freeBytes).toBe(free)
    expect(inArena(tensor([1, 2]) as Tensor)).toBe(true)
    expect(inArena(filled(2, 1))).toBe(false)
  })

  it('under data or a view that a program holds is not given back by dispose', () => {
    const x = result(1)
    const { data } = x
    x.dispose()
    const y = result(2)
    const row = y.slice([5, 9])
    y.dispose()
    for (let i = 0; i < 4; i++) result(77)
    expect((data as Float32Array).every((element) => element === 1)).toBe(true)
    expect(row.toArray()).toEqual([2, 2, 2, 2])
  })

  it('under views goes back when the last of them and the tensor itself are disposed, in any order', () => {
    const x = result(1)
    const free = arena().freeBytes
    const views = [x.slice([5, 9]), x.reshape(-1, 2), x.transpose()]
    for (const each of [views[1]!, x, views[2]!]) {
      each.dispose()
      each.dispose()
      expect(arena().freeBytes).toBe(free)
    }
    expect(views[0]!.toArray()).toEqual([1, 1, 1, 1])
    views[0]!.dispose()
    expect(arena().freeBytes).toBe(free + MIB)

    const y = result(2)
    const row = y.slice([5, 9])
    row.dispose()
    expect(y.get(7)).toBe(2)
    const before = arena().freeBytes
    y.dispose()
    expect(arena().freeBytes).toBe(before + MIB)

    const z = result(3)
    const part = z.slice([5, 9])
    const { data } = part
    z.dispose()
    part.dispose()
    result(77).dispose()
    expect(Array.from(data as Float32Array)).toEqual([3, 3, 3, 3])
  })

  it('may grow under what a program holds', () => {
    const small = loosely('add')(tensor([1, 2]), 1)
    const x = result(4)
    const [few, many] = [small.data, x.data]
    const before = arena().buffer
    const kept: Tensor[] = []
    while (arena().buffer === before) kept.push(result(5))
    expect(few).toEqual(Float32Array.of(2, 3))
    expect(many).toHaveLength(MIB / 4)
    expect(holds(x, 4)).toBe(true)
    ;(many as Float32Array)[7] = 9
    expect(x.get(7)).toBe(9)
    // Old and new buffers are the same memory: a result over its own operand is seen as such.
    ;(many as Float32Array).forEach((_, i) => {
      ;(many as Float32Array)[i] = i
    })
    const again = tensor(new Float32Array(arena().buffer as ArrayBuffer, (many as Float32Array).byteOffset, MIB / 4), {
      share: true,
    })
    loosely('add')(again.slice([null, null, -1]), 0, { out: x })
    expect((many as Float32Array).findIndex((element, i) => element !== MIB / 4 - 1 - i)).toBe(-1)
    for (const each of kept) each.dispose()
  })

  it('that is full means ordinary arrays, then recovers', () => {
    const free = arena().freeBytes
    const kept = Array.from({ length: 24 }, (_, i) => result(i))
    expect(kept.filter((x) => !inArena(x)).length).toBeGreaterThan(7)
    expect(arena().buffer.byteLength).toBeLessThanOrEqual(LIMIT)
    kept.forEach((x, i) => {
      expect(holds(x, i)).toBe(true)
    })
    // Work goes on with any mixture of memories, and small results find room.
    const [first, last] = [kept[0]!, kept.at(-1)!]
    expect([inArena(first), inArena(last)]).toEqual([true, false])
    expect(holds(loosely('add')(first, last), 23)).toBe(true)
    expect(holds(loosely('add')(last, kept.at(-2)!, { out: last }), 45)).toBe(true)
    expect(holds(loosely('add')(last, first, { out: kept[3]! }), 45)).toBe(true)
    const square = filled(MIB / 4, 2).reshape(512, 512)
    const turned = loosely('add')(square.transpose(), tensor(1), { out: square })
    expect(holds(turned, 3)).toBe(true)
    const rest: number[] = []
    for (let at = arena().allocate(65_536); at !== undefined; at = arena().allocate(65_536)) rest.push(at)
    const one = tensor([1])
    const many = Array.from({ length: 20_000 }, (_, i) => loosely('add')(tensor([i, 1]), one))
    expect(many.findIndex((x, i) => x.get(0) !== i + 1 || x.get(1) !== 2)).toBe(-1)
    expect(inArena(many.at(-1)!)).toBe(false)
    const more = Array.from({ length: 100 }, (_, i) => loosely('add')(many[i]!.slice([null, null, -1]), many[i + 1]!))
    expect(more.findIndex((x, i) => x.get(0) !== i + 4 || x.get(1) !== i + 3)).toBe(-1)
    for (const at of rest) arena().free(at, 65_536)
    for (const x of kept) x.dispose()
    expect(arena().freeBytes).toBeGreaterThan(free)
    const again = result(1)
    expect(inArena(again)).toBe(true)
    again.dispose()
  })
})

describe('an engine that lost a thread', () => {
  it('is replaced, and what lies in its memory can still be used', () => {
    configure({ memory: LIMIT, threads: 2 })
    const old = compiling()!
    const x = loosely('add')(tensor(Float64Array.of(1, 2, 3), { share: true }), 1)
    const large = identity(filled(100_000, 5)) as Tensor
    Object.defineProperty(old, 'failed', { value: true })
    const y = loosely('add')(x, 1)
    expect(compiling()).not.toBe(old)
    expect(compiling()!.threads).toBe(1)
    expect(old.arena.holds(elements(x))).toBe(true)
    expect(inArena(y)).toBe(true)
    expect(y.toArray()).toEqual([3, 4, 5])
    expect(loosely('add')(x, 1).toArray()).toEqual([3, 4, 5])
    expect(holds(add(large, large) as Tensor, 10)).toBe(true)
    expect(loosely('add')(x, x, { out: x }).toArray()).toEqual([4, 6, 8])
  })
})

describe('a platform', () => {
  type Platform = typeof import('../../src/backend/platform.ts')
  const { constrainedMemory } = process
  const navigatorCores = (globalThis as { navigator?: { hardwareConcurrency: number } }).navigator?.hardwareConcurrency

  afterEach(() => {
    vi.doUnmock('../../src/backend/platform.ts')
    vi.resetModules()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    process.constrainedMemory = constrainedMemory
  })

  /** The library as it loads where the platform is another; gives it and what it warned of. */
  async function on(change: (real: Platform) => Partial<Platform>) {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.resetModules()
    vi.doMock('../../src/backend/platform.ts', async (original) => {
      const real = await original<Platform>()
      return { ...real, ...change(real) }
    })
    const library = await import('bcast')
    const { compiling: engine } = await import('../../src/backend/backends.ts')
    const sum = () => library.add(library.tensor([1, 2]), library.tensor([10, 20])).toArray()
    return { sum, engine, said: () => warnings.mock.calls.map(([text]) => String(text)) }
  }

  it('without WebAssembly computes all the same, and says so once', async () => {
    const { sum, engine, said } = await on(() => ({ wasm: undefined }))
    for (let i = 0; i < 3; i++) expect(sum()).toEqual([11, 22])
    expect(engine()).toBeUndefined()
    expect(said()).toEqual([expect.stringMatching(/^bcast: WebAssembly or FinalizationRegistry is missing here/)])
  })

  it('without FinalizationRegistry computes all the same, and says so once', async () => {
    vi.stubGlobal('FinalizationRegistry', undefined)
    const { sum, engine, said } = await on(() => ({}))
    for (let i = 0; i < 3; i++) expect(sum()).toEqual([11, 22])
    expect(engine()).toBeUndefined()
    expect(said()).toEqual([expect.stringMatching(/FinalizationRegistry is missing here/)])
  })

  it('that tells its memory only with a permission is not asked for it', async () => {
    const refuse = (): never => {
      throw new Error('Requires sys access')
    }
    vi.stubGlobal('Deno', {})
    vi.spyOn(os, 'totalmem').mockImplementation(refuse)
    process.constrainedMemory = refuse
    const { sum, engine, said } = await on(() => ({}))
    expect(sum()).toEqual([11, 22])
    expect(engine()!.threads).toBe(navigatorCores ?? 1)
    expect(said()).toEqual([])
  })

  it('that forbids compiling computes all the same, and says so once', async () => {
    class Module {
      constructor() {
        throw new EvalError('refused by policy')
      }
    }
    const { sum, engine, said } = await on(({ wasm }) => ({
      wasm: { Memory: wasm!.Memory, Instance: wasm!.Instance, validate: wasm!.validate, Module },
    }))
    for (let i = 0; i < 3; i++) expect(sum()).toEqual([11, 22])
    expect(engine()).toBeUndefined()
    expect(said()).toEqual([expect.stringMatching(/^bcast: WebAssembly cannot be compiled here/)])
  })

  /** A platform whose memories have at most so many pages. */
  const stingy = (most: number) => (real: Platform) => {
    const Memory = new Proxy(real.wasm!.Memory, {
      construct(target, [options]: [{ readonly maximum: number }]) {
        if (options.maximum > most) throw new RangeError('could not allocate memory')
        return Reflect.construct(target, [options])
      },
    })
    const { Instance, Module, validate } = real.wasm!
    return { wasm: { Memory, Instance, Module, validate } }
  }

  it('with little address space gets a smaller memory', async () => {
    const { sum, engine, said } = await on(stingy(2 ** 14))
    expect(sum()).toEqual([11, 22])
    expect(engine()!.arena.maximum).toBe(2 ** 14)
    expect(said()).toEqual([])
  })

  it('with none computes without, and says so once', async () => {
    const { sum, engine, said } = await on(stingy(0))
    for (let i = 0; i < 3; i++) expect(sum()).toEqual([11, 22])
    expect(engine()).toBeUndefined()
    expect(said()).toEqual([expect.stringMatching(/^bcast: there is no memory for WebAssembly here/)])
  })

  it('that cannot share memory computes in memory of one size, on one thread', async () => {
    const { sum, engine, said } = await on(() => ({ canShareMemory: () => false }))
    expect(sum()).toEqual([11, 22])
    expect(engine()!.arena.shared).toBe(false)
    const { tensor: make, add: plus } = await import('bcast')
    const x = make(new Float32Array(200_000).fill(2))
    expect(plus(plus(x, x), x).data.every((element) => element === 6)).toBe(true)
    expect(said()).toEqual([])
  })
})
