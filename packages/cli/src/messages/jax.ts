// What JAX says.
import { explicit, matmulBatch, numpy } from 'bcast'
import {
  concatenationFinding,
  equalShapesFinding,
  ontoFinding,
  reshapeFinding,
  summedSizesFinding,
  unequalFinding,
} from './findings.ts'
import { type Finding, type Form, SHAPE, SHAPES, shapeIn, shapesIn } from './form.ts'

/** What vmap lists: the axes by size, since 2022; before that the arguments, then the sizes. */
const MAPPED = String.raw`(?: \* (?:one axis|(?:most|some) axes(?: \(\d+ of them\))?) had size \d{1,20}\b[^;*]{0,300}of type \w+${SHAPE};?)+`
const MAPPED_BEFORE = String.raw`(?: arg \d+ has shape ${SHAPE} and axis \w+ is to be mapped)+ so(?: args? [\d, ]{1,300}(?:has an axis|have axes) to be mapped of size \d+)+`

/** The axes that vmap and its like go through. */
function mappedFinding(op: string, sizes: readonly string[]): Finding {
  const had = sizes.length === 0 ? '' : `; they are ${sizes.join(' and ')}`
  return {
    kind: 'other',
    about: 'mapped axes',
    text: `no broadcast: ${op} maps over one axis of each argument, and these must have one size${had}. A size 1 does not stretch; in_axes=None leaves an argument as it is.`,
  }
}

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
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is the target, B the array'),
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
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is the target, B the array'),
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
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is the target, B the array'),
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
    name: 'stack',
    pattern: new RegExp(String.raw`All input arrays must have the same shape\. Got (?<shapes>${SHAPES})`),
    read: ({ shapes }) => equalShapesFinding(shapesIn(shapes!), 'jnp.stack'),
  },
  {
    name: 'stack without shapes',
    pattern: /All input arrays must have the same shape\./,
    read: () => unequalFinding('jnp.stack', 'print the .shape of each array'),
  },
  {
    name: 'select cases',
    pattern: new RegExp(String.raw`select cases must have the same shapes, got \[(?<shapes>${SHAPES})\]`),
    read: ({ shapes }) => equalShapesFinding(shapesIn(shapes!), 'lax.select, unlike jnp.where,', 'these are the cases'),
  },
  {
    name: 'select',
    pattern: new RegExp(
      `select \`which\` must be scalar or have the same shape as cases, got \`which\` shape (?<which>${SHAPE}) but case shape (?<cases>${SHAPE})`,
    ),
    read: ({ which, cases }) =>
      equalShapesFinding(
        [shapeIn(which!), shapeIn(cases!)],
        'lax.select, unlike jnp.where,',
        'A is what selects, which may be () too; B the cases',
      ),
  },
  {
    name: 'clamp',
    pattern: new RegExp(
      String.raw`clamp requires (?<bound>min|max)\.shape == operand\.shape or \w+\.shape == \(\), got \w+\.shape=(?<a>${SHAPE}), operand\.shape=(?<b>${SHAPE})`,
    ),
    read: ({ bound, a, b }) =>
      equalShapesFinding(
        [shapeIn(a!), shapeIn(b!)],
        'lax.clamp, unlike jnp.clip,',
        `A is ${bound}, which may be () too; B the operand`,
      ),
  },
  {
    name: 'mapped axes',
    pattern: new RegExp(
      String.raw`\b(?<op>\w{1,100}) got inconsistent sizes for array axes to be mapped:(?<axes>${MAPPED}|${MAPPED_BEFORE})?`,
    ),
    read: ({ op, axes }) =>
      mappedFinding(
        op!,
        [...(axes ?? '').matchAll(/(?:had|mapped of) size (\d+)/g)].map(([, size]) => size!),
      ),
  },
  {
    name: 'mapped axes before 2020',
    pattern: /got inconsistent map dimension sizes: (?:set\(\[|\{)(?<sizes>[\d, ]{1,300})(?:\]\)|\})/,
    read: ({ sizes }) => mappedFinding('vmap', sizes!.trim().split(/, */)),
  },
  {
    name: 'dot_general batch',
    pattern:
      /dot_general requires lhs batch dimensions and rhs batch dimensions to have the same shape, got (?<a>[([][\d, ]*[)\]]) and (?<b>[([][\d, ]*[)\]])/,
    read: ({ a, b }) => ({
      kind: 'other',
      about: 'matrix product',
      text: `a product of batches, no broadcast: lax.dot_general does not stretch. The batch sizes are ${a} and ${b} and must be equal; jnp.matmul broadcasts batches.`,
    }),
  },
  {
    name: 'dot_general',
    pattern: new RegExp(
      `dot_general requires contracting dimensions to have the same shape, got (?<a>${SHAPE}) and (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => summedSizesFinding(a!, b!),
  },
  {
    name: 'concatenate',
    pattern: new RegExp(
      String.raw`Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: concatenating along dimension (?<axis>\d+) for shapes (?<shapes>${SHAPES})`,
    ),
    read: ({ axis, shapes }) => concatenationFinding(`along axis ${axis}, shapes ${shapes} differ on another axis.`),
  },
  {
    name: 'concatenate ranks',
    pattern: new RegExp(`Cannot concatenate arrays with different numbers of dimensions: got (?<shapes>${SHAPES})`),
    read: ({ shapes }) => concatenationFinding(`${shapes} have different numbers of axes.`),
  },
  {
    name: 'reshape',
    pattern: new RegExp(
      String.raw`cannot reshape array of shape (?<from>${SHAPE}) \(size \d+\) into shape (?<into>${SHAPE}|\d+)`,
    ),
    read: ({ from, into }) => reshapeFinding(`the elements of ${from} do not fill ${into}.`),
  },
]
