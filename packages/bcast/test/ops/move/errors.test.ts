// What functions that view, join and move refuse, and in which words.
import {
  type BcastError,
  concat,
  DTypeError,
  flip,
  full,
  fuse,
  IndexError,
  meshgrid,
  OperandError,
  pad,
  ReadOnlyError,
  ShapeError,
  split,
  squeeze,
  stack,
  take,
  tensor,
  tile,
  unsqueeze,
  ValueError,
  zeros,
} from 'bcast'
import { describe, expect, it } from 'vitest'

type Loose = (...args: unknown[]) => unknown

const x = zeros([2, 3])
const cases: readonly (readonly [call: () => unknown, error: new (...args: never[]) => BcastError, words: string])[] = [
  [
    () => (concat as Loose)(x, x),
    OperandError,
    'concat takes an array of tensors, and options behind it: concat([a, b], { axis: 1 }); the first argument is a tensor.',
  ],
  [() => concat([]), OperandError, 'concat needs at least one tensor.'],
  [() => (concat as Loose)([x, 1]), OperandError, 'concat: B is 1; wrap it with tensor(…).'],
  [() => concat([x, zeros([2, 3], { dtype: 'int32' })] as never), DTypeError, 'concat'],
  [
    () => concat([x, zeros([2, 4])]),
    OperandError,
    'concat: B has shape (2,4), and A has (2,3); all sizes but that of axis 0 must be equal.',
  ],
  [() => concat([x, x], { axis: 2 }), IndexError, 'concat: axis 2 does not exist in rank 2; axes are -2 to 1.'],
  [() => concat([x, x], { dim: 1 } as never), OperandError, 'concat has no option dim; it has axis, out.'],
  [() => (concat as Loose)([x, x], 1), OperandError, 'concat: options are 1; they are an object, such as { out }.'],
  [
    () => concat([x, x], { out: zeros([4, 2]) }),
    OperandError,
    'concat: out has shape (4,2) and the result has (4,3); they must be equal.',
  ],
  [() => concat([x, x], { out: zeros([1]).broadcastTo([4, 3]) }), ReadOnlyError, 'concat: out'],
  [
    () => stack([x, zeros([2])]),
    OperandError,
    'stack: B has shape (2), and A has (2,3); they must be equal; concat joins along an axis that is there.',
  ],
  [() => stack([x, x], { axis: 3 }), IndexError, 'stack: axis 3 does not exist in rank 3'],
  [
    () => split(x, 2, { axis: 1 }),
    ShapeError,
    'split: 2 equal parts do not make axis 1 of shape (2,3), whose size is 3; give the size of each part.',
  ],
  [
    () => split(x, [1, 1], { axis: 1 }),
    ShapeError,
    'split: parts of 1, 1 do not make axis 1 of shape (2,3), whose size is 3.',
  ],
  [
    () => split(x, [4, -1], { axis: 1 }),
    OperandError,
    'split: B is an array; it is a number of equal parts, or the size of each part.',
  ],
  [() => split(x, 0), OperandError, 'split: B is 0'],
  [() => split(tensor(1), 1), IndexError, 'split: axis 0 does not exist in rank 0'],
  [() => squeeze(x, 0), ShapeError, 'squeeze: axis 0 of shape (2,3) has size 2, not 1.'],
  [
    () => squeeze(x, 'last' as never),
    IndexError,
    'squeeze: axes are "last"; they are a number, or an array such as [0, -1].',
  ],
  [() => unsqueeze(x, [0, 0]), IndexError, 'unsqueeze: axes [0, 0] of rank 4 name an axis twice.'],
  [() => unsqueeze(x, 3), IndexError, 'unsqueeze: axis 3 does not exist in rank 3'],
  [() => flip(x, [0, -2]), IndexError, 'flip: axes [0, -2] of rank 2 name an axis twice.'],
  [() => flip([1] as never), OperandError, 'flip: A is an array; wrap it with tensor(…).'],
  [() => take(x, [2]), IndexError, 'index 2 on axis 0 of size 2: indices are -2 to 1.'],
  [() => take(x, [0.5]), IndexError, 'index 0.5 on axis 0'],
  [
    () => take(x, tensor([true, false])),
    DTypeError,
    'take: indices are bool; they are integers. For a bool mask use where.',
  ],
  [() => take(x, 1 as never), OperandError, 'take: B is 1; it is an array of integers, or a tensor of them.'],
  [() => take(x, [0], { indices: 1 } as never), OperandError, 'take has no option indices; it has axis, out.'],
  [() => tile(x, [1, -1]), ShapeError, 'repeats of tile'],
  [() => tile(x, 2 as never), ShapeError, 'repeats of tile is not an array'],
  [() => tile(x, [2 ** 26, 2 ** 26]), ShapeError, 'shape of the result'],
  [
    () => pad(x, [[1, 1]]),
    OperandError,
    'pad: B has 1 pairs for shape (2,3); it is one pair for each axis, such as [[1, 1], [0, 2]].',
  ],
  [() => pad(x, 1 as never), OperandError, 'pad: B is 1; it is one pair'],
  [
    () =>
      pad(x, [
        [0, 0],
        [-2, -2],
      ]),
    ShapeError,
    'pad: axis 1 of shape (2,3) has fewer elements than -2 and -2 take away.',
  ],
  [
    () =>
      pad(
        x,
        [
          [0, 0],
          [1, 0],
        ],
        { mode: 'mirror' as never },
      ),
    OperandError,
    "pad: mode is \"mirror\"; it is 'constant', 'edge', 'reflect', 'symmetric', 'wrap'.",
  ],
  [
    () =>
      pad(
        x,
        [
          [0, 0],
          [1, 0],
        ],
        { mode: 'edge', value: 1 },
      ),
    OperandError,
    "pad: value is 1; mode 'edge' repeats elements and takes no value.",
  ],
  [
    () => pad(zeros([2], { dtype: 'uint8' }), [[1, 0]], { value: 256 }),
    ValueError,
    '256 cannot be an element of type uint8',
  ],
  [
    () =>
      pad(
        x,
        [
          [0, 0],
          [1, 0],
        ],
        { value: [1] as never },
      ),
    OperandError,
    'pad: value is an array; it has to be one value.',
  ],
  [() => meshgrid(x), OperandError, 'meshgrid: A has shape (2,3); it has to be a vector.'],
  [
    () => meshgrid(zeros([1]), { indexing: 'yx' as never }),
    OperandError,
    "meshgrid: indexing is \"yx\"; it is 'xy' or 'ij'.",
  ],
]

