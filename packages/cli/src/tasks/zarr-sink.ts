// A whole array that lies in memory to a Zarr place: cut and compressed as the result of an evaluation is when nobody
// says otherwise, and shown as that is.
import { randomBytes } from 'node:crypto'
import { newElements, type TypedArray } from '../files/element.ts'
import type { ArrayDescription, ArraySink } from '../files/sink.ts'
import { product } from '../stream/tiles.ts'
import { spelledFill } from '../zarr/metadata/spelled-fill.ts'
import { encodeObject, keyOf, metadataOf, type ZarrOutput } from '../zarr/output.ts'
import type { ZarrPlace } from '../zarr/place.ts'
import { openWritableStore } from '../zarr/store/open-store.ts'
import { defaultChunks } from './chunked-output.ts'
import { blockAt, countBlocks, gridIndex, gridOf } from './grid.ts'
import { publicationOf } from './publish.ts'

/** Takes all elements in one write. */
export async function openZarrSink(place: ZarrPlace, { dtype, shape }: ArrayDescription): Promise<ArraySink> {
  const chunks = defaultChunks(shape, dtype)
  const fill = spelledFill(dtype, newElements(dtype, 1))
  const array: ZarrOutput = { dtype, shape, chunks, codec: { name: 'zstd' }, fill }
  // Of no plan: nobody goes on with it.
  const publication = publicationOf(place, randomBytes(16).toString('hex'))
  await publication.begin(false)
  const { staging } = publication
  let settled = false
  return {
    async write(elements) {
      const store = await openWritableStore({ ...place, store: staging.store })
      const grid = gridOf(shape, chunks)
      let start = 0
      for (let number = 0; number < countBlocks(shape, chunks); number++) {
        const index = gridIndex(grid, number)
        // Chunks that nobody asked for follow each other in row-major order.
        const end = start + product(blockAt(shape, chunks, index).shape)
        const bytes = await encodeObject(array, index, elements.subarray(start, end) as TypedArray)
        await store.set(`${staging.prefix}${keyOf(array, index)}`, bytes)
        start = end
      }
      await store.close()
    },
    async finish() {
      await publication.finish(metadataOf(array))
      settled = true
    },
    async abort() {
      if (!settled) await publication.abort()
      settled = true
    },
  }
}
