// `bcast zarr info` as people type it, and Zarr arrays as operands of the other commands that read.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archive } from '../../../../testing/files/archive.ts'
import type { ZarrOutput } from '../../src/zarr/output.ts'
import { FolderStore } from '../../src/zarr/store/folder.ts'
import { called } from '../support/called.ts'
import { writeExampleFiles } from '../support/example-files.ts'
import { workplace } from '../support/program.ts'
import { objectsOf, putInto, served } from '../zarr/support.ts'

const place = workplace()
const at = (name: string): string => path.join(place.folder, name)
const run = (...words: string[]) => called(words, { cwd: place.folder })

const shards: ZarrOutput = {
  ...{
    dtype: 'int32',
    shape: [6, 6],
    chunks: [2, 2],
    shards: [4, 4],
    codec: { name: 'gzip' },
    checksum: true,
    fill: -1,
  },
}
const GROUP = JSON.stringify({ zarr_format: 3, node_type: 'group' })

beforeAll(async () => {
  await writeExampleFiles(place.folder)
  mkdirSync(at('g.zarr'))
  const store = new FolderStore('g.zarr', at('g.zarr'))
  await putInto(store, 'deep/shards', shards)
  await store.delete('deep/shards/c/1/0')
  await putInto(store, 'plain', { dtype: 'uint8', shape: [3, 2], chunks: [3, 2], codec: { name: 'none' }, fill: 0 })
  const odd = { ...JSON.parse(readFileSync(at('g.zarr/plain/zarr.json'), 'utf8')), data_type: 'complex64' }
  await store.set('odd/zarr.json', Buffer.from(JSON.stringify(odd)))
  await store.set('zarr.json', Buffer.from(GROUP))
  await store.set('deep/zarr.json', Buffer.from(GROUP))
})
afterAll(place.remove)

