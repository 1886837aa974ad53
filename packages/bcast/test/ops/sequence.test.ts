// Calls settled once: every run gives what the calls give when they are made one by one, on every backend, now and on
// the workers; memory is shared and given back; what cannot be is said.

import { afterEach, describe, expect, it } from 'vitest'
import { compiling } from '../../src/backend/backends.ts'
import { Workspace } from '../../src/backend/webassembly/memory/workspace.ts'
import { OperandError } from '../../src/errors/index.ts'
import {
  add,
  cast,
  configure,
  type DType,
  div,
  expand,
  fuse,
  gemm,
  identity,
  max,
  mean,
  mod,
  mul,
  type Sequence,
  type SequenceBuilder,
  type SequencedOperation,
  sequence,
  sigmoid,
  sub,
  type Tensor,
  tensor,
  where,
} from '../../src/index.ts'
import { build } from '../support/built.ts'
import { firstDifference, randomTensor, smallTensor } from '../support/random.ts'

afterEach(() => configure({ backend: 'auto', threads: 2, memory: 2 ** 30 }))

type Call = (operation: SequencedOperation, ...args: readonly unknown[]) => Tensor

interface Given {
  readonly inputs: readonly (readonly [DType, readonly number[]])[]
  /** Makes calls; the last result is looked at. */
  readonly calls: (call: Call, inputs: readonly Tensor[]) => Tensor
}

const weights = smallTensor('float32', [48, 40], 1)
const large = randomTensor('float32', [1100, 1024], 2)
const fused = fuse((x, m, s) => x.sub(m).div(s).sigmoid())
const many = Array.from({ length: 70 }, (_, i) => randomTensor('float32', [31], 100 + i))

const cases: Readonly<Record<string, Given>> = {
  'broadcast operands': {
    inputs: [
      ['float32', [7, 1, 5]],
      ['float32', [6, 1]],
    ],
    calls: (call, [x, y]) => call(add, call(mul, x, y), y),
  },
  'a row of three': { inputs: [['float32', [400, 3]]], calls: (call, [x]) => call(mul, x, tensor([2, 3, 4])) },
  'numbers beside tensors': { inputs: [['float64', [9]]], calls: (call, [x]) => call(sub, 1, call(mul, x, 3)) },
  'transposed and sliced operands': {
    inputs: [['int16', [40, 33]]],
    calls: (call, [x]) => call(add, x!.transpose(), (x!.transpose() as Tensor).slice([null, null, -1])),
  },
  'results that jump': {
    inputs: [['float32', [20, 30]]],
    calls: (call, [x]) => {
      const room = call(expand, tensor(-1), [40, 60])
      call(identity, x, { out: room.slice([1, 40, 2], [0, 60, 2]) })
      return call(add, room, room)
    },
  },
  'results on top of operands': {
    inputs: [['float32', [50]]],
    calls: (call, [x]) => {
      const y = call(identity, x)
      call(add, y.slice([0, 40]), y.slice([5, 45]), { out: y.slice([10, 50]) })
      return y
    },
  },
  'fused functions': {
    inputs: [
      ['float32', [8, 100]],
      ['float32', [100]],
      ['float32', [8, 1]],
    ],
    calls: (call, inputs) => call(fused as never, ...inputs),
  },
  'more operands than a kernel takes': {
    inputs: [['float32', [31]]],
    calls: (call, [x]) => call(max, [x, ...many]),
  },
  'conversions and conditions': {
    inputs: [
      ['float16', [65]],
      ['bool', [65]],
    ],
    calls: (call, [x, c]) => call(where, c, call(cast, x, 'int32'), tensor(7, { dtype: 'int32' })),
  },
  'products of matrices': {
    inputs: [
      ['float32', [37, 40]],
      ['float32', [48]],
    ],
    calls: (call, [x, c]) => {
      const product = call(gemm, x, weights, c, { transB: true, alpha: 0.5, beta: 2 })
      return call(gemm, product, product, undefined, { transA: true })
    },
  },
  'products that differ in their factors alone': {
    inputs: [['float32', [37, 40]]],
    calls: (call, [x]) => {
      const half = call(gemm, x, weights, undefined, { transB: true, alpha: 0.5 })
      const twice = call(gemm, x, weights, undefined, { transB: true, alpha: 2 })
      return call(sub, half, twice)
    },
  },
  'work of the calling thread between tasks': {
    inputs: [['float32', [300, 300]]],
    calls: (call, [x]) => {
      const room = call(expand, call(mul, x!.slice([0, 1], [0, 1]), 3), [300, 600])
      const y = call(sigmoid, call(add, x, x))
      call(identity, y, { out: room.slice([0, 300], [0, 600, 2]) })
      return call(add, room, room)
    },
  },
  'small products': { inputs: [['int32', [2, 2]]], calls: (call, [x]) => call(gemm, x, x) },
  'products of nothing': {
    inputs: [['float32', [30, 0]]],
    calls: (call, [x]) => call(gemm, x, tensor(new Float32Array(0), { share: true, shape: [0, 30] }), tensor([3])),
  },
  'large arrays of the caller': { inputs: [['float32', [1024]]], calls: (call, [x]) => call(add, large, x) },
  'nothing at all': { inputs: [['float32', [0, 4]]], calls: (call, [x]) => call(sigmoid, call(add, x, x)) },
  texts: {
    inputs: [['string', [2, 1]]],
    calls: (call, [x]) => call(expand, x, [2, 3]),
  },
}

