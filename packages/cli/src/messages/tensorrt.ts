// What TensorRT says. Both inputs of a layer have the same number of axes; a size 1 stretches.
import { numpy } from 'bcast'
import { type Form, numberIn, type Parts, SHAPE, shapeIn } from './form.ts'

const NEXT = 'bcast check MODEL.onnx shows the shapes at every node; trtexec --verbose prints those of layers'

/** What stands before a sentence about a layer: `(Unnamed Layer* 13) [ElementWise]: `, `Add_187: `. */
const LAYER = /(?:\((?<unnamed>Unnamed Layer\* \d+)\) ?\[\w+\]|(?<layer>[^\s():]{1,300})): $/

const whereOf = ({ layer, unnamed }: Parts): { where?: string } => {
  const name = layer ?? unnamed
  return name === undefined ? {} : { where: `in layer ${JSON.stringify(name)}` }
}

export const tensorrtForms: readonly Form[] = [
  {
    name: 'shapes',
    pattern: new RegExp(
      String.raw`elementwise inputs must have same dimensions or follow broadcast rules \(input dimensions were (?<a>${SHAPE}) and (?<b>${SHAPE})\)`,
    ),
    before: LAYER,
    read: (parts) => ({
      kind: 'shapes',
      shapes: [shapeIn(parts['a']!), shapeIn(parts['b']!)],
      rule: numpy,
      accepted: 'TensorRT puts no ones in front: both inputs of a layer must have the same number of axes.',
      ...whereOf(parts),
    }),
  },
  {
    name: 'sizes',
    pattern:
      /dimensions not compatible for elementwise\b[^[\]]{0,100}(?:\[[^[\]]{0,40}\][^[\]]{0,200}){0,6}?Instruction: CHECK_(?:EQUAL|BROADCAST) (?<a>\d+) (?<b>\d+)/,
    before: LAYER,
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
    name: 'layer',
    pattern: /IElementWiseLayer (?<layer>.{1,300}?): broadcast dimensions must be conformable/,
    read: (parts) => ({ kind: 'silent', next: NEXT, ...whereOf(parts) }),
  },
  {
    name: 'elementwise',
    pattern: /broadcast dimensions must be conformable|dimensions not compatible for elementwise/,
    before: LAYER,
    read: (parts) => ({ kind: 'silent', next: NEXT, ...whereOf(parts) }),
  },
]
