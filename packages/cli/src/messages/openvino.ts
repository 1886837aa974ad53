// What OpenVINO says: the node with its inputs and their shapes, then one sentence; its CPU plugin says less.
import { matmulBatch, none, numpy, type SymbolicShape } from 'bcast'
import { concatenationFinding, type Form, type Parts, productFinding, SHAPE, shapeIn } from './form.ts'

/** The shapes of a node's inputs: `Parameter_1[0]:f32[2,3]`, in older versions `f32{2,3}`. */
const inputShapes = (text: string): SymbolicShape[] =>
  [...text.matchAll(/\[\d+\]:\w+([[{][^\]}]*[\]}])/g)].map(([, shape]) => shapeIn(shape!))

const CHECK = String.raw`(?:Check '(?<check>[^']*)' failed at \S+ )?`
const NODE = String.raw`${CHECK}While validating node '(?<op>[\w:]+) (?<node>[^\s(]+) ?\((?<inputs>[^']*)\) -> \([^']*\)'(?: with friendly_name '(?<friendly>[^']*)')?: (?:Shape inference input shapes \{.*?\} )?`

const placeOf = (op: string, node: string): string => `in node ${JSON.stringify(node)} (${op.replace(/^.*::/, '')})`

const whereOf = ({ op, node, friendly }: Parts): { where: string } => ({ where: placeOf(op!, friendly ?? node!) })

const written = (shape: SymbolicShape): string =>
  shape === null ? '(?…)' : `(${shape.map((d) => d ?? '?').join(',')})`

export const openvinoForms: readonly Form[] = [
  {
    name: 'concatenation',
    pattern: new RegExp(
      `${NODE}Argument shapes are inconsistent; they must have the same rank, and must have equal dimension everywhere except`,
    ),
    read: (parts) => ({
      ...concatenationFinding(`inputs ${inputShapes(parts['inputs']!).map(written).join(' and ')}.`),
      ...whereOf(parts),
    }),
  },
  {
    name: 'elementwise',
    pattern: new RegExp(String.raw`${NODE}Argument shapes are inconsistent\.`),
    read: (parts) => {
      const shapes = inputShapes(parts['inputs']!)
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
      sizes: [Number(parts['a']), Number(parts['b'])],
      names: ['data', 'target'],
      axis: undefined,
      known: `The data has shape ${inputShapes(parts['inputs']!).map(written)[0] ?? '(?…)'}, and only it may stretch.`,
      next: 'print the target shape that the node is given',
      ...whereOf(parts),
    }),
  },
  {
    name: 'matmul',
    pattern: new RegExp(`${NODE}Incompatible MatMul matrix dimension`),
    read: (parts) => {
      const [a = null, b = null] = inputShapes(parts['inputs']!)
      return { ...productFinding(a, b), ...whereOf(parts) }
    },
  },
  {
    name: 'matmul batch',
    pattern: new RegExp(`${NODE}Incompatible MatMul batch dimension`),
    read: (parts) => ({
      kind: 'shapes',
      shapes: inputShapes(parts['inputs']!),
      rule: matmulBatch,
      ...whereOf(parts),
    }),
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
]
