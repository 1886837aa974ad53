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

/** WebAssembly where the platform has it, and can say when nobody holds a piece of its memory any more. */
export const wasm: WasmPlatform | undefined =
  globalThis.FinalizationRegistry && (globalThis as { WebAssembly?: WasmPlatform }).WebAssembly

interface Timers {
  setTimeout(work: () => void): unknown
  /** Only in Node, where it is much sooner than any timer. */
  readonly setImmediate?: (work: () => void) => unknown
}

const timers = globalThis as unknown as Timers

/** Lets everything else that waits have its turn, then does `work`. */
export const nextTurn = (work: () => void): unknown => (timers.setImmediate ?? timers.setTimeout)(work)

interface Surroundings {
  readonly process?: { getBuiltinModule?(name: string): unknown; constrainedMemory?(): number | undefined }
  readonly navigator?: { readonly hardwareConcurrency?: number; readonly deviceMemory?: number }
  readonly crossOriginIsolated?: boolean
  readonly SharedArrayBuffer?: unknown
  readonly console?: { warn(text: string): void }
}

const here = globalThis as Surroundings

/** Node's threads. */
export const inNode: unknown = here.process?.getBuiltinModule?.('node:worker_threads')
/** Whether there can be threads beside this one. */
export const hasWorkers: boolean = inNode !== undefined || 'Worker' in globalThis
/** Whether a call can wait for them: every thread but a page's own may block. */
export const canShareWork: boolean = inNode !== undefined || (hasWorkers && !('document' in globalThis))

/** Whether memory may be shared between threads: always in Node, in a page only when it is isolated. */
export const canShareMemory = (): boolean => here.SharedArrayBuffer !== undefined && here.crossOriginIsolated !== false

// Deno asks its user before it tells how much memory there is.
const os = ('Deno' in globalThis ? undefined : here.process)?.getBuiltinModule?.('node:os') as
  | { availableParallelism?(): number; totalmem(): number }
  | undefined

/** How many threads the machine runs at once. */
export const cores = (): number => os?.availableParallelism?.() || here.navigator?.hardwareConcurrency || 1

/** Bytes to take at most when nothing is said: half of what the machine, or the container, has. */
export function memoryBudget(): number {
  const whole = os?.totalmem() || (here.navigator?.deviceMemory ?? 8) * 2 ** 30
  return Math.min(whole, (os && here.process?.constrainedMemory?.()) || Infinity) / 2
}

const warned = new Set<string>()

/** Says something once. */
export function warn(text: string): void {
  if (warned.has(text)) return
  warned.add(text)
  here.console?.warn(`bcast: ${text}`)
}
