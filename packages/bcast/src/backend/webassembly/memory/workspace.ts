// Memory that calls which run one after another share: what one gives back, a later one takes, and all of it goes back
// to the arena at once.
import type { Allocation } from '../../../tensor/memory.ts'
import type { Arena } from './arena.ts'
import { arrayIn } from './blocks.ts'

/** Blocks start at cache lines. */
const ALIGNMENT = 64

interface Range {
  start: number
  end: number
}

const aligned = (bytes: number): number => Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT)

export class Workspace {
  readonly #arena: Arena
  /** Bytes that are taken of the arena at least. */
  readonly #least: number
  readonly #blocks: Allocation[] = []
  /** In order of address, never touching. */
  readonly #free: Range[] = []

  constructor(arena: Arena, least: number) {
    this.#arena = arena
    this.#least = least
  }

  /** The address of so many bytes; undefined where the arena has no room. */
  take(bytes: number): number | undefined {
    const size = aligned(bytes)
    const found = this.#tightest(size) ?? (this.#extend(size) ? this.#tightest(size) : undefined)
    if (found === undefined) return undefined
    const { start } = found
    found.start += size
    if (found.start === found.end) this.#free.splice(this.#free.indexOf(found), 1)
    return start
  }

  /** Gives back what was taken; `bytes` as it was asked for. */
  give(start: number, bytes: number): void {
    this.#add({ start, end: start + aligned(bytes) })
  }

  release(): void {
    for (const block of this.#blocks) block.release!()
    this.#blocks.length = 0
    this.#free.length = 0
  }

  /** The smallest range that holds so many bytes. */
  #tightest(size: number): Range | undefined {
    let best: Range | undefined
    for (const range of this.#free) {
      const length = range.end - range.start
      if (length >= size && (best === undefined || length < best.end - best.start)) best = range
    }
    return best
  }

  #extend(size: number): boolean {
    const bytes = Math.max(size, this.#least)
    const block = arrayIn(this.#arena, 'uint8', bytes) ?? arrayIn(this.#arena, 'uint8', size)
    if (block === undefined) return false
    this.#blocks.push(block)
    const { byteOffset, byteLength } = block.storage as Uint8Array
    this.#add({ start: byteOffset, end: byteOffset + byteLength })
    return true
  }

  #add(range: Range): void {
    const next = this.#free.findIndex(({ start }) => start > range.start)
    const at = next < 0 ? this.#free.length : next
    const [before, after] = [this.#free[at - 1], this.#free[at]]
    const joinsBefore = before?.end === range.start
    const joinsAfter = after?.start === range.end
    if (joinsBefore && joinsAfter) {
      before!.end = after!.end
      this.#free.splice(at, 1)
    } else if (joinsBefore) before!.end = range.end
    else if (joinsAfter) after!.start = range.start
    else this.#free.splice(at, 0, range)
  }
}
