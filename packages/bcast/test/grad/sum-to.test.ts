// sumTo and what is made of it, on chosen cases: shapes with 0 and 1, memory that is shared, sequences, what is refused.
import {
  add,
  arange,
  BroadcastError,
  broadcastBackprop,
  DTypeError,
  explicit,
  matmulBatch,
  numpy,
  OperandError,
  ones,
  ReadOnlyError,
  type Rule,
  RuleError,
  sequence,
  sumTo,
  sumToEach,
  tensor,
  zeros,
} from 'bcast'
import { describe, expect, it, vi } from 'vitest'
import { onEveryBackend } from '../../../../testing/backends.ts'
import { compiling } from '../../src/backend/backends.ts'
import { Builder } from '../../src/expr/ir.ts'
import { loosely, looselyLater } from '../support/operators.ts'
import { thrownBy } from '../support/thrown.ts'

const delta = tensor([
  [1, 2, 3],
  [4, 5, 6],
])

onEveryBackend(() => {
  it('gives exactly the shape, with ones where they were', () => {
    expect(sumTo(delta, [3]).toArray()).toEqual([5, 7, 9])
    expect(sumTo(delta, [1, 3]).toArray()).toEqual([[5, 7, 9]])
    expect(sumTo(delta, [2, 1]).toArray()).toEqual([[6], [15]])
    expect(sumTo(delta, []).item()).toBe(21)
    expect(sumTo(delta, [1, 1]).toArray()).toEqual([[21]])
    expect(sumTo(tensor([[7]]), [1]).toArray()).toEqual([7])
  })

  it('is 0 where nothing is summed', () => {
    expect(sumTo(zeros([0, 3]), [3]).toArray()).toEqual([0, 0, 0])
    expect(sumTo(zeros([2, 0]), [2, 1]).toArray()).toEqual([[0], [0]])
    expect(sumTo(zeros([2, 0], { dtype: 'int64' }), []).item()).toBe(0n)
    expect(sumTo(zeros([0, 3]), [1, 3]).toArray()).toEqual([[0, 0, 0]])
    expect(sumTo(zeros([2, 0]), [0]).shape).toEqual([0])
  })

  it('is a tensor of its own, though nothing be summed', () => {
    const same = sumTo(delta, [2, 3])
    expect(same.toArray()).toEqual(delta.toArray())
    expect(same.readOnly).toBe(false)
    expect(same.storage === delta.storage && same.layout.offset === delta.layout.offset).toBe(false)
    expect(sumTo(tensor([-0]), [1]).data).toEqual(new Float32Array([-0]))
  })

  it('writes into memory that delta lies in', () => {
    const base = arange(9, { dtype: 'int32' })
    const own = base.slice([0, 6]).reshape(2, 3)
    const out = base.slice([2, 5])
    expect(sumTo(own, [3], { out })).toBe(out)
    expect([...base.data]).toEqual([0, 1, 3, 5, 7, 5, 6, 7, 8])
    const square = arange(4, { dtype: 'float64' }).reshape(2, 2)
    sumTo(square.transpose(), [2, 2], { out: square })
    expect([...square.data]).toEqual([0, 2, 1, 3])
  })

  it('orders axes as the operand has them where a rule puts them elsewhere', () => {
    // No rule of the documents transposes; one of a caller may.
    const transposing: Rule = {
      ...numpy,
      relation: 'onto',
      oneWay: true,
      label: 'transposing',
      align: (shapes) => ({
        rank: 3,
        axes: [
          [0, 1, 2],
          [2, 0],
        ].slice(0, shapes.length),
      }),
    }
    const d = arange(24).reshape(2, 3, 4)
    const got = loosely('sumTo')(d, [4, 2], { broadcast: transposing })
    expect(got.toArray()).toEqual(sumTo(d, [2, 1, 4]).reshape(2, 4).transpose().toArray())
  })

  it('is settled once by a sequence', () => {
    const sequenced = sequence(({ input, call }) => {
      const x = input('float32', [2, 3])
      return { x, row: call(sumTo, x, [3]), arg: call(broadcastBackprop, x, { broadcastAxes: [1] }) }
    })
    const { x, row, arg } = sequenced.tensors
    add(delta, 0, { out: x })
    sequenced.run()
    expect([row.toArray(), arg.toArray()]).toEqual([
      [5, 7, 9],
      [6, 15],
    ])
    add(delta, 1, { out: x })
    sequenced.run()
    expect(row.toArray()).toEqual([7, 9, 11])
    sequenced.dispose()
  })

  it('later', async () => {
    expect((await sumTo.async(delta, [2, 1])).toArray()).toEqual([[6], [15]])
    const [a, b] = await sumToEach.async([delta, delta], [[2, 1], [3]])
    expect([a.toArray(), b.toArray()]).toEqual([
      [[6], [15]],
      [5, 7, 9],
    ])
    expect((await broadcastBackprop.async(delta, { broadcastAxes: [0, 1] })).item()).toBe(21)
  })
})

