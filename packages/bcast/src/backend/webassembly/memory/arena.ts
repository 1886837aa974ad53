// The memory that kernels compute in: one WebAssembly memory, shared between threads where the platform allows, cut
// into blocks. A shared memory grows without moving, so views into it stay valid; one that is not shared is taken at
// its full size from the start, because growing it would detach every view.
import type { DType } from '../../../dtype/dtype.ts'
import type { Allocation } from '../../../tensor/memory.ts'
import type { WasmMemory, WasmPlatform } from '../../platform.ts'

const PAGE = 65_536
/** Pages that a memory starts with where it can grow. */
const INITIAL = 32
/** Blocks start at cache lines. */
const ALIGNMENT = 64
/** Blocks up to this many bytes are many and of few sizes. */
const SMALL = 1 << 16
/** Kernels may read a vector or two past the last element, so the end of the memory is never handed out. */
const SLACK = 1024

export interface ArenaOptions {
  /** The most bytes the memory may take. */
  readonly limit: number
  readonly shared: boolean
}

interface Range {
  start: number
  end: number
}

/** The memory behind each buffer: growing makes new buffers of the same bytes. */
const memories = new WeakMap<ArrayBufferLike, WasmMemory>()

/** Whether two buffers are, or may be, the same bytes. */
export function sameMemory(a: ArrayBufferLike, b: ArrayBufferLike): boolean {
  if (a === b) return true
  const memory = memories.get(a)
  return memory !== undefined && memory === memories.get(b)
}

/** Marks arrays over an arena's blocks: reading a property is faster than asking for the buffer. */
const HOME: unique symbol = Symbol('arena')

/** What such an array has: it lives as long as the array, and the collector is quicker with it than with arrays. */
export interface Home {
  readonly arena: Arena
}

/** An array that was released, and waits for the next of its type and size. */
export interface Spare {
  readonly dtype: DType
  readonly bytes: number
  readonly allocation: Allocation
  isFree: boolean
  /** Gives its block back. */
  drop(): void
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

export class Arena {
  readonly memory: WasmMemory
  readonly shared: boolean
  /** In pages, as kernels must declare it. */
  readonly maximum: number
  /** Bytes that the memory may grow to, at most `maximum`; a smaller one keeps what is there already. */
  limit: number
  /** The array that was released last, for whoever makes arrays. */
  spare: Spare | undefined
  /** Free ranges in order of address, never touching. */
  readonly #free: Range[] = []
  /** Where among them small blocks are looked for first: in front of it there may be many that are too small. */
  #rover = 0
  #end: number
  #buffer: ArrayBufferLike

  constructor(platform: WasmPlatform, { limit, shared }: ArenaOptions) {
    this.shared = shared
    this.limit = limit
    this.maximum = Math.floor(limit / PAGE)
    const initial = shared ? Math.min(INITIAL, this.maximum) : this.maximum
    this.memory = new platform.Memory({ initial, maximum: this.maximum, shared })
    this.#buffer = this.memory.buffer
    memories.set(this.#buffer, this.memory)
    this.#end = initial * PAGE - SLACK
    // Address 0 is left out so that a forgotten address shows.
    this.#free.push({ start: ALIGNMENT, end: this.#end })
  }

  /** The newest view of the memory; older ones stay valid and are shorter. */
  get buffer(): ArrayBufferLike {
    return this.#buffer
  }

  /** How large the memory is at the moment, in pages. */
  get pages(): number {
    return (this.#end + SLACK) / PAGE
  }

  /** Remembers that an array lies in this memory. Arrays that users see must not show it, which takes longer to do. */
  adopt(array: ArrayBufferView, isSeen = true): Home {
    const home: Home = { arena: this }
    if (isSeen) Object.defineProperty(array, HOME, { value: home })
    else (array as { [HOME]?: Home })[HOME] = home
    return home
  }

  /** Whether an array lies in this memory. */
  holds(array: ArrayBufferView): boolean {
    if ((array as { readonly [HOME]?: Home })[HOME]?.arena === this) return true
    return array.buffer === this.#buffer || memories.get(array.buffer) === this.memory
  }

  /** Bytes not handed out at the moment, without growing. */
  get freeBytes(): number {
    return this.#free.reduce((sum, { start, end }) => sum + end - start, 0)
  }

  /** The address of a new block, or undefined when there is no room for it. */
  allocate(bytes: number): number | undefined {
    const size = Math.max(ALIGNMENT, aligned(bytes))
    return this.#take(size) ?? (this.#grow(size) ? this.#take(size) : undefined)
  }

  /** The first free range of a size at or behind a place among them, or -1. */
  #find(size: number, from: number): number {
    for (let i = from; i < this.#free.length; i++) if (this.#free[i]!.end - this.#free[i]!.start >= size) return i
    return -1
  }

  #take(size: number): number | undefined {
    const roves = size <= SMALL
    const ahead = roves ? this.#find(size, this.#rover) : -1
    const i = ahead < 0 ? this.#find(size, 0) : ahead
    const range = this.#free[i]
    if (range === undefined) return undefined
    if (roves) this.#rover = i
    const { start } = range
    range.start += size
    if (range.start === range.end) this.#free.splice(i, 1)
    return start
  }

  #grow(size: number): boolean {
    if (!this.shared) return false
    const last = this.#free.at(-1)
    const missing = size - (last !== undefined && last.end === this.#end ? last.end - last.start : 0)
    const pages = Math.ceil(missing / PAGE)
    const current = this.pages
    // Growing a little ahead saves system calls; near the limit it takes what there is.
    const most = Math.min(this.maximum, Math.floor(this.limit / PAGE)) - current
    const wanted = Math.min(Math.max(pages, Math.ceil(current / 4)), most)
    if (wanted < pages) return false
    return this.#extend(wanted) || (wanted > pages && this.#extend(pages))
  }

  #extend(pages: number): boolean {
    try {
      this.memory.grow(pages)
    } catch {
      return false
    }
    this.#buffer = this.memory.buffer
    memories.set(this.#buffer, this.memory)
    const end = this.#end + pages * PAGE
    this.#release({ start: this.#end, end })
    this.#end = end
    return true
  }

  /** Gives a block back; `bytes` as it was asked for. */
  free(address: number, bytes: number): void {
    this.#release({ start: address, end: address + Math.max(ALIGNMENT, aligned(bytes)) })
  }

  #release(range: Range): void {
    let low = 0
    let high = this.#free.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#free[middle]!.start < range.start) low = middle + 1
      else high = middle
    }
    const before = this.#free[low - 1]
    const after = this.#free[low]
    const joinsBefore = before !== undefined && before.end === range.start
    const joinsAfter = after !== undefined && after.start === range.end
    if (joinsBefore && joinsAfter) {
      before.end = after.end
      this.#free.splice(low, 1)
    } else if (joinsBefore) before.end = range.end
    else if (joinsAfter) after.start = range.start
    else this.#free.splice(low, 0, range)
  }
}
