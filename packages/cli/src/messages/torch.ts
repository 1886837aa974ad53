// What PyTorch says, but for operands of unequal shapes, which have their own file.
import { numpy } from 'bcast'
import {
  axesText,
  concatenationFinding,
  diagonalFinding,
  equalShapesFinding,
  maskFinding,
  ontoFinding,
  productFinding,
  reshapeFinding,
} from './findings.ts'
import { type Finding, type Form, numberIn, SHAPE, shapeIn, shapesIn, shapeText, sizeIn } from './form.ts'
import { NEXT, operandForms } from './torch-operands.ts'

/** `[32, 1]`, alone or as torch.Size([32, 1]). */
const sized = (name: string): string => String.raw`\((?:torch\.Size\()?(?<${name}>${SHAPE})\)?\)`

/** mat times vec, added to an input. */
function vectorProductFinding(input: string, mat: string, vec: string): Finding {
  const matrix = shapeIn(mat.replace('x', ','))
  if (matrix?.[1] !== sizeIn(vec)) return productFinding(matrix, shapeIn(vec))
  return {
    kind: 'other',
    about: 'matrix product',
    text: `a matrix product, no broadcast: ${shapeText(matrix)} times (${vec}) gives ${shapeText([matrix![0]!])}, and what it is added to has size ${input}; it must be equal or 1.`,
  }
}

