// What ONNX Runtime and ONNX say. On the CPU only two sizes are named; the node is, and a check of the model finds the rest.
import { matmulBatch, numpy } from 'bcast'
import { concatenationFinding, type Finding, type Form, type Parts, reshapeFinding, SHAPE, shapeIn } from './form.ts'

const NEXT = 'bcast check MODEL.onnx shows the shapes at every node'

/** `while running Where node. Name:'Where_67' Status Message: `, then perhaps a place in the source. */
const NODE = /while running (?<op>\w+) node\. ?Name: ?'(?<node>[^']*)' Status Message: [^']*$/

function whereOf({ op, node }: Parts): { where?: string } {
  if (op === undefined && !node) return {}
  return { where: `in node ${[node ? JSON.stringify(node) : '', op === undefined ? '' : `(${op})`].join(' ').trim()}` }
}

const silent = (parts: Parts): Finding & { where?: string } => ({ kind: 'silent', next: NEXT, ...whereOf(parts) })

const PRODUCT: Finding = {
  kind: 'other',
  about: 'matrix product',
  text: 'a matrix product, no broadcast: the last size of the left operand must be the second last of the right one.',
}

export const onnxruntimeForms: readonly Form[] = [
  {
    name: 'sizes',
    pattern: /Attempting to broadcast an axis by a dimension other than 1\. (?<a>\d+) by (?<b>\d+)/,
    before: NODE,
    read: (parts) => ({
      kind: 'sizes',
      sizes: [Number(parts['a']), Number(parts['b'])],
      names: ['one', 'other'],
      axis: undefined,
      next: NEXT,
      ...whereOf(parts),
    }),
  },
  {
    name: 'shapes',
    pattern: new RegExp(
      String.raw`(?:left|right) operand cannot broadcast on dim \d+ LeftShape: (?<a>${SHAPE}), RightShape: (?<b>${SHAPE})`,
    ),
    before: NODE,
    read: (parts) => ({
      kind: 'shapes',
      shapes: [shapeIn(parts['a']!), shapeIn(parts['b']!)],
      rule: parts['op'] === 'MatMul' ? matmulBatch : numpy,
      ...whereOf(parts),
    }),
  },
  {
    name: 'onnx inference',
    pattern:
      /\(op_type: ?(?<op>\w+)(?:, node name: (?<node>[^)]*))?\): \[ShapeInferenceError\] Incompatible dimensions(?! for matrix)/,
    read: silent,
  },
  {
    name: 'inference',
    pattern: /\[ShapeInferenceError\] Incompatible dimensions(?! for matrix)/,
    before: /Node ?\((?<node>[^)]*)\) Op ?\((?<op>\w+)\) $/,
    read: silent,
  },
  {
    name: 'web',
    pattern: /Can't perform (?:binary|where) op on the given tensors/,
    before: /\[WebGPU\] Kernel "\[(?<op>\w+)\] (?<node>[^"]*)" failed\. Error: $/,
    read: silent,
  },
  { name: 'expand', pattern: /invalid expand shape/, before: NODE, read: silent },
  { name: 'gemm bias', pattern: /Gemm: Invalid bias shape for broadcast/, before: NODE, read: silent },
  {
    name: 'matmul batch',
    pattern: /(?:left|right) operand cannot broadcast on dim \d+(?! LeftShape)/,
    before: NODE,
    read: silent,
  },
  {
    name: 'gemm',
    pattern: new RegExp(String.raw`GEMM: Dimension mismatch, W: (?<b>${SHAPE}) K: (?<k>\d+) N: ?\d+`),
    before: NODE,
    read: (parts) => ({
      kind: 'other',
      about: 'matrix product',
      text: `a matrix product, no broadcast: the sizes that are summed over differ. The left operand has ${parts['k']} there, the right operand is ${parts['b']}.`,
      ...whereOf(parts),
    }),
  },
  {
    name: 'concat',
    pattern:
      /Non concat axis dimensions must match: Axis (?<axis>\d+) has mismatched dimensions of (?<a>\d+) and (?<b>\d+)/,
    before: NODE,
    read: (parts) => ({
      ...concatenationFinding(`on axis ${parts['axis']}, sizes ${parts['a']} and ${parts['b']} differ.`),
      ...whereOf(parts),
    }),
  },
  {
    name: 'reshape',
    pattern: new RegExp(
      String.raw`The input tensor cannot be reshaped to the requested shape\. Input shape: ?(?<from>${SHAPE}), requested shape: ?(?<into>${SHAPE})`,
    ),
    before: NODE,
    read: (parts) => ({
      ...reshapeFinding(`the elements of ${parts['from']} do not fill ${parts['into']}.`),
      ...whereOf(parts),
    }),
  },
  {
    name: 'matmul',
    pattern: /MatMul dimension mismatch/,
    before: NODE,
    read: (parts) => ({ ...PRODUCT, ...whereOf(parts) }),
  },
  {
    name: 'matmul inference',
    pattern: /\[ShapeInferenceError\] Incompatible dimensions for matrix multiplication/,
    read: () => PRODUCT,
  },
]
