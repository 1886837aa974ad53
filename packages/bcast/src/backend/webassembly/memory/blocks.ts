// Arrays over blocks of the arena. A block goes back when nobody holds the array over it any more, or at once when the
// array is released.
import { arrayOver, type DType, type TypedArray } from '../../../dtype/dtype.ts'
import { keepAliveByParts } from '../../../tensor/parts.ts'
import type { Arena } from './arena.ts'

interface Block {
  readonly arena: Arena
  readonly address: number
  readonly bytes: number
}

const free = ({ arena, address, bytes }: Block): void => arena.free(address, bytes)
const collected = new FinalizationRegistry(free)

interface Placed {
  readonly array: TypedArray
  /** Says that nobody needs the array; gives what gives the block back, once. */
  readonly release?: () => (() => void) | undefined
}

/** An array over a new block, `shared` by results that users see parts of alone; undefined where there is no room. */
export function arrayIn(arena: Arena, dtype: DType, bytes: number, shared: boolean): Placed | undefined {
  const address = arena.allocate(bytes)
  if (address === undefined) return undefined
  const array = arrayOver(dtype, arena.buffer, address, bytes)
  const block = { arena, address, bytes }
  const home = arena.adopt(array, !shared)
  if (shared) {
    // Being able to release it would make this several times slower.
    collected.register(home, block)
    return { array }
  }
  keepAliveByParts(array)
  collected.register(home, block, home)
  return { array, release: () => (collected.unregister(home) ? () => free(block) : undefined) }
}
