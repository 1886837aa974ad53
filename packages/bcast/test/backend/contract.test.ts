// What every backend of the list owes to those who call it, asked of each through the interface alone.
import { describe, expect, it } from 'vitest'
import type { Backend, Job, Outcome } from '../../src/backend/backend.ts'
import { backends } from '../../src/backend/backends.ts'
import { all, instructionsOf } from '../../src/backend/instructions.ts'
import { makeStorage, type Storage, type TypedArray } from '../../src/dtype/dtype.ts'
import { lower } from '../../src/expr/lower.ts'
import * as rows from '../../src/expr/rows/index.ts'
import { planWithPasses } from '../../src/plan/multipass.ts'
import type { Placed } from '../../src/tensor/placed.ts'

const instructions = instructionsOf(...all)
const means = { instructions, planWith: planWithPasses }

const placed = (storage: Storage, ...strides: number[]): Placed => ({ storage, offset: 0, strides })
const ROWS = 300
const COLUMNS = 200

/** Memory of the backend, or ordinary memory where it has none. */
const room = (backend: Backend, length: number): TypedArray =>
  (backend.allocate('int32', length)?.storage ?? makeStorage('int32', length)) as TypedArray

/** A matrix divided by a row into a fresh result; `zero` is where the row is zero. */
function division(backend: Backend, zero: number | undefined): Job {
  const matrix = Int32Array.from({ length: ROWS * COLUMNS }, (_, i) => i * 3)
  const row = Int32Array.from({ length: COLUMNS }, (_, i) => (i === zero ? 0 : i + 1))
  return {
    ...means,
    program: lower(rows.div, ['int32', 'int32'], {}),
    shape: [ROWS, COLUMNS],
    operands: [placed(matrix, COLUMNS, 1), placed(row, 0, 1), placed(room(backend, ROWS * COLUMNS), COLUMNS, 1)],
  }
}

const quotients = Int32Array.from({ length: ROWS * COLUMNS }, (_, i) => Math.trunc((i * 3) / ((i % COLUMNS) + 1)))
const hasFault = (outcome: Outcome): boolean => outcome === 'fault' || typeof outcome === 'number'

describe.each(backends().map((backend) => ({ name: backend.name, backend })))('$name', ({ backend }) => {
  const results = async ({ operands }: Job): Promise<Int32Array> =>
    (await backend.read(operands.at(-1)!.storage)) as Int32Array

  /** Where the result is no quotient. */
  const firstWrong = async (job: Job): Promise<number> => {
    const made = await results(job)
    return quotients.findIndex((quotient, i) => made[i] !== quotient)
  }

  it('computes now', async () => {
    const job = division(backend, undefined)
    expect(backend.takes(job)).toBe(true)
    expect(backend.plan(job).run(job.operands)).toBe('done')
    expect(await firstWrong(job)).toBe(-1)
  })

  it('computes asynchronously, and asks whether operands are still there', async () => {
    const job = division(backend, undefined)
    let asked = 0
    expect(await backend.runAsync(job, () => asked++)).toBe('done')
    expect(await firstWrong(job)).toBe(-1)
    expect(asked).toBeGreaterThan(0)
    const gone = backend.runAsync(job, () => {
      throw new RangeError('gone')
    })
    await expect(gone).rejects.toThrow('gone')
  })

  it('plans once for operands at any place', async () => {
    const first = division(backend, undefined)
    const planned = backend.plan(first)
    expect(structuredClone(planned.plan)).toEqual(planned.plan)
    for (let i = 0; i < 3; i++) {
      const other = division(backend, undefined)
      expect(planned.run(other.operands)).toBe('done')
      expect(await firstWrong(other)).toBe(-1)
    }
  })

  it('says that an element has no value, and where if it knows', async () => {
    const job = division(backend, 7)
    const now = backend.plan(job).run(job.operands)
    const later = await backend.runAsync(job, () => {})
    for (const outcome of [now, later]) {
      expect(hasFault(outcome)).toBe(true)
      if (typeof outcome === 'number') expect(outcome).toBe(7)
    }
  })

  it('computes programs of any size, alone or in passes', () => {
    const count = 100
    const job: Job = {
      ...means,
      program: lower(rows.sum, new Array(count).fill('float32'), {}),
      shape: [50],
      operands: Array.from({ length: count + 1 }, (_, i) => placed(new Float32Array(50).fill(i), 1)),
    }
    expect(backend.plan(job).run(job.operands)).toBe('done')
    expect([...(job.operands.at(-1)!.storage as Float32Array)]).toEqual(new Array(50).fill((count * (count - 1)) / 2))
  })

  it('leaves what lies between the elements of a result alone', () => {
    const out = new Int32Array(40).fill(-1)
    const job: Job = {
      ...means,
      program: lower(rows.add, ['int32', 'int32'], {}),
      shape: [4, 5],
      operands: [placed(new Int32Array(20).fill(1), 5, 1), placed(new Int32Array(5).fill(2), 0, 1), placed(out, 10, 2)],
    }
    expect(backend.plan(job).run(job.operands)).toBe('done')
    expect([...out]).toEqual(Array.from(out, (_, i) => (i % 10 < 10 && i % 2 === 0 ? 3 : -1)))
  })

  it('does nothing for no elements', () => {
    const job: Job = {
      ...means,
      program: lower(rows.add, ['int32', 'int32'], {}),
      shape: [0, 5],
      operands: [placed(new Int32Array(0), 5, 1), placed(new Int32Array(5), 0, 1), placed(new Int32Array(0), 5, 1)],
    }
    expect(backend.plan(job).run(job.operands)).toBe('done')
  })
})

describe('the list', () => {
  it('ends with one that takes every program', () => {
    const texts = { ...means, program: lower(rows.equal, ['string', 'string'], {}) }
    expect(backends().map((backend) => [backend.name, backend.takes(texts)])).toEqual([
      ['webassembly', false],
      ['interpreter', true],
    ])
  })
})
