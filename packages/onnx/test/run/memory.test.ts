// What a run keeps and gives back: values go after their last use, what the caller has is never touched. What a planned
// run keeps for the next is in plan.test.ts.
import { add, configure, type Tensor, tensor } from 'bcast'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { int, ints, modelOf, node } from '../../../../testing/models/infer.ts'
import { Arena } from '../../../bcast/src/backend/webassembly/memory/arena.ts'
import { prepareModel } from '../../src/index.ts'

const MIB = 2 ** 20
const COUNT = MIB / 4

let inUse = 0
let peak = 0
const { allocate, free } = Arena.prototype

/** Counts what the engine's memory hands out; small results share blocks that are not counted. */
beforeEach(() => {
  configure({ backend: 'auto' })
  inUse = peak = 0
  Arena.prototype.allocate = function (bytes) {
    const address = allocate.call(this, bytes)
    if (bytes >= MIB / 2) peak = Math.max(peak, (inUse += bytes))
    return address
  }
  Arena.prototype.free = function (address, bytes) {
    if (bytes >= MIB / 2) inUse -= bytes
    free.call(this, address, bytes)
  }
})
afterEach(() => {
  Object.assign(Arena.prototype, { allocate, free })
})

const big = (): Tensor => add(tensor(new Float32Array(COUNT).fill(2), { shape: [COUNT], share: true }), 0) as Tensor

/** A chain of `length` nodes of an operator. */
const chain = (length: number, make: (from: string, to: string, i: number) => ReturnType<typeof node>[]) =>
  Array.from({ length }, (_, i) => make(i === 0 ? 'x' : `v${i - 1}`, `v${i}`, i)).flat()

