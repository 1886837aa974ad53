// What Core ML says: coremltools while it converts, Espresso while it compiles and runs a model.
import { numpy } from 'bcast'
import { concatenationFinding, equalShapesFinding, productFinding, reshapeFinding } from './findings.ts'
import { type Form, SHAPE, shapeIn } from './form.ts'

const NEXT = 'print the shapes of the inputs of each layer of the model that was converted'

/** Some sizes do meet, and are refused: Espresso stretches few axes only. */
const ACCEPTED =
  'Core ML refuses some shapes that meet: make both equal before, as by tile or expand in the source model.'

/** The layer, in front of the message. */
const LAYER = /\[Exception from layer \d+: (?<layer>[^\]]{1,300})\]Espresso exception: "$/

export const coremlForms: readonly Form[] = [
  {
    name: 'convert',
    pattern: new RegExp(String.raw`Incompatible dim \d+ in shapes (?<a>${SHAPE}) vs\. (?<b>${SHAPE})`),
    read: ({ a, b }) => ({ kind: 'shapes', shapes: [shapeIn(a!), shapeIn(b!)], rule: numpy }),
  },
  {
    // Blobs have five axes, with ones where a tensor has none.
    name: 'blobs',
    pattern: new RegExp(
      String.raw`Invalid blob shape["'](?:: |, ')(?:\w{1,100}: )?[Cc]annot broadcast:? (?<a>${SHAPE})(?: and)? (?<b>${SHAPE})(?: \[Exception from [Ll]ayer: \d+: (?<behind>[^\]]{1,300})\])?`,
    ),
    before: LAYER,
    read: ({ a, b, layer, behind }) => {
      const name = layer ?? behind
      return {
        kind: 'shapes',
        shapes: [shapeIn(a!), shapeIn(b!)],
        rule: numpy,
        accepted: ACCEPTED,
        ...(name === undefined ? {} : { where: `in layer ${JSON.stringify(name)}` }),
      }
    },
  },
  {
    name: 'silent',
    pattern: /Cannot broadcast blobs|Shapes are not compatible for broadcasting"? during (?<op>[\w.]{1,100})/,
    read: ({ op }) => ({
      kind: 'silent',
      next: NEXT,
      ...(op === undefined ? {} : { where: `in ${op.replace(/\.$/, '')}` }),
    }),
  },
  {
    name: 'matmul',
    pattern: new RegExp(
      String.raw`Op (?<node>\S{1,300}) \(matmul\): \w+ (?<a>${SHAPE}), \w+ (?<b>${SHAPE}) are not broadcastable`,
    ),
    read: ({ node, a, b }) => ({ ...productFinding(shapeIn(a!), shapeIn(b!)), where: `in ${node}` }),
  },
  {
    name: 'concat',
    pattern: new RegExp(
      String.raw`Dimension mismatch in concat \("(?<node>[^"]{1,300})"\): shapes (?<a>${SHAPE}) vs\. (?<b>${SHAPE})`,
    ),
    read: ({ node, a, b }) => ({
      ...concatenationFinding(`${a} and ${b} differ on another axis.`),
      where: `in ${node}`,
    }),
  },
  {
    name: 'stack',
    pattern: new RegExp(`Component tensor \\S{1,300} has shape (?<b>${SHAPE}), others have (?<a>${SHAPE})`),
    read: ({ a, b }) => equalShapesFinding([shapeIn(a!), shapeIn(b!)], 'stack'),
  },
  {
    name: 'reshape',
    pattern: /Invalid target shape in `reshape` op \(\[(?<from>[\d, ]*)\] to \[(?<into>[^[\]]*)\]\)/,
    read: ({ from, into }) =>
      reshapeFinding(`the elements of [${from}] do not fill [${into!.replace(/np\.\w+\((-?\d+)\)/g, '$1')}].`),
  },
]