describe('refusals', () => {
  const refused: readonly (readonly [title: string, args: readonly unknown[], type: unknown, text: string])[] = [
    [
      'what is not broadcast there',
      [delta, [2]],
      BroadcastError,
      'cannot broadcast axis -1: 3 vs 2 (shapes [2,3] and [2])',
    ],
    ['a rank that is larger', [delta, [1, 2, 3]], BroadcastError, "B has rank 3, more than A's 2"],
    [
      'what would stretch delta',
      [tensor([[1], [2]]), [2, 3], { broadcast: 'numpy' }],
      OperandError,
      'sumTo: delta has shape (2,1), and with an operand of shape (2,3) the result under numpy has (2,3); delta has the shape of the result.',
    ],
    ['stacks of matrices', [delta, [3], { broadcast: matmulBatch }], RuleError, 'matmulBatch'],
    ['truth', [tensor([true]), []], DTypeError, 'sumTo does not take bool'],
    ['text', [tensor(['a']), [1]], DTypeError, 'sumTo does not take string'],
    ['no tensor', [[1, 2], [2]], OperandError, 'sumTo: A is an array; wrap it with tensor(…).'],
    ['no shape', [delta], OperandError, 'argument 2 is undefined'],
    ['options in place of the shape', [delta, { broadcast: numpy }], OperandError, 'argument 2 is an object'],
    ['too many arguments', [delta, [3], {}, {}], OperandError, 'sumTo takes delta, the shape of the operand'],
    ['an option that is none', [delta, [3], { axes: 0 }], OperandError, 'sumTo has no option axes'],
    ['a shape that is none', [delta, [-1]], Error, 'is negative'],
    ['a place of another shape', [delta, [3], { out: ones([2]) }], OperandError, 'sumTo: out has shape (2)'],
    ['a place of another rank', [delta, [3], { out: ones([3, 1]) }], OperandError, 'sumTo: out has shape (3,1)'],
    ['a place that is wider', [delta, [2, 1], { out: ones([2, 5]) }], OperandError, 'sumTo: out has shape (2,5)'],
    ['a place that is no tensor', [delta, [3], { out: [0, 0, 0] }], OperandError, 'sumTo: out is not a tensor'],
    ['a place of another type', [delta, [3], { out: zeros([3], { dtype: 'int8' }) }], DTypeError, 'sumTo: out is int8'],
    ['a read-only place', [delta, [3], { out: ones([1]).broadcastTo([3]) }], ReadOnlyError, 'sumTo: out is a view'],
  ]

  it.each(refused)('%s', async (_, args, type, text) => {
    const error = thrownBy(() => loosely('sumTo')(...args)) as Error
    expect(error).toBeInstanceOf(type)
    expect(error.message).toContain(text)
    await expect(looselyLater('sumTo')(...args)).rejects.toThrow(error.message)
  })

  it('as broadcastTo does', () => {
    const rule = { broadcast: explicit({ axesMapping: [0] }) }
    const ours = thrownBy(() => loosely('sumTo')(delta, [3], rule)) as Error
    expect(ours.message).toBe((thrownBy(() => loosely('broadcastTo')(ones([3]), [2, 3], rule)) as Error).message)
  })

  it('of several', async () => {
    const each = loosely('sumToEach' as never)
    const later = looselyLater('sumToEach' as never)
    for (const [args, text] of [
      [[[delta], [[2], [3]]], 'there are 1 deltas and 2 shapes'],
      [
        [
          [delta, delta],
          [[2, 1], [1]],
        ],
        'delta A has shape (2,3), and the result under numpy has (2,1)',
      ],
      [
        [
          [delta, delta],
          [[2], [3]],
        ],
        'cannot broadcast axis -1',
      ],
      [[delta, [[2, 3]]], 'sumToEach takes an array of deltas'],
      [[[delta], [[2, 3]], { out: delta }], 'sumToEach has no option out'],
      [
        [
          [
            delta,
            tensor([
              [true, true, true],
              [true, true, true],
            ]),
          ],
          [[2, 1], [3]],
        ],
        'sumToEach does not take bool',
      ],
    ] as const) {
      expect(() => each(...args)).toThrow(text)
      await expect(later(...args)).rejects.toThrow(text)
    }
  })

  it('of Broadcast', () => {
    const backprop = loosely('broadcastBackprop')
    expect(() => backprop(delta, { broadcastAxes: [0, 0] })).toThrow('names axis 0 twice')
    expect(() => backprop(delta, { broadcastAxes: [2] })).toThrow('broadcastAxes names axis 2, and A has rank 2')
    expect(() => backprop(delta, { broadcastAxes: [-1] })).toThrow(RuleError)
    expect(() => backprop(delta, { broadcastAxes: 0 })).toThrow('broadcastAxes is not an array of axes')
    expect(() => backprop(delta)).toThrow('broadcastBackprop takes delta and options behind it')
    expect(() => backprop(delta, {})).toThrow('broadcastAxes is not an array of axes')
    expect(() => backprop(tensor([true]), { broadcastAxes: [0] })).toThrow('broadcastBackprop does not take bool')
  })
})

