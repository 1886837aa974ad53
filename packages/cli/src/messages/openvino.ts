// What OpenVINO says: the node with its inputs and their shapes, then one sentence; its CPU plugin says less.
import { matmulBatch, none, numpy, type SymbolicShape } from 'bcast'
import { axesText, concatenationFinding, innerSizesFinding, productFinding } from './findings.ts'
import { type Finding, type Form, type Found, type Parts, SHAPE, shapeIn, shapesIn, shapeText, sizeIn } from './form.ts'

const NEXT = 'print the shapes of the inputs of the node'

/** A shape as these texts write it, digit by digit. */
const inBrackets = (text: string): string => `(${text.slice(1, -1)})`

/** The shapes that were inferred from, if they are listed; else those of the node's inputs: `Parameter_1[0]:f32[2,3]`, in older versions `f32{2,3}`. */
const inputTexts = ({ inputs, given }: Parts): string[] =>
  given === undefined
    ? [...inputs!.matchAll(/\[\d+\]:\w+([[{][^\]}]*[\]}])/g)].map(([, shape]) => shape!)
    : (given.match(new RegExp(SHAPE, 'g')) ?? [])

const inputShapes = (parts: Parts): SymbolicShape[] => inputTexts(parts).map(shapeIn)

/** A node of the CPU plugin that computes no shape of its inputs, by its kind. */
function staticFinding(kind: string, shapes: readonly SymbolicShape[]): Finding | undefined {
  const [a = null, b = null] = shapes
  if (shapes.length < 2) return undefined
  if (kind === 'Eltwise') return { kind: 'shapes', shapes, rule: numpy }
  if (kind === 'Concatenation') return concatenationFinding(`inputs ${shapes.map(shapeText).join(' and ')}.`)
  if (kind !== 'MatMul') return undefined
  return a?.at(-1) === b?.at(-2) ? { kind: 'shapes', shapes, rule: matmulBatch } : productFinding(a, b)
}

const CHECK = String.raw`(?:Check '(?<check>[^']*)' failed at \S+ )?`
const NODE = String.raw`${CHECK}While validating node '(?<op>[\w:]+) (?<node>[^\s(]+) ?\((?<inputs>[^']{0,20000})\) -> \([^'>]*\)'(?: with friendly_name '(?<friendly>[^']*)')?: (?:Shape inference input shapes \{(?<given>${SHAPE}(?:,${SHAPE})*)\} )?`

const placeOf = (op: string, node: string): string => `in node ${JSON.stringify(node)} (${op.replace(/^.*::/, '')})`

const whereOf = ({ op, node, friendly }: Parts): { where: string } => ({ where: placeOf(op!, friendly ?? node!) })

