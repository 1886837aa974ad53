// Where small results lie: several share a slab, because an array and a finaliser for each would cost more than it does
// to compute them. A slab stays as long as one of its results is kept, so it has room for few: whichever results a
// program keeps, the memory held for one is at most SHARERS times its own bytes, or LEAST where that is more. One whose
// results are all disposed is filled again from the beginning.
import { bitsOf, type DType, makeStorage, type TypedArray } from '../../../dtype/dtype.ts'
import type { Allocation } from '../../../tensor/memory.ts'
import { freeWhenUnused } from '../../in-use.ts'
import type { Arena } from './arena.ts'
import { sharedArrayIn } from './blocks.ts'

/** Results up to this many bytes share slabs. */
export const SMALL = 4096
/** With fewer, making slabs would show in the time of a call: with 8, of results of a kilobyte, by a third. */
const SHARERS = 16
/** Bytes of a slab. A tensor itself is an object of some hundred bytes, so that less would save little. */
const LEAST = 1024
const ALIGNMENT = 16

interface Slab {
  readonly dtype: DType
  readonly bytes: number
  readonly view: TypedArray
  /** Elements that are taken. */
  used: number
  /** Results that are not disposed. */
  live: number
  /** Called for each result that is. */
  readonly release: () => void
}

function released(slab: Slab): void {
  if (--slab.live > 0) return
  freeWhenUnused(slab.view, () => {
    // What was waited for may have been long.
    if (slab.live === 0) slab.used = 0
  })
}

/** The slabs that are being filled in one arena, by type and bytes. */
export class SmallResults {
  readonly #arena: Arena
  readonly #open = new Map<DType, Map<number, Slab>>()
  /** The one that was used last, which is mostly the one that is needed next. */
  #last: Slab = { dtype: 'bool', bytes: 0, view: new Uint8Array(0), used: 0, live: 0, release: () => {} }

  constructor(arena: Arena) {
    this.#arena = arena
  }

  /** Room for a result of `count` elements. */
  room(dtype: DType, count: number): Allocation {
    const width = bitsOf(dtype) >> 3
    const own = (count * width + ALIGNMENT - 1) & -ALIGNMENT
    const bytes = Math.max(LEAST, SHARERS * own)
    const last = this.#last
    const fits = last.dtype === dtype && last.bytes === bytes && last.used + count <= last.view.length
    const slab = fits ? last : this.#other(dtype, bytes, count)
    const offset = slab.used
    // With bits, because dividing would make positions floating-point numbers, each an object of its own.
    slab.used = offset + ((own / width) | 0)
    slab.live++
    return { storage: slab.view, offset, release: slab.release }
  }

  #other(dtype: DType, bytes: number, count: number): Slab {
    let open = this.#open.get(dtype)
    if (open === undefined) this.#open.set(dtype, (open = new Map()))
    let slab = open.get(bytes)
    if (slab === undefined || slab.used + count > slab.view.length) {
      // While the arena is full a slab is an ordinary array; the next one may find room again.
      const view =
        sharedArrayIn(this.#arena, dtype, bytes) ?? (makeStorage(dtype, (bytes * 8) / bitsOf(dtype)) as TypedArray)
      const made: Slab = { dtype, bytes, view, used: 0, live: 0, release: () => released(made) }
      open.set(bytes, made)
      slab = made
    }
    this.#last = slab
    return slab
  }
}
