// Memory in blocks with a wall before and behind each: a byte beyond ends the process. And a page for code, written again
// for every kernel.
import { createRequire } from 'node:module'
import { koffiFfi } from '../../packages/native/src/ffi/koffi.ts'

const PAGE = 4096
const CODE = 1 << 21

export interface Walls {
  /** Where the first block begins. */
  readonly address: bigint
  /** All blocks, walls and all. */
  readonly bytes: Uint8Array
  /** Where a block begins among the bytes, and how long it is. */
  at(block: number): number
  readonly size: number
  /** Puts code where it runs, and gives its function. */
  put(code: Uint8Array): (argument: number) => number
}

export function walls(blocks: number, size: number): Walls {
  const koffi = createRequire(new URL('../../packages/native/package.json', import.meta.url))('koffi')
  const ffi = koffiFfi()
  const mprotect = koffi.load('libc.so.6').func('int mprotect(void *at, size_t length, int protection)')
  const step = size + PAGE
  const all = PAGE + blocks * step
  const address = ffi.allocate(all)!
  const bytes = new Uint8Array(koffi.view(address, all))
  for (let i = 0; i <= blocks; i++) {
    if (mprotect(address + BigInt(i * step), PAGE, 0) !== 0) throw new Error('the system gives no walls')
  }
  const code = ffi.allocate(CODE)!
  ffi.write(code, Uint8Array.of(0xc3))
  ffi.makeExecutable(code, CODE)
  const run = ffi.functionAt(code)
  return {
    address,
    bytes,
    size,
    at: (block) => PAGE + block * step,
    put(text) {
      if (text.length > CODE) throw new Error(`a kernel takes ${text.length} bytes of code`)
      mprotect(code, CODE, 3)
      ffi.write(code, text)
      ffi.makeExecutable(code, CODE)
      return run
    },
  }
}