describe('bcast zarr info', () => {
  it('tells what an array is, with what is missing of it', async () => {
    const { code, stdout, stderr } = await run('zarr', 'info', 'g.zarr:deep/shards')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.replace(/stored {2}\d+ B/, 'stored  N B')).toBe(`g.zarr:deep/shards: an array of Zarr 3
  shape   (6,6)
  type    int32
  chunks  (2,2)
  shards  (4,4)
  codecs  gzip 5, crc32c
  fill    -1
  stored  N B of 144 B, 3 of 4 shards, 1 missing, which are the fill value
`)
  })

  it('tells the same to programs', async () => {
    const { code, stdout } = await run('zarr', 'info', 'g.zarr:deep/shards', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      place: 'g.zarr:deep/shards',
      ...{ kind: 'array', version: 3, dtype: 'int32', shape: [6, 6], chunks: [2, 2], shards: [4, 4], fill: -1 },
      codecs: { littleEndian: true, compressors: [{ name: 'gzip', level: 5 }, { name: 'crc32c' }] },
      ...{ rawBytes: 144, objects: 4, stored: { objects: 3 } },
    })
  })

  it('lists the arrays of a group, also those that cannot be read', async () => {
    const { code, stdout } = await run('zarr', 'info', 'g.zarr')
    expect(code).toBe(0)
    const lines = stdout.split('\n')
    expect(lines[0]).toBe('g.zarr: a group of Zarr 3 with 3 arrays')
    expect(lines[1]).toMatch(
      /^ {2}deep\/shards {2}int32 {2}\(6,6\) {2}chunks \(2,2\) {2}shards \(4,4\) {2}gzip 5, crc32c {2}\d+ B of 144 B$/,
    )
    expect(lines[2]).toMatch(/^ {2}plain {8}uint8 {2}\(3,2\) {2}chunks \(3,2\) {16}none {12}6 B of 6 B$/)
    expect(lines[3]).toContain('odd: g.zarr: odd/zarr.json: data type "complex64" is not supported')
    expect((await run('zarr', 'info', 'g.zarr:deep')).stdout).toContain('\n  shards  int32')
  })

  it('reads an archive, and a web server as far as that says something', async () => {
    const objects = await objectsOf(shards)
    writeFileSync(at('packed.zarr.zip'), archive(objects.map(([name, data]) => ({ name, data, deflate: true }))))
    expect((await run('zarr', 'info', 'packed.zarr.zip')).stdout).toContain('4 of 4 shards\n')
    const metadata = JSON.parse(Buffer.from(objects[0]![1]).toString())
    const consolidated = { zarr_format: 3, node_type: 'group', consolidated_metadata: { metadata: { a: metadata } } }
    const address = await served((request, response) => {
      if (request.url === '/all.zarr/zarr.json') response.end(JSON.stringify(consolidated))
      else if (request.url === '/mute.zarr/zarr.json') response.end(GROUP)
      else if (request.url === '/all.zarr/a/zarr.json') response.end(JSON.stringify(metadata))
      else response.writeHead(404).end()
    })
    expect((await run('zarr', 'info', `${address}/all.zarr`)).stdout).toContain('\n  a  int32  (6,6)')
    expect((await run('zarr', 'info', `${address}/all.zarr:a`)).stdout).toContain(
      'unknown, of 144 B, 4 shards; a web server does not say which are stored',
    )
    const mute = await run('zarr', 'info', `${address}/mute.zarr`)
    expect(mute).toMatchObject({ code: 2, stdout: '' })
    expect(mute.stderr).toContain('has no consolidated metadata. Name an array behind a colon.')
  })

  it.each([
    [['zarr', 'info', 'nowhere.zarr'], 'bcast: nowhere.zarr: there is no such Zarr store.'],
    [['zarr', 'info', 'g.zarr:nothing'], 'bcast: g.zarr:nothing: there is nothing at nothing'],
    [['zarr', 'info', '.'], 'bcast: .: it is no Zarr store'],
    [
      ['zarr', 'info', 'x.npy'],
      'bcast: x.npy: it is a file, and no zip archive. A Zarr store is a folder or an archive',
    ],
    [['eval', 'x', 'x=x.npy:zarr'], 'bcast: x.npy:zarr: it is a file, and no zip archive. A Zarr store is a folder'],
    [['zarr', 'inof', 'x.zarr'], 'bcast: "inof" is nothing that bcast zarr does. Did you mean info?'],
    [['zarr'], "bcast: missing required argument 'action'"],
    [['diff', 'g.zarr', 'x.npy'], 'bcast: g.zarr: it is a group of arrays. Name one of its arrays behind a colon'],
  ])('%s', async (words, problem) => {
    const { code, stdout, stderr } = await run(...words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(problem)
  })
})

describe('arrays in chunks as operands', () => {
  it('are compared with those of any other format', async () => {
    expect(await run('diff', 'x.zarr', 'x.npy')).toMatchObject({ code: 0 })
    const { code, stdout } = await run('diff', 'stats.zarr:mean', 's.npy')
    expect(code).toBe(1)
    expect(stdout).toContain('A  stats.zarr:mean  float32 (3)')
  })

  it('are inputs of models and of expressions', async () => {
    const chunked = await run('eval', 'x * 2 + m', 'x=x.zarr', 'm=stats.zarr:mean', '-o', 'y.npy')
    expect(chunked).toMatchObject({ code: 0 })
    expect(await run('eval', 'x * 2 + m', 'x=x.npy', 'm=m.npy', '-o', 'z.npy')).toMatchObject({ code: 0 })
    expect(await run('diff', 'y.npy', 'z.npy')).toMatchObject({ code: 0 })
    expect(await run('run', 'model.onnx', 'x=image.npy', '-o', 'y.npy')).toMatchObject({ code: 0 })
    expect(await run('run', 'model.onnx', 'x=image.zarr', '-o', 'z.npy')).toMatchObject({ code: 0 })
    expect(await run('diff', 'y.npy', 'z.npy')).toMatchObject({ code: 0 })
  })
})