const filled = (dtype: DType, shape: readonly number[], round: number, i: number): Tensor =>
  dtype === 'string'
    ? (tensor(Array.from({ length: 2 }, (_, at) => [`${round} ${i} ${at}`])) as Tensor)
    : round === 2
      ? smallTensor(dtype, shape, 1000 + i)
      : randomTensor(dtype, shape, 1000 * round + i)

const direct: Call = (operation, ...args) => operation(...(args as never[])) as Tensor

/** Makes a sequence of a case and compares some runs. */
async function compare({ inputs, calls }: Given, run: (made: Sequence<unknown>) => void | Promise<void>) {
  const made = sequence((builder) => {
    const places = inputs.map(([dtype, shape]) => builder.input(dtype, shape) as Tensor)
    return { places, result: calls(builder.call, places) }
  })
  for (let round = 0; round < 3; round++) {
    const given = inputs.map(([dtype, shape], i) => filled(dtype, shape, round, i))
    made.tensors.places.forEach((place, i) => {
      identity(given[i]!, { out: place })
    })
    await run(made)
    const { result } = made.tensors
    const expected = calls(direct, given)
    expect(result.shape).toEqual(expected.shape)
    expect(result.dtype).toBe(expected.dtype)
    expect(firstDifference(result.dtype, result.data as never, expected.data as never)).toBe(-1)
  }
  made.dispose()
}

