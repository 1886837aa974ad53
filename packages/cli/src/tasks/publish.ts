// Which way a result becomes visible, by where it goes.
import { isBucket, isRemote, type ZarrPlace } from '../zarr/place.ts'
import { unwritable } from '../zarr/store/open-store.ts'
import type { Publication } from './publication.ts'
import { publishInBucket } from './publish-in-bucket.ts'
import { publishInFolder } from './publish-in-folder.ts'

/** `hash` of the plan: what was left by another is not gone on with. */
export function publicationOf(place: ZarrPlace, hash: string): Publication {
  const { label, store } = place
  if (isBucket(store)) return publishInBucket(place, hash)
  if (isRemote(store)) throw unwritable(label, 'a web server')
  if (/\.zip$/i.test(store)) throw unwritable(label, 'an archive')
  return publishInFolder(place, hash)
}