describe('memory of a run', () => {
  it('holds what is needed at once, not the sum of all values', () => {
    const nodes = chain(40, (from, to) => [node('Neg', from, to)])
    const program = prepareModel(modelOf({ inputs: { x: 'N' }, nodes, outputs: ['v39'] }), { fuse: false, plan: false })
    const x = big()
    const before = inUse
    peak = inUse
    const { v39 } = program.run({ x })
    expect(program.steps).toHaveLength(40)
    expect(peak - before).toBeLessThanOrEqual(2 * MIB)
    expect(inUse - before).toBe(MIB)
    v39!.dispose()
    expect(inUse).toBe(before)
    expect(x.get(0)).toBe(2)
    x.dispose()
    expect(inUse).toBe(before - MIB)
  })

  it('is given back under views: reshaped, transposed, sliced, expanded', () => {
    const nodes = chain(12, (from, to, i) => [
      node('Reshape', `${from} two`, `r${i}`),
      node('Transpose', `r${i}`, `t${i}`),
      node('Relu', `t${i}`, `u${i}`),
      node('Slice', `u${i} zero half`, `s${i}`),
      node('Expand', `s${i} whole`, `e${i}`),
      node('Add', `e${i} u${i}`, `a${i}`),
      node('Reshape', `a${i} one`, to),
    ])
    const inputs = { x: 'N', two: ints(2, -1), one: ints(-1), zero: ints(0), half: ints(1), whole: ints(COUNT / 2, 2) }
    const program = prepareModel(modelOf({ inputs, nodes, outputs: ['v11'] }), { plan: false })
    const x = big()
    const before = inUse
    peak = inUse
    const { v11 } = program.run({ x })
    expect(v11!.shape).toEqual([COUNT])
    expect(peak - before).toBeLessThanOrEqual(4 * MIB)
    expect(inUse - before).toBe(MIB)
    v11!.dispose()
    x.dispose()
    expect(inUse).toBe(before - MIB)
  })

  it('is given back in loops, round after round, and after a run that fails', () => {
    // What a round hands on as it is stays the caller's.
    const body = {
      input: ['i', 'c', 'v', 'k'].map((name) => ({ name })),
      output: ['c', 'w', 'k'].map((name) => ({ name })),
      node: [node('Add', 'v k', 'u'), node('Sqrt', 'u', 'w')],
    }
    const loop = node('Loop', 'count - x x', 'v k', { body: { graph: body } })
    const inputs = { x: 'N', count: int(30), two: ints(2, -1) }
    const x = big()
    const before = inUse
    peak = inUse
    const { v } = prepareModel(modelOf({ inputs, nodes: [loop], outputs: ['v'] }), { plan: false }).run({ x })
    expect(peak - before).toBeLessThanOrEqual(4 * MIB)
    v!.dispose()
    expect(inUse).toBe(before)
    const failing = modelOf({ inputs, nodes: [loop, node('MatMul', 'v two', 'y')], outputs: ['v', 'y'] })
    expect(() => prepareModel(failing).run({ x })).toThrow('node 1 (MatMul)')
    expect(inUse).toBe(before)
    expect(x.get(0)).toBe(2)
    x.dispose()
  })

  it('of results that nobody reads is given back at once', () => {
    const branch = (of: string) => ({
      graph: {
        node: [node('Neg', of, 'n'), node('Exp', of, 'unread')],
        output: [{ name: 'n' }, { name: 'unread' }],
      },
    })
    const nodes = chain(20, (from, to, i) => [
      node('If', 'yes', `${to} e${i}`, { then_branch: branch(from), else_branch: branch(from) }),
    ])
    const program = prepareModel(modelOf({ inputs: { x: 'N', yes: 'bool:' }, nodes, outputs: ['v19'] }), {
      plan: false,
    })
    const x = big()
    peak = inUse
    const before = inUse
    program.run({ x, yes: tensor(true) as Tensor })['v19']!.dispose()
    expect(peak - before).toBeLessThanOrEqual(4 * MIB)
    expect(inUse).toBe(before)
  })

  it('of inputs that are disposed while the workers compute stays until the run has ended', async () => {
    const nodes = [
      node('Exp', 'x', 'a'),
      node('ReduceSum', 'a', 's'),
      node('Div', 'x s', 'b'),
      node('Transpose', 'b', 'c'),
      node('Add', 'c x', 'y'),
    ]
    const program = prepareModel(modelOf({ inputs: { x: 'N' }, nodes, outputs: ['y'] }))
    const x = big()
    const before = inUse
    const now = program.run({ x })['y']!
    const later = program.run.async({ x })
    x.dispose()
    // What is made meanwhile must not lie where the input did.
    const others = [big(), big()]
    const { y } = await later
    expect(y!.toArray()).toEqual(now.toArray())
    for (const each of [now, y!, ...others]) each.dispose()
    program.dispose()
    // Less where what other tests left was collected meanwhile.
    expect(inUse).toBeLessThanOrEqual(before - MIB)
  })

  it('of results is the caller’s alone: no input, no weight, no other result lies under it', () => {
    const model = modelOf({
      inputs: { x: '3', w: tensor([5, 6, 7]) as Tensor, column: ints(3, 1) },
      nodes: [
        node('Identity', 'x', 'same'),
        node('Identity', 'w', 'weight'),
        node('Neg', 'x', 'n'),
        node('Reshape', 'n column', 'r'),
        node('Expand', 'n column', 'e'),
      ],
      outputs: ['x', 'same', 'w', 'weight', 'n', 'r', 'e'],
    })
    const program = prepareModel(model)
    const x = tensor([1, 2, 3]) as Tensor
    for (let round = 0; round < 2; round++) {
      const results = program.run({ x })
      expect(results['weight']!.toArray()).toEqual([5, 6, 7])
      expect(results['r']!.toArray()).toEqual([[-1], [-2], [-3]])
      for (const result of Object.values(results)) (result.data as Float32Array).fill(round + 70)
      for (const result of Object.values(results))
        expect(new Set(result.data as Float32Array)).toEqual(new Set([round + 70]))
      for (const result of Object.values(results)) result.dispose()
      expect(x.toArray()).toEqual([1, 2, 3])
    }
  })
})
