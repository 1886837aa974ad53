// All cores compute where computing takes most of the time, and one where files do.
import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { Workload } from '../../src/stream/workload.ts'

it.each([
  ['computing takes long', 9, 1, [1, availableParallelism()]],
  ['files take long', 1, 9, [1]],
])('%s', (_, computing, waiting, expected) => {
  let now = 0
  const threads: number[] = []
  const workload = new Workload(
    (count) => threads.push(count),
    () => now,
  )
  for (let tile = 0; tile < 20; tile++) {
    // The first tiles compile, which says nothing.
    workload.measure(() => (now += tile < 2 ? 1000 : computing))
    now += waiting
  }
  expect(threads).toEqual(expected)
})
