// Evaluates an expression over arrays in files, tile by tile: while one tile is computed the next are read and those
// before are written. Results are the same to the bit whatever the tiles, because each element is computed alone.
import { DivisionByZeroError, type DType, type FusedOfMany, fuse, type Rule, type Shape, type Tensor } from 'bcast'
import { Composer } from '../expression/compose.ts'
import { EvaluationError } from '../expression/expression-error.ts'
import type { Value } from '../expression/operators.ts'
import { refusalOf } from '../expression/refusal.ts'
import { type Placed, placeArrays } from '../expression/shapes.ts'
import type { Expression, Name } from '../expression/syntax.ts'
import { rewindable } from '../files/blocks/spool.ts'
import { bytesPerElement, type StoredDType, type TypedArray } from '../files/element.ts'
import type { ArraySink } from '../files/sink.ts'
import type { ArraySource, Order } from '../files/source.ts'
import { type FedArray, type Feed, HeldFeed, inOrder, isOneAxis, makeRoom, type Room, StreamedFeed } from './feed.ts'
import { type Plan, type PlannedArray, planStream } from './plan.ts'
import { inTurn, product, type Tile, type Tiles, tilesOf } from './tiles.ts'
import { Workload } from './workload.ts'

export interface Question {
  /** The text, for errors. */
  readonly expression: string
  readonly root: Expression
  readonly sources: ReadonlyMap<string, ArraySource>
  /** For every operator; each its own otherwise. */
  readonly rule: Rule | undefined
  /** The result's type; that of the expression otherwise. */
  readonly dtype: StoredDType | undefined
}

/** An element of the result without a value. */
interface Fault {
  readonly index: readonly number[]
  readonly error: Error
}

const SPOOLS = 1 / 8
/** Bytes of the widest element. */
const WIDEST = 8

/** An expression whose names, types and shapes are settled. */
export class Evaluation {
  readonly dtype: StoredDType
  readonly shape: Shape
  readonly #question: Question
  readonly #placed: Placed
  readonly #arrays: readonly FedArray[]
  /** Computes a tile from the parts of the arrays; undefined where there is no array, only a constant. */
  readonly #compute: FusedOfMany | undefined
  readonly #constant: Tensor | undefined

  /** Throws where types or shapes do not go together, at the place in the expression. */
  constructor(question: Question) {
    const { expression, root, sources, rule, dtype } = question
    this.#question = question
    this.#placed = placeArrays(expression, root, (name) => sources.get(name)!.shape, rule)
    const { shape, placements } = this.#placed
    this.shape = shape
    if (!Number.isSafeInteger(product(shape) * WIDEST)) {
      const problem = `the result would have shape (${shape.join()}), which is larger than any file.`
      throw new EvaluationError({ expression, span: root.span, problem })
    }
    this.#arrays = placements.map(({ name, axes }) => ({
      source: sources.get(name)!,
      sizes: shape.map((size, axis) => ((sources.get(name)!.shape[axes.indexOf(axis)] ?? 1) === 1 ? 1 : size)),
      axes,
    }))
    if (placements.length === 0) {
      this.#constant = this.#compose([], dtype) as Tensor
      this.dtype = this.#constant.dtype as StoredDType
      return
    }
    this.#compute = fuse((...operands: readonly Value[]) => this.#compose(operands, dtype), {
      operands: placements.length,
    })
    const parts = this.#arrays.map(({ source, sizes }) => ({ dtype: source.dtype, shape: sizes }))
    this.dtype = this.#compute.infer(...parts).dtype as StoredDType
  }

  /** `index`: of the element of the result that is computed alone. */
  #compose(operands: readonly Value[], dtype: DType | undefined, index?: readonly number[]): Value {
    const { expression, root } = this.#question
    const valueNamed = (name: Name): Value => operands[this.#placed.placementOf.get(name)!]!
    return new Composer({ expression, valueNamed, index }).compose(root, dtype)
  }

  /** Bytes that are read and written. */
  get bytes(): number {
    const read = [...new Set(this.#arrays.map(({ source }) => source))]
    return read.reduce(
      (sum, source) => sum + product(source.shape) * bytesPerElement(source.dtype),
      product(this.shape) * bytesPerElement(this.dtype),
    )
  }

  /** The order in which most bytes of the arrays lie, so that a result in that order is read and written in long runs. */
  get order(): Order {
    const read = new Set(this.#arrays.map(({ source }) => source).filter(({ shape }) => !isOneAxis(shape)))
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
    if (this.#constant !== undefined) return sink.write(this.#constant.data as TypedArray)
    const sources = [...new Set(this.#arrays.map(({ source }) => source))]
    const planned = this.#arrays.map(
      ({ source, sizes }): PlannedArray => ({
        source: sources.indexOf(source),
        sizes: inTurn(order, sizes),
        width: bytesPerElement(source.dtype),
        inRuns: source.order === order || isOneAxis(source.shape),
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
      const arrays = this.#arrays.map((array, i) => ({ ...array, source: readers[planned[i]!.source]! }))
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
          fault = lower(fault, this.#computeTile(tile, operands, inOrder(room, tile.shape, tiles.order)))
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

  #computeTile(tile: Tile, parts: readonly Tensor[], out: Tensor): Fault | undefined {
    try {
      this.#compute!(...parts, { out })
      return undefined
    } catch (error) {
      if (!(error instanceof DivisionByZeroError)) throw error
      return this.#faultAt(error, tile, parts)
    }
  }

  /** The error of an element without a value: where in the result, and which operator of the expression. */
  #faultAt(error: DivisionByZeroError, tile: Tile, parts: readonly Tensor[]): Fault {
    const index = error.index.map((at, axis) => at + tile.origin[axis]!)
    const elements = parts.map((part) =>
      part.slice(...part.shape.map((size, axis) => (size === 1 ? 0 : error.index[axis]!))),
    )
    const { expression, root, dtype } = this.#question
    try {
      // Alone, operator by operator, the element fails at the operator that has no value for it.
      this.#compose(elements, dtype, index)
    } catch (fault) {
      if (fault instanceof EvaluationError) return { index, error: fault }
    }
    const refusal = refusalOf(error, { expression, operands: [], index })
    return { index, error: new EvaluationError({ expression, span: root.span, ...refusal, cause: error }) }
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
