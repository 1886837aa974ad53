// Machine code in memory: written first, made executable then, never both at once, and given back when nobody can call it
// any more.
import type { Ffi } from './ffi/ffi.ts'
import { Unsupported } from './machine/unsupported.ts'
import { emptyPages, largePages } from './pages.ts'

/** Bytes whose protection is changed at once on x86-64; where there are more, the system rounds up. */
const PAGE = 4096

/** `mov rax, rdi; ret`: gives its argument back. */
const IDENTITY: Readonly<Partial<Record<string, readonly number[]>>> = {
  x64: [0x48, 0x89, 0xf8, 0xc3],
  arm64: [0xc0, 0x03, 0x5f, 0xd6],
}

export class CodeMemory {
  readonly #ffi: Ffi
  readonly #forgotten: FinalizationRegistry<{ readonly address: bigint; readonly bytes: number }>
  readonly #identity: bigint

  /** Throws, saying why, where the system does not let code be made. */
  constructor(ffi: Ffi) {
    this.#ffi = ffi
    this.#forgotten = new FinalizationRegistry(({ address, bytes }) => ffi.free(address, bytes))
    this.#identity = this.#put(Uint8Array.from(IDENTITY[process.arch]!)).address
  }

  #put(code: Uint8Array): { readonly address: bigint; readonly bytes: number } {
    const bytes = Math.ceil(code.length / PAGE) * PAGE
    const address = this.#ffi.allocate(bytes)
    if (address === undefined) throw new Unsupported('the system gives no memory for machine code')
    this.#ffi.write(address, code)
    const why = this.#ffi.makeExecutable(address, bytes)
      ? this.#ffi.refresh(address, bytes)
        ? undefined
        : 'the system does not let threads see new instructions'
      : 'the system does not let memory be executed'
    if (why !== undefined) {
      this.#ffi.free(address, bytes)
      throw new Unsupported(why)
    }
    return { address, bytes }
  }

  /** The address of code that stays as long as the process. */
  keep(code: Uint8Array): bigint {
    return this.#put(code).address
  }

  /** Memory that stays as long as the process, and a thread that begins at code with an address. */
  reserve(bytes: number): bigint | undefined {
    return this.#ffi.allocate(bytes)
  }

  startThread(code: bigint, argument: bigint): boolean {
    return this.#ffi.startThread(code, argument)
  }

  /** A function of code; its memory goes when the function does. */
  load(code: Uint8Array): { readonly run: (argument: number) => number; readonly address: bigint } {
    const put = this.#put(code)
    const made = { run: this.#ffi.functionAt(put.address), address: put.address }
    this.#forgotten.register(made.run, put)
    return made
  }

  /** Has a memory of so many bytes come in large pages. */
  enlarge(memory: ArrayBufferLike, bytes: number): void {
    largePages(this.#ffi, this.addressOf(memory), bytes)
  }

  /** Gives back what a memory holds, which is zeros from then on. */
  empty(memory: ArrayBufferLike): void {
    emptyPages(this.#ffi, this.addressOf(memory), memory.byteLength)
  }

  /** Where memory begins. */
  addressOf(memory: ArrayBufferLike): bigint {
    return this.#ffi.addressOf(this.#identity, new Uint8Array(memory, 0, 1))
  }
}
