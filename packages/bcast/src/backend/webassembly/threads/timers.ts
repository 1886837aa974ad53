// What waiting without blocking takes of the platform.

interface Timers {
  setInterval(work: () => void, milliseconds: number): unknown
  clearInterval(timer: unknown): void
}

export const timers: Timers = globalThis as unknown as Timers

type WaitAsync = (
  words: Int32Array,
  index: number,
  value: number,
) => { readonly async: false } | { readonly async: true; readonly value: Promise<unknown> }

/** Calls back when a word of shared memory is told to have changed, without blocking; missing in some browsers. */
export const waitAsync: WaitAsync | undefined = (Atomics as { waitAsync?: WaitAsync }).waitAsync
