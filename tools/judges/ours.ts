// What bcast says to a case, in the form in which engines answer.
import * as bcast from 'bcast'
import {
  BcastError,
  bidirectional,
  dtypeInfo,
  matmulBatch,
  none,
  numpy,
  openvinoPrelu,
  type Rule,
  type Tensor,
  unidirectional,
} from 'bcast'
import { namedOperators, ownAttributes } from '../../testing/named-operators.ts'
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
  const { array: Elements } = dtypeInfo(dtype)
  const { buffer, byteLength } = bytesOf(given)
  const data = new Elements(buffer, 0, byteLength / dtypeInfo(dtype).bytes)
  return bcast.fromData(dtype, data as never, shape) as Tensor
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

function compute({ op, attrs, rule, inputs, target }: ComputeCase): Tensor {
  const operands = inputs.map(toTensor)
  const options = { broadcast: ruleOf(rule) }
  const [x, y, z] = operands as [Tensor, Tensor, Tensor]
  switch (op) {
    case 'FloorDiv':
      return call(bcast.div, x, y, { ...options, pythondiv: true })
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
  const operator = namedOperators.get(op)
  if (operator === undefined) throw new Error(`no operator ${op}`)
  return operator.call(...operands, { ...ownAttributes(operator, attrs), ...options })
}

/** The operand that the rule keeps. */
const keptOperand = ({ op, rule }: Case): number => namedOperators.get(op)?.keeps(ruleOf(rule)) ?? 0

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
