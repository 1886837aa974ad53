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

const FAILED = (1n << 64n) - 1n

/** What mmap gave: an address, or -1 where there is no memory. */
export function mapped(given: number | bigint | null): bigint | undefined {
  const address = BigInt.asUintN(64, BigInt(given ?? FAILED))
  return address === FAILED ? undefined : address
}
