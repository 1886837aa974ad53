// What ONNX Runtime and ONNX say. On the CPU only two sizes are named; the node is, and a check of the model finds the rest.
import { matmulBatch, numpy, unidirectional } from 'bcast'
import {
  axesText,
  concatenationFinding,
  declaredFinding,
  equalSizesFinding,
  reshapeFinding,
  summedSizesFinding,
} from './findings.ts'
import { type Finding, type Form, type Found, numberIn, type Parts, SHAPE, shapeIn } from './form.ts'

const NEXT = 'bcast check MODEL.onnx shows the shapes at every node'

/** `while running Where node. Name:'Where_67' Status Message: `, then perhaps a place in the source. */
const NODE = /while running (?<op>\w+) node\. ?Name: ?'(?<node>[^']*)' Status Message: [^']*$/

/** The node whose shapes were inferred: `Node (plus) Op (Add) ` of ONNX Runtime, `(op_type:Add, node name: plus): ` of ONNX. */
const INFERRED =
  /(?:Node ?\((?<node>[^)]*)\) Op ?\((?<op>\w+)\)|\(op_type: ?(?<type>\w+)(?:, node name: (?<name>[^)]*))?\):) $/

const operatorOf = ({ op, type }: Parts): string | undefined => op ?? type

function whereOf(parts: Parts): { where?: string } {
  const [op, node] = [operatorOf(parts), parts['node'] || parts['name']]
  if (op === undefined && !node) return {}
  return { where: `in node ${[node ? JSON.stringify(node) : '', op === undefined ? '' : `(${op})`].join(' ').trim()}` }
}

