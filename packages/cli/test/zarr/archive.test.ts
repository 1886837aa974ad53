// Stores in zip archives, with members stored or deflated, sound or not.
import { describe, expect, it } from 'vitest'
import { archive } from '../../../../testing/files/archive.ts'
import type { ZarrOutput } from '../../src/zarr/output.ts'
import { zarrPlace } from '../../src/zarr/place.ts'
import { openStore } from '../../src/zarr/store/open-store.ts'
import { put, temporaryFolder } from '../files/made.ts'
import { elementsOf, objectsOf, positions } from './support.ts'

const at = temporaryFolder()
const output: ZarrOutput = {
  ...{ dtype: 'float32', shape: [5, 6], chunks: [2, 3], shards: [4, 6], codec: { name: 'none' }, fill: 0 },
}
const members = (await objectsOf(output)).map(([name, data]) => ({ name, data }))

describe('a store in an archive', () => {
  it.each([
    ['stored', false],
    ['deflated', true],
  ])('is read where members are %s', async (name, deflate) => {
    const folder = { name: 'c/', data: new Uint8Array() }
    const bytes = archive([folder, ...members.map((member) => ({ ...member, deflate }))])
    expect(await elementsOf(put(at(`${name}.zarr.zip`), bytes))).toEqual(positions(30))
    expect(await elementsOf(`${put(at(`${name}.zip`), bytes)}:zarr`)).toEqual(positions(30))
    const inside = archive(members.map((member) => ({ ...member, name: `group/a/${member.name}`, deflate })))
    expect(await elementsOf(`${put(at(`${name}-group.zarr.zip`), inside)}:group/a`)).toEqual(positions(30))
  })

  it('has of two members of a name the last, as those do that were written to twice', async () => {
    const other = { name: 'zarr.json', data: Buffer.from('{}') }
    expect(await elementsOf(put(at('twice.zarr.zip'), archive([other, ...members])))).toEqual(positions(30))
  })

  it('gives ranges, and says what it holds', async () => {
    for (const deflate of [false, true]) {
      const file = put(at('x.zarr.zip'), archive(members.map((member) => ({ ...member, deflate }))))
      const store = await openStore(zarrPlace(file)!)
      const data = new Uint8Array(members[1]!.data)
      expect(new Uint8Array((await store.getRange('c/0/0', { suffix: 7 }))!)).toEqual(data.subarray(-7))
      expect(new Uint8Array((await store.getRange('c/0/0', { offset: 3, length: 2 ** 40 }))!)).toEqual(data.subarray(3))
      expect(await store.getRange('c/9', { suffix: 7 })).toBeUndefined()
      const keys: string[] = []
      for await (const { key } of store.list('c/')) keys.push(key)
      expect(keys).toEqual(['c/0/0', 'c/1/0'])
      await expect(store.get('c/0/0', 10)).rejects.toThrow('where at most 10 can be right')
      await store.close()
    }
  })

  it.each([
    ['wrong checksum', [{ ...members[0]!, checksum: 1 }], 'the checksum of the member differs'],
    ['another size', [{ ...members[0]!, deflate: true, size: 5 }], 'cannot be inflated'],
    ['a method', [{ ...members[0]!, method: 12 }], 'compressed by method 12'],
    ['nothing', [], 'the archive is empty'],
  ])('fails with a reason: %s', async (_name, damaged, reason) => {
    await expect(elementsOf(put(at('damaged.zarr.zip'), archive(damaged)))).rejects.toThrow(reason)
    await expect(elementsOf(put(at('cut.zarr.zip'), archive(members).subarray(50)))).rejects.toThrow('no sound archive')
  })
})