/** The node where it stands before a sentence that does not need it. */
const VALIDATED = new RegExp(`${NODE}$`)
const ON_CPU = /\[CPU\] (?<op>\w+) node with name '(?<node>[^']*)' Check '[^']*' failed at \S+ $/

const placeIfAny = (parts: Parts): { where?: string } => (parts['node'] === undefined ? {} : whereOf(parts))

/** Two sizes of one axis. */
const sizesFinding = (parts: Parts, names: readonly [string, string], place?: string): Found => ({
  kind: 'sizes',
  sizes: [sizeIn(parts['a']!), sizeIn(parts['b']!)],
  names,
  axis: undefined,
  ...(place === undefined ? {} : { place }),
  next: NEXT,
  ...placeIfAny(parts),
})

export const openvinoForms: readonly Form[] = [
  {
    name: 'concatenation',
    pattern: new RegExp(
      `${NODE}Argument shapes are inconsistent; they must have the same rank, and must have equal dimension everywhere except`,
    ),
    read: (parts) => ({
      ...concatenationFinding(`inputs ${inputTexts(parts).map(inBrackets).join(' and ')}.`),
      ...whereOf(parts),
    }),
  },
  {
    name: 'elementwise',
    pattern: new RegExp(String.raw`${NODE}Argument shapes are inconsistent\.`),
    read: (parts) => {
      const shapes = inputShapes(parts)
      if (shapes.length < 2) return undefined
      // Without automatic broadcasting shapes are merged as they are.
      const isPlain = /merge_into/.test(parts['check'] ?? '') && !/broadcast_merge_into/.test(parts['check']!)
      return { kind: 'shapes', shapes, rule: isPlain ? none : numpy, ...whereOf(parts) }
    },
  },
  {
    name: 'broadcast',
    pattern: new RegExp(
      String.raw`${NODE}Input shape dimension equal (?<a>\d+) cannot be broadcasted \(numpy mode\) to (?<b>\d+)`,
    ),
    read: (parts) => ({
      kind: 'sizes',
      sizes: [sizeIn(parts['a']!), sizeIn(parts['b']!)],
      names: ['data', 'target'],
      axis: undefined,
      known: `The data has shape ${inputShapes(parts).map(shapeText)[0] ?? '(?…)'}, and only it may stretch.`,
      next: 'print the target shape that the node is given',
      ...whereOf(parts),
    }),
  },
  {
    name: 'matmul',
    pattern: new RegExp(`${NODE}Incompatible MatMul matrix dimension`),
    read: (parts) => {
      const [a = null, b = null] = inputShapes(parts)
      return { ...productFinding(a, b), ...whereOf(parts) }
    },
  },
  {
    name: 'matmul batch',
    pattern: new RegExp(`${NODE}Incompatible MatMul batch dimension`),
    read: (parts) => ({
      kind: 'shapes',
      shapes: inputShapes(parts),
      rule: matmulBatch,
      ...whereOf(parts),
    }),
  },
  {
    // Until 2022.
    name: 'cpu static',
    pattern: new RegExp(
      String.raw`Can't compute static output shape for (?<kind>\w{1,100}) node with name: (?<node>[^\s()]{1,500})\. Input shapes = \( (?<ports>\d+ port = ${SHAPE}(?:, \d+ port = ${SHAPE})*), \)`,
    ),
    read: ({ kind, node, ports }) => {
      const finding = staticFinding(kind!, shapesIn(ports!))
      return finding === undefined ? undefined : { ...finding, where: placeOf(kind!, node!) }
    },
  },
  {
    name: 'cpu elementwise',
    pattern:
      /\[CPU\] (?<op>\w+) node with name '(?<node>[^']*)' .{0,200}?Eltwise shape infer input shapes dim index: (?<axis>\d+) mismatch/,
    read: ({ op, node, axis }) => ({
      kind: 'silent',
      next: 'print the shapes of the inputs of this request',
      where: `${placeOf(op!, node!)}, on axis ${axis} from the left`,
    }),
  },
  {
    // Sizes with dots between them.
    name: 'cpu matmul',
    pattern: new RegExp(
      String.raw`\[CPU\] (?<op>\w+) node with name '(?<node>[^']*)' .{0,200}?Matmul input shapes are incompatible shape A: (?<a>${SHAPE}) shape B: (?<b>${SHAPE})`,
    ),
    read: ({ op, node, a, b }) => ({
      ...productFinding(shapeIn(a!.replaceAll('.', ',')), shapeIn(b!.replaceAll('.', ','))),
      where: placeOf(op!, node!),
    }),
  },
  {
    name: 'einsum',
    pattern: /Different input dimensions indicated by the same labels for Einsum must be broadcastable/,
    before: VALIDATED,
    read: (parts) => {
      const shapes = parts['inputs'] === undefined ? [] : inputShapes(parts).map(shapeText)
      const next =
        shapes.length === 0 ? NEXT : `the inputs are ${shapes.join(' and ')}; compare what the equation labels alike`
      return { kind: 'silent', next, ...placeIfAny(parts) }
    },
  },
  {
    name: 'broadcast rank',
    pattern: /Broadcast target_shape has smaller rank (?<a>\d+) than arg shape (?<b>\d+)/,
    before: VALIDATED,
    read: (parts) => ({
      kind: 'silent',
      next: `the data has ${axesText(parts['b']!)} and the target ${axesText(parts['a']!)}; print both shapes`,
      ...placeIfAny(parts),
    }),
  },
  {
    name: 'broadcast both ways',
    pattern: /Broadcast incorrect target shape\. Expecting either 1 or (?<a>[\d.]+)\. Got (?<b>[\d.]+)/,
    before: VALIDATED,
    read: (parts) => sizesFinding(parts, ['data', 'target']),
  },
  {
    name: 'broadcast by axes',
    pattern: /Broadcast target\[axes_mapping\[(?<axis>\d+)\]\] Expected (?<a>[\d.]+)\. Got (?<b>[\d.]+)/,
    before: VALIDATED,
    read: (parts) => sizesFinding(parts, ['data', 'target'], `where axis ${parts['axis']} of the data was to go`),
  },
  // The sentences alone, as they are often pasted.
  {
    name: 'concatenation alone',
    pattern: /Argument shapes are inconsistent; they must have the same rank, and must have equal dimension everywhere/,
    read: () => concatenationFinding('the message does not name the shapes.'),
  },
  {
    name: 'elementwise alone',
    pattern: /Argument shapes are inconsistent\b(?!;)/,
    read: () => ({ kind: 'silent', next: NEXT }),
  },
  {
    name: 'broadcast alone',
    pattern: /Input shape dimension equal (?<a>\d+) cannot be broadcasted \(numpy mode\) to (?<b>\d+)/,
    read: (parts) => sizesFinding(parts, ['data', 'target']),
  },
  {
    name: 'matmul alone',
    pattern:
      /Incompatible MatMul matrix dimension\. First input dimension=(?<a>[\d.]+) at COL_INDEX_DIM=\d+ doesn't match the second input dimension=(?<b>[\d.]+) at ROW_INDEX_DIM=\d+/,
    read: ({ a, b }) => innerSizesFinding(a!, b!),
  },
  {
    name: 'matmul batch alone',
    pattern:
      /Incompatible MatMul batch dimension\. Can'?t merge (?:the )?first input dimension=(?<a>[\d.]+) with second input dimension=(?<b>[\d.]+) at index=(?<axis>\d+)/,
    before: ON_CPU,
    read: (parts) => sizesFinding(parts, ['one', 'other'], `on batch axis ${parts['axis']}`),
  },
  {
    name: 'cpu elementwise alone',
    pattern: /Eltwise shape infer input shapes dim index: (?<axis>\d+) mismatch/,
    read: ({ axis }) => ({ kind: 'silent', next: NEXT, where: `on axis ${axis} from the left` }),
  },
]
