// Results larger than kernels' memory can be are computed where they lie, whole and right to the last element, on one
// thread and on two, and their memory goes back when they are disposed of. Part of `npm run test:native` alone: it writes
// gigabytes.
import { totalmem } from 'node:os'
import { add, configure, fromData, fuse, type Tensor } from 'bcast'
import { afterEach, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'

const HAS_MEMORY = Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY) >= 2 ** 34

afterEach(() => configure({ threads: 1 }))

/** Elements here and there, the first and the last among them. */
const places = (count: number): readonly number[] => [
  ...Array.from({ length: 1000 }, (_, i) => Math.floor((count / 1000) * i)),
  count - 1,
]

/** The sum of a column and a row, of so many bytes. */
function outerSum(rows: number, columns: number, threads: number): void {
  configure({ threads })
  const column = fromData(
    'float32',
    Float32Array.from({ length: rows }, (_, i) => i % 1024),
    [rows, 1],
  ) as Tensor
  const row = fromData(
    'float32',
    Float32Array.from({ length: columns }, (_, i) => i / 1024),
    [columns],
  ) as Tensor
  const sum = add(column, row) as Tensor
  // Whoever took the data would keep the memory.
  for (const at of places(rows * columns)) {
    const [i, j] = [Math.floor(at / columns), at % columns]
    expect(sum.get(i, j)).toBe(Math.fround((i % 1024) + j / 1024))
  }
  const before = process.memoryUsage().rss
  sum.dispose()
  expect(before - process.memoryUsage().rss).toBeGreaterThan(rows * columns * 3.5)
}

it('6 GiB, on two threads', needs('memory', HAS_MEMORY), () => {
  outerSum(393_216, 4096, 2)
})

it(
  '3 GiB of one element in each row, where steps between rows count more than 2 GiB',
  needs('memory', HAS_MEMORY),
  () => {
    const half = 3 * 2 ** 27
    const whole = fromData('float32', new Float32Array(2 * half), [2, half]) as Tensor
    const x = fromData('float32', Float32Array.of(5, 7), [2, 1]) as Tensor
    // biome-ignore lint/suspicious/noExplicitAny: operands inside have no types that are known before
    const f = fuse((a: any, b: any) => a.add(b).mul(b)) as unknown as (...given: unknown[]) => Tensor
    const result = f(whole, x, { out: whole })
    const data = result.data as Float32Array
    for (const at of places(data.length)) expect(data[at]).toBe(at < half ? 25 : 49)
  },
)
