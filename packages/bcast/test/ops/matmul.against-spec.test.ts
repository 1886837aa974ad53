// Products of stacks of matrices against the specification, to the bit: vectors, matrices and batches that meet or not,
// in every layout, on every backend, now and asynchronously, into out and in sequences.
import { SpecError, matmul as specMatmul, toFlat } from '@bcast/spec'
import {
  BroadcastError,
  broadcastShapes,
  type DType,
  fuse,
  gemm,
  identity,
  matmul,
  matmulBatch,
  OperandError,
  sequence,
  stack,
  type Tensor,
  tensor,
} from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { elementsOf, make, sameElement } from '../../../../testing/elements.ts'
import { type Sample, sample } from '../support/layouts.ts'
import { settings } from '../support/oracle.ts'
import { firstDifference, smallTensor } from '../support/random.ts'
import { thrownBy } from '../support/thrown.ts'

const TYPES: readonly DType[] = [
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'real',
]

const loosely = matmul as (a: Tensor, b: Tensor, options?: object) => Tensor

/** Batches that often meet: ones, a common size, none at all. */
const batches = fc.array(fc.constantFrom(1, 1, 2, 2, 3, 0), { maxLength: 3 })

const shapes = fc
  .record({
    left: batches,
    right: batches,
    m: fc.nat(3),
    n: fc.nat(3),
    k: fc.nat(4),
    rows: fc.constantFrom(undefined, undefined, undefined, 5),
    form: fc.constantFrom('matrices', 'matrices', 'matrices', 'row', 'column', 'vectors'),
  })
  .map(({ left, right, m, n, k, rows = k, form }) => [
    form === 'row' || form === 'vectors' ? [k] : [...left, m, k],
    form === 'column' || form === 'vectors' ? [rows] : [...right, rows, n],
  ])

const cases = (dtype: DType): fc.Arbitrary<readonly [Sample, Sample]> =>
  shapes.chain(([a, b]) => fc.tuple(sample(dtype, a!), sample(dtype, b!)))

function wantedOf(dtype: DType, a: Sample, b: Sample): ReturnType<typeof specMatmul> | SpecError {
  try {
    return specMatmul(dtype, a.spec, b.spec)
  } catch (error) {
    if (error instanceof SpecError) return error
    throw error
  }
}

function expectSame(got: Tensor, wanted: ReturnType<typeof specMatmul>): void {
  expect(got.shape).toEqual(wanted.shape)
  const elements = elementsOf(got)
  const wrong = toFlat(wanted).flatMap((value, i) => (sameElement(elements[i], value) ? [] : [[i, elements[i], value]]))
  expect(wrong).toEqual([])
}

/** A place of this shape among others. */
function placeOf(dtype: DType, shape: readonly number[]): Tensor {
  const room = identity(
    make(dtype, [
      dtype === 'real' ? { n: 0n, d: 1n } : dtype.endsWith('64') && dtype !== 'float64' ? 0n : 0,
    ]).broadcastTo([...shape, 2] as never) as Tensor,
  )
  return room.slice(...shape.map(() => null), 1) as Tensor
}

describe('MatMul', () => {
  it.each(TYPES)('%s', async (dtype) => {
    await fc.assert(
      fc.asyncProperty(cases(dtype), async ([a, b]) => {
        const wanted = wantedOf(dtype, a, b)
        for (const { use } of everyBackend) {
          use()
          if (wanted instanceof SpecError) {
            const thrown = thrownBy(() => loosely(a.tensor, b.tensor))
            expect(thrown).toBeInstanceOf(wanted.message.startsWith('matmul.batch') ? BroadcastError : OperandError)
            await expect(matmul.async(a.tensor as never, b.tensor as never)).rejects.toThrow((thrown as Error).message)
            continue
          }
          expectSame(loosely(a.tensor, b.tensor), wanted)
          expectSame((await matmul.async(a.tensor as never, b.tensor as never)) as Tensor, wanted)
          const out = placeOf(dtype, wanted.shape)
          expect(loosely(a.tensor, b.tensor, { out })).toBe(out)
          expectSame(out, wanted)
        }
        anyBackend()
      }),
      settings(12),
    )
  })
})

