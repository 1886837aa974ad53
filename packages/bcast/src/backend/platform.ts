// What backends use of the platform, which may lack it: an old browser, a page whose policy forbids compiling.
// Described here because the library is written against the language alone, without the types of a browser or Node.

export interface WasmMemory {
  readonly buffer: ArrayBufferLike
  grow(pages: number): number
}

interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>
}

export interface WasmPlatform {
  readonly Memory: new (options: { initial: number; maximum: number; shared: boolean }) => WasmMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => WasmInstance
  validate(bytes: Uint8Array): boolean
}

/** WebAssembly where the platform has it. */
export const wasm: WasmPlatform | undefined = (globalThis as { WebAssembly?: WasmPlatform }).WebAssembly

interface Timers {
  setTimeout(work: () => void): unknown
  /** Only in Node, where it is much sooner than any timer. */
  readonly setImmediate?: (work: () => void) => unknown
  setInterval(work: () => void, milliseconds: number): unknown
  clearInterval(timer: unknown): void
}

export const timers: Timers = globalThis as unknown as Timers

/** Lets everything else that waits have its turn, then does `work`. */
export const nextTurn = (work: () => void): unknown => (timers.setImmediate ?? timers.setTimeout)(work)

type WaitAsync = (
  words: Int32Array,
  index: number,
  value: number,
) => { readonly async: false } | { readonly async: true; readonly value: Promise<unknown> }

/** Calls back when a word of shared memory is told to have changed, without blocking; missing in some browsers. */
export const waitAsync: WaitAsync | undefined = (Atomics as { waitAsync?: WaitAsync }).waitAsync

interface Surroundings {
  readonly process?: { getBuiltinModule?(name: string): unknown; constrainedMemory?(): number | undefined }
  readonly navigator?: { readonly hardwareConcurrency?: number; readonly deviceMemory?: number }
  readonly crossOriginIsolated?: boolean
  readonly SharedArrayBuffer?: unknown
  readonly console?: { warn(text: string): void }
}

const here = globalThis as Surroundings

/** Whether memory may be shared between threads: always in Node, in a page only when it is isolated. */
export const canShareMemory = (): boolean => here.SharedArrayBuffer !== undefined && here.crossOriginIsolated !== false

const os = here.process?.getBuiltinModule?.('node:os') as
  | { availableParallelism?(): number; totalmem(): number }
  | undefined

/** How many threads the machine runs at once. */
export const cores = (): number => os?.availableParallelism?.() ?? here.navigator?.hardwareConcurrency ?? 1

/** Bytes to take at most when nothing is said: half of what the machine, or the container, has. */
export function memoryBudget(): number {
  const whole = os?.totalmem() ?? (here.navigator?.deviceMemory ?? 8) * 2 ** 30
  return Math.min(whole, here.process?.constrainedMemory?.() || Infinity) / 2
}

const warned = new Set<string>()

/** Says something once. */
export function warn(text: string): void {
  if (warned.has(text)) return
  warned.add(text)
  here.console?.warn(`bcast: ${text}`)
}
