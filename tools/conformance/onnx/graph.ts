// Runs an ONNX graph, node by node, on the library's operators. What an operator meant depends on its version:
// before operator set 7 (8 for the N-ary ones) broadcasting was an attribute, so the rule is chosen here.

import {
  BroadcastError,
  broadcastShapes,
  broadcastTo,
  cast,
  castLike,
  type DType,
  expand,
  none,
  onnxLegacy,
  pdpd,
  prelu,
  type Rule,
  type Tensor,
} from 'bcast'
import { type GemmSettings, operators, runGemm } from '../operators.ts'
import { elementsOf, makeTensor } from '../tensors.ts'
import type { Model, Node } from './model.ts'
import { dtypeOf, type TensorProto, UnsupportedOnnxError } from './tensor.ts'

function int(node: Node, name: string): number | undefined {
  const attribute = node.attributes.get(name)
  if (attribute === undefined) return undefined
  if (attribute.type !== 'int') throw new UnsupportedOnnxError(`attribute ${name} of ${node.op} is no integer`)
  return Number(attribute.value)
}

function float(node: Node, name: string): number | undefined {
  const attribute = node.attributes.get(name)
  if (attribute === undefined) return undefined
  if (attribute.type !== 'float') throw new UnsupportedOnnxError(`attribute ${name} of ${node.op} is no float`)
  return attribute.value
}

function direction(node: Node): 'LEFT' | 'RIGHT' | undefined {
  const attribute = node.attributes.get('direction')
  const value = attribute?.type === 'string' ? attribute.value : undefined
  return value === 'LEFT' || value === 'RIGHT' ? value : undefined
}

export const tensorOf = ({ values, dtype, shape }: TensorProto): Tensor => makeTensor(values, dtype, shape)

const LEGACY: ReadonlySet<string> = new Set([
  'Add',
  'And',
  'Div',
  'Equal',
  'Greater',
  'Less',
  'Mul',
  'Or',
  'Pow',
  'Sub',
  'Xor',
])
const SAME_SHAPE_BEFORE_8: ReadonlySet<string> = new Set(['Max', 'Mean', 'Min', 'Sum'])

/** Whether a node broadcasts by attribute. Some models declare a later operator set and still carry the attributes. */
const isLegacy = (node: Node, opset: number): boolean =>
  opset < 7 || node.attributes.has('broadcast') || node.attributes.has('axis')

/**
 * The legacy rule of a node. Its text leaves ones inside B alone, but exporters of the time wrote (2,3) + (2,1) and
 * ONNX's own tests expect it to stretch; such a B, and only such a one, goes onto A as under pdpd.
 */
function legacyRule(node: Node, a: Tensor, b: Tensor): Rule {
  const axis = int(node, 'axis')
  const at = axis === undefined ? {} : { axis }
  const broadcast = (int(node, 'broadcast') ?? 0) !== 0
  const rule = onnxLegacy({ broadcast, ...at })
  if (!broadcast || !b.shape.includes(1)) return rule
  try {
    broadcastShapes([a.shape, b.shape], { broadcast: rule })
    return rule
  } catch (error) {
    if (error instanceof BroadcastError) return pdpd(at)
    throw error
  }
}

function ruleOf(node: Node, opset: number, operands: readonly Tensor[]): Rule | undefined {
  if (LEGACY.has(node.op) && isLegacy(node, opset)) return legacyRule(node, operands[0]!, operands[1]!)
  return SAME_SHAPE_BEFORE_8.has(node.op) && opset < 8 ? none : undefined
}

function gemmSettings(node: Node, opset: number): GemmSettings {
  return {
    alpha: float(node, 'alpha'),
    beta: float(node, 'beta'),
    transA: (int(node, 'transA') ?? 0) !== 0,
    transB: (int(node, 'transB') ?? 0) !== 0,
    rule: isLegacy(node, opset) ? onnxLegacy({ broadcast: (int(node, 'broadcast') ?? 0) !== 0 }) : undefined,
  }
}

/** Before operator set 7 a slope had one element, or one for each channel (axis 1). */
function runPRelu(opset: number, [x, slope]: readonly Tensor[]): Tensor {
  if (opset >= 7) return prelu(x!, slope!)
  const rule = onnxLegacy({ broadcast: true, axis: 1 })
  return prelu(x!, broadcastTo(slope!, x!.shape, { broadcast: rule }))
}

function runConstant(node: Node): Tensor {
  for (const [name, attribute] of node.attributes) {
    if (name === 'value' && attribute.type === 'tensor') return tensorOf(attribute.value)
    if (attribute.type === 'float') return makeTensor([attribute.value], 'float32', [])
    if (attribute.type === 'int') return makeTensor([attribute.value], 'int64', [])
    if (attribute.type === 'string') return makeTensor([attribute.value], 'string', [])
    if (attribute.type === 'floats') return makeTensor(attribute.value, 'float32', [attribute.value.length])
    if (attribute.type === 'ints') return makeTensor(attribute.value, 'int64', [attribute.value.length])
    if (attribute.type === 'strings') return makeTensor(attribute.value, 'string', [attribute.value.length])
  }
  throw new UnsupportedOnnxError('a Constant has no value that the runner reads')
}

function runCast(node: Node, [x]: readonly Tensor[]): Tensor {
  const to = int(node, 'to')
  if (to === undefined) throw new UnsupportedOnnxError('a Cast names no type')
  return cast(x!, dtypeOf(to) as DType)
}

function runNode(node: Node, opset: number, operands: readonly Tensor[]): Tensor {
  switch (node.op) {
    case 'Cast':
      return runCast(node, operands)
    case 'CastLike':
      return castLike(operands[0]!, operands[1]!)
    case 'Constant':
      return runConstant(node)
    case 'Expand':
      return expand(operands[0]!, elementsOf(operands[1]!).map(Number))
    case 'Gemm':
      return runGemm(operands, gemmSettings(node, opset))
    case 'PRelu':
      return runPRelu(opset, operands)
  }
  const operator = operators[node.op]
  if (operator === undefined) throw new UnsupportedOnnxError(`the runner has no operator ${node.op}`)
  return operator(operands, {
    rule: ruleOf(node, opset, operands),
    onnx: true,
    fmod: (int(node, 'fmod') ?? 0) !== 0,
    direction: direction(node),
  })
}

/** The graph's outputs; `inputs` are by name. */
export function runGraph(model: Model, inputs: ReadonlyMap<string, Tensor>): Tensor[] {
  const values = new Map<string, Tensor>(model.initializers.map((proto) => [proto.name, tensorOf(proto)]))
  for (const [name, value] of inputs) values.set(name, value)
  const valueNamed = (name: string): Tensor => {
    const value = values.get(name)
    if (value === undefined) throw new UnsupportedOnnxError(`nothing computes ${JSON.stringify(name)}`)
    return value
  }
  for (const node of model.nodes) {
    const opset = model.opsets.get(node.domain)
    if (node.domain !== '' || opset === undefined) {
      throw new UnsupportedOnnxError(`the runner has no operator ${node.op} of domain ${JSON.stringify(node.domain)}`)
    }
    // An absent optional input comes last in every operator here.
    const operands = node.inputs.filter((name) => name !== '').map(valueNamed)
    values.set(node.outputs[0] ?? '', runNode(node, opset, operands))
  }
  return model.outputs.map(valueNamed)
}
