// The arrays of a group: found by listing the store, or in the metadata that a group may hold for all below it, which is
// the only way where a store cannot say what it holds.
import { FileError } from '../../errors/file-error.ts'
import { isStaged } from '../staging.ts'
import type { Store } from '../store/store.ts'
import { isFields } from './json.ts'
import { Described } from './metadata-error.ts'
import { described, keyAt, type Node, readNode } from './node.ts'
import { arrayV2 } from './v2.ts'
import { arrayV3 } from './v3.ts'

/** An array below a group, or why it cannot be read. */
export interface Member {
  readonly path: string
  readonly array: Extract<Node, { kind: 'array' }> | FileError
}

const unread = async (path: string, read: () => Promise<Node | undefined>): Promise<Member | undefined> => {
  try {
    const node = await read()
    return node?.kind === 'array' ? { path, array: node } : undefined
  } catch (error) {
    if (error instanceof FileError) return { path, array: error }
    throw error
  }
}

async function listedPaths(store: Store, path: string): Promise<string[]> {
  const found = new Set<string>()
  for await (const { key } of store.list(path === '' ? '' : `${path}/`)) {
    const place = /^(?:(.*)\/)?(?:zarr\.json|\.zarray)$/s.exec(key)
    if (place !== null && (place[1] ?? '') !== path && !isStaged(place[1]!)) found.add(place[1]!)
  }
  return [...found].toSorted()
}

/** What a group says of everything below it; undefined where it says nothing. */
async function consolidated(
  store: Store,
  path: string,
  group: Described,
  version: 2 | 3,
): Promise<Member[] | undefined> {
  const key = keyAt(path, version === 3 ? 'zarr.json' : '.zmetadata')
  let holder: unknown = group.fields['consolidated_metadata']
  if (version === 2) {
    const bytes = await store.get(key)
    holder = bytes === undefined ? undefined : described(store.label, key, bytes).fields
  }
  if (!isFields(holder) || !isFields(holder['metadata'])) return undefined
  const members = Object.entries(holder['metadata']).map(([name, value]) => {
    const place = version === 3 ? name : name.replace(/\/?\.zarray$/, '')
    const isArray = version === 3 ? isFields(value) && value['node_type'] === 'array' : name.endsWith('.zarray')
    if (!isArray || place === '') return undefined
    return unread(keyAt(path, place), async () => {
      const file = new Described(store.label, `${key} (${name})`, value)
      return { kind: 'array', file, metadata: version === 3 ? arrayV3(file) : arrayV2(file) }
    })
  })
  return (await Promise.all(members)).filter((member) => member !== undefined)
}

/** Every array below a group, at any depth. */
export async function membersOf(
  store: Store,
  path: string,
  group: Extract<Node, { kind: 'group' }>,
): Promise<Member[]> {
  if (store.lists) {
    const members: Member[] = []
    for (const place of await listedPaths(store, path)) {
      const member = await unread(place, () => readNode(store, place))
      if (member !== undefined) members.push(member)
    }
    return members
  }
  const members = await consolidated(store, path, group.file, group.version)
  if (members !== undefined) return members
  throw new FileError(
    store.label,
    'its server does not say what it holds, and the group has no consolidated metadata.',
    'Name an array behind a colon.',
  )
}
