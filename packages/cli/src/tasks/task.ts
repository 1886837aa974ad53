// Carries out tasks of one plan in one thread: reads what a block of the result needs of each array, computes it, and
// stores it as one object. What a task does depends on the plan and its number alone, so it may be done again at any
// time, by anybody.
import { ruleFor } from '../arguments/rules.ts'
import { parseExpression } from '../expression/parse.ts'
import { keptSource } from '../files/blocks/kept-array.ts'
import { rewindable } from '../files/blocks/spool.ts'
import { discard } from '../files/bytes/discard.ts'
import { bytesPerElement, type TypedArray } from '../files/element.ts'
import { openSource } from '../files/open.ts'
import type { ArraySource } from '../files/source.ts'
import { HeldFeed, inOrder, makeRoom, type Room, rangesIn, readPart } from '../stream/feed.ts'
import { Settled } from '../stream/settled.ts'
import { product, type Tile } from '../stream/tiles.ts'
import { isZarr } from '../zarr/array.ts'
import { encodeObject, keyOf, objectShape } from '../zarr/output.ts'
import { openWritableStore } from '../zarr/store/open-store.ts'
import type { WritableStore } from '../zarr/store/store.ts'
import { blockAt, gridIndex, gridOf } from './grid.ts'
import { overwritten, type TaskOperand, type TaskPlan } from './plan.ts'

export interface TaskDone {
  readonly index: number
  /** False where every element is the fill value of its arrays, so that nothing was read. */
  readonly computed: boolean
  readonly bytesRead: number
  readonly bytesWritten: number
  readonly milliseconds: number
}

/** The memory of one task: a room for each array that is not held, and one for the result where it needs its own. */
interface Slot {
  readonly rooms: readonly (Room | undefined)[]
  readonly result: Room
}

async function openOperand({ place, dtype, shape, kept }: TaskOperand, memory: number): Promise<ArraySource> {
  if (kept !== undefined) return keptSource({ label: place, dtype, shape }, kept)
  return rewindable(await openSource(place, { memory }), memory)
}

export class OpenedPlan {
  readonly #plan: TaskPlan
  readonly #settled: Settled
  readonly #sources: ReadonlyMap<string, ArraySource>
  readonly #held: ReadonlyMap<number, HeldFeed>
  readonly #store: WritableStore
  readonly #free: Slot[] = []

  private constructor(
    plan: TaskPlan,
    settled: Settled,
    sources: ReadonlyMap<string, ArraySource>,
    held: ReadonlyMap<number, HeldFeed>,
    store: WritableStore,
  ) {
    this.#plan = plan
    this.#settled = settled
    this.#sources = sources
    this.#held = held
    this.#store = store
  }

  static async open(plan: TaskPlan): Promise<OpenedPlan> {
    const { expression, rule, dtype, operands, output, sourceMemory: memory } = plan
    const sources = new Map<string, ArraySource>()
    try {
      for (const operand of operands) sources.set(operand.name, await openOperand(operand, memory))
      const root = parseExpression(expression)
      const settled = new Settled({
        ...{ expression, root, sources, dtype: dtype ?? undefined },
        rule: rule.rule === undefined ? undefined : ruleFor(rule),
      })
      const held = await heldFeeds(plan, settled)
      return new OpenedPlan(
        plan,
        settled,
        sources,
        held,
        await openWritableStore({ ...output.place, store: output.store }),
      )
    } catch (error) {
      for (const source of sources.values()) await source.close()
      throw error
    }
  }