export const torchForms: readonly Form[] = [
  ...operandForms,
  {
    name: 'expand',
    pattern: new RegExp(
      String.raw`The expanded size of the tensor \([^()]{1,100}\) must match the existing size \([^()]{1,100}\) at non-singleton dimension \d+\. Target sizes: (?<into>${SHAPE})\. Tensor sizes: (?<from>${SHAPE})`,
    ),
    read: ({ into, from }) => ontoFinding(into!, from!, 'A is the target, B the tensor'),
  },
  {
    // Before 1.0 without the sizes behind it.
    name: 'expand sizes',
    pattern:
      /The expanded size of the tensor \((?<a>[^()]{1,100})\) must match the existing size \((?<b>[^()]{1,100})\) at non-singleton dimension (?<axis>\d+)/,
    read: ({ a, b, axis }) => ({
      kind: 'sizes',
      sizes: [sizeIn(a!), sizeIn(b!)],
      names: ['target', 'tensor'],
      axis: numberIn(axis!),
      next: NEXT,
    }),
  },
  {
    name: 'expand rank',
    pattern: new RegExp(
      String.raw`expand\([\w.]+\{(?<from>${SHAPE})\}, size=(?<into>${SHAPE})\): the number of sizes provided`,
    ),
    read: ({ into, from }) => ontoFinding(into!, from!, 'A is the target, B the tensor'),
  },
  {
    name: 'output',
    pattern: new RegExp(`output with shape (?<out>${SHAPE}) doesn't match the broadcast shape (?<result>${SHAPE})`),
    read: ({ out, result }) =>
      ontoFinding(out!, result!, 'A is the output, which does not grow; B is what the operands give'),
  },
  {
    name: 'broadcast_shapes',
    pattern: /Shape mismatch: objects cannot be broadcast to a single shape/,
    read: () => ({ kind: 'silent', next: NEXT }),
  },
  {
    name: 'indexed assignment',
    pattern: new RegExp(
      `shape mismatch: value tensor of shape (?<from>${SHAPE}) cannot be broadcast to indexing result of shape (?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is the place that the index selects, B what is written'),
  },
  {
    name: 'index tensors',
    pattern: new RegExp(
      `shape mismatch: indexing tensors could not be broadcast together with shapes (?<shapes>${SHAPE}(?:, ${SHAPE})*)`,
    ),
    read: ({ shapes }) => ({
      kind: 'shapes',
      shapes: shapesIn(shapes!),
      rule: numpy,
      where: 'the index tensors',
    }),
  },
  {
    // Until 2022; a new axis has size 1.
    name: 'einsum shapes',
    pattern: new RegExp(
      String.raw`einsum\(\):? operands do not broadcast with remapped shapes \[original->remapped\]: (?<shapes>${SHAPE}->${SHAPE}(?: ${SHAPE}->${SHAPE})*)`,
    ),
    read: ({ shapes }) => ({
      kind: 'shapes',
      shapes: shapesIn(shapes!).filter((_, i) => i % 2 === 1),
      rule: numpy,
      where: 'in einsum, with axes as they were moved',
    }),
  },
  {
    name: 'einsum',
    pattern:
      /einsum\(\): subscript (?<label>\S{1,100}) has size (?<a>\w+) for operand (?<i>\d+) which does not broadcast with previously seen size (?<b>\w+)/,
    read: ({ label, a, i, b }) => ({
      kind: 'sizes',
      sizes: [sizeIn(a!), sizeIn(b!)],
      names: [`operand ${i}`, 'before it'],
      axis: undefined,
      place: `on the axes labelled ${label}`,
      next: NEXT,
      where: 'in einsum',
    }),
  },
  {
    name: 'einsum ellipsis',
    pattern:
      /einsum\(\): dimension (?<axis>\d+) covered by ellipsis in operand (?<i>\d+) ?has size (?<a>\w+) which does not broadcast with previously seen ellipsis with size (?<b>\w+)/,
    read: ({ axis, i, a, b }) => ({
      kind: 'sizes',
      sizes: [sizeIn(a!), sizeIn(b!)],
      names: [`operand ${i}`, 'before it'],
      axis: undefined,
      place: `on axis ${axis} of operand ${i}, which its ... covers`,
      next: NEXT,
      where: 'in einsum',
    }),
  },
  {
    name: 'einsum diagonal',
    pattern:
      /einsum\(\): subscript (?<label>\S{1,100}) is repeated for operand \d+ but the sizes don't match, (?<a>\w+) != (?<b>\w+)/,
    read: ({ label, a, b }) => diagonalFinding(label!, a!, b!),
  },
  {
    // PyTorch/XLA.
    name: 'xla',
    pattern: new RegExp(
      String.raw`Shapes are not compatible for broadcasting: \w+(?<a>${SHAPE}) vs\. \w+(?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => ({ kind: 'shapes', shapes: [shapeIn(a!), shapeIn(b!)], rule: numpy }),
  },
  {
    // A warning: the loss goes on with every input against every target.
    name: 'loss warning',
    pattern: new RegExp(
      String.raw`Using a target size ${sized('target')} that is different to the input size ${sized('input')}\. This will likely lead to incorrect results due to broadcasting`,
    ),
    read: ({ input, target }) => ({
      kind: 'shapes',
      shapes: [shapeIn(input!), shapeIn(target!)],
      rule: numpy,
      where: 'A is the input of a loss, B its target',
      accepted:
        'PyTorch warns and goes on: the loss is taken over all of that result, where each input was to meet its own target only. Give both the same shape.',
    }),
  },
  {
    name: 'loss',
    pattern: new RegExp(
      `(?:Using a target|Target) size ${sized('target')} (?:that is different to the|must be the same as) input size ${sized('input')}`,
    ),
    read: ({ input, target }) =>
      equalShapesFinding([shapeIn(input!), shapeIn(target!)], 'this loss', 'A is the input, B the target'),
  },
  {
    name: 'loss batch',
    pattern: /Expected input batch_size \((?<a>\d+)\) to match target batch_size \((?<b>\d+)\)/,
    read: ({ a, b }) => ({
      kind: 'other',
      about: 'equal sizes',
      text: `no broadcast: the first axis of the input of this loss has size ${a} and that of its target ${b}. They must be equal; a size 1 does not stretch.`,
    }),
  },
  {
    name: 'checkpoint',
    pattern: new RegExp(
      `size mismatch for (?<name>\\S{1,300}): copying a param with shape (?:torch\\.Size\\()?(?<b>${SHAPE})\\)? from checkpoint, the shape in current model is (?:torch\\.Size\\()?(?<a>${SHAPE})`,
    ),
    read: ({ name, a, b }) =>
      equalShapesFinding([shapeIn(a!), shapeIn(b!)], `the parameter ${name}`, 'A is the model, B the checkpoint'),
  },
  {
    name: 'stack',
    pattern: new RegExp(
      String.raw`stack expects each tensor to be equal size, but got (?<a>${SHAPE}) at entry (?<i>\d+) and (?<b>${SHAPE}) at entry (?<j>\d+)`,
    ),
    read: ({ a, i, b, j }) =>
      equalShapesFinding([shapeIn(a!), shapeIn(b!)], 'torch.stack', `A is entry ${i}, B entry ${j}`),
  },
  {
    name: 'mask',
    pattern: new RegExp(
      String.raw`The shape of the mask (?<mask>${SHAPE}) at index (?<i>\d+) does not match the shape of the indexed tensor (?<tensor>${SHAPE}) at index (?<axis>\d+)`,
    ),
    read: ({ mask, i, tensor, axis }) =>
      maskFinding(
        `${axis} of ${tensor}`,
        String(shapeIn(mask!)?.[Number(i)]),
        String(shapeIn(tensor!)?.[Number(axis)]),
      ),
  },
  {
    name: 'mm',
    pattern: /mat1 and mat2 shapes cannot be multiplied \((?<a>\w+x\w+) and (?<b>\w+x\w+)\)/,
    read: ({ a, b }) => productFinding(shapeIn(a!.replace('x', ',')), shapeIn(b!.replace('x', ','))),
  },
  {
    name: 'mm before 1.8',
    pattern: /size mismatch, m1: \[(?<a>\d+ x \d+)\], m2: \[(?<b>\d+ x \d+)\]/,
    read: ({ a, b }) => productFinding(shapeIn(a!.replace(' x ', ',')), shapeIn(b!.replace(' x ', ','))),
  },
  {
    name: 'mv',
    pattern: /size mismatch, got input \((?<input>\d+)\), mat \((?<mat>\d+x\d+)\), vec \((?<vec>\d+)\)/,
    read: ({ input, mat, vec }) => vectorProductFinding(input!, mat!, vec!),
  },
  {
    name: 'dot',
    pattern: new RegExp(
      String.raw`inconsistent tensor size, expected tensor (?<a>${SHAPE}) and src (?<b>${SHAPE}) to have the same number of elements, but got (?<m>\d+) and (?<n>\d+) elements`,
    ),
    read: ({ a, b, m, n }) => ({
      kind: 'other',
      about: 'number of elements',
      text: `no broadcast: ${a} and ${b} hold ${m} and ${n} elements, and this operation (dot and its like) wants the same number; a size 1 does not stretch.`,
    }),
  },
  {
    name: 'bmm',
    pattern: new RegExp(
      `Expected size for first two dimensions of batch2 tensor to be: (?<want>${SHAPE}) but got: (?<got>${SHAPE})`,
    ),
    read: ({ want, got }) => ({
      kind: 'other',
      about: 'matrix product',
      text: `a product of batches, no broadcast: bmm does not stretch. The right operand starts with ${got} and must start with ${want}; torch.matmul broadcasts batches.`,
    }),
  },
  {
    name: 'cat',
    pattern:
      /Sizes of tensors must match except in dimension (?<axis>\d+)\. (?:Expected size (?<a>\w+) but got size (?<b>\w+) for tensor number (?<i>\d+) in the list|Got (?<c>\d+) and (?<d>\d+))/,
    read: ({ axis, a, b, c, d }) =>
      concatenationFinding(`along axis ${axis}, sizes ${a ?? c} and ${b ?? d} differ on another axis.`),
  },
  {
    name: 'cat ranks',
    pattern: /Tensors must have same number of dimensions: got (?<a>\d+) and (?<b>\d+)/,
    read: ({ a, b }) => concatenationFinding(`the tensors have ${axesText(a!)} and ${axesText(b!)}.`),
  },
  {
    name: 'reshape',
    pattern: new RegExp(String.raw`shape '(?<shape>${SHAPE})' is invalid for input of size (?<size>\d+)`),
    read: ({ shape, size }) => reshapeFinding(`${size} elements do not fill ${shape}.`),
  },
]
