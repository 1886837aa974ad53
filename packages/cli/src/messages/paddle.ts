// What Paddle says. Operators align the ends of shapes, unless their attribute axis says where the smaller one starts;
// the message does not name it, but the place at which sizes differ gives it away.
import { numpy, paddle, type Rule, type SymbolicShape } from 'bcast'
import {
  concatenationFinding,
  equalShapesFinding,
  equalSizesFinding,
  innerSizesFinding,
  maskFinding,
  ontoFinding,
  productFinding,
  reshapeFinding,
} from './findings.ts'
import { type Form, numberIn, SHAPE, shapeIn, sizeIn } from './form.ts'

const NEXT = 'print(x.shape, y.shape) in front of the line that failed'

/** The axes at which the smaller shape may start, given that on axis `at` of the result the sizes are x and y. */
function startsOf(x: SymbolicShape, y: SymbolicShape, at: number, sizes: readonly unknown[]): number[] {
  const [a, b] = [x ?? [], y ?? []]
  const gap = Math.abs(a.length - b.length)
  const sizeAt = (shape: readonly unknown[], rank: number, start: number) =>
    shape[at - (shape.length === rank ? 0 : start)]
  const rank = Math.max(a.length, b.length)
  return Array.from({ length: gap + 1 }, (_, start) => start).filter(
    (start) => sizeAt(a, rank, start) === sizes[0] && sizeAt(b, rank, start) === sizes[1],
  )
}

/** The rule under which these shapes met, as far as the message tells: the ends are aligned unless they cannot be. */
function ruleOf(x: SymbolicShape, y: SymbolicShape, at: string | undefined, sizes: readonly unknown[]): Rule {
  if (at === undefined) return numpy
  const starts = startsOf(x, y, numberIn(at), sizes)
  const end = Math.abs((x?.length ?? 0) - (y?.length ?? 0))
  return starts[0] === undefined || starts.includes(end) ? numpy : paddle({ axis: starts[0] })
}

