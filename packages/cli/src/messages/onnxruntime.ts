// What ONNX Runtime and ONNX say. On the CPU only two sizes are named; the node is, and a check of the model finds the rest.
import { matmulBatch, numpy } from 'bcast'
import { concatenationFinding, type Form, reshapeFinding, SHAPE, shapeIn } from './form.ts'

const NEXT = 'bcast check MODEL.onnx shows the shapes at every node'

const PRODUCT =
  'a matrix product, no broadcast: the last size of the left operand must be the second last of the right one.'

/** `Non-zero status code returned while running Where node. Name:'Where_67' Status Message: `. */
const NODE = String.raw`(?:while running (?<op>\w+) node\. ?Name: ?'(?<node>[^']*)' Status Message: )?`

const whereOf = (op: string | undefined, node: string | undefined): { where?: string } => {
  if (op === undefined && !node) return {}
  return { where: `in node ${[node ? JSON.stringify(node) : '', op === undefined ? '' : `(${op})`].join(' ').trim()}` }
}

export const onnxruntimeForms: readonly Form[] = [
  {
    name: 'sizes',
    pattern: new RegExp(
      String.raw`${NODE}(?:\S+element_wise_ops\.h:\d+ .{0,100}? was false\. )?Attempting to broadcast an axis by a dimension other than 1\. (?<a>\d+) by (?<b>\d+)`,
    ),
    read: ({ op, node, a, b }) => ({
      kind: 'sizes',
      sizes: [Number(a), Number(b)],
      names: ['one', 'other'],
      axis: undefined,
      next: NEXT,
      ...whereOf(op, node),
    }),
  },
  {
    name: 'shapes',
    pattern: new RegExp(
      `${NODE}(?:(?<own>[^\\s:]+): )?(?:left|right) operand cannot broadcast on dim \\d+ LeftShape: (?<a>${SHAPE}), RightShape: (?<b>${SHAPE})`,
    ),
    read: ({ op, node, own, a, b }) => ({
      kind: 'shapes',
      shapes: [shapeIn(a!), shapeIn(b!)],
      rule: op === 'MatMul' ? matmulBatch : numpy,
      ...whereOf(op, node ?? own),
    }),
  },
  {
    name: 'inference',
    pattern:
      /(?:Node ?\((?<node>[^)]*)\) Op ?\((?<op>\w+)\) |\(op_type: ?(?<type>\w+)(?:, node name: (?<name>[^)]*))?\): )\[ShapeInferenceError\] Incompatible dimensions(?! for matrix)/,
    read: ({ node, op, type, name }) => ({ kind: 'silent', next: NEXT, ...whereOf(op ?? type, node ?? name) }),
  },
  {
    name: 'web',
    pattern:
      /(?:\[WebGPU\] Kernel "\[(?<op>\w+)\] (?<node>[^"]*)" failed\. Error: )?Can't perform (?:binary|where) op on the given tensors/,
    read: ({ op, node }) => ({ kind: 'silent', next: NEXT, ...whereOf(op, node) }),
  },
  {
    name: 'expand',
    pattern: new RegExp(`${NODE}invalid expand shape`),
    read: ({ op, node }) => ({ kind: 'silent', next: NEXT, ...whereOf(op, node) }),
  },
  {
    name: 'gemm bias',
    pattern: new RegExp(`${NODE}Gemm: Invalid bias shape for broadcast`),
    read: ({ op, node }) => ({ kind: 'silent', next: NEXT, ...whereOf(op, node) }),
  },
  {
    name: 'matmul batch',
    pattern: new RegExp(
      String.raw`${NODE}matmul_helper\.h:\d+ Compute (?:left|right) operand cannot broadcast on dim \d+(?! LeftShape)`,
    ),
    read: ({ op, node }) => ({ kind: 'silent', next: NEXT, ...whereOf(op, node) }),
  },
  {
    name: 'gemm',
    pattern: new RegExp(String.raw`${NODE}GEMM: Dimension mismatch, W: (?<b>${SHAPE}) K: (?<k>\d+) N: ?\d+`),
    read: ({ op, node, b, k }) => ({
      kind: 'other',
      about: 'matrix product',
      text: `a matrix product, no broadcast: the sizes that are summed over differ. The left operand has ${k} there, the right operand is ${b}.`,
      ...whereOf(op, node),
    }),
  },
  {
    name: 'concat',
    pattern: new RegExp(
      String.raw`${NODE}(?:concatbase\.h:\d+ \w+ )?Non concat axis dimensions must match: Axis (?<axis>\d+) has mismatched dimensions of (?<a>\d+) and (?<b>\d+)`,
    ),
    read: ({ op, node, axis, a, b }) => ({
      ...concatenationFinding(`on axis ${axis}, sizes ${a} and ${b} differ.`),
      ...whereOf(op, node),
    }),
  },
  {
    name: 'reshape',
    pattern: new RegExp(
      String.raw`${NODE}(?:\S+reshape_helper\.h:\d+ .{0,200}? was false\. )?The input tensor cannot be reshaped to the requested shape\. Input shape: ?(?<from>${SHAPE}), requested shape: ?(?<into>${SHAPE})`,
    ),
    read: ({ op, node, from, into }) => ({
      ...reshapeFinding(`the elements of ${from} do not fill ${into}.`),
      ...whereOf(op, node),
    }),
  },
  {
    name: 'matmul',
    pattern: new RegExp(String.raw`${NODE}(?:\S*matmul_helper\.h:\d+ \w+ )?MatMul dimension mismatch`),
    read: ({ op, node }) => ({ kind: 'other', about: 'matrix product', text: PRODUCT, ...whereOf(op, node) }),
  },
  {
    name: 'matmul inference',
    pattern: /\[ShapeInferenceError\] Incompatible dimensions for matrix multiplication/,
    read: () => ({ kind: 'other', about: 'matrix product', text: PRODUCT }),
  },
]
