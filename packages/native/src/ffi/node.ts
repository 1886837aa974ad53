// Calls through `node:ffi`, for a Node that has it and may not load koffi: its calls take ten times as long, and it says
// on stderr that it is an experiment.
import type { Ffi } from './ffi.ts'
import { COHERENT, MAP_ANONYMOUS, MAP_PRIVATE, mapped, PROT_EXEC, PROT_READ, PROT_WRITE, refresher } from './system.ts'

type Callable = (...given: readonly unknown[]) => number | bigint

interface Prototype {
  readonly arguments: readonly string[]
  readonly return: string
}

/** What is used of it. */
interface NodeFfi {
  dlopen<K extends string>(name: null, symbols: Record<K, Prototype>): { readonly functions: Record<K, Callable> }
  getRawPointer(array: Uint8Array): bigint
}

const NAME = 'node:ffi' as 'node:module'

/** Functions have names there, never addresses. bsearch calls one at an address: with the key, which of one element is once. */
const BSEARCH: Prototype = { arguments: ['uint32', 'uint64', 'uint64', 'uint64', 'pointer'], return: 'int32' }

/** The element's address, which nobody reads: bsearch gives it where the function gave 0, and 0 where it did not. */
const FOUND = 1

export const hasNodeFfi = (): boolean => process.getBuiltinModule(NAME) !== undefined

function refreshing(dlopen: NodeFfi['dlopen']): Ffi['refresh'] {
  const { __clear_cache: clear, syscall } = dlopen(null, {
    __clear_cache: { arguments: ['uint64', 'uint64'], return: 'void' },
    syscall: { arguments: ['int64', 'int32', 'uint32', 'int32'], return: 'int64' },
  }).functions
  return refresher(clear, (number, ...given) => Number(syscall(BigInt(number), ...given)))
}

/** Throws where the permissions of the process do not allow it. */
export function nodeFfi(): Ffi {
  const { dlopen, getRawPointer } = process.getBuiltinModule(NAME) as unknown as NodeFfi
  const { mmap, mprotect, munmap, madvise, memcpy, pthread_create, pthread_detach, bsearch } = dlopen(null, {
    mmap: { arguments: ['pointer', 'uint64', 'int32', 'int32', 'int32', 'int64'], return: 'pointer' },
    mprotect: { arguments: ['pointer', 'uint64', 'int32'], return: 'int32' },
    munmap: { arguments: ['pointer', 'uint64'], return: 'int32' },
    madvise: { arguments: ['pointer', 'uint64', 'int32'], return: 'int32' },
    memcpy: { arguments: ['pointer', 'pointer', 'uint64'], return: 'pointer' },
    pthread_create: { arguments: ['pointer', 'pointer', 'pointer', 'pointer'], return: 'int32' },
    pthread_detach: { arguments: ['uint64'], return: 'int32' },
    bsearch: BSEARCH,
  }).functions
  const refresh = COHERENT ? () => true : refreshing(dlopen)
  return {
    allocate: (bytes) => mapped(mmap(null, BigInt(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0n)),
    write(address, bytes) {
      memcpy(address, bytes, BigInt(bytes.length))
    },
    makeExecutable: (address, bytes) => mprotect(address, BigInt(bytes), PROT_READ | PROT_EXEC) === 0,
    refresh,
    free(address, bytes) {
      munmap(address, BigInt(bytes))
    },
    advise(address, bytes, advice) {
      madvise(address, BigInt(bytes), advice)
    },
    startThread(routine, argument) {
      const thread = new BigUint64Array(1)
      if (pthread_create(thread, null, routine, argument) !== 0) return false
      pthread_detach(thread[0])
      return true
    },
    functionAt: (address) => (argument) => Number(bsearch(argument, BigInt(FOUND), 1n, 1n, address) !== FOUND),
    addressOf: (_, array) => getRawPointer(array),
  }
}

/** How threads call the function at an address: text, because they share no objects. */
export const nodeText = (address: bigint): string =>
  `const { bsearch } = process.getBuiltinModule('${NAME}').dlopen(null, { bsearch: ${JSON.stringify(BSEARCH)} }).functions
return (argument) => Number(bsearch(argument, ${FOUND}n, 1n, 1n, ${address}n) !== ${FOUND})`