/** Sizes for every way: one tall matrix, pairs by Gemm, many small ones together. */
const LARGE = [
  ['one matrix for a stack', [6, 20, 30], [30, 40]],
  ['a stack for one matrix', [20, 30], [6, 30, 40]],
  ['batches that stretch both ways', [2, 1, 20, 30], [3, 30, 17]],
  ['a vector and a stack', [30], [4, 30, 40]],
  ['a stack and a vector', [3, 4, 20, 30], [30]],
  ['vectors', [3000], [3000]],
  ['many small matrices', [5, 9, 17], [5, 17, 6]],
  ['many small matrices and vectors', [2, 3, 9, 8], [8]],
  ['few matrices', [2, 20, 30], [2, 30, 17]],
  ['a tall matrix and a vector', [1100, 9], [9]],
  ['a vector and a wide matrix', [9], [9, 1100]],
  ['a result of few columns', [60, 70], [70, 3]],
] as const

/** Each pair by itself, on the interpreter. */
function byPairs(a: Tensor, b: Tensor): Tensor {
  everyBackend.at(-1)!.use()
  const [left, right] = [a.rank === 1 ? a.reshape(1, a.size) : a, b.rank === 1 ? b.reshape(b.size, 1) : b] as [
    Tensor,
    Tensor,
  ]
  const batch = broadcastShapes(a.shape, b.shape, { broadcast: matmulBatch }) as readonly number[]
  const count = batch.reduce((product, size) => product * size, 1)
  const flat = (x: Tensor): Tensor => {
    const matrix = x.shape.slice(-2)
    return identity(x.broadcastTo([...batch, ...matrix] as never) as Tensor).reshape(count, ...matrix) as Tensor
  }
  const [x, y] = [flat(left), flat(right)]
  const products = Array.from({ length: count }, (_, i) => gemm(x.slice(i) as Tensor, y.slice(i) as Tensor))
  const rows = a.rank === 1 ? [] : [a.shape.at(-2)!]
  const columns = b.rank === 1 ? [] : [b.shape.at(-1)!]
  return stack(products as Tensor[]).reshape([...batch, ...rows, ...columns]) as Tensor
}

describe.each(['float32', 'float16'] as const)('larger products of %s', (dtype) => {
  it.each(LARGE)('%s', async (_, left, right) => {
    const [a, b] = [smallTensor(dtype, left, 1), smallTensor(dtype, right, 2)]
    const wanted = byPairs(a, b)
    const expectBits = (got: Tensor): void => {
      expect(got.shape).toEqual(wanted.shape)
      expect(firstDifference(dtype, got.data as never, wanted.data as never)).toBe(-1)
    }
    const turned = (x: Tensor): Tensor => identity(x.transpose() as Tensor).transpose() as Tensor
    for (const { name, use } of everyBackend) {
      for (const threads of name === 'interpreter' ? [1] : [1, 2]) {
        use(threads)
        expectBits(loosely(a, b))
        expectBits(loosely(turned(a), turned(b)))
        expectBits((await matmul.async(identity(a) as never, turned(b) as never)) as Tensor)
        const made = sequence(({ input, call, constant }) => {
          const x = input(dtype, left) as Tensor
          constant(b)
          return { x, y: call(matmul, x, b) }
        })
        for (let round = 0; round < 2; round++) {
          identity(a, { out: made.tensors.x as never })
          made.run()
          expectBits(made.tensors.y)
        }
        await made.async()
        expectBits(made.tensors.y)
        made.dispose()
      }
    }
    anyBackend()
  })
})

it('begins every sum with 0, however products are computed', () => {
  for (const { use } of everyBackend) {
    use()
    for (const count of [1, 5]) {
      const a = make('float32', new Array<number>(count).fill(-0), [count, 1, 1])
      const b = make('float32', new Array<number>(count).fill(1), [count, 1, 1])
      for (const sum of elementsOf(loosely(a, b))) expect(sum).toBe(0)
    }
  }
  anyBackend()
})

it('may write over what it reads', async () => {
  for (const { use } of everyBackend) {
    use()
    const x = identity(smallTensor('float32', [3, 20, 20], 3))
    const wanted = loosely(x, x)
    expect(loosely(x, x, { out: x })).toBe(x)
    expect(x.data).toEqual(wanted.data)
    const y = identity(smallTensor('float32', [3, 20, 20], 3))
    expect(await matmul.async(y as never, y as never, { out: y })).toBe(y)
    expect(y.data).toEqual(wanted.data)
  }
  anyBackend()
})

