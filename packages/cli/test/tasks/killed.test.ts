// While a result takes the place of an array, and whenever its process is killed then, a reader finds the old one, none,
// or the whole new one, and nothing beside them.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Tensor, tensor } from 'bcast'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { evaluateInChunks } from '../../src/tasks/evaluate-in-chunks.ts'
import type { CarryOut } from '../../src/tasks/run-tasks.ts'
import { infoOf } from '../../src/zarr/info.ts'
import { zarrPlace } from '../../src/zarr/place.ts'
import { file, forward, inChunks, load, planOf, save, silent } from '../support/chunked.ts'

/** What to do in place of the change of the folder that is next. */
let instead: (() => Promise<never> | undefined) | undefined
vi.mock('node:fs/promises', async (original) => {
  const own = await original<typeof import('node:fs/promises')>()
  const hooked =
    (use: (...all: never[]) => unknown) =>
    (...all: never[]) =>
      instead?.() ?? use(...all)
  return { ...own, rename: hooked(own.rename), rm: hooked(own.rm), writeFile: hooked(own.writeFile) }
})

const given = { names: ['a.npy'], chunks: [1], to: 'g.zarr:some/y' }
const [old, fresh] = ['a * 2', 'a * 3']

beforeEach(async () => {
  await save('a.npy', tensor([1, 2, 3]) as Tensor)
  await inChunks({ ...given, expression: 'a', to: 'g.zarr:some/other' })
})
afterEach(() => {
  instead = undefined
  rmSync(file('g.zarr'), { recursive: true, force: true })
})

/** Where readers that look into every folder find an array. */
const found = (): string[] =>
  readdirSync(file('g.zarr'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:zarr\.json|\.zarray)$/.test(path.basename(name)) && path.dirname(name) !== '.')
    .map((name) => path.dirname(name))
    .filter((name) => name !== 'some')
    .toSorted()

const listed = async (): Promise<string[]> => {
  const info = await infoOf(zarrPlace(file('g.zarr'))!)
  return info.kind === 'group' ? info.arrays.map((array) => array.path) : []
}

/** Shows a result; at its `at`th change of the folder the process is killed, or the change fails. */
async function shown(at: number, how: 'killed' | 'failed'): Promise<'whole' | 'killed' | 'failed'> {
  const plan = await planOf({ ...given, expression: fresh })
  return new Promise((resolve) => {
    let count = 0
    const begin: CarryOut = async (...all) => {
      await forward(...all)
      instead = () => {
        if (count++ !== at) return undefined
        if (how === 'failed') return Promise.reject(new Error('no'))
        resolve('killed')
        return new Promise(() => {})
      }
    }
    evaluateInChunks(plan, begin, true, silent).then(
      () => resolve('whole'),
      () => resolve('failed'),
    )
  })
}

