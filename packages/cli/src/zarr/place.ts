// What the user wrote for a Zarr array: a store, and behind a colon the path of the array in it.
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { FileError } from '../errors/file-error.ts'
import { namesInside } from './inside.ts'

export interface ZarrPlace {
  /** As the user wrote it, for messages. */
  readonly label: string
  /** A folder or an archive, or `s3://` or `http(s)://` and where the store begins there. */
  readonly store: string
  /** Of the group or array in the store, names with slashes between; empty for its root. */
  readonly path: string
}

/** `x.zarr`, `x.zarr.zip`, or any other name with `:zarr` behind it; the rest is a path. */
const NAMED = /^(.+?(?:\.zarr(?:\.zip)?(?=\/*(?::|$))|(?=:zarr(?::|$))))\/*(?::zarr)?(?::(.*))?$/is

const METADATA = ['zarr.json', '.zarray', '.zgroup']

const isZarrFolder = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
  METADATA.some((name) => existsSync(path.join(folder, name)))

export const isRemote = (store: string): boolean => /^(?:s3|https?):\/\//i.test(store)

export const isBucket = (store: string): boolean => /^s3:\/\//i.test(store)

function placed(label: string, store: string, inside: string): ZarrPlace {
  // Requests would go where a key with .. leads.
  if (isBucket(store)) namesInside(label, store.slice('s3://'.length))
  const names = namesInside(label, inside)
  const metadata = names.find((name) => METADATA.includes(name))
  if (metadata === undefined) return { label, store, path: names.join('/') }
  throw new FileError(label, `${metadata} describes an array or a group, and is none.`, 'Name what it describes.')
}

/** The place in any other folder that holds a store; undefined where none of them does. */
function inFolder(spec: string): ZarrPlace | undefined {
  if (isZarrFolder(spec)) return placed(spec, spec, '')
  for (let colon = spec.indexOf(':'); colon > 0; colon = spec.indexOf(':', colon + 1)) {
    const store = spec.slice(0, colon)
    if (isZarrFolder(store)) return placed(spec, store, spec.slice(colon + 1))
  }
  return undefined
}

/**
 * `x.zarr`, `x.zarr:group/array`, `x.zarr.zip`, `s3://bucket/x.zarr:array`, `https://host/x.zarr:array`; a folder that
 * holds a store, and any name with `:zarr` behind it; undefined for everything else. Throws where a path leads out of
 * its store.
 */
export function zarrPlace(spec: string): ZarrPlace | undefined {
  const named = NAMED.exec(spec)
  if (named !== null) return placed(spec, named[1]!, named[2] ?? '')
  return isRemote(spec) ? placed(spec, spec.replace(/\/+$/, ''), '') : inFolder(spec)
}
