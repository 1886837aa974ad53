// The same calls by the interpreter, by kernels on one thread, on several, and asynchronously: the same bits, the same
// refusals. Operands in the arena and outside it, of every layout, with sizes around vectors, tiles and parts.
import {
  broadcastShapes,
  DivisionByZeroError,
  type DType,
  dtypes,
  identity,
  numpy,
  OperandError,
  type Tensor,
  tensor,
} from 'bcast'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { loosely, looselyLater, type Options, operators } from '../support/operators.ts'
import { settings } from '../support/oracle.ts'
import { firstDifference, randomTensor } from '../support/random.ts'
import { thrownBy } from '../support/thrown.ts'

let turn = 0
/** Every backend on one thread, then on two, three and four in turn. */
const modes: ReadonlyMap<string, () => void> = new Map(
  everyBackend.flatMap(({ name, use }): [string, () => void][] => [
    [`${name} on one thread`, () => use(1)],
    [`${name} on threads`, () => use(2 + (turn++ % 3))],
  ]),
)
/** The one that all others have to agree with, and the one that operands are laid out by. */
const reference = `${everyBackend.at(-1)!.name} on one thread`
/** The interpreter has no threads. */
const others = [...modes.keys()].filter((mode) => !mode.startsWith(everyBackend.at(-1)!.name))
const useFirst = (): void => everyBackend[0]!.use(1)

afterAll(anyBackend)

type Home = 'arena' | 'foreign'

/** How an operand lies: which axes repeat, their order in memory, steps and margins, and in which memory. */
interface Placing {
  readonly repeated: readonly boolean[]
  /** Leading axes that the operand does not have at all. */
  readonly dropped: number
  readonly plain: boolean
  readonly keys: readonly number[]
  readonly steps: readonly number[]
  readonly margins: readonly number[]
  readonly home: Home
}

const RANK = 5
const perAxis = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { minLength: RANK, maxLength: RANK })

const placing: fc.Arbitrary<Placing> = fc.record({
  repeated: perAxis(fc.constantFrom(false, false, false, true)),
  dropped: fc.constantFrom(0, 0, 1, 2),
  plain: fc.boolean(),
  keys: perAxis(fc.nat(99)),
  steps: perAxis(fc.constantFrom(1, 1, 1, -1, 2, -3)),
  margins: perAxis(fc.constantFrom(0, 0, 1)),
  home: fc.constantFrom<Home>('arena', 'foreign'),
})

const small = fc.array(fc.constantFrom(1, 2, 3, 4, 5, 8, 17), { maxLength: RANK })
const large = fc.constantFrom<readonly number[]>(
  [33_000],
  [3, 20_001],
  [150_001],
  [401, 500],
  [50_001, 3],
  [129, 257],
  [257, 130],
  [2, 3, 5, 1500],
  [64, 3, 16, 20],
  [40_000, 2],
  [2, 2, 2, 2, 3000],
)

interface Placed {
  /** What the call sees. */
  readonly tensor: Tensor
  /** Everything that lies there, gaps included. */
  readonly room: Tensor
}

/** A tensor of `shape` as placed, its elements from a stream of random bits, which fills the gaps too. */
function place(dtype: DType, shape: readonly number[], how: Placing, stream: number, nonzero: boolean): Placed {
  const order = shape.map((_, axis) => axis).sort((a, b) => (how.plain ? a - b : how.keys[a]! - how.keys[b]!))
  const ranges = shape.map((size, axis) => {
    const step = how.plain ? 1 : how.steps[axis]!
    const margin = how.plain ? 0 : how.margins[axis]!
    const reach = (size - 1) * Math.abs(step) + 1
    const start = step > 0 ? margin : margin + reach - 1
    const stop = step > 0 ? margin + reach : margin - 1
    return { room: reach + 2 * margin, range: [start, stop < 0 ? null : stop, step] as const }
  })
  const made = randomTensor(
    dtype,
    order.map((axis) => ranges[axis]!.room),
    stream,
    { nonzero },
  )
  const room = how.home === 'arena' ? (identity(made) as Tensor) : made
  const view = (room.transpose(shape.map((_, axis) => order.indexOf(axis)) as never) as Tensor).slice(
    ...ranges.map(({ range }) => range),
  ) as Tensor
  return { tensor: view, room }
}

/** The shape an operand has by itself: axes that repeat are one, or not there. */
const ownShape = (shape: readonly number[], { repeated, dropped }: Placing): number[] =>
  shape.map((size, axis) => (repeated[axis] === true ? 1 : size)).slice(Math.min(dropped, shape.length))

