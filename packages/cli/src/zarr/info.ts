// What there is to know about an array or a group without reading elements: `bcast zarr info`.
import { FileError } from '../errors/file-error.ts'
import { bytesPerElement, countOf, type StoredDType } from '../files/element.ts'
import type { ArrayMetadata, ChunkCodecs } from './metadata/array-metadata.ts'
import { membersOf } from './metadata/group.ts'
import { keyAt, type Node, readNode } from './metadata/node.ts'
import type { ZarrPlace } from './place.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'

/** How much of an array is stored. */
export interface StoredInfo {
  /** Objects of the grid that are there. */
  readonly objects: number
  readonly bytes: number
}

export interface ArrayInfo {
  readonly kind: 'array'
  /** In the store; empty for its root. */
  readonly path: string
  readonly version: 2 | 3
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  /** What is decoded at once. */
  readonly chunks: readonly number[]
  /** What is stored as one object, where that holds many chunks. */
  readonly shards: readonly number[] | undefined
  readonly codecs: ChunkCodecs
  /** As the metadata spell it. */
  readonly fill: unknown
  readonly rawBytes: number
  /** Objects of the whole grid: chunks, or shards. */
  readonly objects: number
  /** Undefined where the store cannot say what it holds. */
  readonly stored: StoredInfo | undefined
}

export interface UnreadInfo {
  readonly kind: 'unread'
  readonly path: string
  readonly problem: string
}

export interface GroupInfo {
  readonly kind: 'group'
  readonly path: string
  readonly version: 2 | 3
  readonly arrays: readonly (ArrayInfo | UnreadInfo)[]
}

const gridOf = ({ shape, chunks }: ArrayMetadata): number[] =>
  shape.map((size, axis) => Math.ceil(size / chunks[axis]!))

/** Whether a key below an array is that of an object of its grid. */
function isOfGrid({ keys, shape }: ArrayMetadata, grid: readonly number[], key: string): boolean {
  const words = key.split(keys.separator)
  if (keys.name === 'default' && words.shift() !== 'c') return false
  const index = keys.name === 'v2' && shape.length === 0 && key === '0' ? [] : words
  return (
    index.length === grid.length &&
    index.every((word, axis) => /^(0|[1-9]\d*)$/.test(word) && Number(word) < grid[axis]!)
  )
}

async function storedOf(store: Store, path: string, metadata: ArrayMetadata): Promise<StoredInfo | undefined> {
  if (!store.lists) return undefined
  const grid = gridOf(metadata)
  const prefix = keyAt(path, '')
  let [objects, bytes] = [0, 0]
  for await (const object of store.list(prefix)) {
    if (!isOfGrid(metadata, grid, object.key.slice(prefix.length))) continue
    objects++
    bytes += object.bytes
  }
  return { objects, bytes }
}

async function arrayInfo(
  store: Store,
  path: string,
  { file, metadata }: Extract<Node, { kind: 'array' }>,
): Promise<ArrayInfo> {
  const { version, dtype, shape, chunks, codecs, sharding } = metadata
  return {
    ...{ kind: 'array', path, version, dtype, shape, codecs },
    chunks: sharding?.inner ?? chunks,
    shards: sharding === undefined ? undefined : chunks,
    fill: file.fields['fill_value'],
    rawBytes: countOf(shape) * bytesPerElement(dtype),
    objects: countOf(gridOf(metadata)),
    stored: await storedOf(store, path, metadata),
  }
}

async function nodeInfo(store: Store, { label, path }: ZarrPlace): Promise<ArrayInfo | GroupInfo> {
  const node = await readNode(store, path)
  if (node === undefined) {
    const what = path === '' ? 'it is no Zarr store' : `there is nothing at ${path}`
    throw new FileError(label, `${what}: none of zarr.json, .zarray and .zgroup is there.`)
  }
  if (node.kind === 'array') return arrayInfo(store, path, node)
  const arrays: (ArrayInfo | UnreadInfo)[] = []
  for (const { path: place, array } of await membersOf(store, path, node)) {
    if (array instanceof FileError) arrays.push({ kind: 'unread', path: place, problem: array.message })
    else arrays.push(await arrayInfo(store, place, array))
  }
  return { kind: 'group', path, version: node.version, arrays }
}

export async function infoOf(place: ZarrPlace): Promise<ArrayInfo | GroupInfo> {
  const store = await openStore(place)
  try {
    return await nodeInfo(store, place)
  } finally {
    await store.close()
  }
}