it('makes programs once, not with every call', () => {
  const calls = () => {
    sumTo(delta, [3])
    sumToEach([delta, delta], [[2, 1], [3]])
    broadcastBackprop(delta, { broadcastAxes: [0] })
  }
  calls()
  const made = vi.spyOn(Builder.prototype, 'program')
  calls()
  expect(made).not.toHaveBeenCalled()
  made.mockRestore()
})

describe('memory', () => {
  // Above what a slab holds, so that each result has memory of its own.
  const wide = ones([4, 5000])
  const RESULT = 4 * 5000
  /** What others left may be collected meanwhile, which makes it less. */
  const inUse = (): number => compiling()!.arena.pages * 65_536 - compiling()!.arena.freeBytes

  it('of a result that is disposed of is used again', () => {
    sumTo(wide, [5000]).dispose()
    const before = inUse()
    for (let i = 0; i < 8; i++) sumTo(wide, [5000]).dispose()
    expect(inUse()).toBeLessThan(before + RESULT)
  })

  it('is given back where one of several fails', async () => {
    const truth = tensor([true]).broadcastTo([4, 5000])
    sumTo(wide, [5000]).dispose()
    const before = inUse()
    for (let i = 0; i < 4; i++) {
      expect(() => sumToEach([wide, truth], [[5000], [4, 5000]])).toThrow('bool')
      await expect(sumToEach.async([wide, truth], [[5000], [4, 5000]])).rejects.toThrow('bool')
    }
    expect(inUse()).toBeLessThan(before + RESULT)
  })
})