/** A call as these tests make it: operand types by the type that a case draws. */
interface Call {
  readonly title: string
  readonly types: readonly DType[]
  readonly operands: (dtype: DType, other: DType) => readonly DType[]
  readonly result: (dtype: DType, other: DType) => DType
  readonly apply: (tensors: readonly Tensor[], options: Options, result: DType) => Tensor
  readonly later: (tensors: readonly Tensor[], options: Options, result: DType) => Promise<Tensor>
}

const BOOLEAN = ['And', 'Or', 'Xor', 'Not', 'Equal', 'NotEqual', 'Less', 'Greater', 'LessOrEqual', 'GreaterOrEqual']
const numeric: readonly DType[] = dtypes.filter((dtype) => dtype !== 'string' && dtype !== 'real')

const calls: readonly Call[] = [
  ...operators.map(
    (operator): Call => ({
      title: operator.title,
      types: operator.types.filter((dtype) => numeric.includes(dtype)),
      operands: (dtype) => new Array<DType>(operator.operands).fill(dtype),
      result: (dtype) => (BOOLEAN.includes(operator.row.name) ? 'bool' : dtype),
      // PRelu's own rule keeps the first operand's shape.
      apply: (tensors, options) => operator.call(tensors, { ...options, broadcast: numpy }),
      later: (tensors, options) => operator.later(tensors, { ...options, broadcast: numpy }),
    }),
  ),
  {
    title: 'Where',
    types: numeric,
    operands: (dtype) => ['bool', dtype, dtype],
    result: (dtype) => dtype,
    apply: (tensors, options) => loosely('where')(...tensors, options),
    later: (tensors, options) => looselyLater('where')(...tensors, options),
  },
  {
    title: 'Pow',
    types: ['float32', 'float64', 'int32', 'int64'],
    operands: (dtype, other) => [dtype, other],
    result: (dtype) => dtype,
    apply: (tensors, options) => loosely('pow')(...tensors, options),
    later: (tensors, options) => looselyLater('pow')(...tensors, options),
  },
  {
    title: 'Cast',
    types: numeric,
    operands: (dtype) => [dtype],
    result: (_, other) => other,
    apply: ([x], options, result) => loosely('cast')(x, result, options),
    later: ([x], options, result) => looselyLater('cast')(x, result, options),
  },
]

interface Case {
  readonly call: Call
  readonly dtype: DType
  readonly other: DType
  readonly shape: readonly number[]
  readonly placings: readonly Placing[]
  readonly out: Placing | 'operand' | 'none'
  readonly stream: number
  readonly nonzero: boolean
}

interface Answer {
  readonly values: ArrayLike<unknown>
  readonly index: readonly number[] | undefined
}

const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, axis) => size === b[axis])

/** A call with its operands made anew. */
interface Laid {
  readonly tensors: readonly Tensor[]
  readonly options: Options
  readonly shape: readonly number[]
  /** The elements of the result, and what lies between them. */
  readonly read: (made: Tensor) => ArrayLike<unknown>
}

function lay(given: Case): Laid {
  const { call, dtype, other, placings, out, stream, nonzero } = given
  // Operands of the arena need the engine to get there.
  useFirst()
  const types = call.operands(dtype, other)
  const operands = types.map((type, i) =>
    place(type, ownShape(given.shape, placings[i]!), placings[i]!, stream + 31 * i, nonzero && i > 0),
  )
  const shape = broadcastShapes(operands.map(({ tensor }) => tensor.shape))
  const result = call.result(dtype, other)
  const first = operands[0]!
  const placed = typeof out === 'object' ? place(result, shape, out, stream + 999, false) : undefined
  const inPlace = out === 'operand' && result === types[0] && sameShape(first.tensor.shape, shape)
  const target = placed ?? (inPlace ? first : undefined)
  return {
    tensors: operands.map(({ tensor }) => tensor),
    options: target === undefined ? {} : { out: target.tensor },
    shape,
    read: (made) => ((target?.room ?? made).data as Uint8Array).slice(),
  }
}

const refusal = (error: unknown): Answer => {
  if (!(error instanceof DivisionByZeroError)) throw error
  return { values: [], index: error.index }
}

/** Runs a case in one mode. */
function answer(given: Case, mode: string): Answer {
  const { tensors, options, shape, read } = lay(given)
  modes.get(mode)!()
  try {
    const made = given.call.apply(tensors, options, given.call.result(given.dtype, given.other))
    expect(made.shape).toEqual(shape)
    return { values: read(made), index: undefined }
  } catch (error) {
    return refusal(error)
  }
}

