// What PyTorch says. Eager mode names two sizes and an axis only; tracing (torch.compile) names whole shapes.
import { numpy, unidirectional } from 'bcast'
import { concatenationFinding, type Form, productFinding, reshapeFinding, SHAPE, shapeIn, sizeIn } from './form.ts'

const NEXT = 'print(a.shape, b.shape) in front of the line that failed'

export const torchForms: readonly Form[] = [
  {
    name: 'sizes',
    pattern:
      /The size of tensor a \((?<a>\w+)\) must match the size of tensor b \((?<b>\w+)\) at non-singleton dimension (?<axis>\d+)/,
    read: ({ a, b, axis }) => ({
      kind: 'sizes',
      sizes: [sizeIn(a!), sizeIn(b!)],
      names: ['a', 'b'],
      axis: Number(axis),
      known: 'PyTorch compares from the right, so every axis behind this one meets.',
      next: NEXT,
    }),
  },
  {
    name: 'expand',
    pattern: new RegExp(
      String.raw`The expanded size of the tensor \(-?\w+\) must match the existing size \(\w+\) at non-singleton dimension \d+\. Target sizes: (?<into>${SHAPE})\. Tensor sizes: (?<from>${SHAPE})`,
    ),
    read: ({ into, from }) => ({
      kind: 'shapes',
      shapes: [shapeIn(into!), shapeIn(from!)],
      rule: unidirectional,
      where: 'A is the target, B the tensor',
    }),
  },
  {
    // Before 1.0 without the sizes behind it.
    name: 'expand sizes',
    pattern:
      /The expanded size of the tensor \((?<a>\w+)\) must match the existing size \((?<b>\w+)\) at non-singleton dimension (?<axis>\d+)/,
    read: ({ a, b, axis }) => ({
      kind: 'sizes',
      sizes: [sizeIn(a!), sizeIn(b!)],
      names: ['target', 'tensor'],
      axis: Number(axis),
      next: NEXT,
    }),
  },
  {
    name: 'expand rank',
    pattern: new RegExp(
      String.raw`expand\([\w.]+\{(?<from>${SHAPE})\}, size=(?<into>${SHAPE})\): the number of sizes provided`,
    ),
    read: ({ into, from }) => ({
      kind: 'shapes',
      shapes: [shapeIn(into!), shapeIn(from!)],
      rule: unidirectional,
      where: 'A is the target, B the tensor',
    }),
  },
  {
    name: 'output',
    pattern: new RegExp(`output with shape (?<out>${SHAPE}) doesn't match the broadcast shape (?<result>${SHAPE})`),
    read: ({ out, result }) => ({
      kind: 'shapes',
      shapes: [shapeIn(out!), shapeIn(result!)],
      rule: unidirectional,
      where: 'A is the output, which does not grow; B is what the operands give',
    }),
  },
  {
    name: 'traced',
    pattern: new RegExp(
      String.raw`Attempting to broadcast a dimension of length \w+ at -\d+! Mismatching argument at index (?<index>\d+) had (?:torch\.Size\()?(?<own>${SHAPE})\)?; but expected shape should be broadcastable to (?<common>${SHAPE})`,
    ),
    read: ({ index, own, common }) => ({
      kind: 'shapes',
      shapes: [shapeIn(common!), shapeIn(own!)],
      rule: numpy,
      where: `A is what the arguments before give, B argument ${index}`,
    }),
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
    read: ({ from, into }) => ({
      kind: 'shapes',
      shapes: [shapeIn(into!), shapeIn(from!)],
      rule: unidirectional,
      where: 'A is the place that the index selects, B what is written',
    }),
  },
  {
    name: 'index tensors',
    pattern: new RegExp(
      `shape mismatch: indexing tensors could not be broadcast together with shapes (?<shapes>${SHAPE}(?:, ${SHAPE})*)`,
    ),
    read: ({ shapes }) => ({
      kind: 'shapes',
      shapes: shapes!.match(new RegExp(SHAPE, 'g'))!.map(shapeIn),
      rule: numpy,
      where: 'the index tensors',
    }),
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
    name: 'reshape',
    pattern: new RegExp(String.raw`shape '(?<shape>${SHAPE})' is invalid for input of size (?<size>\d+)`),
    read: ({ shape, size }) => reshapeFinding(`${size} elements do not fill ${shape}.`),
  },
]
