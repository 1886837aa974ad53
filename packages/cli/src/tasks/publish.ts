// Which way a result becomes visible, by where it goes.
import type { ZarrPlace } from '../zarr/place.ts'
import type { Publication } from './publication.ts'
import { publishInBucket } from './publish-in-bucket.ts'
import { publishInFolder } from './publish-in-folder.ts'

/** `hash` of the plan: what was left by another is not gone on with. */
export const publicationOf = (place: ZarrPlace, hash: string): Publication =>
  place.store.startsWith('s3://') ? publishInBucket(place, hash) : publishInFolder(place, hash)