export const paddleForms: readonly Form[] = [
  {
    name: 'shapes',
    pattern: new RegExp(
      String.raw`[Bb]roadcast dimension mismatch\. Operands could not be broadcast together with the shape of X = (?<x>${SHAPE}) and the shape of Y = (?<y>${SHAPE})(?:\. Received \[(?<a>\d+)\] in X is not equal to \[(?<b>\d+)\] in Y(?: at i:(?<at>\d+))?)?`,
    ),
    read: ({ x, y, a, b, at }) => {
      const shapes = [shapeIn(x!), shapeIn(y!)] as const
      const rule = ruleOf(...shapes, at, at === undefined ? [] : [sizeIn(a!), sizeIn(b!)])
      return { kind: 'shapes', shapes, rule, where: 'A is X, B is Y' }
    },
  },
  {
    // Until 1.5.
    name: 'sizes before 1.7',
    pattern:
      /Expected x_dims\[i \+ axis\] == y_dims\[i\], but received x_dims\[i \+ axis\]:(?<a>\d+) != y_dims\[i\]:(?<b>\d+)/,
    read: ({ a, b }) => ({
      kind: 'other',
      about: 'equal sizes',
      text: `Paddle before 1.7 lays Y over X from an axis on, and there X has size ${a} and Y has ${b}. They must be equal: ones at the end of Y are left out, and no other size 1 stretches before 1.7. To see the shapes: ${NEXT}.`,
    }),
  },
  {
    name: 'expand',
    pattern:
      /The value \((?<a>\d+)\) of the non-singleton dimension does not match the corresponding value \((?<b>\d+)\) in shape for expand\w* op/,
    read: ({ a, b }) => ({
      kind: 'sizes',
      sizes: [numberIn(a!), numberIn(b!)],
      names: ['tensor', 'target'],
      axis: undefined,
      known: 'Only the tensor may stretch.',
      next: 'print the .shape of the tensor and the shape that it was to take',
      where: 'in expand',
    }),
  },
  {
    name: 'expand rank',
    pattern:
      /The number of elements \(\d+\) of 'shape' for expand\w* op must be greater than or equal to the rank \(\d+\)/,
    read: () => ({ kind: 'silent', next: 'the tensor has more axes than the shape it was to take; print its .shape' }),
  },
  {
    name: 'broadcast_tensors',
    pattern:
      /BroadcastTensorsOp inputs does not satisfy bcast semantics, please check axis = (?<axis>\d+) in reverse order, dim_size\[(?<a>\d+)\] != target_dim_size\[(?<b>\d+)\]/,
    read: ({ axis, a, b }) => ({
      kind: 'sizes',
      sizes: [numberIn(a!), numberIn(b!)],
      names: ['one', 'before'],
      axis: undefined,
      place: `on axis ${-1 - numberIn(axis!)}`,
      next: 'print the .shape of each tensor',
      where: 'in broadcast_tensors',
    }),
  },
  {
    name: 'matmul batch',
    pattern:
      /X_broadcast's shape\[\d+\] <= 1, or Y_broadcast's shape\[\d+\] <= 1, but received X_broadcast's shape\[(?<axis>\d+)\] = \[(?<a>\d+)\] ?received Y_broadcast's shape\[\d+\] = \[(?<b>\d+)\]/,
    read: ({ axis, a, b }) => ({
      kind: 'sizes',
      sizes: [numberIn(a!), numberIn(b!)],
      names: ['X', 'Y'],
      axis: undefined,
      place: `on batch axis ${axis}`,
      next: NEXT,
      where: 'in the batches of matmul',
    }),
  },
  {
    name: 'output',
    pattern: new RegExp(
      String.raw`The shape of broadcast output (?<result>${SHAPE}) is different from that of inplace tensor (?:paddle\.Size\()?(?<out>${SHAPE})`,
    ),
    read: ({ out, result }) =>
      ontoFinding(out!, result!, 'A is the tensor, which does not grow; B is what the operands give'),
  },
  {
    // Paddle has them the wrong way round: what it calls the target is what is written.
    name: 'assignment',
    pattern: new RegExp(
      `The shape of tensor assigned value must match the shape of target shape: (?<from>${SHAPE}), but now shape is (?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is what is written into, B what is written'),
  },
  {
    name: 'equal shapes',
    pattern: new RegExp(
      String.raw`(?:The input tensor X of AddNOp must have same shape\. But received X\[\d+\]'s shape = (?<a>${SHAPE}), X\[\d+\]'s shape =|The shape of input tensor X: (?<x>${SHAPE}) should be exactly the same with input tensor Y:) (?<b>${SHAPE})`,
    ),
    read: ({ a, x, b }) => equalShapesFinding([shapeIn((a ?? x)!), shapeIn(b!)], 'this operation'),
  },
  {
    name: 'matmul',
    pattern:
      /But receiving the \[\d+\] ?dimension of Input\(X\) is \[(?<a>\d+)\], and the \[\d+\] dimension of Input\(Y\) is \[(?<b>\d+)\]/,
    read: ({ a, b }) => innerSizesFinding(a!, b!),
  },
  {
    name: 'mul before 2',
    pattern:
      /(?:x_mat_dims\[1\]:(?<a>\d+) != y_mat_dims\[0\]:|x_mat_dims\[1\] == y_mat_dims\[0\] failed, (?<c>\d+) != |dim_a\.width_:(?<e>\d+) != dim_b\.height_:)(?<b>\d+)/,
    read: ({ a, c, e, b }) => innerSizesFinding((a ?? c ?? e)!, b!),
  },
  {
    name: 'mv',
    pattern: new RegExp(
      `X's second dimension is expected to be equal to Vec's first dimension, but received X'shape = (?<a>${SHAPE}), Vec's shape = (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => productFinding(shapeIn(a!), shapeIn(b!)),
  },
  {
    name: 'einsum',
    pattern:
      /Same label have different shapes for label: `(?<label>[^`]{1,20})`(?: \[Hint: Expected [^,]{1,100}, but received \(\*labelshape\)\[c\]:(?<a>\d+) != op_dim\[dim_ptr\]:(?<b>\d+))?/,
    read: ({ label, a, b }) =>
      equalSizesFinding(
        `in einsum the axes labelled ${label} have ${a === undefined ? 'different sizes' : `sizes ${a} and ${b}`}.`,
      ),
  },
  {
    name: 'concat',
    pattern: new RegExp(
      String.raw`(?:The (?:\d+-th dimension|shape) of input\[\d+\] and input\[\d+\] is expected to be equal\. ?But received|Input tensors should have same dimensions\(or specific dimension = -1\) except the axis\. But rece\w+ axis = \d+,) ?input\[(?<i>\d+)\]'s shape = (?<a>${SHAPE}), input\[(?<j>\d+)\]'s shape = (?<b>${SHAPE})`,
    ),
    read: ({ i, a, j, b }) => concatenationFinding(`input ${i} is ${a} and input ${j} is ${b}.`),
  },
  {
    name: 'mask',
    pattern:
      /The shape of boolean index (?<mask>\d+) did not match indexed tensor (?<tensor>\d+) along axis (?<axis>\d+)/,
    read: ({ mask, tensor, axis }) => maskFinding(axis!, mask!, tensor!),
  },
  {
    name: 'reshape',
    pattern: new RegExp(
      String.raw`The 'shape' in ReshapeOp is invalid\. .{1,200}? But received X's shape = (?<from>${SHAPE}), X's size = \d+, 'shape' is (?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => reshapeFinding(`the elements of ${from} do not fill ${into}.`),
  },
]
