// Stores in folders: objects appear whole, and the commands read the arrays in them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileError } from '../../src/errors/file-error.ts'
import { readBlock } from '../../src/files/blocks/block.ts'
import { newElements } from '../../src/files/element.ts'
import { openSource } from '../../src/files/open.ts'
import { metadataText } from '../../src/zarr/metadata/json.ts'
import { encodeObject, keyOf, metadataOf, type ZarrOutput } from '../../src/zarr/output.ts'
import { zarrPlace } from '../../src/zarr/place.ts'
import { openStore, openWritableStore } from '../../src/zarr/store/open-store.ts'
import type { WritableStore } from '../../src/zarr/store/store.ts'
import { temporaryFolder } from '../files/made.ts'

const at = temporaryFolder()

const output: ZarrOutput = { dtype: 'float32', shape: [3, 4], chunks: [2, 2], codec: { name: 'none' }, fill: 'NaN' }

/** A store that somebody has begun. */
async function begun(name: string): Promise<WritableStore> {
  const place = zarrPlace(at(name))!
  mkdirSync(place.store, { recursive: true })
  return await openWritableStore(place)
}

/** Writes chunk (0,1) of an array, whose elements are 0 to 3. */
async function written(name: string): Promise<string> {
  const store = await begun(name)
  const key = (inside: string): string => (zarrPlace(at(name))!.path === '' ? inside : `a/${inside}`)
  await store.set(key(keyOf(output, [0, 1])), await encodeObject(output, [0, 1], Float32Array.of(0, 1, 2, 3)))
  await store.set(key('zarr.json'), Buffer.from(metadataText(metadataOf(output))))
  return at(name)
}

async function elementsOf(spec: string): Promise<unknown[]> {
  const source = await openSource(spec)
  const target = newElements(source.dtype, 12)
  await readBlock(source, [0, 0], [3, 4], target)
  await source.close()
  return [...target]
}

const NONE = Number.NaN
const EXPECTED = [NONE, NONE, 0, 1, NONE, NONE, 2, 3, NONE, NONE, NONE, NONE]

describe('a store in a folder', () => {
  it.each(['x.zarr', 'y.zarr:a', 'plain:zarr', 'plain2:zarr:a'])('is written and read as %s', async (name) => {
    expect(await elementsOf(await written(name))).toEqual(EXPECTED)
  })

  it('needs no name where its folder holds metadata, and may be named with a slash', async () => {
    await written('any:zarr')
    expect(await elementsOf(at('any'))).toEqual(EXPECTED)
    expect(await elementsOf(`${at('any')}/`)).toEqual(EXPECTED)
    await written('group.zarr:a')
    expect(await elementsOf(at('group.zarr/a'))).toEqual(EXPECTED)
    expect(await elementsOf(`${at('group.zarr')}/:/a/`)).toEqual(EXPECTED)
  })

  it('gets the bytes of a view and no others, of shared memory too, and nothing else lies there', async () => {
    const store = await begun('views.zarr')
    const shared = new Uint8Array(new SharedArrayBuffer(16)).map((_, i) => i)
    await Promise.all(['c/0', 'c/1', 'c/1'].map((key, i) => store.set(key, shared.subarray(4 * i, 4 * i + 4))))
    expect([...readFileSync(at('views.zarr/c/0'))]).toEqual([0, 1, 2, 3])
    expect(readFileSync(at('views.zarr/c/1')).length).toBe(4)
    expect(readdirSync(at('views.zarr/c')).toSorted()).toEqual(['0', '1'])
    await store.delete('c/1')
    await store.delete('c/1')
    expect([await store.has('c/0'), await store.has('c/1'), await store.has('c')]).toEqual([true, false, false])
  })

  it('is written after it was begun anew, and not brought back when it is gone', async () => {
    const store = await begun('anew.zarr')
    await store.set('c/0', Uint8Array.of(1))
    rmSync(at('anew.zarr/c'), { recursive: true })
    await store.set('c/0', Uint8Array.of(2))
    expect([...readFileSync(at('anew.zarr/c/0'))]).toEqual([2])
    rmSync(at('anew.zarr'), { recursive: true })
    await expect(store.set('c/0', Uint8Array.of(3))).rejects.toThrow('anew.zarr: c/0: there is no such file.')
    await expect(store.set('c/1', Uint8Array.of(3))).rejects.toThrow('anew.zarr: c/1: there is no such file.')
    expect(existsSync(at('anew.zarr'))).toBe(false)
  })

  it('says what it holds, without what killed processes left, which the next writer removes where it can tell', async () => {
    const left = '.00000000.1.000000000000.bcast-part'
    mkdirSync(at('listed.zarr/c'), { recursive: true })
    const [old, fresh] = [`.old${left}`, `.new${left}`].map((name) => at(`listed.zarr/c/${name}`)) as [string, string]
    for (const part of [old, fresh]) writeFileSync(part, '')
    utimesSync(old, new Date(0), new Date(0))
    const store = await begun('listed.zarr')
    await store.set('c/0', Uint8Array.of(1, 2))
    await store.set('zarr.json', Uint8Array.of(3))
    const found: string[] = []
    for await (const { key, bytes } of store.list('')) found.push(`${key} ${bytes}`)
    expect(found.toSorted()).toEqual(['c/0 2', 'zarr.json 1'])
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, true])
    const inside: string[] = []
    for await (const { key } of store.list('nothing/')) inside.push(key)
    expect(inside).toEqual([])
  })

  it('gives ranges, cut where the object ends', async () => {
    await written('ranges.zarr')
    const store = await openStore(zarrPlace(at('ranges.zarr'))!)
    const bytes = new Uint8Array((await store.get('c/0/1')) as Uint8Array)
    expect(await store.getRange('c/0/1', { offset: 4, length: 4 })).toEqual(bytes.subarray(4, 8))
    expect(await store.getRange('c/0/1', { offset: 12, length: 2 ** 50 })).toEqual(bytes.subarray(12))
    expect(await store.getRange('c/0/1', { suffix: 2 ** 50 })).toEqual(bytes)
    expect(await store.getRange('c/9', { suffix: 1 })).toBeUndefined()
  })

  it('says in words what is wrong', async () => {
    await expect(openSource(at('nowhere.zarr'))).rejects.toThrow(`${at('nowhere.zarr')}: there is no such Zarr store.`)
    mkdirSync(at('empty.zarr'))
    await expect(openSource(at('empty.zarr'))).rejects.toThrow('it is no Zarr store: neither zarr.json nor .zarray')
    await expect(openSource(`${at('empty.zarr')}:a`)).rejects.toThrow('there is no array at a')
    await expect(openSource(`${at('empty.zarr')}:../x`)).rejects.toThrow(FileError)
    const name = await written('short.zarr')
    writeFileSync(path.join(name, 'c/0/1'), new Uint8Array(15))
    await expect(elementsOf(name)).rejects.toThrow(`${name}: c/0/1: it holds 15 bytes, where 16 belong.`)
  })
})
