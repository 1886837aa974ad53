// One question that bcast and every engine answer, and the form of an answer. Both travel as one line of JSON, so that
// engines in any language and process can take part.
import type { DType, SymbolicShape } from 'bcast'

export type CaseDType = Exclude<DType, 'real'>

/** Elements in row-major order: little-endian bytes in base64 (bool one byte), strings as they are. */
export interface TensorData {
  readonly dtype: CaseDType
  readonly shape: readonly number[]
  readonly data: string | readonly string[]
}

export type RuleName =
  | 'numpy'
  | 'none'
  | 'unidirectional'
  | 'bidirectional'
  | 'explicit'
  | 'pdpd'
  | 'paddle'
  | 'onnxLegacy'
  | 'openvinoPrelu'
  | 'matmulBatch'

export interface RuleSpec {
  readonly name: RuleName
  readonly axis?: number
  readonly axesMapping?: readonly number[]
}

export interface Attributes {
  readonly fmod?: boolean
  readonly direction?: 'LEFT' | 'RIGHT'
  readonly alpha?: number
  readonly beta?: number
  readonly approximate?: 'none' | 'tanh'
  readonly transA?: boolean
  readonly transB?: boolean
  readonly to?: CaseDType
  /** Ask for the engine's plain `/` rather than the function that means the same as ours. */
  readonly plain?: boolean
  /** Which of OpenVINO's Broadcast operators is meant. */
  readonly version?: 1 | 3
}

interface Question {
  readonly id: number
  readonly op: string
  readonly attrs: Attributes
  readonly rule: RuleSpec
}

/** Compute a tensor. `target` is the shape that Expand and Broadcast go to. */
export interface ComputeCase extends Question {
  readonly kind: 'compute'
  readonly inputs: readonly TensorData[]
  readonly target?: readonly number[]
}

/** Bring shapes together; nothing is computed. */
export interface ShapesCase extends Question {
  readonly kind: 'shapes'
  readonly shapes: readonly (readonly number[])[]
}

/** Say what is known of the result's shape when sizes may be symbols, intervals or unknown. */
export interface InferCase extends Question {
  readonly kind: 'infer'
  readonly dtype: CaseDType
  readonly shapes: readonly SymbolicShape[]
}

export type Case = ComputeCase | ShapesCase | InferCase

/** A case before it has its place in the run. */
export type Draft = { [K in Case['kind']]: Omit<Extract<Case, { kind: K }>, 'id'> }[Case['kind']]

export type Answer =
  | { readonly kind: 'tensor'; readonly tensor: TensorData }
  | { readonly kind: 'shape'; readonly shape: SymbolicShape; readonly conditional?: boolean }
  | { readonly kind: 'error'; readonly text: string; readonly code?: string }
  | { readonly kind: 'unsupported'; readonly text: string }
  | { readonly kind: 'crash'; readonly text: string }

export const elementCount = (shape: readonly number[]): number => shape.reduce((n, size) => n * size, 1)

/** The bytes of a tensor that is not of strings. */
export const bytesOf = ({ data }: TensorData): Uint8Array => {
  if (typeof data !== 'string') throw new Error('strings have no bytes')
  const buffer = Buffer.from(data, 'base64')
  // A copy of its own, so that typed arrays over it are aligned.
  return new Uint8Array(buffer)
}

export const encode = (dtype: CaseDType, shape: readonly number[], bytes: Uint8Array): TensorData => ({
  dtype,
  shape,
  data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
})
