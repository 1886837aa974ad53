// What every peer in JavaScript offers to the process that measures it: load operands, build the call, read results.
import type { BenchDType, OperandSpec, Task } from '../../task.ts'

export type Elements =
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>

export interface Operand extends OperandSpec {
  readonly array: Elements
}

export interface Calls<R> {
  fresh(): R | Promise<R>
  /** Gives a fresh result back, so that its memory is used again. */
  free(result: R): void
  /** Writes into memory made beforehand; absent where the peer cannot. */
  out?(): R | Promise<R>
  /** The elements in row-major order, of each result where there are several. */
  read(result: R): ArrayBufferView | readonly ArrayBufferView[]
}

export interface Peer<H, R> {
  /** Puts an operand where the peer computes. */
  load(operand: Operand): H
  /** Everything that one task needs; throws with a reason when the peer cannot do it. */
  build(task: Task, operands: readonly H[]): Calls<R> | Promise<Calls<R>>
}

const ARRAYS = {
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  int64: BigInt64Array,
  bool: Uint8Array,
} as const

export const makeArray = (dtype: BenchDType, count: number): Elements => new ARRAYS[dtype](count)

export const arrayOver = (dtype: BenchDType, bytes: ArrayBuffer): Elements => new ARRAYS[dtype](bytes)

export const cannot = (what: string): never => {
  throw new Error(`has no ${what}`)
}
