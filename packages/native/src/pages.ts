// How the pages of large memories are used: large ones take the system a fraction of the time to bring, and the processor
// finds what lies in them sooner; what a result leaves behind goes back before its array is collected.
import type { Ffi } from './ffi/ffi.ts'
import { MADV_DONTNEED, MADV_HUGEPAGE } from './ffi/system.ts'

/** Bytes of the smallest pages; advice is for whole ones. */
const PAGE = 4096n

function advise(ffi: Ffi, address: bigint, bytes: number, advice: number): void {
  const start = ((address + PAGE - 1n) / PAGE) * PAGE
  const end = ((address + BigInt(bytes)) / PAGE) * PAGE
  if (end > start && process.platform === 'linux') ffi.advise(start, Number(end - start), advice)
}

/** Has memory come in large pages, as far as it is not there yet. */
export const largePages = (ffi: Ffi, address: bigint, bytes: number): void => advise(ffi, address, bytes, MADV_HUGEPAGE)

/** Gives the pages of memory back, which is zeros from then on. */
export const emptyPages = (ffi: Ffi, address: bigint, bytes: number): void => advise(ffi, address, bytes, MADV_DONTNEED)
