// What bcast says to a case, in the form in which engines answer.
import * as bcast from 'bcast'
import {
  BcastError,
  bidirectional,
  type DType,
  matmulBatch,
  none,
  numpy,
  openvinoPrelu,
  type Rule,
  type Tensor,
  unidirectional,
} from 'bcast'
import { arrays } from '../../testing/arrays.ts'
import {
  type Answer,
  bytesOf,
  type Case,
  type CaseDType,
  type ComputeCase,
  encode,
  type RuleSpec,
  type TensorData,
} from './case.ts'

const PLAIN = { numpy, none, unidirectional, bidirectional, openvinoPrelu, matmulBatch } as const

export function ruleOf({ name, axis, axesMapping }: RuleSpec): Rule {
  const start = axis === undefined ? {} : { axis }
  switch (name) {
    case 'pdpd':
      return bcast.pdpd(start)
    case 'paddle':
      return bcast.paddle(start)
    case 'onnxLegacy':
      return bcast.onnxLegacy({ broadcast: true, ...start })
    case 'explicit':
      return bcast.explicit({ axesMapping: axesMapping ?? [] })
    default:
      return PLAIN[name]
  }
}

export function toTensor(given: TensorData): Tensor {
  const { dtype, shape } = given
  if (dtype === 'string') return bcast.fromData('string', [...given.data], shape)
  const data = new arrays[dtype](bytesOf(given).buffer as ArrayBuffer)
  return bcast.fromData(dtype as DType, data, shape)
}

export function fromTensor(tensor: Tensor): TensorData {
  const dtype = tensor.dtype as CaseDType
  if (dtype === 'string') return { dtype, shape: tensor.shape, data: tensor.data as string[] }
  const data = tensor.data as Uint8Array
  return encode(dtype, tensor.shape, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
}

/** The operators' types follow shapes and element types that the compiler can see; those of a case come at run time. */
function call<R = Tensor>(operator: unknown, ...args: readonly unknown[]): R {
  return (operator as (...args: readonly unknown[]) => R)(...args)
}

const BINARY: Readonly<Record<string, unknown>> = {
  Add: bcast.add,
  Sub: bcast.sub,
  Mul: bcast.mul,
  Div: bcast.div,
  FloorMod: bcast.floorMod,
  Pow: bcast.pow,
  SquaredDifference: bcast.squaredDifference,
  And: bcast.and,
  Or: bcast.or,
  Xor: bcast.xor,
  Equal: bcast.equal,
  NotEqual: bcast.notEqual,
  Greater: bcast.greater,
  Less: bcast.less,
  GreaterOrEqual: bcast.greaterOrEqual,
  LessOrEqual: bcast.lessOrEqual,
  BitwiseLeftShift: bcast.leftShift,
  BitwiseRightShift: bcast.rightShift,
  BitwiseAnd: bcast.bitwiseAnd,
  BitwiseOr: bcast.bitwiseOr,
  BitwiseXor: bcast.bitwiseXor,
  PRelu: bcast.prelu,
}

const NARY: Readonly<Record<string, unknown>> = {
  Max: bcast.max,
  Min: bcast.min,
  Mean: bcast.mean,
  Sum: bcast.sum,
}

const UNARY: Readonly<Record<string, unknown>> = {
  Not: bcast.not,
  BitwiseNot: bcast.bitwiseNot,
  Neg: bcast.neg,
  Abs: bcast.abs,
  Sign: bcast.sign,
  Sqrt: bcast.sqrt,
  Exp: bcast.exp,
  Log: bcast.log,
  Tanh: bcast.tanh,
  Sigmoid: bcast.sigmoid,
  Relu: bcast.relu,
  Floor: bcast.floor,
  Ceil: bcast.ceil,
  Round: bcast.round,
  Reciprocal: bcast.reciprocal,
  Identity: bcast.identity,
}

function compute({ op, attrs, rule, inputs, target }: ComputeCase): Tensor {
  const operands = inputs.map(toTensor)
  const options = { broadcast: ruleOf(rule) }
  const [x, y, z] = operands as [Tensor, Tensor, Tensor]
  switch (op) {
    case 'Where':
      return call(bcast.where, x, y, z, options)
    case 'FloorDiv':
      return call(bcast.div, x, y, { ...options, pythondiv: true })
    case 'Mod':
      return call(bcast.mod, x, y, { ...options, fmod: attrs.fmod ?? false })
    case 'BitShift':
      return call(bcast.bitShift, x, y, { ...options, direction: attrs.direction })
    case 'Gemm': {
      const { alpha = 1, beta = 1, transA = false, transB = false } = attrs
      return call(bcast.gemm, x, y, z, { alpha, beta, transA, transB })
    }
    case 'Cast':
      return call(bcast.cast, x, attrs.to)
    case 'Expand':
      return call(bcast.expand, x, target)
    case 'Broadcast':
    case 'BroadcastTo':
      return call(bcast.broadcastTo, x, target, options)
  }
  if (op in BINARY) return call(BINARY[op], x, y, options)
  if (op in NARY) return call(NARY[op], operands, options)
  if (op in UNARY) return call(UNARY[op], x)
  throw new Error(`no operator ${op}`)
}

/** Select keeps `then` under pdpd; every other operator keeps its first operand. */
const keptOperand = ({ op, rule }: Case): number => (op === 'Where' && rule.name === 'pdpd' ? 1 : 0)

function answer(question: Case): Answer {
  if (question.kind === 'compute') return { kind: 'tensor', tensor: fromTensor(compute(question)) }
  const broadcast = ruleOf(question.rule)
  if (question.kind === 'shapes') {
    return { kind: 'shape', shape: call(bcast.broadcastShapes, question.shapes, { broadcast }) }
  }
  const explanation = bcast.explain(question.shapes, { broadcast, onto: keptOperand(question) })
  if (explanation.verdict === 'error') return { kind: 'error', text: explanation.failure?.sentence ?? 'error' }
  return { kind: 'shape', shape: explanation.shape ?? null, conditional: explanation.verdict === 'conditional' }
}

/** bcast's answer. Only the errors that bcast documents are answers; anything else is a defect and stops the run. */
export function ourAnswer(question: Case): Answer {
  try {
    return answer(question)
  } catch (error) {
    if (!(error instanceof BcastError)) throw error
    return { kind: 'error', text: error.message, code: error.code }
  }
}

/** The operands of each element of the result, where the rule says which they are. */
export function operandsAt({ op, rule, inputs }: ComputeCase): ((position: number) => unknown[]) | undefined {
  if (op === 'Gemm' || op === 'Broadcast' || op === 'BroadcastTo' || op === 'Expand') return undefined
  if (keptOperand({ op, rule } as Case) !== 0) return undefined
  const operands = inputs.map(toTensor)
  try {
    const seen = call<Tensor[]>(bcast.broadcast, operands, { broadcast: ruleOf(rule) })
    const flat = seen.map((view) => [view.toArray()].flat(Number.POSITIVE_INFINITY as 20))
    return (position) => flat.map((elements) => elements[position])
  } catch {
    return undefined
  }
}
