// How operands are given: tensors, JavaScript values beside them, one by one or in one array; and what is no operand.
import '../../src/real.ts'
import {
  add,
  broadcast,
  broadcastShapes,
  broadcastTo,
  cast,
  equal,
  fromData,
  fuse,
  max,
  mean,
  numpy,
  OperandError,
  RuleError,
  select,
  sequence,
  sum,
  type Tensor,
  tensor,
  ValueError,
  where,
} from 'bcast'
import { describe, expect, it } from 'vitest'
import { loosely, looselyLater } from '../support/operators.ts'

const int8 = (...values: number[]): Tensor<'int8'> => fromData('int8', Int8Array.from(values), [values.length])

describe('a JavaScript value beside a tensor', () => {
  it("takes the tensor's type", () => {
    expect(add(int8(1, 2), 3)).toMatchObject({ dtype: 'int8', data: Int8Array.of(4, 5) })
    expect(add(3, int8(1, 2))).toMatchObject({ dtype: 'int8', data: Int8Array.of(4, 5) })
    expect(loosely('add')(tensor([1n, 2n]), 3)).toMatchObject({ dtype: 'int64', data: BigInt64Array.of(4n, 5n) })
    expect(loosely('add')(tensor([1, 2]), 3n).dtype).toBe('float32')
    expect(
      loosely('mul')(tensor(['1/3'], { dtype: 'real' }), 3)
        .toArray()
        .toString(),
    ).toBe('1')
    expect(loosely('equal')(tensor(['a', 'b']), 'b').toArray()).toEqual([false, true])
    expect(loosely('and')(tensor([true, false]), true).toArray()).toEqual([true, false])
    expect(where(tensor([true, false]), int8(1, 2), 9).toArray()).toEqual([1, 9])
    expect(where(true, int8(1, 2), 9).toArray()).toEqual([1, 2])
    expect(loosely('max')(int8(1, 5), 3, 2).toArray()).toEqual([3, 5])
  })

  it('that the type cannot hold is an error', () => {
    expect(() => add(int8(1), 200)).toThrow(ValueError)
    expect(() => add(int8(1), 200)).toThrow('200 cannot be an element of type int8: it lies outside -128 to 127.')
    expect(() => add(int8(1), 0.5)).toThrow('0.5 cannot be an element of type int8: it is not an integer.')
    expect(() => loosely('add')(int8(1), 'x')).toThrow('"x" cannot be an element of type int8')
  })

  it('rounds to a float type', () => {
    const half = cast(tensor([0]), 'float16')
    expect(add(half, 2049).toArray()).toEqual([2048])
  })

  it('alone is a scalar of its own type', () => {
    expect(loosely('add')(1, 2)).toMatchObject({ dtype: 'float32', shape: [] })
    expect(loosely('add')(1n, 2n).toArray()).toBe(3n)
    expect(loosely('not')(true).toArray()).toBe(false)
    expect(where(true, 1, 2).toArray()).toBe(1)
  })
})

describe('operands in one array', () => {
  it('are the operands', () => {
    const rows = [int8(1, 9), int8(5, 5), int8(3, 3)]
    expect(loosely('max')(rows).toArray()).toEqual([5, 9])
    expect(max(...rows).toArray()).toEqual([5, 9])
    expect(loosely('max')(rows, { broadcast: numpy }).toArray()).toEqual([5, 9])
    expect(loosely('min')([int8(4)]).toArray()).toEqual([4])
    expect(broadcast(rows).map(({ shape }) => shape)).toEqual([[2], [2], [2]])
  })

  it('may be many', () => {
    const many = Array.from({ length: 300 }, (_, i) => tensor([i]))
    expect(loosely('sum')(many).toArray()).toEqual([44_850])
    expect(loosely('mean')(many).toArray()).toEqual([149.5])
    expect(loosely('max')(many).toArray()).toEqual([299])
    expect(broadcast(many)).toHaveLength(300)
    const shapes = Array.from({ length: 100_000 }, () => [1, 2])
    expect(broadcastShapes(shapes as never)).toEqual([1, 2])
  })

  it('of none are an error for operators, and nothing for broadcasting', () => {
    expect(() => (max as () => unknown)()).toThrow(OperandError)
    expect(() => loosely('sum')([])).toThrow('Sum needs at least one operand.')
    expect(() => loosely('mean')({ broadcast: numpy })).toThrow('Mean needs at least one operand.')
    expect(broadcast([])).toEqual([])
    expect(broadcastShapes()).toEqual([])
  })

  it('of one tensor are a reduction; of one that is none they are refused, however the call is made', async () => {
    const x = tensor([1, 2])
    const reduced = { sum: 3, mean: 1.5, max: 2, min: 1 }
    for (const name of ['sum', 'mean', 'max', 'min'] as const) {
      const words = `${name}(x) of one operand reduces a tensor over its axes; wrap a value with tensor(…). ONNX's ${name} of one operand is ${name}([x]).`
      const call = loosely(name)
      expect(() => call(3)).toThrow(OperandError)
      expect(() => call(3)).toThrow(words)
      expect(fuse((a) => call(a) as never)(x).item()).toBe(reduced[name])
      expect(fuse((a) => (a as unknown as Record<string, () => never>)[name]!())(x).item()).toBe(reduced[name])
      expect(() => call(x, { axis: 0 })).toThrow(OperandError)
      expect(call(x).item()).toBe(reduced[name])
      expect((await looselyLater(name)(x)).item()).toBe(reduced[name])
      const settled = sequence(({ call: add }) => add(call as never, x))
      settled.run()
      expect((settled.tensors as unknown as Tensor).item()).toBe(reduced[name])
      settled.dispose()
      expect(call([x]).toArray()).toEqual([1, 2])
      expect(fuse((a) => call([a]) as never)(x).toArray()).toEqual([1, 2])
    }
  })

  it('of one and a bare number could be meant as an axis', async () => {
    const x = tensor([1, 2])
    for (const name of ['sum', 'mean'] as const) {
      const words = `${name}(x, n): is n an axis or an operand? Over axis n it is ${name}(x, { axes: n });`
      expect(() => loosely(name)(x, 0)).toThrow(words)
      expect(() => loosely(name)(x, [0])).toThrow(words)
      await expect(looselyLater(name)(x, 0)).rejects.toThrow(words)
      expect(() => fuse((a) => (a as unknown as Record<string, (n: number) => never>)[name]!(0))(x)).toThrow(words)
      expect(loosely(name)([x, 0]).shape).toEqual([2])
    }
    expect(loosely('max')(x, 1.5).toArray()).toEqual([1.5, 2])
  })

  it('of one are that one, rounded nowhere', () => {
    expect(sum([tensor([1, Number.NaN])]).toArray()).toEqual([1, Number.NaN])
    expect(mean([tensor([-0])]).toArray()).toEqual([-0])
  })
})

