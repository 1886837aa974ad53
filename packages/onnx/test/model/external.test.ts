import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { ExternalDataError, type ExternalFiles, memoryFiles, tensorOf, writeModel } from '../../src/index.ts'
import { Sha1 } from '../../src/model/sha1.ts'
import { folderFiles, readModelFile } from '../../src/node.ts'
import {
  TensorProto_DataLocation as DataLocation,
  ModelProtoSchema,
  type TensorProto,
  TensorProtoSchema,
} from '../../src/proto/onnx_pb.ts'
import { thrown } from '../support/thrown.ts'

const data = Uint8Array.from({ length: 100 }, (_, i) => i)

/** Four uint8 elements somewhere else. */
const external = (entries: Record<string, string>): TensorProto =>
  create(TensorProtoSchema, {
    name: 'w',
    dims: [4n],
    dataType: 2,
    dataLocation: DataLocation.EXTERNAL,
    externalData: Object.entries(entries).map(([key, value]) => ({ key, value })),
  })

const read = (entries: Record<string, string>, files: ExternalFiles = memoryFiles({ 'a/w.bin': data })): unknown =>
  tensorOf(external(entries), { files }).toArray()

const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

describe('external data', () => {
  it('is read from offset and length, or from the whole file', () => {
    expect(read({ location: 'a/w.bin', offset: '8', length: '4' })).toEqual([8, 9, 10, 11])
    expect(read({ location: 'a/w.bin', offset: '96' })).toEqual([96, 97, 98, 99])
    expect(read({ location: './a//w.bin', offset: '0', length: '4', checksum: sha1(data) })).toEqual([0, 1, 2, 3])
  })

  it('is shared where it is in memory', () => {
    const tensor = tensorOf(external({ location: 'w', length: '4' }), { files: memoryFiles({ w: data }) })
    expect((tensor.data as Uint8Array).buffer).toBe(data.buffer)
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['a path that climbs', { location: '../w.bin' }, /leaves the model's folder/],
    ['a path that climbs inside', { location: 'a/../../w.bin' }, /leaves the model's folder/],
    ['an absolute path', { location: '/etc/passwd' }, /is absolute/],
    ['a drive', { location: 'C:w.bin' }, /is absolute/],
    ['a backslash', { location: '..\\w.bin' }, /backslash/],
    ['a zero byte', { location: 'a/w.bin\0.txt' }, /zero byte/],
    ['no location', { offset: '0' }, /names no file/],
    ['the folder itself', { location: '.' }, /names no file/],
    ['a file that is not there', { location: 'b.bin' }, /no such file/],
    ['a name that objects have', { location: 'constructor' }, /no such file/],
    [
      'a length that the shape does not need',
      { location: 'a/w.bin', length: '5' },
      /needs 4 bytes and 5 are set aside/,
    ],
    ['a length in terabytes', { location: 'a/w.bin', length: '4398046511104' }, /4398046511104 are set aside/],
    ['a range beyond the file', { location: 'a/w.bin', offset: '98', length: '4' }, /bytes 98 to 102 are wanted/],
    ['an offset beyond the file', { location: 'a/w.bin', offset: '200' }, /0 are set aside/],
    ['a negative offset', { location: 'a/w.bin', offset: '-4' }, /no number of bytes/],
    ['an offset beyond 2^53', { location: 'a/w.bin', offset: '99999999999999999999' }, /no number of bytes/],
    ['a wrong checksum', { location: 'a/w.bin', length: '4', checksum: 'ab' }, /the model expects ab/],
  ])('refuses %s', (_, entries, message) => {
    const error = thrown(() => read(entries))
    expect(error).toBeInstanceOf(ExternalDataError)
    expect(error).toMatchObject({ code: 'ONNX_EXTERNAL_DATA', location: entries['location'] ?? '' })
    expect((error as Error).message).toMatch(message)
  })

  it('needs files, and excludes other data', () => {
    expect(thrown(() => tensorOf(external({ location: 'w' })))).toBeInstanceOf(ExternalDataError)
    const both = external({ location: 'w' })
    both.rawData = new Uint8Array(4)
    expect(() => tensorOf(both)).toThrow(/raw_data, but it has external data too/)
    both.rawData = new Uint8Array()
    both.int32Data = [1, 2, 3, 4]
    expect(() => tensorOf(both)).toThrow(/int32_data, but it has external data too/)
  })
})

describe('SHA-1', () => {
  it('is what Node computes, however the bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, cut) => {
        const hash = new Sha1()
        hash.update(bytes.subarray(0, cut))
        hash.update(bytes.subarray(cut))
        expect(hash.digest()).toBe(sha1(bytes))
      }),
      { numRuns: 400 },
    )
  })
})

describe('a folder', () => {
  let folder = ''
  beforeAll(() => {
    const root = mkdtempSync(path.join(tmpdir(), 'onnx-'))
    folder = path.join(root, 'model')
    mkdirSync(path.join(folder, 'sub'), { recursive: true })
    writeFileSync(path.join(folder, 'sub/w.bin'), data)
    writeFileSync(path.join(root, 'secret.bin'), data)
    symlinkSync('../secret.bin', path.join(folder, 'link.bin'))
    symlinkSync('sub/w.bin', path.join(folder, 'inside.bin'))
    symlinkSync('..', path.join(folder, 'up'))
    writeFileSync(path.join(folder, '..data'), data)
    const graph = { initializer: [external({ location: 'sub/w.bin', offset: '4', length: '4', checksum: sha1(data) })] }
    writeFileSync(
      path.join(folder, 'm.onnx'),
      writeModel({ proto: create(ModelProtoSchema, { irVersion: 8n, graph }) }),
    )
  })
  afterAll(() => rmSync(path.dirname(folder), { recursive: true }))

  it('gives a model its tensors', () => {
    const { model, files } = readModelFile(path.join(folder, 'm.onnx'))
    expect(tensorOf(model.proto.graph!.initializer[0]!, { files }).toArray()).toEqual([4, 5, 6, 7])
  })

  it('does not wait for a pipe', needs('unix', process.platform !== 'win32'), () => {
    execFileSync('mkfifo', [path.join(folder, 'pipe')])
    expect(() => read({ location: 'pipe', length: '4' }, folderFiles(folder))).toThrow(/is not a file/)
  })

  it('is not left through a link, and a folder is no file', () => {
    const at = (location: string) => read({ location, length: '4' }, folderFiles(folder))
    expect(at('inside.bin')).toEqual([0, 1, 2, 3])
    expect(() => at('link.bin')).toThrow(/leads out of the model's folder/)
    expect(() => at('up/secret.bin')).toThrow(/leads out of the model's folder/)
    expect(() => at('sub')).toThrow(/is not a file/)
    expect(() => at('absent.bin')).toThrow(/no such file/)
    expect(at('..data')).toEqual([0, 1, 2, 3])
  })
})
