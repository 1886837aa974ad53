// A whole array to a Zarr place has the bits that it has in a file, of any shape, in a folder and in a bucket.
import { readdirSync } from 'node:fs'
import { fromData, type Tensor } from 'bcast'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countOf, type StoredDType } from '../../src/files/element.ts'
import { openZarrSink } from '../../src/tasks/zarr-sink.ts'
import { zarrPlace } from '../../src/zarr/place.ts'
import { file, folder, load, save } from '../support/chunked.ts'
import { bucketServer } from '../zarr/bucket.ts'

const valuesOf = (shape: readonly number[]): Float64Array =>
  Float64Array.from({ length: countOf(shape) }, (_, i) => ((i * 7919) % 1013) - 0.5)
const opened = (to: string, shape: readonly number[], dtype: StoredDType = 'float64') =>
  openZarrSink(zarrPlace(file(to))!, { dtype, shape })

describe('a whole array', async () => {
  const { address, objects } = await bucketServer()
  const before = { ...process.env }
  beforeEach(() => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL: address })
  })
  afterEach(() => {
    process.env = { ...before }
  })

  it.each([
    ['y.zarr', []],
    ['y.zarr', [0, 3]],
    ['g.zarr:some/y', [7]],
    // Of three chunks, the last of which it does not fill.
    ['y.zarr', [1000, 5, 500]],
    ['s3://bucket/y.zarr:y', [2, 3]],
  ])('to %s, of shape %j', async (to, shape) => {
    const values = valuesOf(shape)
    await save('y.npy', fromData('float64', values, shape) as Tensor)
    const sink = await opened(to, shape)
    await sink.write(values)
    await sink.finish()
    await sink.abort()
    const [{ bits, ...stored }, { bits: wanted, ...known }] = [await load(to), await load('y.npy')]
    expect([stored, Buffer.compare(bits, wanted)]).toEqual([known, 0])
  })

  it('is not there before it is whole, and leaves nothing where it is given up', async () => {
    objects.clear()
    for (const to of ['new.zarr:some/y', 's3://bucket/new.zarr:some/y']) {
      const sink = await opened(to, [3])
      await sink.write(valuesOf([3]))
      await expect(load(to)).rejects.toThrow('there is no array')
      await sink.abort()
      await sink.abort()
    }
    expect(readdirSync(folder()).filter((name) => name.startsWith('new'))).toEqual([])
    expect([...objects.keys()]).toEqual([])
  })
})
