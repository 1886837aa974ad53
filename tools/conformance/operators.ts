// The operators by the names that ONNX, OpenVINO, nGraph and Paddle give them. One table serves case files and ONNX
// graphs, so that a name means one function wherever it is met.

import type { Rule, Tensor } from 'bcast'
import * as bcast from 'bcast'

/** What an operator is told besides its operands; each reads what it knows. */
export interface Settings {
  /** undefined: the operator's own rule. */
  readonly rule?: Rule | undefined
  /** Mod and Divide follow ONNX, else OpenVINO. */
  readonly onnx: boolean
  readonly fmod?: boolean | undefined
  readonly pythondiv?: boolean | undefined
  readonly direction?: 'LEFT' | 'RIGHT' | undefined
}

export type Operator = (operands: readonly Tensor[], settings: Settings) => Tensor

type Options = { readonly broadcast?: Rule }
type Binary = (x: Tensor, y: Tensor, options: Options) => Tensor
type Ternary = (x: Tensor, y: Tensor, z: Tensor, options: Options) => Tensor
type Nary = (operands: readonly Tensor[], options: Options) => Tensor
type Unary = (x: Tensor) => Tensor

const options = ({ rule }: Settings): Options => (rule === undefined ? {} : { broadcast: rule })

function take(operands: readonly Tensor[], count: number): readonly Tensor[] {
  if (operands.length !== count) throw new Error(`the operator takes ${count} operands, ${operands.length} are given`)
  return operands
}

const unary =
  (f: Unary): Operator =>
  (operands) =>
    f(take(operands, 1)[0]!)

const binary =
  (f: Binary): Operator =>
  (operands, settings) => {
    const [x, y] = take(operands, 2)
    return f(x!, y!, options(settings))
  }

const ternary =
  (f: Ternary): Operator =>
  (operands, settings) => {
    const [x, y, z] = take(operands, 3)
    return f(x!, y!, z!, options(settings))
  }

const nary =
  (f: Nary): Operator =>
  (operands, settings) =>
    f(operands, options(settings))

/** Mod: ONNX follows the divisor's sign unless fmod is set, OpenVINO and Paddle's shapes know one truncated Mod. */
const modulo: Operator = (operands, settings) => {
  const [x, y] = take(operands, 2)
  const fmod = settings.onnx ? (settings.fmod ?? false) : true
  return bcast.mod(x!, y!, { ...options(settings), fmod })
}

const divide =
  (pythondiv: boolean): Operator =>
  (operands, settings) => {
    const [x, y] = take(operands, 2)
    return bcast.div(x!, y!, { ...options(settings), pythondiv: settings.pythondiv ?? pythondiv })
  }

const bitShift: Operator = (operands, settings) => {
  const [x, y] = take(operands, 2)
  if (settings.direction === undefined) throw new Error('BitShift needs a direction')
  return bcast.bitShift(x!, y!, { ...options(settings), direction: settings.direction })
}

export const operators: Readonly<Record<string, Operator>> = {
  Abs: unary(bcast.abs),
  Add: binary(bcast.add),
  And: binary(bcast.and),
  BitShift: bitShift,
  BitwiseAnd: binary(bcast.bitwiseAnd),
  BitwiseLeftShift: binary(bcast.leftShift),
  BitwiseNot: unary(bcast.bitwiseNot),
  BitwiseOr: binary(bcast.bitwiseOr),
  BitwiseRightShift: binary(bcast.rightShift),
  BitwiseXor: binary(bcast.bitwiseXor),
  Ceil: unary(bcast.ceil),
  Div: divide(false),
  Divide: divide(true),
  Equal: binary(bcast.equal),
  Exp: unary(bcast.exp),
  Floor: unary(bcast.floor),
  FloorDiv: divide(true),
  FloorMod: binary(bcast.floorMod),
  Greater: binary(bcast.greater),
  GreaterEqual: binary(bcast.greaterOrEqual),
  GreaterOrEqual: binary(bcast.greaterOrEqual),
  Identity: unary(bcast.identity),
  Less: binary(bcast.less),
  LessEqual: binary(bcast.lessOrEqual),
  LessOrEqual: binary(bcast.lessOrEqual),
  Log: unary(bcast.log),
  LogicalAnd: binary(bcast.and),
  LogicalNot: unary(bcast.not),
  LogicalOr: binary(bcast.or),
  LogicalXor: binary(bcast.xor),
  Max: nary(bcast.max),
  Maximum: binary(bcast.max),
  Mean: nary(bcast.mean),
  Min: nary(bcast.min),
  Minimum: binary(bcast.min),
  Mod: modulo,
  Mul: binary(bcast.mul),
  Multiply: binary(bcast.mul),
  Neg: unary(bcast.neg),
  Negative: unary(bcast.neg),
  Not: unary(bcast.not),
  NotEqual: binary(bcast.notEqual),
  Or: binary(bcast.or),
  PRelu: binary(bcast.prelu),
  Pow: binary(bcast.pow),
  Power: binary(bcast.pow),
  Reciprocal: unary(bcast.reciprocal),
  Relu: unary(bcast.relu),
  Round: unary(bcast.round),
  Select: ternary(bcast.select),
  Sigmoid: unary(bcast.sigmoid),
  Sign: unary(bcast.sign),
  Sqrt: unary(bcast.sqrt),
  SquaredDifference: binary(bcast.squaredDifference),
  Sub: binary(bcast.sub),
  Subtract: binary(bcast.sub),
  Sum: nary(bcast.sum),
  Tanh: unary(bcast.tanh),
  Where: ternary(bcast.where),
  Xor: binary(bcast.xor),
}

export interface GemmSettings {
  readonly alpha?: number | undefined
  readonly beta?: number | undefined
  readonly transA: boolean
  readonly transB: boolean
  /** How C goes onto the product; undefined: as the operator itself has it. */
  readonly rule?: Rule | undefined
}

export function runGemm(
  [a, b, c]: readonly Tensor[],
  { alpha = 1, beta = 1, transA, transB, rule }: GemmSettings,
): Tensor {
  const settings = { alpha, beta, transA, transB }
  if (c === undefined || rule === undefined) return bcast.gemm(a!, b!, c, settings)
  const product = [a!.shape[transA ? 1 : 0]!, b!.shape[transB ? 0 : 1]!]
  return bcast.gemm(a!, b!, bcast.broadcastTo(c, product, { broadcast: rule }), settings)
}
