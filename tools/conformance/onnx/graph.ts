// Runs an ONNX graph, node by node, on the library's operators. What an operator meant depends on its version:
// before operator set 7 (8 for the N-ary ones) broadcasting was an attribute, so the rule is chosen here.

import { dtypeOf, type Model, type Node, tensorOf, UnsupportedError } from '@bcast/onnx'
import {
  BroadcastError,
  broadcastShapes,
  broadcastTo,
  cast,
  castLike,
  expand,
  none,
  onnxLegacy,
  pdpd,
  prelu,
  type Rule,
  type Tensor,
} from 'bcast'
import type { Element } from '../fits.ts'
import { type GemmSettings, operators, runGemm } from '../operators.ts'
import { elementsOf, makeTensor } from '../tensors.ts'

const flag = ({ attributes }: Node, name: string): boolean => attributes.int(name, 0) !== 0

function direction({ attributes }: Node): 'LEFT' | 'RIGHT' | undefined {
  const value = attributes.string('direction', undefined)
  return value === 'LEFT' || value === 'RIGHT' ? value : undefined
}

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
  const axis = node.attributes.int('axis', undefined)
  const at = axis === undefined ? {} : { axis }
  const broadcast = flag(node, 'broadcast')
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
  if (LEGACY.has(node.opType) && isLegacy(node, opset)) return legacyRule(node, operands[0]!, operands[1]!)
  return SAME_SHAPE_BEFORE_8.has(node.opType) && opset < 8 ? none : undefined
}

function gemmSettings(node: Node, opset: number): GemmSettings {
  return {
    alpha: node.attributes.float('alpha', undefined),
    beta: node.attributes.float('beta', undefined),
    transA: flag(node, 'transA'),
    transB: flag(node, 'transB'),
    rule: isLegacy(node, opset) ? onnxLegacy({ broadcast: flag(node, 'broadcast') }) : undefined,
  }
}

/** Before operator set 7 a slope had one element, or one for each channel (axis 1). */
function runPRelu(opset: number, [x, slope]: readonly Tensor[]): Tensor {
  if (opset >= 7) return prelu(x!, slope!)
  const rule = onnxLegacy({ broadcast: true, axis: 1 })
  return prelu(x!, broadcastTo(slope!, x!.shape, { broadcast: rule }))
}

/** The forms a constant can take, each with the tensor it makes. */
const constants: Readonly<Record<string, (node: Node, name: string) => Tensor>> = {
  value: ({ attributes }, name) => tensorOf(attributes.tensor(name)),
  value_float: ({ attributes }, name) => makeTensor([attributes.float(name)], 'float32', []),
  value_int: ({ attributes }, name) => makeTensor([attributes.bigint(name)], 'int64', []),
  value_string: ({ attributes }, name) => makeTensor([attributes.string(name)], 'string', []),
  value_floats: ({ attributes }, name) => row(attributes.floats(name), 'float32'),
  value_ints: ({ attributes }, name) => row(attributes.bigints(name), 'int64'),
  value_strings: ({ attributes }, name) => row(attributes.strings(name), 'string'),
}

const row = (values: readonly Element[], dtype: string): Tensor => makeTensor(values, dtype, [values.length])

function runConstant(node: Node): Tensor {
  const name = node.attributes.names.find((name) => Object.hasOwn(constants, name))
  if (name === undefined) throw new UnsupportedError('a Constant has no value that the runner reads', 'Constant')
  return constants[name]!(node, name)
}

const runCast = ({ attributes }: Node, [x]: readonly Tensor[]): Tensor =>
  cast(x!, dtypeOf(attributes.int('to'), 'the result of Cast'))

function runNode(node: Node, opset: number, operands: readonly Tensor[]): Tensor {
  switch (node.opType) {
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
  const operator = operators[node.opType]
  if (operator === undefined) throw new UnsupportedError(`the runner has no operator ${node.opType}`, node.opType)
  return operator(operands, {
    rule: ruleOf(node, opset, operands),
    onnx: true,
    fmod: flag(node, 'fmod'),
    direction: direction(node),
  })
}

function initialValues({ graph }: Model): Map<string, Tensor> {
  const values = new Map<string, Tensor>()
  for (const initializer of graph.initializers.values()) {
    if (initializer.sparse) throw new UnsupportedError('the graph has a sparse initializer', 'sparse initializer')
    values.set(initializer.name, tensorOf(initializer.proto))
  }
  return values
}

/** The graph's outputs; `inputs` are by name. */
export function runGraph(model: Model, inputs: ReadonlyMap<string, Tensor>): Tensor[] {
  const values = initialValues(model)
  for (const [name, value] of inputs) values.set(name, value)
  const valueNamed = (name: string): Tensor => {
    const value = values.get(name)
    if (value === undefined) throw new UnsupportedError(`nothing computes ${JSON.stringify(name)}`, name)
    return value
  }
  for (const node of model.graph.nodes) {
    const opset = model.opsets.get(node.domain)
    if (node.domain !== '' || opset === undefined) {
      const what = `operator ${node.opType} of domain ${JSON.stringify(node.domain)}`
      throw new UnsupportedError(`the runner has no ${what}`, what)
    }
    // An absent optional input comes last in every operator here.
    const operands = node.inputs.filter((name) => name !== '').map(valueNamed)
    values.set(node.outputs[0] ?? '', runNode(node, opset, operands))
  }
  return model.graph.outputs.map(({ name }) => valueNamed(name))
}
