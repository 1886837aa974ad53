// What the user wrote for a Zarr array: a store, and behind a colon the path of the array in it.
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'

export interface ZarrPlace {
  /** As the user wrote it, for messages. */
  readonly label: string
  /** A folder or an archive, or `s3://` or `http(s)://` and where the store begins there. */
  readonly store: string
  /** Of the group or array in the store; empty for its root. */
  readonly path: string
}

/** `x.zarr`, `x.zarr.zip`, or any other name with `:zarr` behind it; the rest is a path. */
const NAMED = /^(.+?(?:\.zarr(?:\.zip)?(?=\/*(?::|$))|(?=:zarr(?::|$))))\/*(?::zarr)?(?::(.*))?$/is

const METADATA = ['zarr.json', '.zarray', '.zgroup']

const isZarrFolder = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
  METADATA.some((name) => existsSync(path.join(folder, name)))

export const isRemote = (store: string): boolean => /^(?:s3|https?):\/\//i.test(store)

/** Slashes at either end are no part of a path. */
const trimmed = (text: string): string => text.replace(/^\/+|\/+$/g, '')

/** The place in any other folder that holds a store; undefined where none of them does. */
function inFolder(spec: string): Omit<ZarrPlace, 'label'> | undefined {
  if (isZarrFolder(spec)) return { store: spec, path: '' }
  for (let colon = spec.indexOf(':'); colon > 0; colon = spec.indexOf(':', colon + 1)) {
    const store = spec.slice(0, colon)
    if (isZarrFolder(store)) return { store, path: trimmed(spec.slice(colon + 1)) }
  }
  return undefined
}

/**
 * `x.zarr`, `x.zarr:group/array`, `x.zarr.zip`, `s3://bucket/x.zarr:array`, `https://host/x.zarr:array`; a folder that
 * holds a store, and any name with `:zarr` behind it; undefined for everything else.
 */
export function zarrPlace(spec: string): ZarrPlace | undefined {
  const named = NAMED.exec(spec)
  if (named !== null) return { label: spec, store: named[1]!, path: trimmed(named[2] ?? '') }
  if (isRemote(spec)) return { label: spec, store: spec.replace(/\/+$/, ''), path: '' }
  const found = inFolder(spec)
  return found === undefined ? undefined : { label: spec, ...found }
}
