// Evaluates an expression over arrays in files, tile by tile: while one tile is computed the next are read and those
// before are written.
import type { Shape, Tensor } from 'bcast'
import { rewindable } from '../files/blocks/spool.ts'
import { bytesPerElement, type StoredDType, type TypedArray } from '../files/element.ts'
import type { ArraySink } from '../files/sink.ts'
import { type ArraySource, isInRows, type Order } from '../files/source.ts'
import { type FedArray, type Feed, HeldFeed, inOrder, isOneAxis, makeRoom, type Room, StreamedFeed } from './feed.ts'
import { type Plan, type PlannedArray, planStream } from './plan.ts'
import { type Fault, type Question, Settled } from './settled.ts'
import { inTurn, product, type Tile, type Tiles, tilesOf } from './tiles.ts'
import { Workload } from './workload.ts'

const SPOOLS = 1 / 8

export class Evaluation {
  readonly dtype: StoredDType
  readonly shape: Shape
  readonly #settled: Settled

  /** Throws where types or shapes do not go together, at the place in the expression. */
  constructor(question: Question) {
    this.#settled = new Settled(question)
    this.dtype = this.#settled.dtype
    this.shape = this.#settled.shape
  }

  /** Bytes that are read and written. */
  get bytes(): number {
    const read = [...new Set(this.#settled.arrays.map(({ source }) => source))]
    return read.reduce(
      (sum, source) => sum + product(source.shape) * bytesPerElement(source.dtype),
      product(this.shape) * bytesPerElement(this.dtype),
    )
  }

  /** The order in which most bytes of the arrays lie, so that a result in that order is read and written in long runs. */
  get order(): Order {
    const read = new Set(this.#settled.arrays.map(({ source }) => source).filter(({ shape }) => !isOneAxis(shape)))
    let columns = 0
    for (const { shape, dtype, order } of read) {
      columns += (order === 'column-major' ? 1 : -1) * product(shape) * bytesPerElement(dtype)
    }
    return columns > 0 ? 'column-major' : 'row-major'
  }

  /**
   * Computes every element into the sink, which takes them in the given order and is left to be finished, within
   * `memory` bytes. Of them SPOOLS may hold what sources cannot read twice, where there are such; the rest is for tiles.
   */
  async run(
    sink: ArraySink,
    memory: number,
    progress: (share: number) => void,
    order: Order = 'row-major',
  ): Promise<void> {
    const { constant } = this.#settled
    if (constant !== undefined) return sink.write(constant.data as TypedArray)
    const sources = [...new Set(this.#settled.arrays.map(({ source }) => source))]
    const planned = this.#settled.arrays.map(
      ({ source, sizes }): PlannedArray => ({
        source: sources.indexOf(source),
        sizes: inTurn(order, sizes),
        width: bytesPerElement(source.dtype),
        inRuns: isOneAxis(source.shape) || (source.order === order && isInRows(source)),
      }),
    )
    const spools = sources.every(({ seekable }) => seekable) ? 0 : memory * SPOOLS
    const plan = planStream(inTurn(order, this.shape), planned, bytesPerElement(this.dtype), memory - spools)
    const spool = spools / sources.length
    const readers: ArraySource[] = []
    try {
      for (const [i, source] of sources.entries()) {
        readers.push(plan.forward.has(i) ? source : await rewindable(source, spool))
      }
      const arrays = this.#settled.arrays.map((array, i) => ({ ...array, source: readers[planned[i]!.source]! }))
      const tiles = tilesOf(this.shape, plan.tiling, order)
      await this.#stream(sink, tiles, plan.buffers, await feedsOf(arrays, plan, planned, tiles), progress)
    } finally {
      // Those that were made here; who opened the others closes them.
      for (const reader of readers) if (!sources.includes(reader)) await reader.close()
    }
  }

  async #stream(
    sink: ArraySink,
    tiles: Tiles,
    buffers: number,
    feeds: readonly Feed[],
    progress: (share: number) => void,
  ): Promise<void> {
    if (tiles.count === 0) return
    const largest = product(tiles.at(0).shape)
    const rooms: Room[] = []
    const ahead: { readonly tile: Tile; readonly parts: Promise<readonly Tensor[]> }[] = []
    const written: Promise<void>[] = []
    let writing: Promise<void> = Promise.resolve()
    let fault: Fault | undefined
    const workload = new Workload()
    try {
      for (let number = 0; number < tiles.count; number++) {
        while (ahead.length < buffers && number + ahead.length < tiles.count) {
          const tile = tiles.at(number + ahead.length)
          ahead.push({ tile, parts: noticedLater(Promise.all(feeds.map((feed) => feed.part(tile)))) })
        }
        const { tile, parts } = ahead[0]!
        const turn = number % buffers
        rooms[turn] ??= makeRoom(this.dtype, largest)
        const room = rooms[turn]
        const operands = await parts
        await written[turn]
        workload.measure(() => {
          fault = lower(fault, this.#settled.compute(tile, operands, inOrder(room, tile.shape, tiles.order)))
        })
        // Behind a fault, only tiles in column-major order can have a lower one.
        if (fault !== undefined && tiles.order === 'row-major') break
        // Only now may its rooms be read into again.
        ahead.shift()
        progress((number + 1) / tiles.count)
        if (fault !== undefined) continue
        const elements = room.data.subarray(0, product(tile.shape)) as TypedArray
        writing = noticedLater(writing.then(() => sink.write(elements)))
        written[turn] = writing
      }
      await writing
      if (fault !== undefined) throw fault.error
    } finally {
      // Nobody may close files or reuse memory under a read or write that is still going on.
      await Promise.allSettled([...ahead.map(({ parts }) => parts), writing])
    }
  }
}

/** The fault whose index comes first in row-major order. */
function lower(a: Fault | undefined, b: Fault | undefined): Fault | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const axis = a.index.findIndex((at, i) => at !== b.index[i])
  return axis >= 0 && b.index[axis]! < a.index[axis]! ? b : a
}

/** A failure that is looked at when its turn comes must not count as unnoticed until then. */
function noticedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

async function feedsOf(
  arrays: readonly FedArray[],
  { held, buffers }: Plan,
  planned: readonly PlannedArray[],
  tiles: Tiles,
): Promise<Feed[]> {
  if (tiles.count === 0) return []
  const whole = new Map<ArraySource, Room>()
  for (const [i, { source }] of arrays.entries()) {
    if (!held.has(planned[i]!.source) || whole.has(source)) continue
    const room = makeRoom(source.dtype, product(source.shape))
    whole.set(source, room)
    await source.read(0, room.data)
  }
  const first = tiles.at(0)
  return arrays.map((array, i) => {
    const room = whole.get(array.source)
    if (room !== undefined) return new HeldFeed(array, room)
    const part = array.sizes.map((size, axis) => (size === 1 ? 1 : first.shape[axis]!))
    return new StreamedFeed(array, product(part), buffers, planned[i]!.inRuns)
  })
}
