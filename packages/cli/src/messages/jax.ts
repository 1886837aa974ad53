// What JAX says.
import { explicit, matmulBatch, numpy, unidirectional } from 'bcast'
import { concatenationFinding, type Form, reshapeFinding, SHAPE, SHAPES, shapeIn, shapesIn } from './form.ts'

export const jaxForms: readonly Form[] = [
  {
    name: 'operator',
    pattern: new RegExp(`\\b(?<op>\\w{1,100}) got incompatible shapes for broadcasting: (?<shapes>${SHAPES})`),
    read: ({ op, shapes }) => ({ kind: 'shapes', shapes: shapesIn(shapes!), rule: numpy, where: `in ${op}` }),
  },
  {
    name: 'broadcast_to',
    pattern: new RegExp(
      `Incompatible shapes for broadcasting: (?<from>${SHAPE}) and requested shape (?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => ({
      kind: 'shapes',
      shapes: [shapeIn(into!), shapeIn(from!)],
      rule: unidirectional,
      where: 'A is the target, B the array',
    }),
  },
  {
    // Until 2022 as ((2, 4), (1, 2)), with ones that the caller had not written.
    name: 'shapes',
    pattern: new RegExp(String.raw`Incompatible shapes for broadcasting: (?:shapes=\[|\()(?<shapes>${SHAPES})`),
    read: ({ shapes }) => ({ kind: 'shapes', shapes: shapesIn(shapes!), rule: numpy }),
  },
  {
    // Since 2025 types instead of shapes: float32[3].
    name: 'broadcast_to types',
    pattern: new RegExp(
      String.raw`Incompatible types for broadcasting: input type=\w+(?<from>${SHAPE}) and requested type=\w+(?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => ({
      kind: 'shapes',
      shapes: [shapeIn(into!), shapeIn(from!)],
      rule: unidirectional,
      where: 'A is the target, B the array',
    }),
  },
  {
    name: 'broadcast_in_dim',
    pattern: new RegExp(
      `broadcast_in_dim operand dimension sizes must either be 1, or be equal to their corresponding dimensions in the target broadcast shape; got operand of shape (?<from>${SHAPE}), target broadcast shape (?<into>${SHAPE}), broadcast_dimensions (?<axes>${SHAPE})`,
    ),
    read: ({ from, into, axes }) => ({
      kind: 'shapes',
      shapes: [shapeIn(into!), shapeIn(from!)],
      rule: explicit({ axesMapping: shapeIn(axes!)!.map(Number) }),
      where: 'in broadcast_in_dim; A is the target, B the array',
    }),
  },
  {
    name: 'matmul batch',
    pattern: new RegExp(
      String.raw`Incompatible (?:types|shapes) for matmul arguments: \w*(?<a>${SHAPE}) and \w*(?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => ({
      kind: 'shapes',
      shapes: [shapeIn(a!), shapeIn(b!)],
      rule: matmulBatch,
      where: 'in the batches of matmul',
    }),
  },
  {
    name: 'broadcast_to rank',
    pattern: new RegExp(
      `Cannot broadcast to shape with fewer dimensions: arr_shape=(?<from>${SHAPE}) shape=(?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => ({
      kind: 'shapes',
      shapes: [shapeIn(into!), shapeIn(from!)],
      rule: unidirectional,
      where: 'A is the target, B the array',
    }),
  },
  {
    name: 'lax rank',
    pattern: new RegExp(
      String.raw`\b(?<op>\w{1,100}): arrays must have (?:the )?same number of dimensions, got (?<shapes>${SHAPES})`,
    ),
    read: ({ op, shapes }) => ({
      kind: 'other',
      about: 'equal ranks',
      text: `no broadcast: lax.${op} wants the same number of axes, and has ${shapes}. jax.numpy broadcasts.`,
    }),
  },
  {
    name: 'dot_general',
    pattern: new RegExp(
      `dot_general requires contracting dimensions to have the same shape, got (?<a>${SHAPE}) and (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => ({
      kind: 'other',
      about: 'matrix product',
      text: `a matrix product, no broadcast: the sizes that are summed over are ${a} and ${b} and must be equal.`,
    }),
  },
  {
    name: 'concatenate',
    pattern: new RegExp(
      String.raw`Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: concatenating along dimension (?<axis>\d+) for shapes (?<shapes>${SHAPES})`,
    ),
    read: ({ axis, shapes }) => concatenationFinding(`along axis ${axis}, shapes ${shapes} differ on another axis.`),
  },
  {
    name: 'reshape',
    pattern: new RegExp(
      String.raw`cannot reshape array of shape (?<from>${SHAPE}) \(size \d+\) into shape (?<into>${SHAPE}|\d+)`,
    ),
    read: ({ from, into }) => reshapeFinding(`the elements of ${from} do not fill ${into}.`),
  },
]
