// Calls that are wrong, without a compiler to say so: each is refused by every way of calling with the same class of
// error, and never taken for another call.
import { runInNewContext } from 'node:vm'
import * as bcast from 'bcast'
import { BcastError, fuse, none, Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'

type Call = (...args: unknown[]) => Tensor
type Named = Readonly<Record<string, Call>>

const library = bcast as unknown as Readonly<Record<string, Call & { async: (...args: unknown[]) => Promise<Tensor> }>>

const x = tensor([1, 2, 3])
const y = tensor([4, 5, 6])
const i = tensor([1, 2, 3], { dtype: 'int32' })
const truth = tensor([true, false, true])

/** A tensor of a package that is loaded a second time: it has everything but the class. */
class ForeignTensor {
  readonly dtype = 'float32'
  readonly shape = [3]
}

/** What an operator is given behind its first operand, and the class of error that it is refused with. */
const wrong: readonly (readonly [name: string, first: Tensor, others: readonly unknown[], refused: string])[] = [
  ['add', x, [], 'OperandError'],
  ['add', x, [undefined], 'OperandError'],
  ['add', x, [null], 'OperandError'],
  ['add', x, [1, 2], 'OperandError'],
  ['add', x, [y, y], 'OperandError'],
  ['add', x, [y, null], 'OperandError'],
  ['add', x, [y, undefined, {}], 'OperandError'],
  ['add', x, [y, {}, {}], 'OperandError'],
  ['add', x, [{}], 'OperandError'],
  ['add', x, [{ broadcast: none }], 'OperandError'],
  ['add', x, [[1, 2, 3]], 'OperandError'],
  ['add', x, [new Float32Array(3)], 'OperandError'],
  ['add', x, [new ForeignTensor()], 'OperandError'],
  ['add', x, [new Map()], 'OperandError'],
  ['add', x, [() => 1], 'OperandError'],
  ['add', x, [Symbol('s')], 'OperandError'],
  ['add', x, [Promise.resolve(y)], 'OperandError'],
  ['add', x, ['1'], 'ValueError'],
  ['add', x, [i], 'DTypeError'],
  ['add', x, [tensor([1, 2])], 'BroadcastError'],
  ['add', x, [y, { brodcast: none }], 'OperandError'],
  ['add', x, [y, { fmod: true }], 'OperandError'],
  ['add', x, [y, { axis: 0 }], 'OperandError'],
  ['add', x, [y, { broadcast: 'nump' }], 'RuleError'],
  ['add', x, [y, { broadcast: {} }], 'RuleError'],
  ['add', x, [y, { broadcast: null }], 'RuleError'],
  ['add', i, [0.5], 'ValueError'],
  ['add', i, [2 ** 31], 'ValueError'],
  ['div', i, [i, { pythondiv: 1 }], 'OperandError'],
  ['div', i, [i, { pythondiv: 'yes' }], 'OperandError'],
  ['mod', i, [i, { fmod: 1 }], 'OperandError'],
  ['mod', x, [y], 'DTypeError'],
  ['bitShift', i, [i], 'OperandError'],
  ['bitShift', i, [i, { direction: 'left' }], 'OperandError'],
  ['neg', x, [1], 'OperandError'],
  ['neg', x, [0, [x]], 'OperandError'],
  ['neg', x, [x], 'OperandError'],
  ['max', x, [[y]], 'OperandError'],
  ['max', x, [null], 'OperandError'],
  ['max', x, [y, undefined], 'OperandError'],
  ['sum', x, [new Float32Array(3)], 'OperandError'],
  ['sum', x, [new ForeignTensor()], 'OperandError'],
  ['sum', x, [{ axis: 0 }], 'OperandError'],
  ['where', truth, [1], 'OperandError'],
  ['where', truth, [], 'OperandError'],
  ['where', truth, [x, y, y], 'OperandError'],
  ['where', x, [x, y], 'DTypeError'],
  [
    'prelu',
    tensor([[1, 2]]),
    [
      tensor([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
    ],
    'BroadcastError',
  ],
  ['pow', tensor([0], { dtype: 'int32' }), [-1], 'DivisionByZeroError'],
]

const shown = (value: unknown): string => {
  if (value instanceof Tensor) return `${value.dtype}(${value.shape.join()})`
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const { name } = value.constructor
  return name === 'Object' ? JSON.stringify(value) : name
}

async function refusal(call: () => unknown): Promise<string> {
  try {
    await call()
    return 'nothing'
  } catch (error) {
    return error instanceof BcastError ? error.name : String((error as Error).stack)
  }
}

const fused = (body: (first: Named) => unknown): Call => fuse(((first: Named) => body(first)) as never) as never

describe('what is wrong is refused by every way of calling', () => {
  it.each(wrong)('%s', async (name, first, others, refused) => {
    const call = library[name]!
    const answers = {
      function: await refusal(() => call(first, ...others)),
      async: await refusal(() => call.async(first, ...others)),
      'function inside fuse': await refusal(() => fused((traced) => call(traced, ...others))(first)),
      'method inside fuse': await refusal(() => fused((traced) => traced[name]!(...others))(first)),
    }
    const what = `${name}(${[first, ...others].map(shown).join(', ')})`
    expect({ what, ...answers }).toEqual({
      what,
      ...Object.fromEntries(Object.keys(answers).map((way) => [way, refused])),
    })
  })
})

it('an array of operands with a hole is refused', async () => {
  const holes = [x, y]
  delete holes[0]
  for (const name of ['sum', 'max', 'mean', 'broadcast']) {
    expect(await refusal(() => library[name]!(holes))).toBe('OperandError')
  }
})

describe('what is no plain object', () => {
  it.each<[string, object]>([
    ['inherits an option', Object.create({ broadcast: none })],
    ['inherits one without a prototype', Object.create(Object.assign(Object.create(null), { pythondiv: true }))],
    ['is of a class', new (class Options {})()],
  ])('is no options: %s', async (_, options) => {
    for (let k = 0; k < 3; k++) library['div']!(i, i)
    expect(await refusal(() => library['div']!(i, i, options))).toBe('OperandError')
  })

  it('is options without a prototype, or of another realm', () => {
    const bare = Object.assign(Object.create(null), { pythondiv: true })
    const foreign: unknown = runInNewContext('({ pythondiv: true })')
    const down = tensor([-7], { dtype: 'int32' })
    const two = tensor([2], { dtype: 'int32' })
    for (const options of [bare, foreign]) expect(library['div']!(down, two, options).toArray()).toEqual([-4])
  })
})

describe('a fused function', () => {
  const add = fuse((a, b) => a.add(b)) as unknown as Call & { async: Call }

  it.each<[string, readonly unknown[]]>([
    ['too few operands', [x]],
    ['too many', [x, y, y]],
    ['a number', [x, 1]],
    ['an array', [x, [1, 2, 3]]],
    ['a tensor of another copy', [x, new ForeignTensor()]],
    ['a rule', [x, y, { broadcast: none }]],
    ['an option that does not exist', [x, y, { into: x }]],
    ['null as options', [x, y, null]],
  ])('refuses %s', async (_, args) => {
    expect(await refusal(() => add(...args))).toBe('OperandError')
    expect(await refusal(() => add.async(...args))).toBe('OperandError')
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a number', 1],
    ['a tensor', x],
    ['a promise', Promise.resolve(1)],
    ['a list', [x]],
  ])('refuses a function that returns %s', async (_, result) => {
    expect(await refusal(() => fused(() => result)(x))).toBe('OperandError')
  })

  it('refuses an asynchronous function, which then fails alone', async () => {
    const rejected: unknown[] = []
    const note = (reason: unknown) => rejected.push(reason)
    process.on('unhandledRejection', note)
    const f = fused(async (a) => {
      await undefined
      return a['add']!(1)
    })
    expect(() => f(x)).toThrow('the function is asynchronous')
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.off('unhandledRejection', note)
    expect(rejected).toEqual([])
  })

  it('says which parameters are operands', () => {
    const rest = fuse(((...all: Named[]) => all[0]!['add']!(all[1])) as never) as unknown as Call
    expect(() => rest(x, y)).toThrow(
      'takes 0 operands and was given more. Parameters with a default, and rest parameters',
    )
    const optional = fuse(((a: Named, b = y) => a['add']!(b)) as never) as unknown as Call
    expect(() => optional(x, y)).toThrow('takes 1 operand and was given more')
  })

  it('has no asynchronous form inside another, whatever it uses', () => {
    const call = fused((a) => {
      expect(() => (fuse((b) => b.add(a as never)) as unknown as { async: Call }).async(y)).toThrow('there is no async')
      return a['neg']!()
    })
    expect(call(x).toArray()).toEqual([-1, -2, -3])
  })

  it('names the operator whose operands do not go together, and the one without a value', () => {
    expect(() => fused((a) => (a['add']!(1) as unknown as Named)['mul']!(tensor([1, 2])))(x)).toThrow(
      'Mul inside fuse: cannot broadcast axis -1: 3 vs 2',
    )
    const zero = tensor([0, 0, 0], { dtype: 'int32' })
    expect(() => fused((a) => (a['add']!(1) as unknown as Named)['div']!(zero))(i)).toThrow('Div: division by zero')
    expect(() => fused((a) => (a['mul']!(0) as unknown as Named)['pow']!(-1))(i)).toThrow(
      'Pow: zero to a negative power at index [0]',
    )
  })
})

describe('an operand that leaves its function', () => {
  let left: Named
  fused((a) => {
    left = a
    return a['add']!(1)
  })(x)

  it.each<[string, () => unknown]>([
    ['a method', () => left['add']!(1)],
    ['a function', () => library['add']!(left, 1)],
    ['a function beside a tensor', () => library['where']!(truth, left, x)],
    ['an asynchronous function', () => library['add']!.async(left, 1)],
    ['a conversion', () => library['cast']!(left, 'int8')],
    ['a fused function', () => fused((a) => a['neg']!())(left as never)],
    ['another function to be fused', () => fused((a) => a['add']!(left as never))(x)],
    ['another that returns it', () => fused(() => left)(x)],
    ['a matrix product', () => library['gemm']!(left, left)],
    ['a view', () => library['broadcastTo']!(left, [3])],
  ])('is refused by %s', async (_, call) => {
    expect(await refusal(call)).toBe('OperandError')
  })
})