/** Runs a case asynchronously. */
async function answerLater(given: Case, use: () => void): Promise<Answer> {
  const { tensors, options, shape, read } = lay(given)
  use()
  try {
    const made = await given.call.later(tensors, options, given.call.result(given.dtype, given.other))
    expect(made.shape).toEqual(shape)
    if (options.out !== undefined) expect(made).toBe(options.out)
    return { values: read(made), index: undefined }
  } catch (error) {
    return refusal(error)
  }
}

function expectSame(given: Case, mode: string, got: Answer, wanted: Answer): void {
  expect(got.index).toEqual(wanted.index)
  const at = firstDifference(given.call.result(given.dtype, given.other), wanted.values, got.values)
  if (at >= 0) expect({ mode, at, value: got.values[at] }).toEqual({ mode, at, value: wanted.values[at] })
}

function compare(given: Case): void {
  const wanted = answer(given, reference)
  for (const mode of others) expectSame(given, mode, answer(given, mode), wanted)
}

async function compareLater(given: Case): Promise<void> {
  const wanted = answer(given, reference)
  for (const { name, use } of everyBackend) {
    for (const threads of name === everyBackend.at(-1)!.name ? [1] : [1, 2]) {
      expectSame(given, `${name}, ${threads} workers`, await answerLater(given, () => use(threads)), wanted)
    }
  }
}

const cases = (call: Call, shapes: fc.Arbitrary<readonly number[]>): fc.Arbitrary<Case> =>
  fc.record({
    call: fc.constant(call),
    dtype: fc.constantFrom(...call.types),
    other: fc.constantFrom(...call.types),
    shape: shapes,
    placings: fc.array(placing, { minLength: 3, maxLength: 3 }),
    out: fc.oneof(
      fc.constantFrom<'none' | 'operand'>('none', 'operand'),
      placing.map((how) => ({ ...how, repeated: [], dropped: 0 })),
    ),
    stream: fc.integer(),
    nonzero: fc.constantFrom(true, true, true, false),
  })

describe('interpreter, kernels and threads agree', () => {
  it.each(calls.map((call) => [call.title, call] as const))('on small results of %s', (_, call) => {
    fc.assert(fc.property(cases(call, small), compare), settings(7))
  })

  it('on large results', () => {
    const any = fc.constantFrom(...calls).chain((call) => cases(call, large))
    fc.assert(fc.property(any, compare), settings(20))
  })

  it('with the asynchronous form, on small results', async () => {
    const any = fc.constantFrom(...calls).chain((call) => cases(call, small))
    await fc.assert(fc.asyncProperty(any, compareLater), settings(30))
  })

  it('with the asynchronous form, on large results', async () => {
    const any = fc.constantFrom(...calls).chain((call) => cases(call, large))
    await fc.assert(fc.asyncProperty(any, compareLater), settings(30))
  })

  it('on where a division fails first', () => {
    const shape = [300, 500]
    for (const zeros of [[149_999], [77_777, 140_000], [0, 1], [499, 500]]) {
      for (const mode of [...modes.values()]) {
        const divisor = new Int32Array(150_000).fill(3)
        for (const at of zeros) divisor[at] = 0
        useFirst()
        const arena = identity(tensor(divisor, { share: true, shape })) as Tensor
        const x = tensor(new Int32Array(150_000), { share: true, shape }) as Tensor
        mode()
        const index = [Math.floor(zeros[0]! / 500), zeros[0]! % 500]
        for (const by of [arena, tensor(divisor, { share: true, shape }) as Tensor])
          expect(thrownBy(() => loosely('div')(x, by))).toMatchObject({ index })
      }
    }
  })
})

describe('small calls that repeat', () => {
  const names = ['add', 'mul', 'div', 'max', 'greater', 'floorMod', 'neg', 'identity', 'where'] as const
  const operandCounts: Readonly<Partial<Record<(typeof names)[number], number>>> = { neg: 1, identity: 1, where: 3 }

  /** What a call without options gives, or where it fails. */
  const outcome = (name: (typeof names)[number], operands: readonly Tensor[]): Answer => {
    try {
      return { values: loosely(name)(...operands).data as Uint8Array, index: undefined }
    } catch (error) {
      if (!(error instanceof DivisionByZeroError)) throw error
      return { values: [], index: error.index }
    }
  }

  it('give what the first call of their kind would', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.constantFrom<DType>('float32', 'int32', 'uint8', 'float64', 'float16'),
        small,
        fc.array(placing, { minLength: 3, maxLength: 3 }),
        fc.array(fc.tuple(fc.integer(), fc.constantFrom<Home>('arena', 'foreign')), { minLength: 2, maxLength: 4 }),
        (name, dtype, shape, placings, rounds) => {
          const floorMod = name === 'floorMod' && dtype === 'float16' ? 'float32' : dtype
          for (const [stream, home] of rounds) {
            useFirst()
            const operands = placings.slice(0, operandCounts[name] ?? 2).map((how, i) => {
              const type = name === 'where' && i === 0 ? 'bool' : floorMod
              return place(type, ownShape(shape, how), { ...how, home }, stream + i, stream % 5 !== 0).tensor
            })
            const got = outcome(name, operands)
            modes.get(reference)!()
            const wanted = outcome(name, operands)
            expect(got.index).toEqual(wanted.index)
            const result = name === 'greater' ? 'bool' : floorMod
            const at = firstDifference(result, wanted.values, got.values)
            if (at >= 0) expect({ at, value: got.values[at] }).toEqual({ at, value: wanted.values[at] })
          }
        },
      ),
      settings(75),
    )
  })
})

