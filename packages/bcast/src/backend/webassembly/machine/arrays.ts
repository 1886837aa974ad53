// Results beyond the arena, which machine code computes where they lie: ordinary arrays, so that there is no limit but the
// machine's memory, in large pages, which go back when the result is disposed of and not when somebody collects it.
import { bitsOf, type DType, makeStorage, type TypedArray } from '../../../dtype/dtype.ts'
import type { Allocation } from '../../../tensor/memory.ts'
import { freeWhenUnused } from '../../in-use.ts'
import type { MachineCode } from './code.ts'

/** Bytes of an array that asking the system for pages pays for. */
const LARGE = 1 << 22

export function largeArray(code: MachineCode, dtype: DType, count: number): Allocation | undefined {
  const bytes = (count * bitsOf(dtype)) / 8
  if (bytes < LARGE) return undefined
  const storage = makeStorage(dtype, count) as TypedArray
  code.enlarge(storage.buffer, bytes)
  const release = (): void => freeWhenUnused(storage, () => code.empty(storage.buffer))
  return { storage, offset: 0, release }
}
