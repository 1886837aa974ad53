// Paths inside a store stay in it, however they are spelled, in every kind of store, to read and to write alike.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { FileError } from '../../src/errors/file-error.ts'
import { zarrPlace } from '../../src/zarr/place.ts'
import { FolderStore } from '../../src/zarr/store/folder.ts'
import { S3Store } from '../../src/zarr/store/s3.ts'
import { temporaryFolder } from '../files/made.ts'
import { called } from '../support/called.ts'
import { bucketServer } from './bucket.ts'
import { elementsOf, positions, putInto, sendObject, served } from './support.ts'

const at = temporaryFolder()
const call = (...words: string[]) => called(words, { cwd: at('here/deeper') })
const stores = ['x.zarr', 'x.zarr.zip', 'data:zarr', 'https://host/x.zarr', 's3://bucket/x.zarr']
const output = { dtype: 'uint8', shape: [2, 3], chunks: [2, 3], codec: { name: 'none' }, fill: 0 } as const

beforeEach(() => {
  mkdirSync(at('here/deeper'), { recursive: true })
  writeFileSync(at('here/deeper/x.json'), '[1, 2]')
})

describe.each(stores)('a path in %s', (store) => {
  it.each([
    ['/a/b/', 'a/b'],
    ['a//b', 'a/b'],
    [String.raw`\a\b`, 'a/b'],
    ['..a/b..', '..a/b..'],
    ['%2e%2e/a', '%2e%2e/a'],
    ['a%2fb', 'a%2fb'],
    ['/', ''],
  ])('%s is %s', (spelled, inside) => {
    expect(zarrPlace(`${store}:${spelled}`)).toMatchObject({ label: `${store}:${spelled}`, path: inside })
  })

  it.each([
    '..',
    '../../escaped',
    'a/..',
    'a/../b',
    '.',
    './a',
    'a/./b',
    '/../a',
    '//..',
    '...',
    '..\\a',
    'a\\..\\..\\b',
  ])('is not %s', (spelled) => {
    const spec = `${store}:${spelled}`
    expect(() => zarrPlace(spec)).toThrow(FileError)
    expect(() => zarrPlace(spec)).toThrow(`${spec}: ${JSON.stringify(spelled)} has "`)
    expect(() => zarrPlace(spec)).toThrow('such as group/array.')
  })

  it('is not what describes a node', () => {
    expect(() => zarrPlace(`${store}:a/zarr.json`)).toThrow('zarr.json describes an array or a group, and is none.')
  })
})

it.each(['s3://bucket/../other/x.zarr', 's3://../x.zarr', 's3://bucket/a/./x.zarr:a', 's3://bucket/..'])(
  'no key of a bucket leads out of it: %s',
  (spec) => expect(() => zarrPlace(spec)).toThrow('where a name belongs'),
)

it('names are sent as they are, with what addresses have a meaning for written out', async () => {
  const asked: string[] = []
  const web = await served((request, response) => {
    asked.push(request.url!)
    sendObject(undefined, request, response)
  })
  await expect(elementsOf(`${web}/x.zarr:%2e%2e/a%2fb?#`)).rejects.toThrow('there is no array')
  expect(asked[0]).toBe('/x.zarr/%252e%252e/a%252fb%3F%23/zarr.json')
  const { address, asked: requests } = await bucketServer()
  const store = new S3Store('x', 's3://bucket/%2e%2e/x.zarr', { AWS_ENDPOINT_URL: address })
  await store.get('%2e%2e/a')
  expect(requests[0]!.line).toBe('GET /bucket/%252e%252e/x.zarr/%252e%252e/a')
})

it('a folder has no object outside, whoever asks', async () => {
  mkdirSync(at('inner.zarr'))
  writeFileSync(at('secret'), 'x')
  const store = new FolderStore('inner', at('inner.zarr'))
  await expect(store.get('../secret').then()).rejects.toThrow('where a name belongs')
  await expect(store.set('a/../../secret', Uint8Array.of(1))).rejects.toThrow('where a name belongs')
})

describe('bcast', () => {
  const all = (): string[] => readdirSync(at(''), { recursive: true, encoding: 'utf8' }).toSorted()

  it.each<[string, string[]]>([
    ['s.zarr:../../escaped', []],
    ['s.zarr:b/../c', []],
    ['s.zarr:..', ['--resume']],
    ['s.zarr:../../escaped', ['--plan']],
    ['s.zarr:../../escaped', ['--workers', 'redis://127.0.0.1:1']],
    ['s.zarr:a/../../../escaped', ['--threads', '1']],
    ['s3://bucket/s.zarr:../escaped', []],
    ['s3://bucket/../s.zarr', ['--plan']],
  ])('writes nothing to %s, with %j', async (to, options) => {
    const before = all()
    const { code, stdout, stderr } = await call('eval', 'x + 1', 'x=x.json', '-o', to, ...options)
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`bcast: ${to}: "`),
    })
    expect(all()).toEqual(before)
  })

  it('reads nothing from outside', async () => {
    for (const [store, inside] of [
      ['out', ''],
      ['in.zarr', 'a'],
    ] as const) {
      mkdirSync(at(path.join('here/deeper', store)), { recursive: true })
      await putInto(new FolderStore(store, at(path.join('here/deeper', store))), inside, output)
    }
    expect(await elementsOf(at('here/deeper/in.zarr:a'))).toEqual(positions(6))
    const spec = 'in.zarr:a/../../out'
    const problem = `bcast: ${spec}: "a/../../out" has ".." where a name belongs.`
    for (const words of [
      ['zarr', 'info', spec],
      ['diff', spec, 'x.json'],
      ['eval', 'x', `x=${spec}`],
      ['eval', 'x', `x=${spec}`, '-o', 'y.zarr'],
    ]) {
      const { code, stderr } = await call(...words)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) })
    }
    expect(existsSync(at('here/deeper/y.zarr'))).toBe(false)
  })
})
