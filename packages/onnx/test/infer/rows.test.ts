// The registry of operators: one row for each version, and the right one found.
import { expect, it } from 'vitest'
import { rowOf, rows } from '../../src/infer/operators/index.ts'

it('has one row for an operator from a version on', () => {
  const keys = rows.map(({ domain = '', name, since = 1 }) => `${domain}:${name} from ${since}`)
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
})

it('finds the newest row that a version has', () => {
  expect(rowOf('', 'Upsample', 6)!.since).toBeUndefined()
  expect(rowOf('', 'Upsample', 7)!.since).toBe(7)
  expect(rowOf('', 'Upsample', 99)!.since).toBe(9)
  expect(rowOf('', 'CastLike', 14)).toBeUndefined()
  expect(rowOf('other', 'CastLike', 15)).toBeUndefined()
})
