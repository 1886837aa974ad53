// What TensorFlow and Keras say.
import { matmulBatch, numpy, unidirectional } from 'bcast'
import {
  axesText,
  concatenationFinding,
  declaredFinding,
  equalShapesFinding,
  equalSizesFinding,
  ontoFinding,
  productFinding,
  reshapeFinding,
} from './findings.ts'
import { type Form, SHAPE, shapeIn, shapesIn } from './form.ts'

const NEXT = 'print the .shape of each operand (tf.print(tf.shape(x)) inside a tf.function)'

/** `[Op:AddV2]`, or the node as graphs write it. */
const WHERE = String.raw`(?: \[Op:(?<op>\w+)\])?(?: \[\[(?:\{\{)?[Nn]ode:? (?<node>[^\s\]}]+))?`

/** Operators that broadcast, by their names in graphs; `BroadcastGradientArgs` stands for the gradient of one. */
const BROADCASTS =
  /^(?:Add(?:V2)?|Sub|Mul(?:NoNan)?|(?:Real|Floor|Truncate)?Div(?:NoNan)?|(?:Floor|Truncate)?Mod|Xdivy|Xlog1?py|Pow|Maximum|Minimum|SquaredDifference|(?:Less|Greater)(?:Equal)?|(?:Not)?Equal|Logical(?:And|Or)|Bitwise(?:And|Or|Xor)|(?:Left|Right)Shift|Atan2|Zeta|Polygamma|Betainc|Igammac?|SelectV2|BroadcastTo|Broadcast(?:Gradient)?Args)$/

const whereOf = (op: string | undefined, node: string | undefined): { where?: string } => {
  const name = op ?? node
  return name === undefined ? {} : { where: `in ${name}` }
}

