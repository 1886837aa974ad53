// A result in a bucket: nothing can be renamed there, so the old array goes first, a mark says whose chunks come, and
// the metadata, without which there is no array, come last.
import { Slots } from '../files/blocks/slots.ts'
import { metadataText } from '../zarr/metadata/json.ts'
import type { ZarrPlace } from '../zarr/place.ts'
import { openWritableStore } from '../zarr/store/open-store.ts'
import type { WritableStore } from '../zarr/store/store.ts'
import type { Publication } from './publication.ts'
import { GROUP, groupsAbove, nodeKind, refuseToReplace } from './replaced-node.ts'

/** Objects that are removed at a time. */
const AT_ONCE = 16

/** Holds the hash of the plan whose chunks these are. */
const MARK = '.bcast-tasks'

const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString()

export function publishInBucket(place: ZarrPlace, hash: string): Publication {
  const { label, store: address, path: inside } = place
  const prefix = inside === '' ? '' : `${inside}/`
  const groups = groupsAbove(inside).map((group) => (group === '' ? '' : `${group}/`))
  const kindOf = (store: WritableStore, node: string) => nodeKind((key) => store.get(`${node}${key}`))

  async function withStore<T>(use: (store: WritableStore) => Promise<T>): Promise<T> {
    const store = await openWritableStore(place)
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }

  /** Whether nothing is there, or what an evaluation left. */
  async function isFree(store: WritableStore): Promise<boolean> {
    if (await store.has(`${prefix}${MARK}`)) return true
    for await (const _ of store.list(prefix)) return false
    return true
  }

  async function clear(store: WritableStore): Promise<void> {
    // Whoever looks now finds no array; and then, step by step, nothing.
    await store.delete(`${prefix}zarr.json`)
    await store.delete(`${prefix}.zarray`)
    const keys: string[] = []
    for await (const { key } of store.list(prefix)) keys.push(key)
    const slots = new Slots(AT_ONCE)
    try {
      for (const key of keys) await slots.run(() => store.delete(key))
    } finally {
      await slots.end()
    }
  }

  return {
    staging: { store: address, prefix },
    begin: (resume) =>
      withStore(async (store) => {
        const keys = new Set<string>()
        if (resume && textOf(await store.get(`${prefix}${MARK}`)) === hash) {
          for await (const { key } of store.list(prefix)) keys.add(key.slice(prefix.length))
          keys.delete(MARK)
          return keys
        }
        for (const group of groups) refuseToReplace(label, 'above', await kindOf(store, group))
        const kind = await kindOf(store, prefix)
        if (kind !== 'none' || !(await isFree(store))) refuseToReplace(label, 'replaced', kind)
        await clear(store)
        await store.set(`${prefix}${MARK}`, Buffer.from(hash))
        return keys
      }),
    finish: (metadata) =>
      withStore(async (store) => {
        for (const group of groups) {
          if ((await kindOf(store, group)) === 'none')
            await store.set(`${group}zarr.json`, Buffer.from(JSON.stringify(GROUP)))
        }
        await store.set(`${prefix}zarr.json`, Buffer.from(metadataText(metadata)))
        await store.delete(`${prefix}${MARK}`)
      }),
    abort: () => withStore(clear),
  }
}
