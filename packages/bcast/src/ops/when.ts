// Every call that computes has two forms: one that returns its result, and one that promises it.

/** When a call has its result: as it returns, or when its promise is kept. */
export type When = 'now' | 'async'

/** A result, or the promise of it. */
export type Given<W extends When, T> = W extends 'now' ? T : Promise<T>

/** The form of a call that leaves the work to the workers. */
export interface WithAsync<Async> {
  /** The same on the worker threads: a promise of the tensor; whatever is wrong rejects it. */
  readonly async: Async
}