describe.each(['auto', 'interpreter'] as const)('a sequence, backend %s', (backend) => {
  it.each(Object.entries(cases))('computes what calls compute: %s', async (_, each) => {
    configure({ backend })
    await compare(each, (made) => made.run())
    await compare(each, (made) => made.async())
    configure({ threads: 1 })
    await compare(each, (made) => made.run())
  })

  it('names the element without a value, and runs again', async () => {
    configure({ backend })
    const made = sequence(({ input, call }) => {
      const [x, y] = [input('int32', [2, 3]), input('int32', [3])]
      const quotient = call(div, call(add, x, x), y)
      return { x, y, sum: call(add, quotient, quotient) }
    })
    const { x, y, sum } = made.tensors
    const fill = (divisors: readonly number[]): void => {
      identity(tensor([8, 9, 10, -4, 5, 6], { dtype: 'int32', shape: [2, 3] }), { out: x })
      identity(tensor(divisors, { dtype: 'int32' }), { out: y })
    }
    for (let round = 0; round < 2; round++) {
      fill([4, 0, 2])
      expect(() => made.run()).toThrow('Div: division by zero at index [0, 1]')
      await expect(made.async()).rejects.toThrow('Div: division by zero at index [0, 1]')
      fill([4, 3, 2])
      made.run()
      expect(sum.toArray()).toEqual([
        [8, 12, 20],
        [-4, 6, 12],
      ])
    }
    made.dispose()
  })

  it('finds a fault among arrays of the caller that are computed in tiles', () => {
    configure({ backend })
    const divisors = new Int32Array(600_000).fill(3)
    const shared = tensor(divisors, { share: true })
    const made = sequence(({ input, call }) => {
      const x = input('int32', [1])
      return { x, y: call(mod, shared, x), z: call(div, x, shared) }
    })
    identity(tensor([5], { dtype: 'int32' }), { out: made.tensors.x })
    made.run()
    divisors[599_999] = 0
    expect(() => made.run()).toThrow('Div: division by zero at index [599999]')
    divisors[599_999] = 1
    made.run()
    expect(made.tensors.z.get(599_999)).toBe(5)
    made.dispose()
  })

  it('reads what tensors beside it hold at each run, and keeps what is disposed of', () => {
    configure({ backend })
    const [beside, gone] = [
      new Float32Array(2000).fill(1),
      add(tensor(new Float32Array(2000).fill(3), { share: true }), 0),
    ]
    const made = sequence(({ call }) => call(add, tensor(beside, { share: true }), gone))
    gone.dispose()
    const others = Array.from({ length: 8 }, () => add(tensor(new Float32Array(2000).fill(100), { share: true }), 0))
    made.run()
    expect(new Set(made.tensors.data as Float32Array)).toEqual(new Set([4]))
    beside.fill(2)
    made.run()
    expect(new Set(made.tensors.data as Float32Array)).toEqual(new Set([5]))
    for (const other of others) expect(other.get(0)).toBe(100)
    made.dispose()
  })

  it('has no part in what a function computes while it is recorded', () => {
    configure({ backend })
    const captured = tensor([1, 2, 3])
    const f = fuse((x) => x.sub(mul(captured, 2)))
    const own = sequence(({ input, call }) => {
      const x = input('float32', [3])
      return { x, made: call(add, call(f, x), call(mul, x, 10)) }
    })
    for (let time = 0; time < 3; time++) {
      add(tensor([0, 0, 0]), time, { out: own.tensors.x })
      own.run()
      expect(own.tensors.made.toArray()).toEqual([11 * time - 2, 11 * time - 4, 11 * time - 6])
    }
    own.dispose()
    expect(f(tensor([7, 7, 7])).toArray()).toEqual([5, 3, 1])
  })
})

