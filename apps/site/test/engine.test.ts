// The engine's view: what is measured computes the same, and sizes are bounded.
import { parseExpression } from '@bcast/cli/expression'
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { checkSize, inspected, measured, type Timed } from '../src/engine/compute.ts'
import { hasPlainLoops, plainLoops } from '../src/engine/plain-loops.ts'
import { unfused } from '../src/engine/unfused.ts'

const data = (count: number, from: number): Float32Array => Float32Array.from({ length: count }, (_, i) => from + i / 7)

const shapes = { x: [2, 3, 4], m: [3, 1], s: [4], n: [] } as const
const counts = { x: 24, m: 3, s: 4, n: 1 } as const
const names = Object.keys(shapes) as (keyof typeof shapes)[]
const plain = new Map(names.map((name, i) => [name, { data: data(counts[name], i + 1), shape: shapes[name] }]))
const tensors = new Map(
  names.map((name) => [name, tensor(plain.get(name)!.data, { shape: shapes[name] } as never) as Tensor]),
)

describe('calls that are not fused, and plain loops', () => {
  it.each(['(x - m) / s', 'x * 2 + m * (1 + 3)', 'max(x, s) - min(m, n)', '-x + sqrt(abs(s))', 'm', 'm * s', 'n + n'])(
    'compute the same: %s',
    (expression) => {
      const root = parseExpression(expression)
      expect(hasPlainLoops(root)).toBe(true)
      const loops = plainLoops(root, plain as never)
      const calls = unfused(expression, root, tensors)
      expect(loops.shape).toEqual(calls.shape)
      expect([...loops.data]).toEqual([...(calls.data as Float32Array)])
    },
  )

  it('have no loop for everything', () => {
    expect(hasPlainLoops(parseExpression('where(x > 1, x, m)'))).toBe(false)
  })
})

it('an expression is inspected at any size, and measured up to a bound', async () => {
  const large = { expression: 'x + y', arrays: ['x', 'y'].map((name) => ({ name, shape: [1e6, 1e6] })) }
  expect(inspected(large, 2).steps[0]).toMatchObject({ loops: [1e12] })
  expect(() => checkSize(large, [1e6, 1e6])).toThrow('3,000,000,000,000 elements, and this page measures up to')
  await expect(measured(large, 1, () => undefined)).rejects.toThrow('Smaller sizes tell the same')
})

it('each way is timed', async () => {
  const times: Timed[] = []
  const question = {
    expression: '(x - m) / 2',
    arrays: [
      { name: 'x', shape: [8, 8] },
      { name: 'm', shape: [8] },
    ],
  }
  await measured(question, 2, (timed) => times.push(timed))
  expect(times.map(({ label }) => label.split(/[,:]/)[0])).toEqual(['Fused', 'Fused', 'Not fused', 'Plain JavaScript'])
  expect(times.every(({ milliseconds }) => milliseconds > 0)).toBe(true)
})