  /** Gives memory and files back; no task may be under way. */
  async close(): Promise<void> {
    for (const { rooms, result } of this.#free) {
      for (const room of new Set([...rooms, result])) room?.tensor.dispose()
    }
    for (const feed of this.#held.values()) feed.dispose()
    for (const source of this.#sources.values()) await source.close()
    await this.#store.close()
  }

  #makeSlot(): Slot {
    const { array } = this.#plan.output
    const first = blockAt(
      array.shape,
      objectShape(array),
      array.shape.map(() => 0),
    )
    const rooms = this.#settled.arrays.map(({ source, sizes }, i) =>
      this.#held.has(i) ? undefined : makeRoom(source.dtype, product(rangesIn(first, sizes).shape)),
    )
    const over = overwritten(this.#settled, (name) => this.#plan.operands.some((o) => o.name === name && o.isHeld))
    return { rooms, result: rooms[over] ?? makeRoom(array.dtype, product(first.shape)) }
  }

  async run(number: number): Promise<TaskDone> {
    const start = performance.now()
    const { array } = this.#plan.output
    const index = gridIndex(gridOf(array.shape, objectShape(array)), number)
    const tile = blockAt(array.shape, objectShape(array), index)
    const done = (computed: boolean, bytesRead: number, bytesWritten: number): TaskDone => ({
      ...{ index: number, computed, bytesRead, bytesWritten, milliseconds: performance.now() - start },
    })
    // Every element is the result's fill value, so nothing need be stored.
    if (this.#plan.isFilled && (await this.#isMissing(tile))) return done(false, 0, 0)
    const { constant } = this.#settled
    if (constant !== undefined) return done(true, 0, await this.#storeElements(index, constant.data as TypedArray))
    const slot = this.#free.pop() ?? this.#makeSlot()
    try {
      const { arrays } = this.#settled
      const parts = await Promise.all(
        arrays.map((each, i) => this.#held.get(i)?.part(tile) ?? readPart(each, tile, slot.rooms[i]!)),
      )
      const fault = this.#settled.compute(tile, parts, inOrder(slot.result, tile.shape, 'row-major'))
      if (fault !== undefined) throw fault.error
      const elements = slot.result.data.subarray(0, product(tile.shape)) as TypedArray
      const read = parts.reduce(
        (sum, part, i) =>
          sum + (this.#held.has(i) ? 0 : product(part.shape) * bytesPerElement(arrays[i]!.source.dtype)),
        0,
      )
      return done(true, read, await this.#storeElements(index, elements))
    } finally {
      this.#free.push(slot)
    }
  }

  /** Whether nothing is stored of any array where a block needs it: then every element is computed from fill values. */
  async #isMissing(tile: Tile): Promise<boolean> {
    for (const { source, axes, sizes } of this.#settled.arrays) {
      if (!isZarr(source)) return false
      const { begin, shape } = rangesIn(tile, sizes)
      const first = axes.map((axis) => (axis < 0 ? 0 : begin[axis]!))
      const last = first.map((at, i) => at + (axes[i]! < 0 ? 1 : shape[axes[i]!]!))
      if (!(await source.isMissing(first, last))) return false
    }
    return this.#settled.arrays.length > 0
  }

  async #storeElements(index: readonly number[], elements: TypedArray): Promise<number> {
    const { array, prefix } = this.#plan.output
    const bytes = await encodeObject(array, index, elements)
    const { length } = bytes
    await this.#store.set(`${prefix}${keyOf(array, index)}`, bytes)
    if (bytes.buffer !== elements.buffer) discard(bytes)
    return length
  }
}

/** Arrays that are read whole and kept, by their places in the expression. */
async function heldFeeds({ operands }: TaskPlan, { arrays, names }: Settled): Promise<Map<number, HeldFeed>> {
  const rooms = new Map<ArraySource, Room>()
  const feeds = new Map<number, HeldFeed>()
  for (const [i, array] of arrays.entries()) {
    if (!operands.some(({ name, isHeld }) => isHeld && name === names[i])) continue
    const { source } = array
    if (!rooms.has(source)) {
      const room = makeRoom(source.dtype, product(source.shape))
      await source.read(0, room.data)
      rooms.set(source, room)
    }
    feeds.set(i, new HeldFeed(array, rooms.get(source)!))
  }
  return feeds
}
