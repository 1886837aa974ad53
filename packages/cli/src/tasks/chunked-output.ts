// Where the result of an evaluation in chunks goes, and how it is cut: plain data, part of the plan.
import type { Shape } from 'bcast'
import { UsageError } from '../errors/usage-error.ts'
import { bytesPerElement, type StoredDType } from '../files/element.ts'
import { tilingWithin } from '../stream/tiles.ts'
import type { ZarrOutput } from '../zarr/output.ts'
import type { ZarrPlace } from '../zarr/place.ts'

export interface ChunkedOutput {
  readonly place: ZarrPlace
  /** Where tasks write, and what stands before their keys there. */
  readonly store: string
  readonly prefix: string
  readonly array: ZarrOutput
}

/** Bytes of a chunk that nobody asked for otherwise. */
const CHUNK = 8 << 20

/** Chunks that follow each other in row-major order, as many as make about 8 MiB each. */
export function defaultChunks(shape: Shape, dtype: StoredDType): number[] {
  const { axis, step } = tilingWithin(shape, [{ sizes: shape, width: bytesPerElement(dtype) }], CHUNK)
  return shape.map((size, at) => Math.max(1, at < axis ? 1 : at === axis ? step : size))
}

const axesText = (count: number): string => `${count} ${count === 1 ? 'axis' : 'axes'}`

/** Throws where chunks or shards do not fit the result. */
export function checkCut(shape: Shape, chunks: Shape, shards: Shape | undefined): void {
  for (const [flag, sizes] of [
    ['--chunks', chunks],
    ['--shards', shards ?? chunks],
  ] as const) {
    if (sizes.length !== shape.length) {
      throw new UsageError(
        `${flag} ${sizes.join()} has ${axesText(sizes.length)}, and the result (${shape.join()}) has ${axesText(shape.length)}.`,
      )
    }
  }
  const axis = (shards ?? chunks).findIndex((size, at) => size % chunks[at]! !== 0)
  if (axis >= 0) {
    throw new UsageError(
      `--shards ${shards!.join()} is no multiple of --chunks ${chunks.join()} on axis ${axis}: ${shards![axis]} % ${chunks[axis]} is ${shards![axis]! % chunks[axis]!}.`,
    )
  }
}
