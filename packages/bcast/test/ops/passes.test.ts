// Expressions that no kernel can hold, over results larger than what is computed at a time: every layout, threads,
// asynchronous, into memory that overlaps, and the first element without a value.
import { add, configure, DivisionByZeroError, type DType, fuse, max, sum, type Tensor, tensor } from 'bcast'
import { afterAll, describe, expect, it } from 'vitest'
import { compiling } from '../../src/backend/backends.ts'
import { randomTensor } from '../support/random.ts'
import { thrownBy } from '../support/thrown.ts'

afterAll(() => configure({ backend: 'auto', threads: 2 }))

type Fused = ((...args: unknown[]) => Tensor) & { async: (...args: unknown[]) => Promise<Tensor> }
type Traced = Readonly<Record<string, (...args: unknown[]) => Traced>>

const expectSame = (a: Tensor, b: Tensor): void => {
  expect([a.dtype, a.shape]).toEqual([b.dtype, b.shape])
  const [x, y] = [a.data as Float32Array, b.data as Float32Array]
  expect(x.findIndex((element, i) => !Object.is(element, y[i]))).toBe(-1)
}

const LENGTH = 800

/** Long enough for several passes; integers, so that every bit of every operand stays in the result. */
const mixed = (x: Traced, row: Traced, column: Traced): Traced => {
  let value = x
  for (let i = 0; i < LENGTH; i++) value = value['mul']!(3)['add']!(i % 2 === 0 ? row : column)
  return value
}

const long = fuse(mixed as never) as unknown as Fused

/** The same by one operator after the other. */
function byOperators(x: Tensor, row: Tensor, column: Tensor): Tensor {
  let value: Tensor = x
  for (let i = 0; i < LENGTH; i++) {
    const doubled = add(value as never, value as never) as Tensor
    const tripled = add(doubled as never, value as never) as Tensor
    const next = add(tripled as never, (i % 2 === 0 ? row : column) as never) as Tensor
    // No finaliser runs inside a loop, and what is full would not show what is left in it.
    for (const used of i === 0 ? [doubled, tripled] : [doubled, tripled, value]) used.dispose()
    value = next
  }
  return value
}

/** Just more than the 2^18 elements of one slab, and no multiple of anything. */
const SHAPE = [277, 997] as const

const ofShape = (dtype: DType, shape: readonly number[], seed: number): Tensor => randomTensor(dtype, shape, seed)

