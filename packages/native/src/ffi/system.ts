// The system's own words for memory, the same whoever calls it.

export const PROT_READ = 1
export const PROT_WRITE = 2
export const PROT_EXEC = 4
export const MAP_PRIVATE = 2
export const MAP_ANONYMOUS: number = process.platform === 'darwin' ? 0x1000 : 0x20

/** Pages as large as the processor has them, which Linux gives who asks. */
export const MADV_HUGEPAGE = 14
/** Nobody needs what pages hold; they are zeros when they are looked at again. */
export const MADV_DONTNEED = 4

/** The library that has the calls, for who cannot ask the process itself. */
export const SYSTEM: string = process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6'

/**
 * Where instructions are fetched as they were written without being asked for.
 *
 * On AArch64 caches of instructions know nothing of what is stored, and a processor may hold instructions that it fetched
 * before. The first is seen to by what compilers have for it, in the library that comes with each of them and with Node:
 * it cleans the cache of data and invalidates that of instructions, line by line, for all processors. The second by the
 * system: before a membarrier of this kind returns, every thread of the process has passed a point where its processor
 * drops what it fetched. Changing what may be done with pages happens to do the first, too, but nobody promises it.
 */
export const COHERENT: boolean = process.arch === 'x64'

/** The library that has the first, for who cannot ask the process itself. */
export const COMPILER: string = 'libgcc_s.so.1'

/** The number of the call, and what is asked of it: once to register the process, then each time. */
const MEMBARRIER = 283
const REGISTER_SYNC_CORE = 64
const SYNC_CORE = 32

/** Has every thread see instructions, by the two calls that do it. */
export function refresher(
  clear: (begin: bigint, end: bigint) => void,
  call: (number: number, command: number, flags: number, cpu: number) => number,
): (address: bigint, bytes: number) => boolean {
  if (call(MEMBARRIER, REGISTER_SYNC_CORE, 0, 0) !== 0) return () => false
  return (address, bytes) => {
    clear(address, address + BigInt(bytes))
    return call(MEMBARRIER, SYNC_CORE, 0, 0) === 0
  }
}

const FAILED = (1n << 64n) - 1n

/** What mmap gave: an address, or -1 where there is no memory. */
export function mapped(given: number | bigint | null): bigint | undefined {
  const address = BigInt.asUintN(64, BigInt(given ?? FAILED))
  return address === FAILED ? undefined : address
}