it('is all that a fused function may do, in every way of calling', async () => {
  for (const { use } of everyBackend) {
    use()
    for (const [m, k, n] of [
      [1, 1, 1],
      [4, 4, 4],
      [64, 64, 64],
      [1000, 64, 1],
      [1, 64, 1000],
    ] as const) {
      const [x, y] = [smallTensor('float32', [m, k], 3), smallTensor('float32', [k, n], 4)]
      const wanted = loosely(x, y)
      const f = fuse((a, b) => loosely(a as never, b as never) as never) as unknown as typeof loosely & {
        async: (a: Tensor, b: Tensor) => Promise<Tensor>
        plan: (a: Tensor, b: Tensor) => { readonly text: string }
        infer: (a: Tensor, b: Tensor) => { readonly shape: readonly number[] }
      }
      // Calls that come again are settled.
      for (let i = 0; i < 4; i++) expect(f(x, y).data).toEqual(wanted.data)
      const out = smallTensor('float32', [m, n], 5)
      expect(f(x, y, { out })).toBe(out)
      expect(out.data).toEqual(wanted.data)
      expect((await f.async(x, y)).data).toEqual(wanted.data)
      expect(f.infer(x, y).shape).toEqual([m, n])
      expect(f.plan(x, y).text).toContain('MatMul')
    }
  }
  anyBackend()
})

describe('what MatMul refuses', () => {
  const of = (...shape: number[]): Tensor => smallTensor('float32', shape, 1)
  const said = (...args: readonly unknown[]): string =>
    (thrownBy(() => (matmul as (...args: readonly unknown[]) => unknown)(...args)) as Error).message

  it('sizes that differ, with what would make them agree', () => {
    expect(said(of(2, 3), of(2, 3))).toBe(
      "MatMul: A is (2,3) and B is (2,3); A's columns (3) must be B's rows (2). b.transpose(1, 0) has 3 rows.",
    )
    expect(matmul(of(2, 3), of(2, 3).transpose(1, 0) as never).shape).toEqual([2, 2])
    expect(said(of(5, 4, 2), of(4, 3))).toBe(
      "MatMul: A is (5,4,2) and B is (4,3); A's columns (2) must be B's rows (4). a.transpose(0, 2, 1) has 4 columns.",
    )
    expect(loosely(of(5, 4, 2).transpose(0, 2, 1) as Tensor, of(4, 3)).shape).toEqual([5, 2, 3])
    expect(said(of(2), of(3))).toBe(
      "MatMul: A is (2) and B is (3); A's elements (2) must be B's elements (3). mul(unsqueeze(a, 1), b) is the product of each with each.",
    )
    expect(said(of(2), of(3, 5))).toBe("MatMul: A is (2) and B is (3,5); A's elements (2) must be B's rows (3).")
  })

  it('batches that do not meet, as the rule explains it', () => {
    const error = thrownBy(() => loosely(of(2, 3, 4, 5), of(4, 5, 6))) as BroadcastError
    expect(error).toBeInstanceOf(BroadcastError)
    expect(error.rule).toBe('matmulBatch')
    expect(error.message).toContain('3 vs 4')
    expect(error.message).toContain('batch sizes on an axis must be equal or 1')
  })

  it('scalars and numbers, and what is no operand', () => {
    const scalar = 'it must have rows or columns; mul(a, b) multiplies by a scalar.'
    expect(said(of(2, 3), tensor(2))).toBe(`MatMul: B is a scalar; ${scalar}`)
    expect(said(tensor(2), of(2, 3))).toBe(`MatMul: A is a scalar; ${scalar}`)
    expect(said(of(2, 3), 2)).toBe('MatMul: B is 2; mul(a, b) multiplies by a number.')
    expect(said(of(2, 3), [[1]])).toBe('MatMul: B is an array; wrap it with tensor(…).')
    expect(said(of(2, 3))).toBe('MatMul takes 2 operands, not 1.')
    expect(said(of(2, 3), of(3, 2), of(2, 2))).toContain('MatMul takes 2 operands, and options behind them')
    expect(said(of(2, 3), of(3, 2), { transB: true })).toBe('MatMul has no option transB; it has out.')
  })

  it('types that products do not have, and that differ', () => {
    expect(said(make('int8', [1], [1, 1]), make('int8', [1], [1, 1]))).toContain('MatMul does not take int8 for A')
    expect(said(of(1, 1), make('float64', [1], [1, 1]))).toContain('element types differ: A is float32, B is float64')
    expect(said(of(2, 3), of(3, 2), { out: of(2, 3) })).toContain('out has shape (2,3) and the result has (2,2)')
  })
})
