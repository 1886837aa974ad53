// From what the user wrote to a store.
import { stat } from 'node:fs/promises'
import { about, FileError } from '../../errors/file-error.ts'
import { isRemote, type ZarrPlace } from '../place.ts'
import { FolderStore } from './folder.ts'
import type { Store, WritableStore } from './store.ts'

async function isThere(store: string): Promise<'folder' | 'file' | undefined> {
  try {
    return (await stat(store)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Opens a store for reading. */
export async function openStore({ label, store }: ZarrPlace): Promise<Store> {
  if (isRemote(store)) throw new FileError(label, 'stores elsewhere are not supported.')
  const found = await about(label, () => isThere(store))
  if (found === 'folder') return new FolderStore(label, store)
  if (found === undefined) throw new FileError(label, 'there is no such Zarr store.')
  throw new FileError(label, 'it is a file; a Zarr store is a folder.')
}

/** Opens a store to write to; its folder is made with the first object. */
export async function openWritableStore({ label, store }: ZarrPlace): Promise<WritableStore> {
  if (isRemote(store)) throw new FileError(label, 'stores elsewhere are not supported.')
  const found = await about(label, () => isThere(store))
  if (found !== 'file') return new FolderStore(label, store)
  throw new FileError(label, 'it is a file; a Zarr store that is written is a folder.')
}