describe('refused', () => {
  it.each(cases.map(([call, error, words]) => [words, call, error] as const))('%s', (words, call, error) => {
    let thrown: unknown
    try {
      call()
    } catch (caught) {
      thrown = caught
    }
    expect(thrown).toBeInstanceOf(error)
    expect((thrown as Error).message).toContain(words)
  })

  it('inside fuse, with a way out', () => {
    const joined = fuse((a) => (concat as Loose)([a, a]) as never)
    expect(() => (joined as Loose)(x)).toThrow(
      'concat: A is an operand of fuse, which has no elements yet; use concat outside.',
    )
    expect(() => (fuse((a) => (flip as Loose)(a) as never) as Loose)(x)).toThrow('use flip outside')
  })

  it('the same way asynchronously', async () => {
    await expect(concat.async([x, zeros([2, 4])])).rejects.toThrow('concat: B has shape (2,4)')
    await expect(pad.async(x, [[1, 1]])).rejects.toThrow('one pair for each axis')
  })
})

describe('into an operand', () => {
  it('reads everything before it writes', () => {
    const row = tensor([1, 2, 3, 4])
    concat([row.slice([2, 4]), row.slice([0, 2])], { out: row })
    expect(row.toArray()).toEqual([3, 4, 1, 2])
    take(row, [3, 2, 1, 0], { out: row })
    expect(row.toArray()).toEqual([2, 1, 4, 3])
    pad(row.slice([1, 3]), [[1, 1]], { out: row, mode: 'wrap' })
    expect(row.toArray()).toEqual([4, 1, 4, 1])
    tile(row.slice([0, 2]), [2], { out: row.slice([null, null, -1]) })
    expect(row.toArray()).toEqual([1, 4, 1, 4])
  })

  it('keeps the memory of operands that are given back meanwhile', async () => {
    const [a, b] = [full([400_000], 1), full([400_000], 2)]
    const before = concat.async([a, b])
    const joined = concat.async([b, a])
    a.dispose()
    b.dispose()
    // They would lie where the operands do.
    const others = [full([400_000], 9), full([400_000], 9)]
    for (const made of await Promise.all([before, joined])) {
      expect([made.get(0), made.get(399_999), made.get(400_000), made.get(799_999)].sort()).toEqual([1, 1, 2, 2])
      expect((made.data as Float32Array).includes(9)).toBe(false)
    }
    for (const other of others) other.dispose()
  })

  it('writes into what is given back meanwhile', async () => {
    const out = zeros([602, 602])
    const view = out.view()
    const done = pad.async(
      full([600, 600], 3),
      [
        [1, 1],
        [1, 1],
      ],
      { out, mode: 'edge' },
    )
    out.dispose()
    await done
    expect((view.data as Float32Array).every((element) => element === 3)).toBe(true)
  })

  it('in the order of calls, where they are asynchronous', async () => {
    const out = zeros([4])
    const [first, second] = [tensor([1, 2]), tensor([3, 4])]
    await Promise.all([
      pad.async(first, [[1, 1]], { out, mode: 'edge' }),
      concat.async([second, out.slice([0, 2])], { out }),
    ])
    expect(out.toArray()).toEqual([3, 4, 1, 1])
  })
})