describe('operands outside the arena', () => {
  it('that are results with gaps keep what lies between', () => {
    for (const mode of [...modes.values()]) {
      for (const home of ['foreign', 'arena'] as const) {
        useFirst()
        const made = tensor(new Float32Array(600 * 700).fill(-1), { share: true, shape: [600, 700] }) as Tensor
        const room = home === 'arena' ? (identity(made) as Tensor) : made
        mode()
        const cut: readonly (readonly [Tensor, (row: number, column: number) => boolean])[] = [
          [room.slice([100, 400], [50, 650]) as Tensor, (r, c) => r >= 100 && r < 400 && c >= 50 && c < 650],
          [room.slice([0, 600, 3], [1, 700, 2]) as Tensor, (r, c) => r % 3 === 0 && c % 2 === 1],
          [room.transpose().slice([0, 700, 9], [0, 600, 5]) as Tensor, (r, c) => c % 9 === 0 && r % 5 === 0],
        ]
        for (const [out, inside] of cut) {
          const data = room.data as unknown as Float32Array
          data.fill(-1)
          loosely('add')(randomTensor('float32', out.shape, 3).broadcastTo(out.shape as never), tensor(1), { out })
          loosely('identity')(tensor(7).broadcastTo(out.shape as never), { out })
          const wrong = data.findIndex((x, i) => x !== (inside(Math.floor(i / 700), i % 700) ? 7 : -1))
          expect(wrong).toBe(-1)
        }
      }
    }
  })

  it('may be arrays of a class of their own', () => {
    useFirst()
    const bytes = Buffer.from([250, 3, 4])
    const pixels = tensor(Buffer.alloc(300, 10), { share: true, shape: [100, 3] })
    expect(loosely('add')(tensor(bytes, { share: true }), tensor(bytes, { share: true })).toArray()).toEqual([
      244, 6, 8,
    ])
    expect(loosely('add')(pixels, tensor(bytes, { share: true })).data.slice(297)).toEqual(Uint8Array.of(4, 13, 14))
    class Samples extends Float32Array {}
    expect(
      loosely('add')(tensor(Samples.of(1, 2), { share: true }), tensor(Samples.of(3, 4), { share: true })).toArray(),
    ).toEqual([4, 6])
  })

  it('are refused once their buffer has shrunk or gone', () => {
    useFirst()
    const Resizable = ArrayBuffer as unknown as new (
      bytes: number,
      options: { maxByteLength: number },
    ) => ArrayBuffer & { resize(bytes: number): void }
    for (const count of [8, 50_000]) {
      const buffer = new Resizable(4 * count, { maxByteLength: 4 * count })
      const x = tensor(new Float32Array(buffer), { share: true }) as Tensor
      loosely('add')(x, x)
      loosely('add')(x, x)
      buffer.resize(4)
      expect(() => loosely('add')(x, x)).toThrow(OperandError)
      const moved = new Float32Array(count)
      const y = tensor(moved, { share: true }) as Tensor
      loosely('add')(y, y)
      structuredClone(moved, { transfer: [moved.buffer] })
      expect(() => loosely('add')(y, y)).toThrow(OperandError)
    }
  })
})

describe('many operands and many loops', () => {
  it('of one call', () => {
    const count = 32
    const shape = [300, 2, 3, 2, 2, 2, 2]
    const operands = Array.from({ length: count }, (_, i) => {
      const own = shape.map((size, axis) => ((i + axis) % 3 === 0 && axis > 0 ? 1 : size))
      return randomTensor('float64', own, i)
    })
    const results = [...modes.values()].map((mode) => {
      mode()
      return (loosely('sum')(operands).data as unknown as Float64Array).slice()
    })
    for (const result of results) expect(firstDifference('float64', result, results[0]!)).toBe(-1)
  })
})
