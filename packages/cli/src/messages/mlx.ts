// What MLX says. Shapes are written (2,3), one size as (3).
import { numpy } from 'bcast'
import {
  axesText,
  concatenationFinding,
  equalShapesFinding,
  ontoFinding,
  productFinding,
  reshapeFinding,
  unequalFinding,
} from './findings.ts'
import { type Form, numberIn, SHAPE, SHAPES, shapeIn } from './form.ts'

export const mlxForms: readonly Form[] = [
  {
    // Of batches of matrices and of what is written into a slice, too.
    name: 'shapes',
    pattern: new RegExp(
      String.raw`(?:\[broadcast_shapes\] )?Shapes (?<a>${SHAPE}) and (?<b>${SHAPE}) cannot be broadcast`,
    ),
    read: ({ a, b }) => ({ kind: 'shapes', shapes: [shapeIn(a!), shapeIn(b!)], rule: numpy }),
  },
  {
    name: 'broadcast_to',
    pattern: new RegExp(`Cannot broadcast array of shape (?<from>${SHAPE}) into shape (?<into>${SHAPE})`),
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is the target, B the array'),
  },
  {
    name: 'einsum',
    pattern: new RegExp(
      String.raw`\[einsum\] Cannot broadcast dimension (?<axis>\d+) of input (?<i>\d+) with shape (?<shape>${SHAPE}) to size (?<b>\d+)`,
    ),
    read: ({ axis, i, shape, b }) => ({
      kind: 'sizes',
      sizes: [shapeIn(shape!)?.[numberIn(axis!)] ?? null, numberIn(b!)],
      names: [`input ${i}`, 'others'],
      axis: undefined,
      place: `on axis ${axis} of input ${i}, which is ${shape}`,
      next: 'print the .shape of each input',
      where: 'in einsum',
    }),
  },
  {
    name: 'matmul',
    pattern: new RegExp(
      `Last dimension of first input with shape (?<a>${SHAPE}) must match second to last dimension of second input with shape (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => productFinding(shapeIn(a!), shapeIn(b!)),
  },
  {
    name: 'concatenate',
    pattern: new RegExp(
      String.raw`All the input array dimensions must match exactly except for the concatenation axis\. However, the provided shapes are (?<shapes>${SHAPES}), and the concatenation axis is (?<axis>\d+)`,
    ),
    read: ({ shapes, axis }) => concatenationFinding(`along axis ${axis}, shapes ${shapes} differ on another axis.`),
  },
  {
    name: 'concatenate ranks',
    pattern:
      /All the input arrays must have the same number of dimensions\. However, got arrays with dimensions (?<a>\d+) and (?<b>\d+)/,
    read: ({ a, b }) => concatenationFinding(`the arrays have ${axesText(a!)} and ${axesText(b!)}.`),
  },
  {
    name: 'stack',
    pattern: /\[stack\] All arrays must have the same shape/,
    read: () => unequalFinding('mx.stack', 'print the .shape of each array'),
  },
  {
    name: 'loss',
    pattern: new RegExp(`Predictions shape (?<a>${SHAPE}) does not match targets shape (?<b>${SHAPE})`),
    read: ({ a, b }) =>
      equalShapesFinding([shapeIn(a!), shapeIn(b!)], 'this loss', 'A is the predictions, B the targets'),
  },
  {
    name: 'vmap',
    pattern: /\[vmap\] Inconsistent axis sizes: (?<a>\d+) and (?<b>\d+)/,
    read: ({ a, b }) => ({
      kind: 'other',
      about: 'mapped axes',
      text: `no broadcast: vmap maps over one axis of each argument, and these must have one size; they are ${a} and ${b}. A size 1 does not stretch; in_axes=None leaves an argument as it is.`,
    }),
  },
  {
    name: 'reshape',
    pattern: new RegExp(
      String.raw`\[reshape\] Cannot reshape array of size (?<size>\d+) into shape (?<shape>${SHAPE})`,
    ),
    read: ({ size, shape }) => reshapeFinding(`${size} elements do not fill ${shape}.`),
  },
]