describe('what is no operand', () => {
  it('says so, by name', () => {
    const x = tensor([1])
    expect(() => loosely('add')(x)).toThrow(OperandError)
    expect(() => loosely('add')(x)).toThrow('Add takes 2 operands, not 1.')
    expect(() => loosely('add')([1], x)).toThrow('Add: A is an array; wrap it with tensor(…).')
    expect(() => loosely('add')(x, new Float32Array(1))).toThrow('Add: B is a typed array; wrap it with tensor(…).')
    expect(() => loosely('neg')(null)).toThrow('Neg: A is null; wrap it with tensor(…).')
    expect(() => loosely('cast')([1], 'int8')).toThrow('Cast: A is an array; wrap it with tensor(…).')
    expect(() => loosely('castLike')(x, 'int8')).toThrow(
      'CastLike: B is "int8"; it has to be a tensor, whose type is taken.',
    )
    expect(() => loosely('expand')(5, [2])).toThrow('Expand: A is 5; wrap it with tensor(…).')
    expect(() => loosely('broadcastTo')(5, [2])).toThrow('broadcastTo: A is 5; wrap it with tensor(…).')
    expect(() => loosely('broadcast' as never)(x, 5)).toThrow('broadcast: B is 5; wrap it with tensor(…).')
  })

  it('rules that are none', () => {
    const x = tensor([1])
    expect(() => loosely('add')(x, x, { broadcast: 'pdpd' })).toThrow(RuleError)
    expect(() => loosely('add')(x, x, { broadcast: 'nonsense' })).toThrow('broadcast is "nonsense". It is a rule')
    expect(() => loosely('add')(x, x, { broadcast: {} })).toThrow(RuleError)
  })

  it('targets that are none', () => {
    const x = tensor([1])
    expect(() => loosely('expand')(x, [-1])).toThrow('size -1 at position 0 is negative')
    expect(() => loosely('broadcastTo')(x, 3)).toThrow('A shape is an array of sizes')
    expect(() => x.broadcastTo([2.5] as never)).toThrow('is not an integer')
    expect(() => broadcastTo(tensor([1, 2]), [3] as never)).toThrow('axis -1')
  })
})

describe('names', () => {
  it('a rule by name is the rule', () => {
    expect(() => loosely('add')(tensor([1, 2]), tensor([1]), { broadcast: 'none' })).toThrow('none')
    expect(loosely('add')(tensor([1, 2]), tensor([1]), { broadcast: 'unidirectional' }).toArray()).toEqual([2, 3])
    expect(() => loosely('add')(tensor([1]), tensor([1, 2]), { broadcast: 'unidirectional' })).toThrow('unidirectional')
  })

  it("select is where, under OpenVINO's name", () => {
    expect(select).toBe(where)
  })

  it('results are new tensors that share nothing with the operands', () => {
    const x = tensor([1, 2])
    for (const made of [
      loosely('identity')(x),
      loosely('cast')(x, 'float32'),
      loosely('expand')(x, [2]),
      loosely('max')([x]),
    ]) {
      // Small tensors lie side by side in one array.
      expect([made.storage, made.layout.offset]).not.toEqual([x.storage, x.layout.offset])
      expect(made.toArray()).toEqual([1, 2])
    }
    expect(equal(x, x).dtype).toBe('bool')
  })
})
