// What lies at a path of a store: an array or a group, of version 3 or 2.
import { FileError } from '../../errors/file-error.ts'
import type { Store } from '../store/store.ts'
import type { ArrayMetadata } from './array-metadata.ts'
import { parseMetadata } from './json.ts'
import { Described } from './metadata-error.ts'
import { arrayV2 } from './v2.ts'
import { arrayV3 } from './v3.ts'

export type Node =
  | { readonly kind: 'array'; readonly file: Described; readonly metadata: ArrayMetadata }
  | { readonly kind: 'group'; readonly file: Described; readonly version: 2 | 3 }

/** Metadata are texts of some kilobytes; with those of all arrays of a group in one, of some megabytes. */
const MOST_METADATA = 2 ** 26

/** The key of an object of the node at `path`. */
export const keyAt = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`)

export function described(label: string, key: string, bytes: Uint8Array): Described {
  let value: unknown
  try {
    value = parseMetadata(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new FileError(label, `${key} is no JSON text: ${(error as Error).message}.`)
  }
  return new Described(label, key, value)
}

async function read(store: Store, path: string, name: string, format: 2 | 3): Promise<Described | undefined> {
  const key = keyAt(path, name)
  const bytes = await store.get(key, MOST_METADATA)
  if (bytes === undefined) return undefined
  const file = described(store.label, key, bytes)
  if (file.fields['zarr_format'] !== format) throw file.wrong('zarr_format', `${format}`)
  return file
}

/** A node of version 3, from its zarr.json. */
export function nodeV3(file: Described): Node {
  const kind = file.word('node_type', file.fields['node_type'], ['array', 'group'])
  return kind === 'group' ? { kind, file, version: 3 } : { kind, file, metadata: arrayV3(file) }
}

/** The node at a path; undefined where there is none. */
export async function readNode(store: Store, path: string): Promise<Node | undefined> {
  const newer = await read(store, path, 'zarr.json', 3)
  if (newer !== undefined) return nodeV3(newer)
  const array = await read(store, path, '.zarray', 2)
  if (array !== undefined) return { kind: 'array', file: array, metadata: arrayV2(array) }
  const group = await read(store, path, '.zgroup', 2)
  return group === undefined ? undefined : { kind: 'group', file: group, version: 2 }
}
