// From what the user wrote to a store: a folder, a zip archive, a web server, a bucket of S3.
import { stat } from 'node:fs/promises'
import { about, FileError } from '../../errors/file-error.ts'
import type { ZarrPlace } from '../place.ts'
import { FolderStore } from './folder.ts'
import type { Store, WritableStore } from './store.ts'

async function kindOf(store: string): Promise<'s3' | 'http' | 'folder' | 'file' | undefined> {
  const scheme = /^(s3|http)s?:\/\//i.exec(store)?.[1]?.toLowerCase()
  if (scheme !== undefined) return scheme as 's3' | 'http'
  try {
    return (await stat(store)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Opens a store for reading. */
export async function openStore({ label, store }: ZarrPlace): Promise<Store> {
  // All but folders are loaded where they are needed.
  switch (await about(label, () => kindOf(store))) {
    case 's3':
      return new (await import('./s3.ts')).S3Store(label, store)
    case 'http':
      return new (await import('./http.ts')).HttpStore(label, store)
    case 'folder':
      return new FolderStore(label, store)
    case 'file':
      return (await import('./archive.ts')).openArchiveStore(label, store)
    default:
      throw new FileError(label, 'there is no such Zarr store.')
  }
}

export const unwritable = (label: string, what: string): FileError =>
  new FileError(label, `${what} cannot be written to.`, 'Write to a folder, or to s3://bucket/key.')

/** Opens a store to write to; a folder is there when its first object is written. */
export async function openWritableStore({ label, store }: ZarrPlace): Promise<WritableStore> {
  switch (await about(label, () => kindOf(store))) {
    case 's3':
      return new (await import('./s3.ts')).S3Store(label, store)
    case 'http':
      throw unwritable(label, 'a web server')
    case 'file':
      throw new FileError(label, 'it is a file; a Zarr store that is written is a folder.')
    default:
      return new FolderStore(label, store)
  }
}
