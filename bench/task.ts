// What a peer is asked: one operator over operands that lie in files. It travels to the peers' processes as JSON, so
// that every peer computes from the same bytes, whatever language it is written in.

export type BenchDType = 'float16' | 'bfloat16' | 'float32' | 'float64' | 'int8' | 'int64' | 'bool'

/**
 * add, mul, greater: of two operands. where: condition, x, y. normalise: (x - m) / s * g + b. addTransposed: x + y
 * transposed. addStrided: x + y[::-1, ::2]. max: of all operands. gemm: a b + c. sum: over `axes`. sumTo: a gradient
 * to the shape of the result, which is the sum over `axes`. softmax: along the last axis. layerNorm: of x along the last
 * axis, times a scale, plus a bias. normaliseGrad: the mean of ((x - m) / s)² and its gradients by x, m and s.
 * logisticStep: the mean of softplus(X w) - y X w, and w less its gradient by w.
 */
export type Op =
  | 'add'
  | 'mul'
  | 'greater'
  | 'where'
  | 'normalise'
  | 'addTransposed'
  | 'addStrided'
  | 'max'
  | 'gemm'
  | 'sum'
  | 'sumTo'
  | 'softmax'
  | 'layerNorm'
  | 'normaliseGrad'
  | 'logisticStep'

/** What layerNorm adds to the variance; every library's own default. */
export const EPSILON = 1e-5

export interface OperandSpec {
  readonly dtype: BenchDType
  readonly shape: readonly number[]
  /** What float32 elements are drawn from: [0.5, 2) unless said, with either sign, sixteenths of that, or 0 and 1. */
  readonly drawn?: 'signed' | 'small' | 'labels'
}

export const of = (dtype: BenchDType, ...shape: number[]): OperandSpec => ({ dtype, shape })
export const f32 = (...shape: number[]): OperandSpec => of('float32', ...shape)

export interface OperandFile extends OperandSpec {
  /** Elements in row-major order, little-endian; bool as bytes, 16-bit floats as bits. */
  readonly file: string
}

export interface Task {
  readonly op: Op
  readonly operands: readonly OperandFile[]
  readonly result: OperandSpec
  /** What the operator gives behind the result. */
  readonly also: readonly OperandSpec[]
  /** What is summed over. */
  readonly axes: readonly number[]
  /** Operands are typed arrays that the caller owns, and so is the result. */
  readonly foreign: boolean
  /** An ONNX model of the operator, for those who need one. */
  readonly model: string
}

/** `fresh` makes a new result and gives it back; `out` writes into memory that is there. */
export type Mode = 'fresh' | 'out'

export type Request =
  | { readonly do: 'load'; readonly task: Task }
  | { readonly do: 'result'; readonly mode: Mode; readonly file: string }
  | { readonly do: 'time'; readonly mode: Mode; readonly ms: number; readonly least: number }
  | { readonly do: 'first'; readonly task: Task }
  | { readonly do: 'unload' }

export interface Reply {
  /** The peer cannot do this, or failed at it, and says why. */
  readonly error?: string
  readonly modes?: readonly Mode[]
  /** Best time of one call. */
  readonly seconds?: number
}

/** A reply is a line of the process's output that begins with this; libraries may print other lines. */
export const REPLY = '@bench '

export const WIDTH: Readonly<Record<BenchDType, number>> = {
  float16: 2,
  bfloat16: 2,
  float32: 4,
  float64: 8,
  int8: 1,
  int64: 8,
  bool: 1,
}

export const elementCount = (shape: readonly number[]): number => shape.reduce((n, size) => n * size, 1)

export const byteCount = ({ dtype, shape }: OperandSpec): number => elementCount(shape) * WIDTH[dtype]