describe.each([
  ['an array', () => inChunks({ ...given, expression: old })],
  [
    'an array of version 2',
    async () => {
      mkdirSync(file('g.zarr/some/y'), { recursive: true })
      const more = { compressor: null, filters: null, order: 'C', fill_value: 0, zarr_format: 2 }
      writeFileSync(file('g.zarr/some/y/.zarray'), JSON.stringify({ shape: [3], chunks: [3], dtype: '<f4', ...more }))
      writeFileSync(file('g.zarr/some/y/0'), Buffer.from(Float32Array.of(2, 4, 6).buffer))
    },
  ],
  ['nothing', async () => {}],
])('in the place of %s', (_, make) => {
  it('a killed evaluation leaves it, nothing, or the result, which the next one repairs', async () => {
    const bits = async (): Promise<unknown> => load(given.to).catch(() => 'none')
    await make()
    const before = await bits()
    const after = await inChunks({ ...given, expression: fresh, to: 'g.zarr:some/fresh' })
    let outcome: string | undefined
    let steps = 0
    for (; outcome !== 'whole'; steps++) {
      rmSync(file('g.zarr/some'), { recursive: true, force: true })
      instead = undefined
      await inChunks({ ...given, expression: 'a', to: 'g.zarr:some/other' })
      await make()
      outcome = await shown(steps, 'killed')
      instead = undefined
      const there = found()
      expect([['some/other'], ['some/other', 'some/y']]).toContainEqual(there)
      expect(await listed()).toEqual(there)
      if (there.includes('some/y')) expect([before, after]).toContainEqual(await bits())
      // The next one fails at once: what was there is there again.
      const killed = evaluateInChunks(
        await planOf({ ...given, expression: fresh }),
        () => Promise.reject(new Error('no')),
        true,
        silent,
      )
      await expect(killed).rejects.toThrow('no')
      expect([before, after]).toContainEqual(await bits())
      await evaluateInChunks(await planOf({ ...given, expression: fresh }), forward, true, silent)
      expect(await bits()).toEqual(after)
      expect(readdirSync(file('g.zarr/some')).toSorted()).toEqual(['other', 'y', 'zarr.json'])
      expect(readdirSync(file('g.zarr/some/y')).toSorted()).toEqual(['c', 'zarr.json'])
    }
    expect(steps).toBeGreaterThan(3)
  })

  it('one that goes on where another was killed computes nothing again, unless the result is there', async () => {
    const after = await inChunks({ ...given, expression: fresh, to: 'g.zarr:some/fresh' })
    let outcome: string | undefined
    for (let step = 0; outcome !== 'whole'; step++) {
      rmSync(file('g.zarr/some'), { recursive: true, force: true })
      instead = undefined
      await inChunks({ ...given, expression: 'a', to: 'g.zarr:some/other' })
      await make()
      outcome = await shown(step, 'killed')
      instead = undefined
      const isThere = await load(given.to).then(
        (bits) => JSON.stringify(bits) === JSON.stringify(after),
        () => false,
      )
      const done: boolean[] = []
      const looking: CarryOut = async (plan, isDone, tell) => {
        for (let i = 0; i < plan.count; i++) done.push(isDone(i))
        await forward(plan, isDone, tell)
      }
      await evaluateInChunks(await planOf({ ...given, expression: fresh }), looking, true, silent)
      if (!isThere) expect({ step, done }).toEqual({ step, done: [true, true, true] })
      expect(await load(given.to)).toEqual(after)
      expect(readdirSync(file('g.zarr/some/y')).toSorted()).toEqual(['c', 'zarr.json'])
    }
  })

  it('one that fails leaves it, or the result', async () => {
    await make()
    const before = await load(given.to).catch(() => 'none')
    const after = await inChunks({ ...given, expression: fresh, to: 'g.zarr:fresh' })
    for (let step = 0; step < 4; step++) {
      rmSync(file('g.zarr/some/y'), { recursive: true, force: true })
      await make()
      expect(await shown(step, 'failed')).toBe('failed')
      instead = undefined
      expect([before, after]).toContainEqual(await load(given.to).catch(() => 'none'))
      expect(await listed()).toEqual(found())
      expect(found().filter((name) => path.basename(name).startsWith('.'))).toEqual([])
    }
  })
})

it('one that cannot describe a group above leaves nothing that is listed', async () => {
  mkdirSync(file('g.zarr/odd/zarr.json'), { recursive: true })
  await expect(inChunks({ ...given, expression: old, to: 'g.zarr:odd/y' })).rejects.toThrow()
  expect(existsSync(file('g.zarr/odd/y'))).toBe(false)
  expect(await listed()).toEqual(['some/other'])
})

it('folders that older programs left with metadata in them are not listed', async () => {
  for (const left of ['.y.0123456789abcdef0123456789abcdef.bcast-tasks', '.y.bcast-old'])
    await inChunks({ ...given, expression: old, to: `g.zarr:some/${left}` })
  expect(await listed()).toEqual(['some/other'])
})
