// Stores on S3: what is sent and how answers are read, on a server here that keeps a list of what it was asked. That the
// signatures hold is shown by moto.
import { describe, expect, it } from 'vitest'
import type { ZarrOutput } from '../../src/zarr/output.ts'
import { S3Store } from '../../src/zarr/store/s3.ts'
import { bucketServer } from './bucket.ts'
import { putInto } from './support.ts'

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
const output: ZarrOutput = { dtype: 'int16', shape: [3, 4], chunks: [2, 2], codec: { name: 'gzip' }, fill: 0 }

describe('a store on S3', async () => {
  const { address, objects, asked } = await bucketServer()
  const store = (place: string, extra: Record<string, string> = KEYS): S3Store =>
    new S3Store(place, place, { AWS_ENDPOINT_URL: address, ...extra })

  it('puts objects whole, of views and of shared memory, and gives them back', async () => {
    const made = store('s3://bucket/some where/x+y.zarr')
    await putInto(made, 'a', output)
    expect([...objects.keys()][1]).toBe('/bucket/some where/x+y.zarr/a/c/0/0')
    expect(asked.every(({ signed }) => signed)).toBe(true)
    expect(asked[0]!.line).toBe('PUT /bucket/some%20where/x%2By.zarr/a/zarr.json')
    const shared = new Uint8Array(new SharedArrayBuffer(9)).map((_, i) => i)
    await made.set('view', shared.subarray(2, 5))
    expect([...(await made.get('view'))!]).toEqual([2, 3, 4])
    expect([...(await made.getRange('view', { suffix: 1 }))!]).toEqual([4])
    expect([await made.has('view'), await made.has('other')]).toEqual([true, false])
    await made.delete('view')
    expect(await made.get('view')).toBeUndefined()
  })

  it('lists everything, page by page', async () => {
    const found: string[] = []
    for await (const { key } of store('s3://bucket/some where/x+y.zarr').list('a/c/')) found.push(key)
    expect(found).toEqual(['a/c/0/0', 'a/c/0/1', 'a/c/1/0', 'a/c/1/1'])
  })

  it('asks without a signature where there are no credentials, as public buckets want it', async () => {
    asked.length = 0
    await store('s3://bucket/x.zarr', {}).get('a')
    expect(asked).toEqual([{ line: 'GET /bucket/x.zarr/a', signed: false }])
    await expect(store('s3://denied/x', {}).get('a')).rejects.toThrow('There are no credentials; set AWS_ACCESS_KEY_ID')
  })

  it('fails with what S3 said and what to change', async () => {
    await expect(store('s3://none/x').get('a')).rejects.toThrow('s3://none/x: there is no bucket none.')
    await expect(store('s3://none/x').set('a', Uint8Array.of(1))).rejects.toThrow('there is no bucket none.')
    await expect(store('s3://denied/x').get('a')).rejects.toThrow(
      'S3 answers 403 (SignatureDoesNotMatch: It is "wrong"). Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    )
    await expect(store('s3://elsewhere/x').get('a')).rejects.toThrow('region eu-west-1. Set AWS_REGION=eu-west-1.')
    expect(() => store('s3://b/x', { AWS_ACCESS_KEY_ID: 'id' })).toThrow(
      's3://b/x: AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not. Set both, or none.',
    )
    expect(() => store('s3://')).toThrow('an address on S3 is s3://bucket/key.')
    expect(() => store('s3://b/x', { AWS_ENDPOINT_URL: 'localhost:9000' })).toThrow('should begin with http://')
  })
})
