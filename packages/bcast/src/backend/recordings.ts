// Steps that are described once, over arrays that stand for others, to be run over other arrays again and again: what a
// backend may know, so that neither checks nor plans stand in front of each run.
import type { DType, Storage } from '../dtype/dtype.ts'
import type { Adding } from './repeat.ts'

/** An array, and how many elements further on steps look in it each time. */
export interface Place {
  readonly storage: Storage
  readonly step: number
  /** Whether none of the steps reads it. */
  readonly written: boolean
}

/** Keeps steps to run them over other arrays. */
export interface Recording extends Adding {
  /** The array that stands for a place in what is added. */
  standIn(place: Place): Storage
  /** Memory for what only these steps read; it throws where there is none. */
  allocate(dtype: DType, count: number): Storage
}

/** Adds steps; false where one of them cannot be kept. */
export type Describing = (recording: Recording) => boolean

/** How steps run some rows at a time. */
export interface RowSweep {
  /** How often they run. */
  readonly times: number
  /** Elements of all of them. */
  readonly elements: number
}

/**
 * Steps that are kept, over arrays whose elements begin so much further on than those that stood for them, in that order.
 * False, having done nothing, without room.
 */
export type RecordedRows = (storages: readonly Storage[], shifts: readonly number[]) => boolean

/** A call that is kept. */
export interface RecordedCall {
  /**
   * Runs it over arrays whose elements begin so much further on than those that stood for them; false where there is an
   * element without a value.
   */
  run(storages: readonly Storage[], shifts: readonly number[]): boolean
  /** Gives its memory back; it runs no more. */
  release(): void
}

/** What a backend knows of it; the same object as long as it is the backend's. */
export interface Recordings {
  /** Bytes that the steps of one time should read and write. */
  readonly cache: number
  /** Bytes up to which all rows go together: caches hold them, and nothing is kept as cheaply as a call. */
  readonly least: number
  /** Threads that calls are cut into parts for at the moment. */
  readonly threads: number
  /** Whether what is kept can be run. */
  readonly ready: boolean
  /** Keeps steps over some rows, which find no element without a value; undefined where one of them cannot be kept. */
  rows(sweep: RowSweep, describe: Describing): RecordedRows | undefined
  /** Keeps the steps of a call. */
  call(describe: Describing): RecordedCall | undefined
}
