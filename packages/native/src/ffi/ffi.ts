// What is asked of the system beneath JavaScript: memory that code can lie in, and calls into it. Each platform's way to
// call is a file beside this one.

/** Calls code at an address with an address, or a place in an array. */
export interface Ffi {
  /** Pages that can be written; undefined where there are none. */
  allocate(bytes: number): bigint | undefined
  /** Copies bytes to an address. */
  write(address: bigint, bytes: Uint8Array): void
  /** Makes pages executable, which then cannot be written; false where the system refuses. */
  makeExecutable(address: bigint, bytes: number): boolean
  /** Has every thread fetch instructions as they were written; false where the system refuses. */
  refresh(address: bigint, bytes: number): boolean
  free(address: bigint, bytes: number): void
  /** Tells the system how pages are used. */
  advise(address: bigint, bytes: number, advice: number): void
  /** Starts a thread of the system that runs `void *f(void *)` at an address; false where there is none to be had. */
  startThread(routine: bigint, argument: bigint): boolean
  /** The function `int f(uint32_t)` at an address. */
  functionAt(address: bigint): (argument: number) => number
  /** Where an array's memory begins, told by code at an address that gives its argument back. */
  addressOf(identity: bigint, array: Uint8Array): bigint
}
