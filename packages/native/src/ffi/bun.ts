// Calls through what Bun has for it, which takes an eighth of the time that koffi takes there.
import type { Ffi } from './ffi.ts'
import {
  COHERENT,
  COMPILER,
  MAP_ANONYMOUS,
  MAP_PRIVATE,
  mapped,
  PROT_EXEC,
  PROT_READ,
  PROT_WRITE,
  refresher,
  SYSTEM,
} from './system.ts'

type Callable = (...given: readonly unknown[]) => number | bigint | null

interface Prototype {
  readonly args: readonly string[]
  readonly returns: string
}

/** What is used of it. */
interface BunFfi {
  dlopen<K extends string>(name: string, symbols: Record<K, Prototype>): { readonly symbols: Record<K, Callable> }
  CFunction(function_: Prototype & { readonly ptr: number }): Callable
  ptr(array: Uint8Array): number
}

const KERNEL: Prototype = { args: ['u32'], returns: 'i32' }

function refreshing(dlopen: BunFfi['dlopen']): Ffi['refresh'] {
  const { __clear_cache: clear } = dlopen(COMPILER, {
    __clear_cache: { args: ['u64', 'u64'], returns: 'void' },
  }).symbols
  const { syscall } = dlopen(SYSTEM, { syscall: { args: ['i64', 'i32', 'u32', 'i32'], returns: 'i64' } }).symbols
  return refresher(clear, (...given) => Number(syscall(...given)))
}

export function bunFfi(): Ffi {
  const { dlopen, CFunction, ptr } = process.getBuiltinModule('bun:ffi' as 'node:module') as unknown as BunFfi
  const { mmap, mprotect, munmap, madvise, memcpy, pthread_create, pthread_detach } = dlopen(SYSTEM, {
    mmap: { args: ['ptr', 'usize', 'i32', 'i32', 'i32', 'i64'], returns: 'ptr' },
    mprotect: { args: ['ptr', 'usize', 'i32'], returns: 'i32' },
    munmap: { args: ['ptr', 'usize'], returns: 'i32' },
    madvise: { args: ['ptr', 'usize', 'i32'], returns: 'i32' },
    memcpy: { args: ['ptr', 'ptr', 'usize'], returns: 'ptr' },
    pthread_create: { args: ['ptr', 'ptr', 'ptr', 'ptr'], returns: 'i32' },
    pthread_detach: { args: ['u64'], returns: 'i32' },
  }).symbols
  const refresh = COHERENT ? () => true : refreshing(dlopen)
  return {
    allocate: (bytes) => mapped(mmap(null, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
    write(address, bytes) {
      memcpy(Number(address), bytes, bytes.length)
    },
    makeExecutable: (address, bytes) => mprotect(Number(address), bytes, PROT_READ | PROT_EXEC) === 0,
    refresh,
    free(address, bytes) {
      munmap(Number(address), bytes)
    },
    advise(address, bytes, advice) {
      madvise(Number(address), bytes, advice)
    },
    startThread(routine, argument) {
      const thread = new BigUint64Array(1)
      if (pthread_create(thread, null, Number(routine), Number(argument)) !== 0) return false
      pthread_detach(thread[0])
      return true
    },
    functionAt: (address) => CFunction({ ...KERNEL, ptr: Number(address) }) as (argument: number) => number,
    addressOf: (_, array) => BigInt(ptr(array)),
  }
}

/** How threads call the function at an address: text, because they share no objects. */
export const bunText = (address: bigint): string =>
  `return process.getBuiltinModule('bun:ffi').CFunction(${JSON.stringify({ ...KERNEL, ptr: Number(address) })})`