describe('the memory of a sequence', () => {
  const COUNT = 1 << 18
  /** Bytes of the arena that are handed out: less where what others left was collected meanwhile. */
  const held = (): number => compiling()!.arena.pages * 65_536 - compiling()!.arena.freeBytes
  const chain = (builder: SequenceBuilder, length: number): { x: Tensor; y: Tensor } => {
    const x = builder.input('float32', [COUNT]) as Tensor
    let y = builder.call(add, x, 1)
    for (let i = 1; i < length; i++) {
      const next = builder.call(add, y, 1)
      y.dispose()
      y = next
    }
    return { x, y }
  }

  it('holds what is needed at once, and is given back', () => {
    const round = (i: number): number => {
      const before = held()
      const made = sequence((builder) => chain(builder, 20))
      const taken = held() - before
      identity(tensor(new Float32Array(COUNT).fill(i), { share: true }), { out: made.tensors.x })
      made.run()
      expect(made.tensors.y.get(COUNT - 1)).toBe(i + 20)
      made.dispose()
      made.dispose()
      return taken
    }
    // Eager calls that repeat keep parameters of their own.
    for (let i = 0; i < 3; i++) round(i)
    const before = held()
    for (let i = 0; i < 100; i++) {
      expect(round(i)).toBeLessThan(3 * 4 * COUNT + 2 ** 19)
      // Numbers among the operands share slabs, which the collector gives back.
      expect(held()).toBeLessThanOrEqual(before + 2 ** 16)
    }
  })

  it('is given back where making it fails', () => {
    const before = held()
    expect(() =>
      sequence((builder) => {
        const { y } = chain(builder, 3)
        return builder.call(add, y, tensor([1, 2]))
      }),
    ).toThrow('cannot broadcast')
    expect(held()).toBeLessThanOrEqual(before)
  })

  it('of products holds an operand that never changes once, for all that read it', () => {
    const constants = tensor(
      Float32Array.from({ length: 1 << 18 }, (_, i) => i % 7),
      { share: true, shape: [512, 512] },
    )
    const make = (): Sequence<{ x: Tensor; y: Tensor }> =>
      sequence(({ input, call, constant }) => {
        constant(constants)
        const x = input('float32', [4, 512]) as Tensor
        const y = call(gemm, x, constants)
        return { x, y: call(gemm, y, constants) }
      })
    const ones = tensor(new Float32Array(2048).fill(1), { share: true, shape: [4, 512] })
    const wanted = gemm(gemm(ones, constants), constants).toArray()
    const warm = make()
    identity(ones, { out: warm.tensors.x })
    warm.dispose()
    const before = held()
    const first = make()
    const one = held() - before
    const more = [make(), make()]
    const others: Tensor[] = []
    expect(one).toBeGreaterThan(1 << 20)
    expect(held() - before).toBeLessThan(one + 1.5 * (1 << 20))
    for (const each of [first, ...more]) {
      identity(ones, { out: each.tensors.x })
      each.run()
      expect(each.tensors.y.toArray()).toEqual(wanted)
      // Those that are left still have it: what comes next lies elsewhere.
      each.dispose()
      others.push(identity(tensor(new Float32Array(1 << 18).fill(9), { share: true })))
    }
    for (const each of others) each.dispose()
    // Eager calls keep parameters of their own.
    expect(held()).toBeLessThanOrEqual(before + 4096)
  })

  it('may be ordinary arrays where the arena is full', async () => {
    configure({ memory: 2 ** 22 })
    const full = Array.from({ length: 40 }, () => add(tensor(new Float32Array(1 << 16).fill(1), { share: true }), 0))
    const made = sequence((builder) => chain(builder, 5))
    identity(tensor(new Float32Array(COUNT).fill(2), { share: true }), { out: made.tensors.x })
    made.run()
    expect(new Set(made.tensors.y.data as Float32Array)).toEqual(new Set([7]))
    await made.async()
    expect(new Set(made.tensors.y.data as Float32Array)).toEqual(new Set([7]))
    made.dispose()
    for (const each of full) each.dispose()
  })

  it('is cut and joined again, whatever the order', () => {
    const before = held()
    const space = new Workspace(compiling()!.arena, 1024)
    const [a, b, c] = [space.take(256)!, space.take(300)!, space.take(100)!]
    expect([b - a, c - b]).toEqual([256, 320])
    space.give(a, 256)
    space.give(c, 100)
    expect(space.take(200)).toBe(a)
    space.give(a, 200)
    space.give(b, 300)
    expect(space.take(1024)).toBe(a)
    space.release()
    expect(held()).toBeLessThanOrEqual(before)
  })

  it('takes nothing for constant that came where something constant was', () => {
    const one = tensor(new Float32Array(64 * 64).fill(1), { shape: [64, 64] })
    let written: Tensor | undefined
    const made = sequence(({ call, constant }) => {
      const given = add(one, 0)
      constant(given)
      given.dispose()
      written = add(one, 0)
      return call(gemm, one, written)
    })
    made.run()
    add(one, 1, { out: written as typeof one })
    made.run()
    expect(made.tensors.get(0, 0)).toBe(128)
    made.dispose()
  })

  it('is that of tensors beside it, too, though they be disposed of', () => {
    const [x, five] = [tensor(new Float32Array(2000 * 20).fill(1), { shape: [2000, 20] }), tensor(5)]
    const out = add(tensor(new Float32Array(2000)), 0)
    const made = sequence(({ call }) => call(mean, x, { axes: 1, out }))
    out.dispose()
    const other = add(tensor(new Float32Array(2000)), five)
    made.run()
    expect(other.get(0)).toBe(5)
    made.dispose()
  })

  it('is given back when nobody has the sequence any more, nor a tensor of it', async () => {
    const built = await build(120_000)
    try {
      const { stdout, stderr } = await built.run(
        `
        import { add, configure, sequence, tensor } from '${built.url('node.js')}'
        import { compiling } from '${built.url('backend/backends.js')}'
        configure({ threads: 1 })
        const { arena } = compiling()
        const held = () => arena.pages * 65536 - arena.freeBytes
        const settle = async () => {
          for (let i = 0; i < 8; i++) { globalThis.gc(); await new Promise((resolve) => setTimeout(resolve, 10)) }
        }
        const before = held()
        const kept = (() => {
          let kept
          for (let i = 0; i < 20; i++) {
            const x = tensor(new Float32Array(20_000).fill(i))
            const made = sequence(({ call }) => call(add, x, 1))
            made.run()
            kept = made.tensors
          }
          return kept
        })()
        await settle()
        console.log(held() - before < 2 ** 20, kept.get(19_999))
        `,
        '--expose-gc',
      )
      expect(stderr).toBe('')
      // The last one has its tensor, and so its memory.
      expect(stdout.trim()).toBe('true 20')
    } finally {
      await built.remove()
    }
  }, 60_000)
})

