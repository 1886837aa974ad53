// Some rows of several steps, then the next: a backend that knows a way of its own is told the steps for the first rows,
// and how far everything moves from one time to the next.
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

/** How steps run some rows at a time. */
export interface RowSweep {
  /** How often they run. */
  readonly times: number
  /** Elements of all of them. */
  readonly elements: number
}

/** Steps that are kept, over places in the order in which something stood for them. */
export type RecordedRows = (storages: readonly Storage[]) => boolean

/** A backend's way; the same object as long as it is the backend's. */
export interface RowSweeps {
  /** Bytes that the steps of one time should read and write. */
  readonly cache: number
  /**
   * Keeps the steps that `describe` adds; undefined where one of them cannot be kept. None may find an element without a
   * value. What it gives runs them; it is false, having done nothing, where there is no room.
   */
  record(sweep: RowSweep, describe: (recording: Recording) => boolean): RecordedRows | undefined
}