describe('a long expression', () => {
  const x = ofShape('int32', SHAPE, 1)
  const row = ofShape('int32', [SHAPE[1]], 2)
  const column = ofShape('int32', [SHAPE[0], 1], 3)
  configure({ backend: 'auto', threads: 1 })
  const wanted = byOperators(x, row, column)

  it.each([
    ['auto', 1],
    ['auto', 2],
    ['interpreter', 1],
  ] as const)('gives the same bits, %s, %s threads', (backend, threads) => {
    configure({ backend, threads })
    expectSame(long(x, row, column), wanted)
  })

  it('and asynchronously, into memory that is there, over its operand, and from another layout', async () => {
    configure({ backend: 'auto', threads: 2 })
    expectSame(await long.async(x, row, column), wanted)
    const out = ofShape('int32', SHAPE, 4)
    expect(long(x, row, column, { out })).toBe(out)
    expectSame(out, wanted)
    const own = tensor((x.data as Int32Array).slice(), { shape: [...SHAPE] })
    expectSame(long(own, row, column, { out: own }), wanted)
    const turned = tensor((x.transpose().data as Int32Array).slice(), { shape: [SHAPE[1], SHAPE[0]] }).transpose()
    expectSame(long(turned, row, column), wanted)
    const place = tensor(new Int32Array(2 * 277 * 997), { share: true, shape: [277, 997, 2] }).slice(null, null, 1)
    expectSame(long(x, row, column, { out: place }), wanted)
    // Into every second element of what it reads.
    const wide = tensor(new Int32Array(2 * 277 * 997), { share: true, shape: [277, 2 * 997] })
    const evens = wide.slice(null, [0, null, 2])
    add(x, 0 as never, { out: evens as never })
    expectSame(long(evens, row, column, { out: wide.slice(null, [1, null, 2]) }), wanted)
  })

  it('names the first element without a value, whichever pass it is in', () => {
    const chain = (divisor: Traced, other: Traced): Traced => {
      let value = divisor
      for (let i = 0; i < 40; i++) value = value['add']!(1)['mod']!(1000)
      value = value['div']!(divisor)
      for (let i = 0; i < 160; i++) value = value['add']!(1)['mod']!(1000)
      return value['div']!(other)
    }
    const f = fuse(chain as never) as unknown as Fused
    const ones = new Int32Array(SHAPE[0] * SHAPE[1]).fill(1)
    const zeroAt = (...positions: number[]): Tensor => {
      const data = ones.slice()
      for (const at of positions) data[at] = 0
      return tensor(data, { share: true, shape: [...SHAPE] })
    }
    for (const backend of ['auto', 'interpreter'] as const) {
      configure({ backend, threads: 2 })
      const first = thrownBy(() => f(zeroAt(270_000), zeroAt(265_003, 275_000)))
      expect(first).toBeInstanceOf(DivisionByZeroError)
      expect((first as DivisionByZeroError).index).toEqual([Math.floor(265_003 / 997), 265_003 % 997])
      const second = thrownBy(() => f(zeroAt(263_000), zeroAt(265_003)))
      expect((second as DivisionByZeroError).index).toEqual([Math.floor(263_000 / 997), 263_000 % 997])
    }
    configure({ backend: 'auto', threads: 2 })
  })

  it('names it also where another pass divides by what has no value', () => {
    const f = fuse(((x: Traced, y: Traced): Traced => {
      const quotient = x['div']!(y)
      let value = quotient
      for (let i = 0; i < LENGTH; i++) value = value['add']!(x)['mul']!(y)
      return value['add']!(x['div']!(quotient))
    }) as never) as unknown as Fused
    const x = tensor(new Int32Array(3000).fill(100), { share: true })
    const y = tensor(new Int32Array(3000).fill(1).fill(0, 2500), { share: true })
    for (const backend of ['auto', 'interpreter'] as const) {
      configure({ backend, threads: 2 })
      expect(thrownBy(() => f(x, y))).toMatchObject({ index: [2500] })
    }
    configure({ backend: 'auto', threads: 2 })
  })

  it('gives back what passes leave for each other', () => {
    configure({ backend: 'auto', threads: 1 })
    const operands = [ofShape('int32', [256, 256], 5), ofShape('int32', [256], 6), ofShape('int32', [256, 1], 7)]
    const arena = compiling()!.arena
    long(...operands).dispose()
    const { freeBytes, pages } = arena
    const faulty = fuse(((x: Traced, y: Traced) => mixed(x, y, y)['div']!(y['mul']!(0))) as never) as unknown as Fused
    for (let i = 0; i < 8; i++) {
      long(...operands).dispose()
      const out = long(...operands)
      expect(() => faulty(operands[0], operands[1], { out })).toThrow(DivisionByZeroError)
      out.dispose()
    }
    expect([arena.freeBytes, arena.pages]).toEqual([freeBytes, pages])
  })

  it('also when an element has no value, or an operand is lost between passes', async () => {
    configure({ backend: 'auto', threads: 1 })
    const f = fuse(((x: Traced, y: Traced): Traced => {
      let value = x
      for (let i = 0; i < LENGTH; i++) value = value['add']!(y)['mul']!(x)
      return value['div']!(y)
    }) as never) as unknown as Fused
    const [x, zeros] = [ofShape('int32', [1 << 16], 8), tensor(new Int32Array(1 << 16), { share: true })]
    const arena = compiling()!.arena
    const fail = () => expect(() => f(x, zeros)).toThrow(DivisionByZeroError)
    const failLater = () => expect(f.async(x, zeros)).rejects.toThrow(DivisionByZeroError)
    const lose = () => {
      const y = tensor(new Int32Array(1 << 16).fill(1), { share: true })
      const result = f.async(x, y)
      structuredClone(0, { transfer: [(y.data as Int32Array).buffer as ArrayBuffer] })
      return expect(result).rejects.toThrow('transferred')
    }
    for (const once of [fail, failLater, lose]) {
      await once()
      const { freeBytes, pages } = arena
      for (let i = 0; i < 8; i++) await once()
      // More may be free, because what others left is collected meanwhile.
      expect(arena.freeBytes).toBeGreaterThanOrEqual(freeBytes)
      expect(arena.pages).toBe(pages)
    }
  })
})

describe('more operands than a kernel takes', () => {
  it.each([33, 40, 100, 300])('sum and max of %s', (count) => {
    const operands = Array.from({ length: count }, (_, i) => ofShape('float32', [i % 3 === 0 ? 1 : 7, 501], 10 + i))
    const answers = (['interpreter', 'auto'] as const).flatMap((backend) => {
      configure({ backend, threads: 2 })
      return [sum(operands as never) as Tensor, max(operands as never) as Tensor]
    })
    expectSame(answers[2]!, answers[0]!)
    expectSame(answers[3]!, answers[1]!)
  })
})