export const tensorflowForms: readonly Form[] = [
  {
    name: 'incompatible',
    pattern: new RegExp(String.raw`Incompatible shapes: (?<shapes>${SHAPE}(?: vs\. ${SHAPE})+)${WHERE}`),
    read: ({ shapes, op, node }) => {
      const given = shapesIn(shapes!)
      if (op !== 'BroadcastTo') return { kind: 'shapes', shapes: given, rule: numpy, ...whereOf(op, node) }
      const where = 'in BroadcastTo; A is the target, B the tensor'
      return { kind: 'shapes', shapes: given.toReversed(), rule: unidirectional, where }
    },
  },
  {
    name: 'select',
    pattern: new RegExp(`condition (?<c>${SHAPE}), then (?<a>${SHAPE}), and else (?<b>${SHAPE}) must be broadcastable`),
    read: ({ c, a, b }) => ({
      kind: 'shapes',
      shapes: [shapeIn(c!), shapeIn(a!), shapeIn(b!)],
      rule: numpy,
      where: 'A is the condition, B and C what is chosen from',
    }),
  },
  {
    name: 'static',
    pattern: new RegExp(
      String.raw`Incompatible shapes for broadcasting\. Two shapes are compatible if .{0,120}? Received: (?<a>${SHAPE}) and (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => ({ kind: 'shapes', shapes: [shapeIn(a!), shapeIn(b!)], rule: numpy }),
  },
  {
    name: 'matmul batch',
    pattern: new RegExp(
      String.raw`In\[0\] and In\[1\] must have compatible batch dimensions: (?<a>${SHAPE}) vs\. (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => ({
      kind: 'shapes',
      shapes: [shapeIn(a!), shapeIn(b!)],
      rule: matmulBatch,
      where: 'in the batches of matmul',
    }),
  },
  {
    name: 'graph',
    pattern: new RegExp(
      String.raw`Dimensions must be equal, but are (?<m>\d+) and (?<n>\d+) for '(?:\{\{node )?(?<node>[\w./-]+)(?:\}\} = (?<kind>\w+)[^']*)?'(?: \(op: '(?<op>\w+)'\))? with input shapes: (?<shapes>${SHAPE}(?:, ${SHAPE})*)(?: and with input tensors computed as partial shapes: input\[1\] = (?<target>${SHAPE}))?`,
    ),
    read: ({ m, n, node, kind, op, shapes, target }) => {
      const operator = kind ?? op ?? ''
      const [a, b, ...others] = shapesIn(shapes!)
      if (/^(Batch)?MatMul/.test(operator)) return productFinding(a!, b!)
      if (/^Concat/.test(operator)) return concatenationFinding('sizes differ.')
      const where = `in ${node}${operator === '' ? '' : ` (${operator})`}`
      if (operator !== '' && !BROADCASTS.test(operator)) {
        return { ...equalSizesFinding(`of the inputs ${shapes} two sizes are ${m} and ${n}.`), where }
      }
      if (operator === 'BroadcastTo') {
        // Its second input is a vector that holds the target.
        if (target === undefined) return { kind: 'silent', next: NEXT, where }
        const onto = `${where}; A is the target, B the tensor`
        return { kind: 'shapes', shapes: [shapeIn(target), a!], rule: unidirectional, where: onto }
      }
      return { kind: 'shapes', shapes: [a!, b!, ...others], rule: numpy, where }
    },
  },
  {
    name: 'equal inputs',
    pattern: new RegExp(
      String.raw`Dimension \d+ in both shapes must be equal, but are \d+ and \d+(?:\. Shapes are (?<a>${SHAPE}) and (?<b>${SHAPE})\.)? for '(?<node>[\w./-]+)' \(op: '(?<op>\w+)'\) with input shapes: (?<shapes>${SHAPE}(?:, ${SHAPE})*)`,
    ),
    read: ({ a, b, node, op, shapes }) => {
      const where = `in ${node} (${op})`
      if (/^Concat/.test(op!)) return { ...concatenationFinding(`inputs ${shapes} differ on another axis.`), where }
      const [first = null, second = null] = a === undefined ? shapesIn(shapes!) : [shapeIn(a), shapeIn(b!)]
      return equalShapesFinding([first, second], op!)
    },
  },
  {
    name: 'equal shapes',
    pattern: new RegExp(
      String.raw`(?:Dimension \d+ in both shapes must be equal, but are \d+ and \d+\. Shapes are|must have the same size and shape\. Input \d+:|Shapes of all inputs must match: values\[\d+\]\.shape =) (?<a>${SHAPE}) (?:and|!= input \d+:|!= values\[\d+\]\.shape =) (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => equalShapesFinding([shapeIn(a!), shapeIn(b!)], 'this operation'),
  },
  {
    // Of TensorShape: losses, masks and variables compare shapes by it.
    name: 'merged shapes',
    pattern: new RegExp(`Shapes (?<a>${SHAPE}) and (?<b>${SHAPE}) are incompatible`),
    read: ({ a, b }) => equalShapesFinding([shapeIn(a!), shapeIn(b!)], 'this operation'),
  },
  {
    name: 'loss',
    pattern: new RegExp(
      `\`?logits\`? and \`?labels\`? must have the same shape,?(?: received)? \\((?<a>${SHAPE}) vs\\.? (?<b>${SHAPE})\\)`,
    ),
    read: ({ a, b }) => equalShapesFinding([shapeIn(a!), shapeIn(b!)], 'this loss', 'A is the logits, B the labels'),
  },
  {
    name: 'keras 3 loss',
    pattern: new RegExp(
      String.raw`must have the same shape\. Received: target\.shape=(?<b>${SHAPE}), output\.shape=(?<a>${SHAPE})`,
    ),
    read: ({ a, b }) =>
      equalShapesFinding([shapeIn(a!), shapeIn(b!)], 'this loss', 'A is the output of the model, B the target'),
  },
  {
    // Keras 2 of what a model is fitted to.
    name: 'keras input',
    pattern:
      /Error when checking \w+ ?: expected (?<name>\S{1,200}) to have (?:shape (?<want>\([^()]*\))|(?<axes>\d+) dimensions?),? but got array with shape (?<got>\([^()]*\))/,
    read: ({ name, want, axes, got }) =>
      declaredFinding(`${name} is declared with ${want ?? axesText(axes!)}, and it is given ${got}.`),
  },
  {
    name: 'softmax loss',
    pattern: new RegExp(
      `logits and labels must be broadcastable: logits_size=(?<a>${SHAPE}) labels_size=(?<b>${SHAPE})${WHERE}`,
    ),
    read: ({ a, b }) => ({
      kind: 'shapes',
      shapes: [shapeIn(a!), shapeIn(b!)],
      rule: numpy,
      where: 'A is the logits, B the labels',
    }),
  },
  {
    name: 'variable',
    pattern: new RegExp(
      `(?:Cannot update variable with|The variable) shape (?<a>${SHAPE}),? (?:using a Tensor with|and the assigned value) shape (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => equalShapesFinding([shapeIn(a!), shapeIn(b!)], 'a variable', 'A is the variable, B the tensor'),
  },
  {
    // Shapes with their element types; ranks are made equal before.
    name: 'xla',
    pattern: new RegExp(
      String.raw`Binary op (?:(?<op>[\w-]{1,100}) )?with incompatible shapes: \w+(?<a>${SHAPE})(?:\{[\d,]*\})? and \w+(?<b>${SHAPE})(?:\{[\d,]*\})?`,
    ),
    read: ({ op, a, b }) => ({
      kind: 'shapes',
      shapes: [shapeIn(a!), shapeIn(b!)],
      rule: numpy,
      where: `in XLA${op === undefined ? '' : `, in ${op}`}`,
    }),
  },
  {
    name: 'silent',
    pattern: new RegExp(`required broadcastable shapes${WHERE}`),
    read: ({ op, node }) => ({ kind: 'silent', next: NEXT, ...whereOf(op, node) }),
  },
  {
    name: 'not supported',
    pattern: new RegExp(`Broadcast between (?<a>${SHAPE}) and (?<b>${SHAPE}) is not supported yet`),
    read: ({ a, b }) => ({ kind: 'shapes', shapes: [shapeIn(a!), shapeIn(b!)], rule: numpy }),
  },
  {
    name: 'broadcast_to',
    pattern: new RegExp(
      String.raw`(?:[Ii]nvalid shape (?:to )?broadcast from \w*(?<from>${SHAPE}) to|Unable to broadcast tensor of shape (?<tensor>${SHAPE}) to tensor of shape) (?<into>${SHAPE})`,
    ),
    read: ({ from, tensor, into }) => ontoFinding(into!, (from ?? tensor)!, 'A is the target, B the tensor'),
  },
  {
    name: 'broadcast_to rank',
    pattern: /Rank of input \(\d+\) must be no greater than rank of output shape \(\d+\)/,
    read: () => ({ kind: 'silent', next: 'the tensor has more axes than the shape it was to take; print its .shape' }),
  },
  {
    // Keras leaves the batch axis out.
    name: 'keras merge',
    pattern: new RegExp(`Operands could not be broadcast together with shapes (?<a>${SHAPE}) (?<b>${SHAPE})`),
    read: ({ a, b }) => ({
      kind: 'shapes',
      shapes: [shapeIn(a!), shapeIn(b!)],
      rule: numpy,
      where: 'in a merging layer of Keras; the batch axis is left out',
    }),
  },
  {
    name: 'keras 3 merge',
    pattern: new RegExp(
      String.raw`Inputs have incompatible shapes\. Received shapes (?<a>${SHAPE}) and (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => ({
      kind: 'shapes',
      shapes: [shapeIn(a!), shapeIn(b!)],
      rule: numpy,
      where: 'in a merging layer of Keras; the batch axis is left out',
    }),
  },
  {
    // Keras before it stretched, and its first version.
    name: 'keras equal merge',
    pattern: new RegExp(
      String.raw`Only (?:tensors|layers) of same (?:output )?shape can be merged .{1,100}? shapes: \[(?<shapes>${SHAPE}(?:, ${SHAPE})*)`,
    ),
    read: ({ shapes }) => equalShapesFinding(shapesIn(shapes!), 'this merging layer of Keras'),
  },
  {
    name: 'merged sizes',
    pattern: /Dimensions (?<a>\d+) and (?<b>\d+) are not compatible/,
    read: ({ a, b }) => equalSizesFinding(`two sizes of shapes that were compared are ${a} and ${b}.`),
  },
  {
    name: 'matmul',
    pattern: new RegExp(String.raw`Matrix size-incompatible: In\[0\]: (?<a>${SHAPE}), In\[1\]: (?<b>${SHAPE})`),
    read: ({ a, b }) => productFinding(shapeIn(a!), shapeIn(b!)),
  },
  {
    name: 'concat',
    pattern: new RegExp(
      String.raw`ConcatOp ?: Dimension(?: \d+ in both shapes must be equal|s of inputs should match): shape\[0\] = (?<a>${SHAPE}) vs\. shape\[\d+\] = (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => concatenationFinding(`${a} and ${b} differ.`),
  },
  {
    name: 'concat ranks',
    pattern: new RegExp(
      String.raw`ConcatOp ?: Ranks of all input tensors should match: shape\[0\] = (?<a>${SHAPE}) vs\. shape\[\d+\] = (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => concatenationFinding(`${a} and ${b} have different numbers of axes.`),
  },
  {
    name: 'keras operator',
    pattern: new RegExp(
      String.raw`Cannot broadcast shape, the failure dim has value \w+, which cannot be broadcasted to \w+\. Input shapes are: (?<a>${SHAPE}) and (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => ({ kind: 'shapes', shapes: [shapeIn(a!), shapeIn(b!)], rule: numpy }),
  },
  {
    name: 'keras concatenation',
    pattern: new RegExp(
      String.raw`layer requires inputs with matching shapes except for the concatenation axis\. Received: input_shape=\[(?<shapes>${SHAPE}(?:, ${SHAPE})*)`,
    ),
    read: ({ shapes }) => concatenationFinding(`${shapes} differ on another axis.`),
  },
  {
    name: 'reshape',
    pattern: /Input to reshape is a tensor with (?<a>\d+) values, but the requested shape has (?<b>\d+)/,
    read: ({ a, b }) => reshapeFinding(`there are ${a} elements and ${b} are wanted.`),
  },
]
