// What TensorFlow.js says. Shapes are written as JavaScript joins arrays: 2,3.
import { numpy } from 'bcast'
import {
  axesText,
  concatenationFinding,
  declaredFinding,
  equalShapesFinding,
  ontoFinding,
  productFinding,
} from './findings.ts'
import { type Form, SHAPE, shapeIn } from './form.ts'

export const tfjsForms: readonly Form[] = [
  {
    name: 'operands',
    pattern: /Operands could not be broadcast together with shapes (?<a>[\d,]*) and (?<b>[\d,]*)(?=\W|$)/,
    read: ({ a, b }) => ({ kind: 'shapes', shapes: [shapeIn(a!), shapeIn(b!)], rule: numpy }),
  },
  {
    name: 'broadcastTo',
    pattern: /broadcastTo\(\): \[(?<from>[\d,]*)\] cannot be broadcast to \[(?<into>[\d,]*)\]/,
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is the target, B the tensor'),
  },
  {
    name: 'broadcastTo rank',
    pattern: /broadcastTo\(\): shape\.length=\d+ < input\.rank=\d+/,
    read: () => ({ kind: 'silent', next: 'the tensor has more axes than the shape it was to take; print its .shape' }),
  },
  {
    name: 'equal shapes',
    pattern: /(?:Error in (?<op>\w+): +)?Shapes (?<a>[\d,]*) and (?<b>[\d,]*) must match/,
    read: ({ op, a, b }) => equalShapesFinding([shapeIn(a!), shapeIn(b!)], op ?? 'this operation'),
  },
  {
    // What is not fixed is left out, or null.
    name: 'layer input',
    pattern:
      /Error when checking(?: \w+)? ?: expected (?<name>\S.{0,200}?) to have (?:shape (?<want>\[[^[\]]*\])|(?<axes>\d+) dimension\(s\)),? but got array with shape (?<got>\[[^[\]]*\])/,
    read: ({ name, want, axes, got }) =>
      declaredFinding(`${name} is declared with ${want ?? axesText(axes!)}, and it is given ${got}.`),
  },
  {
    name: 'concat',
    pattern: new RegExp(
      String.raw`Error in concat\w*: Shape of tensors\[\d+\] (?<a>${SHAPE}) does not match the shape of the rest (?<b>${SHAPE}) along the non-concatenated axis (?<axis>\d+)`,
    ),
    read: ({ a, b, axis }) => concatenationFinding(`${a} and ${b} differ on axis ${axis}.`),
  },
  {
    name: 'matMul',
    pattern:
      /Error in matMul: inner shapes \(\d+\) and \(\d+\) of Tensors with shapes (?<a>[\d,]+) and (?<b>[\d,]+) and transposeA=(?<ta>\w+) and transposeB=(?<tb>\w+) must match/,
    read: ({ a, b, ta, tb }) => {
      const turned = (text: string, flag: string | undefined) => {
        const shape = shapeIn(text)!
        return flag === 'true' ? [...shape.slice(0, -2), shape.at(-1)!, shape.at(-2)!] : shape
      }
      return productFinding(turned(a!, ta), turned(b!, tb))
    },
  },
]
