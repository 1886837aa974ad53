// zarr-python is the judge of Zarr: what it writes is read equal, and what is written here it reads. Archives that it
// made lie in fixtures, by `python zarr_files.py fixtures packages/cli/test/zarr/fixtures`; BCAST_PYTHON names an
// interpreter that has it, for the rest.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { bytesOf, bytesPerElement, countOf, newElements, storedDTypes } from '../../src/files/element.ts'
import { arrayIn } from '../../src/zarr/array.ts'
import { partsOf } from '../../src/zarr/grid.ts'
import { metadataText } from '../../src/zarr/metadata/json.ts'
import { encodeObject, keyOf, metadataOf, objectShape, type ZarrOutput } from '../../src/zarr/output.ts'
import { zarrPlace } from '../../src/zarr/place.ts'
import { openStore, openWritableStore } from '../../src/zarr/store/open-store.ts'
import type { Store } from '../../src/zarr/store/store.ts'
import { temporaryFolder } from '../files/made.ts'

const { BCAST_PYTHON: python = 'python3' } = process.env
const fixtures = fileURLToPath(new URL('fixtures', import.meta.url))
const script = fileURLToPath(new URL('zarr_files.py', import.meta.url))
const at = temporaryFolder()

interface Told {
  readonly spec: string
  readonly dtype: string
  readonly shape: readonly number[]
  readonly hex: string
}

async function asTold(store: Store, path: string): Promise<Omit<Told, 'spec'>> {
  const source = await arrayIn(path, store, path)
  const { dtype, shape } = source
  const target = newElements(dtype, countOf(shape))
  const origin = shape.map(() => 0)
  await source.readBlock(origin, shape, target)
  return { dtype, shape, hex: Buffer.from(bytesOf(target)).toString('hex') }
}

/** `place` is where stores of either version lie. */
async function expectAll(told: readonly Told[], place: (name: string) => string): Promise<void> {
  for (const name of ['v3', 'v2']) {
    const store = await openStore(zarrPlace(place(name))!)
    for (const { spec, ...expected } of told) {
      const [version, path] = spec.split(':') as [string, string]
      if (version === name) expect([spec, await asTold(store, path)]).toEqual([spec, expected])
    }
    await store.close()
  }
}

describe('archives that zarr-python made', () => {
  it('hold what it says', async () => {
    const told = JSON.parse(readFileSync(path.join(fixtures, 'told.json'), 'utf8')) as Told[]
    expect(told.length).toBeGreaterThan(90)
    await expectAll(told, (name) => path.join(fixtures, `${name}.zarr.zip`))
  })
})

function zarrPython(task: 'read' | 'write', folder: string): Told[] {
  const { stdout, stderr, status } = spawnSync(python, [script, task, folder], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout) as Told[]
}

const { status } = spawnSync(python, ['-c', 'import ml_dtypes, zarr; zarr.codecs.ShardingCodec'], { cwd: fixtures })

const outputs: readonly Omit<ZarrOutput, 'dtype' | 'fill' | 'shape'>[] = [
  { chunks: [2, 3], codec: { name: 'none' } },
  { chunks: [2, 3], codec: { name: 'zstd' } },
  { chunks: [2, 3], codec: { name: 'gzip', level: 9 }, checksum: true },
  { chunks: [9, 9], codec: { name: 'blosc' } },
  { chunks: [2, 3], shards: [4, 6], codec: { name: 'zstd', level: 1 }, checksum: true },
  { chunks: [1, 7], shards: [5, 7], codec: { name: 'none' } },
]

describe('zarr-python', needs('zarr-python', status === 0), () => {
  it('writes arrays of every type, codec and fill value that are read equal', async () => {
    mkdirSync(at('theirs'))
    await expectAll(zarrPython('write', at('theirs')), (name) => at(`theirs/${name}.zarr`))
  })

  it('reads what is written here, of every type and codec', async () => {
    mkdirSync(at('ours.zarr'))
    const written: Told[] = []
    for (const dtype of storedDTypes) {
      for (const [number, extra] of outputs.entries()) {
        const fill =
          dtype === 'bool' ? true : dtype.includes('float') ? 'NaN' : dtype === 'int64' ? '-9223372036854775808' : 7
        const output: ZarrOutput = { dtype, shape: [5, 7], fill, ...extra }
        const spec = `${dtype}-${number}`
        const store = await openWritableStore(zarrPlace(at(`ours.zarr:${spec}`))!)
        const whole = newElements(dtype, 35)
        bytesOf(whole).set(bytesOf(whole).map((_, i) => (dtype === 'bool' ? i % 2 : (i * 37 + number) % 251)))
        for (const { index, begin, end } of partsOf([0, 0], output.shape, objectShape(output))) {
          const part = newElements(dtype, (end[0]! - begin[0]!) * (end[1]! - begin[1]!))
          for (let i = 0; i < part.length; i++) {
            const width = end[1]! - begin[1]!
            part[i] = whole[(begin[0]! + Math.floor(i / width)) * 7 + begin[1]! + (i % width)]!
          }
          await store.set(`${spec}/${keyOf(output, index)}`, await encodeObject(output, index, part))
        }
        await store.set(`${spec}/zarr.json`, Buffer.from(metadataText(metadataOf(output))))
        expect(bytesOf(whole).length).toBe(35 * bytesPerElement(dtype))
        written.push({ spec, dtype, shape: [5, 7], hex: Buffer.from(bytesOf(whole)).toString('hex') })
      }
    }
    const found = zarrPython('read', at('ours.zarr'))
    expect(found.toSorted((a, b) => a.spec.localeCompare(b.spec))).toEqual(
      written.toSorted((a, b) => a.spec.localeCompare(b.spec)),
    )
  })
})