describe('a sequence says', () => {
  it('that a tensor has no elements while calls are added', () => {
    const looks: ((x: Tensor) => unknown)[] = [
      (x) => x.data,
      (x) => x.get(0),
      (x) => x.toArray(),
      (x) => String(x),
      (x) => add(x, 1),
      (x) => add(tensor([1, 2]), 1, { out: x as never }),
      (x) => (x.slice([0, 1]) as Tensor).toArray(),
      (x) => fuse((a) => a.add(1))(x as never),
      (x) => gemm(x.reshape(1, 2) as never, x.reshape(2, 1) as never),
    ]
    for (const look of looks) {
      expect(() => sequence(({ input }) => look(input('float32', [2]) as Tensor))).toThrow(
        'belongs to a sequence that is being made',
      )
    }
  })

  it('that its function cannot be waited for', () => {
    expect(() => sequence(async ({ call }) => call(add, tensor([1]), 1))).toThrow('gives a promise')
  })

  it('that it takes a function', () => {
    for (const build of [5, undefined, {}]) expect(() => sequence(build as never)).toThrow(OperandError)
  })

  it('what it takes', () => {
    expect(() => sequence(({ call }) => call(Math.max as never, 1))).toThrow('takes an operation of bcast')
    expect(() => sequence(({ input }) => input('float3' as never, [1]))).toThrow('not an element type')
    expect(() => sequence(({ input }) => input('float32', [-1]))).toThrow('-1')
    let late: SequenceBuilder | undefined
    const made = sequence((builder) => {
      late = builder
    })
    expect(() => late!.call(add, tensor([1]), 1)).toThrow('inside the function that makes it')
    expect(() => late!.input('float32', [1])).toThrow('inside the function that makes it')
    made.dispose()
  })

  it('that it is gone, or busy', async () => {
    const made = sequence(({ input, call }) => call(sigmoid, input('float32', [1 << 17])))
    const running = made.async()
    expect(made.running).toBe(true)
    expect(() => made.run()).toThrow('is running')
    expect(() => made.dispose()).toThrow('is running')
    await expect(made.async()).rejects.toThrow('is running')
    await running
    made.dispose()
    expect(() => made.run()).toThrow('this sequence was disposed')
    expect(() => made.tensors.data).toThrow('belongs to a sequence that was disposed')
    expect(() => add(made.tensors, 1)).toThrow('belongs to a sequence that was disposed')
  })

  it('whose tensors are', () => {
    sequence(({ owns, input }) => {
      const x = input('float32', [2])
      expect([x, x.slice([0, 1]), tensor([1]), 3, undefined].map(owns)).toEqual([true, true, false, false, false])
      const inner = sequence((other) => {
        expect(other.owns(x)).toBe(false)
        return other.input('float32', [2])
      })
      expect(owns(inner.tensors)).toBe(false)
      inner.dispose()
    }).dispose()
  })
})
