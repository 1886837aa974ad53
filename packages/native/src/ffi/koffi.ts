// Calls into the system and into machine code through koffi, on Node 20 and newer.
import { createRequire } from 'node:module'
import type { Ffi } from './ffi.ts'
import { COHERENT, MAP_ANONYMOUS, MAP_PRIVATE, mapped, PROT_EXEC, PROT_READ, PROT_WRITE, refresher } from './system.ts'

type Callable = (...given: readonly unknown[]) => unknown

/** What is used of koffi. */
interface Koffi {
  load(name: null): { func(prototype: string): Callable }
  proto(prototype: string): object
  decode(address: bigint, type: object): Callable
}

const require = createRequire(import.meta.url)

/** Throws where koffi cannot be loaded, or the system has not what it takes. */
export function koffiFfi(): Ffi {
  const koffi = require('koffi') as Koffi
  const system = koffi.load(null)
  const mmap = system.func('void *mmap(void *at, size_t length, int protection, int flags, int file, int64_t offset)')
  const mprotect = system.func('int mprotect(void *at, size_t length, int protection)')
  const munmap = system.func('int munmap(void *at, size_t length)')
  const madvise = system.func('int madvise(void *at, size_t length, int advice)')
  const memcpy = system.func('void *memcpy(void *to, const void *from, size_t length)')
  const refresh = COHERENT
    ? () => true
    : refresher(
        system.func('void __clear_cache(uint64_t begin, uint64_t end)') as (begin: bigint, end: bigint) => void,
        system.func('long syscall(long number, int command, unsigned int flags, int cpu)') as (
          ...given: readonly number[]
        ) => number,
      )
  const create = system.func('int pthread_create(void *thread, const void *attributes, void *routine, void *argument)')
  const detach = system.func('int pthread_detach(uint64_t thread)')
  const kernel = koffi.proto('int (uint32_t)')
  const identity = koffi.proto('uint64_t (const void *)')
  return {
    allocate: (bytes) =>
      mapped(mmap(null, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) as bigint | null),
    write(address, bytes) {
      memcpy(address, bytes, bytes.length)
    },
    makeExecutable: (address, bytes) => mprotect(address, bytes, PROT_READ | PROT_EXEC) === 0,
    refresh,
    free(address, bytes) {
      munmap(address, bytes)
    },
    advise(address, bytes, advice) {
      madvise(address, bytes, advice)
    },
    startThread(routine, argument) {
      const thread = new BigUint64Array(1)
      if (create(thread, null, routine, argument) !== 0) return false
      detach(thread[0])
      return true
    },
    functionAt: (address) => koffi.decode(address, kernel) as (argument: number) => number,
    addressOf: (at, array) => BigInt(koffi.decode(at, identity)(array) as number | bigint),
  }
}

/**
 * How threads call the function at an address: text, because they share no objects. A thread whose first call is to an
 * address crashes in koffi 3.3; after one to a library it does not.
 */
export const koffiText = (address: bigint): string =>
  `const { createRequire } = process.getBuiltinModule('node:module')
const koffi = createRequire(${JSON.stringify(import.meta.url)})('koffi')
koffi.load(null).func('int abs(int)')(0)
return koffi.decode(${address}n, koffi.proto('int (uint32_t)'))`
