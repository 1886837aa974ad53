// Operands of products that never change, packed once: all calls that read one the same way share it, in however many
// sequences, and the last of them gives it back.
import type { Storage } from '../../../dtype/dtype.ts'
import type { Allocation } from '../../../tensor/memory.ts'
import type { Arena } from '../memory/arena.ts'
import { arrayIn } from '../memory/blocks.ts'

interface Packed {
  readonly arena: Arena
  readonly block: Allocation
  users: number
}

const known = new WeakMap<Storage, Map<string, Packed>>()

export interface PackedOnce {
  readonly address: number
  release(): void
}

/**
 * Elements of `storage` packed into so many bytes by `pack`, unless they are already; `key` says which elements, and how.
 * Undefined where the arena has no room.
 */
export function packedOnce(
  arena: Arena,
  storage: Storage,
  key: string,
  bytes: number,
  pack: (address: number) => void,
): PackedOnce | undefined {
  let byKey = known.get(storage)
  if (byKey === undefined) known.set(storage, (byKey = new Map()))
  let packed = byKey.get(key)
  if (packed === undefined || packed.arena !== arena) {
    const block = arrayIn(arena, 'uint8', bytes)
    if (block === undefined) return undefined
    pack((block.storage as Uint8Array).byteOffset)
    byKey.set(key, (packed = { arena, block, users: 0 }))
  }
  const mine = packed
  const all = byKey
  mine.users++
  return {
    address: (mine.block.storage as Uint8Array).byteOffset,
    release: () => {
      if (--mine.users > 0) return
      if (all.get(key) === mine) all.delete(key)
      mine.block.release!()
    },
  }
}
