// A real S3 server, which checks what it is asked: moto, of Python. Arrays are put there and read back, by the program
// too; wrong credentials and buckets that are not there are said in words.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { newElements } from '../../src/files/element.ts'
import { arrayIn } from '../../src/zarr/array.ts'
import { infoOf } from '../../src/zarr/info.ts'
import type { ZarrOutput } from '../../src/zarr/output.ts'
import { AwsClient } from '../../src/zarr/store/aws4fetch.js'
import { S3Store } from '../../src/zarr/store/s3.ts'
import { positions, putInto } from './support.ts'

const { BCAST_PYTHON: python = 'python3' } = process.env
const { status } = spawnSync(python, ['-c', 'import moto.server'])

const PLACE = 's3://bucket/data/x.zarr'

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

describe('S3 as moto has it', needs('moto', status === 0), () => {
  let server: ChildProcess
  let environment: Record<string, string>

  beforeAll(async () => {
    const port = await freePort()
    server = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
    const address = `http://127.0.0.1:${port}`
    environment = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL: address }
    for (let answered = false; !answered; ) {
      answered = await fetch(`${address}/bucket`, { method: 'PUT' }).then(
        ({ ok }) => ok,
        () => new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 100)),
      )
    }
  })
  afterAll(() => server?.kill())

  const output: ZarrOutput = {
    ...{ dtype: 'float64', shape: [7, 9], chunks: [2, 3], shards: [4, 6], codec: { name: 'zstd' }, fill: 0 },
  }

  it('holds arrays, which are listed, read back and removed', async () => {
    const store = new S3Store(PLACE, PLACE, environment)
    await putInto(store, 'group/a', output)
    const source = await arrayIn('x', store, 'group/a')
    const target = newElements('float64', 63)
    await source.readBlock([0, 0], [7, 9], target)
    expect([...target]).toEqual(positions(63))
    const found: string[] = []
    for await (const { key } of store.list('group/a/c/')) found.push(key)
    expect(found).toEqual(['0/0', '0/1', '1/0', '1/1'].map((index) => `group/a/c/${index}`))
    await store.set('other', Uint8Array.of(1))
    await store.delete('other')
    expect([await store.has('other'), await store.has('group/a/zarr.json')]).toEqual([false, true])
  })

  it('is opened by its address and the environment', async () => {
    const before = { ...process.env }
    Object.assign(process.env, environment)
    try {
      const place = { label: 'x', store: PLACE, path: 'group/a' }
      expect(await infoOf(place)).toMatchObject({ shape: [7, 9], objects: 4, stored: { objects: 4 } })
    } finally {
      process.env = before
    }
  })

  it('refuses what it does not know', async () => {
    const none = new S3Store('s3://none/x', 's3://none/x', environment)
    await expect(none.get('a')).rejects.toThrow('s3://none/x: there is no bucket none.')
    await expect(none.set('a', Uint8Array.of(1))).rejects.toThrow('there is no bucket none.')
  })

  /** Asks the server for users and keys; its answer. */
  async function asked(words: Record<string, string>): Promise<string> {
    const [accessKeyId, secretAccessKey] = ['key', 'secret']
    const client = new AwsClient({ accessKeyId, secretAccessKey, region: 'us-east-1', service: 'iam' })
    const body = new URLSearchParams({ UserName: 'writer', ...words, Version: '2010-05-08' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const address = environment['AWS_ENDPOINT_URL']!
    return (await fetch(await client.sign(address, { method: 'POST', body, headers }))).text()
  }

  it('takes the signatures of who may write, and refuses everybody else', async () => {
    await asked({ Action: 'CreateUser' })
    const Statement = [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }]
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement })
    await asked({ Action: 'PutUserPolicy', PolicyName: 'all', PolicyDocument })
    const answer = await asked({ Action: 'CreateAccessKey' })
    const [id, secret] = ['AccessKeyId', 'SecretAccessKey'].map(
      (name) => new RegExp(`<${name}>([^<]*)`).exec(answer)![1]!,
    )
    // From now on it asks who is there.
    await fetch(`${environment['AWS_ENDPOINT_URL']}/moto-api/reset-auth`, { method: 'POST', body: '0' })
    const keys = { ...environment, AWS_ACCESS_KEY_ID: id!, AWS_SECRET_ACCESS_KEY: secret! }
    const store = new S3Store(PLACE, PLACE, keys)
    await store.set('signed/c/0/1', Uint8Array.of(1, 2, 3))
    expect([...(await store.getRange('signed/c/0/1', { suffix: 2 }))!]).toEqual([2, 3])
    const stranger = new S3Store('s3://bucket/x', 's3://bucket/x', environment)
    await expect(stranger.get('a')).rejects.toThrow('s3://bucket/x: S3 answers 403 (InvalidAccessKeyId')
    const forger = new S3Store('s3://bucket/x', 's3://bucket/x', { ...keys, AWS_SECRET_ACCESS_KEY: 'guessed' })
    await expect(forger.set('a', Uint8Array.of(1))).rejects.toThrow('(SignatureDoesNotMatch')
    await expect(forger.set('a', Uint8Array.of(1))).rejects.toThrow('Check AWS_ACCESS_KEY_ID')
  })
})