const silent = (parts: Parts): Found => ({ kind: 'silent', next: NEXT, ...whereOf(parts) })

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
      sizes: [numberIn(parts['a']!), numberIn(parts['b']!)],
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
      /\(op_type: ?(?<op>\w{1,100})(?:, node name: (?<node>[^)]{0,500}))?\): \[ShapeInferenceError\] Incompatible dimensions(?! for matrix)/,
    read: silent,
  },
  {
    name: 'inference',
    pattern: /\[ShapeInferenceError\] Incompatible dimensions(?! for matrix)/,
    before: INFERRED,
    read: silent,
  },
  {
    name: 'einsum',
    pattern: new RegExp(
      String.raw`Einsum operands could not be broadcast together\. Please check input shapes/equation provided\. ?Input shape of operand (?<i>\d+) is incompatible in the dimension (?<axis>\d+)\. The shape is: (?<shape>${SHAPE}) ?Another operand has a dim value of (?<b>\d+) in the same dimension`,
    ),
    before: NODE,
    read: (parts) => ({
      kind: 'sizes',
      sizes: [shapeIn(parts['shape']!)?.[Number(parts['axis'])] ?? null, numberIn(parts['b']!)],
      names: [`operand ${parts['i']}`, 'another'],
      axis: undefined,
      place: `on axis ${parts['axis']} of operand ${parts['i']}, which is ${parts['shape']}`,
      next: NEXT,
      ...whereOf(parts),
    }),
  },
  {
    name: 'layer normalization',
    pattern: new RegExp(
      String.raw`Scale and \(optional\) bias must match X\.shape\[axis:\] or be NumPy-broadcastable to it\. X\.shape=(?<x>${SHAPE}) scale\.shape=(?<scale>${SHAPE}) bias\.shape=(?<bias>${SHAPE}) and axis=(?<axis>\d+)`,
    ),
    before: NODE,
    read: (parts) => {
      const [x, scale, bias] = [parts['x'], parts['scale'], parts['bias']].map((shape) => shapeIn(shape!))
      const { where = '' } = whereOf(parts)
      const letters = `A is the input from axis ${parts['axis']} on, B the scale`
      // Without a bias its shape is printed as {}.
      const hasBias = bias?.length !== 0
      return {
        kind: 'shapes',
        shapes: [x?.slice(Number(parts['axis'])) ?? null, scale ?? null, ...(hasBias ? [bias ?? null] : [])],
        rule: unidirectional,
        where: `${where}${where === '' ? '' : '; '}${letters}${hasBias ? ', C the bias' : ''}`,
      }
    },
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
    name: 'reshape inference',
    pattern: /\[ShapeInferenceError\] Dimension could not be inferred: incompatible shapes/,
    before: INFERRED,
    read: (parts) => ({ ...reshapeFinding('the elements do not fill the shape.'), ...whereOf(parts) }),
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
    before: INFERRED,
    read: (parts) => ({ ...PRODUCT, ...whereOf(parts) }),
  },
  {
    name: 'unification',
    pattern: /\[ShapeInferenceError\] Dimension mismatch in unification between (?<a>\w+) and (?<b>\w+)/,
    before: INFERRED,
    read: (parts) => {
      const [a, b] = [parts['a']!, parts['b']!]
      if (operatorOf(parts) === 'Gemm') return { ...summedSizesFinding(a, b), ...whereOf(parts) }
      return { ...equalSizesFinding(`two sizes of this operator are ${a} and ${b}.`), ...whereOf(parts) }
    },
  },
  {
    name: 'concat ranks',
    pattern:
      /\[ShapeInferenceError\] All inputs to Concat must have same rank\. Input (?<i>\d+) has rank (?<a>\d+) != (?<b>\d+)/,
    before: INFERRED,
    read: (parts) => ({
      ...concatenationFinding(
        `input ${parts['i']} has ${axesText(parts['a']!)} and those before it ${axesText(parts['b']!)}.`,
      ),
      ...whereOf(parts),
    }),
  },
  {
    name: 'merged shapes',
    // Until 2020 of a source and a target.
    pattern:
      /(?:\[ShapeInferenceError\] )?Can't merge shape info\. Both (?:inferred and declared|source and target) dimension have values but they differ\. (?:Inferred|Source)=(?<a>\d+) (?:Declared|Target)=(?<b>\d+) Dimension=(?<axis>\d+)/,
    before: INFERRED,
    read: (parts) => {
      const { a, b, axis } = parts
      const finding =
        operatorOf(parts) === 'Concat'
          ? concatenationFinding(`on axis ${axis}, sizes ${a} and ${b} differ.`)
          : declaredFinding(`on axis ${axis} the size that follows is ${a}, and ${b} is declared.`)
      return { ...finding, ...whereOf(parts) }
    },
  },
  {
    name: 'merged ranks',
    pattern:
      /(?:\[ShapeInferenceError\] )?Mismatch between number of (?:source and target|inferred and declared) dimensions\. (?:Source|Inferred)=(?<a>\d+) (?:Target|Declared)=(?<b>\d+)/,
    before: INFERRED,
    read: (parts) => ({
      ...declaredFinding(`what follows has ${axesText(parts['a']!)}, and ${axesText(parts['b']!)} are declared.`),
      ...whereOf(parts),
    }),
  },
  {
    // ONNX before 1.8 without the bracket in front.
    name: 'declared output',
    pattern:
      /(?:\[ShapeInferenceError\] )?Inferred shape and existing shape differ in (?:dimension (?<axis>\d+)|rank): \((?<a>\d+)\) vs \((?<b>\d+)\)/,
    before: INFERRED,
    read: (parts) => {
      const { axis, a, b } = parts
      const text =
        axis === undefined
          ? `the result has ${axesText(a!)}, and the model declares ${axesText(b!)}.`
          : `on axis ${axis} the result has size ${a}, and ${b} is declared.`
      return { ...declaredFinding(text), ...whereOf(parts) }
    },
  },
  {
    name: 'input sizes',
    pattern:
      /Got invalid dimensions for (?<kind>input|output): (?<name>.{1,200}?) for the following indices(?<axes>(?: index: \d+ Got: \d+ Expected: \d+)+)/,
    read: ({ kind, name, axes }) => {
      const sizes = [...axes!.matchAll(/index: (\d+) Got: (\d+) Expected: (\d+)/g)].map(
        ([, axis, got, expected]) => `${got} on axis ${axis}, and the model declares ${expected}`,
      )
      return declaredFinding(`the ${kind} ${JSON.stringify(name)} has ${sizes.join('; ')}.`)
    },
  },
  {
    name: 'input rank',
    pattern: /Invalid rank for (?<kind>input|output): (?<name>.{1,200}?) Got: (?<a>\d+) Expected: (?<b>\d+)/,
    read: ({ kind, name, a, b }) =>
      declaredFinding(
        `the ${kind} ${JSON.stringify(name)} has ${axesText(a!)}, and the model declares ${axesText(b!)}.`,
      ),
  },
]
