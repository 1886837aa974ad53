// Arrays over blocks of the arena. A block goes back when nobody holds the array over it any more, or at once when the
// array is released.
import { arrayOver, type DType, type TypedArray } from '../../../dtype/dtype.ts'
import type { Allocation } from '../../../tensor/memory.ts'
import { keepAliveByParts } from '../../../tensor/parts.ts'
import { freeWhenUnused } from '../../in-use.ts'
import type { Arena, Spare } from './arena.ts'

interface Block {
  readonly arena: Arena
  readonly address: number
  readonly bytes: number
}

const free = ({ arena, address, bytes }: Block): void => arena.free(address, bytes)
// Some platforms have none, and this backend is not for them; but importing it must not fail.
const collected = globalThis.FinalizationRegistry && new FinalizationRegistry(free)

/** Bytes of the largest that waits: making a larger one takes no time beside filling it. */
const MOST_SPARE = 1 << 16

/** An array over a block of its own; undefined where there is no room. */
export function arrayIn(arena: Arena, dtype: DType, bytes: number): Allocation | undefined {
  const { spare } = arena
  if (spare !== undefined) {
    arena.spare = undefined
    if (spare.dtype === dtype && spare.bytes === bytes) {
      spare.isFree = false
      return spare.allocation
    }
    spare.drop()
  }
  const address = arena.allocate(bytes)
  if (address === undefined) return undefined
  const storage = arrayOver(dtype, arena.buffer, address, bytes)
  const block = { arena, address, bytes }
  const home = arena.adopt(storage)
  keepAliveByParts(storage)
  collected.register(home, block, home)
  const keep = (): void => {
    if (bytes > MOST_SPARE) own.drop()
    else {
      arena.spare?.drop()
      arena.spare = own
    }
  }
  const release = (): void => {
    if (own.isFree) return
    own.isFree = true
    freeWhenUnused(storage, keep)
  }
  const allocation = { storage, offset: 0, release }
  const own: Spare = {
    dtype,
    bytes,
    allocation,
    isFree: false,
    drop: () => {
      if (collected.unregister(home)) free(block)
    },
  }
  return allocation
}

/** An array that results share, of which users see parts alone. Being able to release it would be several times slower. */
export function sharedArrayIn(arena: Arena, dtype: DType, bytes: number): TypedArray | undefined {
  const address = arena.allocate(bytes)
  if (address === undefined) return undefined
  const array = arrayOver(dtype, arena.buffer, address, bytes)
  collected.register(arena.adopt(array, false), { arena, address, bytes })
  return array
}
