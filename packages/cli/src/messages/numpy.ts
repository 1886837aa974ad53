// What NumPy says. Shapes are written (2,3), one size as (3,) and before 1.20 as (3).
import { numpy, unidirectional } from 'bcast'
import {
  concatenationFinding,
  type Form,
  productFinding,
  reshapeFinding,
  SHAPE,
  SHAPES,
  shapeIn,
  shapesIn,
} from './form.ts'

export const numpyForms: readonly Form[] = [
  {
    name: 'operands',
    pattern: new RegExp(`operands could not be broadcast together with shapes (?<shapes>${SHAPES})`),
    read: ({ shapes }) => ({ kind: 'shapes', shapes: shapesIn(shapes!), rule: numpy }),
  },
  {
    name: 'broadcast_to',
    pattern: new RegExp(
      String.raw`operands could not be broadcast together with remapped shapes \[original->remapped\]: (?<from>${SHAPE}) and requested shape (?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => ({
      kind: 'shapes',
      shapes: [shapeIn(into!), shapeIn(from!)],
      rule: unidirectional,
      where: 'A is the target, B the array',
    }),
  },
  {
    // einsum, nditer and others say where the axes went, (2,3)->(2,newaxis,3); matmul and its like for batches.
    name: 'remapped',
    pattern: new RegExp(
      String.raw`operands could not be broadcast together with remapped shapes \[original->remapped\]: (?<shapes>(?:${SHAPE}->${SHAPE} ?)+)(?<batch>and requested shape)?`,
    ),
    read: ({ shapes, batch }) => {
      const remapped = [...shapes!.matchAll(new RegExp(`->(${SHAPE})`, 'g'))].map(([, shape]) => shape!)
      const sizes = remapped.map((shape) => shapeIn(shape.replaceAll('newaxis', '1')))
      const where = batch === undefined ? 'with axes as they were moved' : 'in batches; ones stand for the matrices'
      return { kind: 'shapes', shapes: sizes, rule: numpy, where }
    },
  },
  {
    name: 'assignment',
    pattern: new RegExp(`could not broadcast input array from shape (?<from>${SHAPE}) into shape (?<into>${SHAPE})`),
    read: ({ from, into }) => ({
      kind: 'shapes',
      shapes: [shapeIn(into!), shapeIn(from!)],
      rule: unidirectional,
      where: 'A is what is written into, B what is written',
    }),
  },
  {
    name: 'indexed assignment',
    pattern: new RegExp(
      `shape mismatch: value array of shape (?<from>${SHAPE}) could not be broadcast to indexing result of shape (?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => ({
      kind: 'shapes',
      shapes: [shapeIn(into!), shapeIn(from!)],
      rule: unidirectional,
      where: 'A is the place that the index selects, B what is written',
    }),
  },
  {
    name: 'index arrays',
    pattern: new RegExp(
      `shape mismatch: indexing arrays could not be broadcast together with shapes (?<shapes>${SHAPES})`,
    ),
    read: ({ shapes }) => ({ kind: 'shapes', shapes: shapesIn(shapes!), rule: numpy, where: 'the index arrays' }),
  },
  {
    name: 'output operand',
    pattern: new RegExp(
      `non-broadcastable output operand with shape (?<out>${SHAPE}) doesn't match the broadcast shape (?<result>${SHAPE})`,
    ),
    read: ({ out, result }) => ({
      kind: 'shapes',
      shapes: [shapeIn(out!), shapeIn(result!)],
      rule: unidirectional,
      where: 'A is the output, which does not grow; B is what the operands give',
    }),
  },
  {
    name: 'broadcast_arrays',
    pattern: new RegExp(
      String.raw`shape mismatch: objects cannot be broadcast to a single shape\. Mismatch is between arg (?<i>\d+) with shape (?<a>${SHAPE}) and arg (?<j>\d+) with shape (?<b>${SHAPE})`,
    ),
    read: ({ i, a, j, b }) => ({
      kind: 'shapes',
      shapes: [shapeIn(a!), shapeIn(b!)],
      rule: numpy,
      where: `A is argument ${i}, B argument ${j}`,
    }),
  },
  {
    name: 'broadcast_arrays without shapes',
    pattern: /shape mismatch: objects cannot be broadcast to a single shape/,
    read: () => ({ kind: 'silent', next: 'print the .shape of each argument' }),
  },
  {
    name: 'broadcast_to rank',
    pattern: /input operand has more dimensions than allowed by the axis remapping/,
    read: () => ({
      kind: 'silent',
      next: 'the array has more axes than the shape it was to take; print its .shape',
    }),
  },
  {
    name: 'matmul',
    pattern:
      /matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \S+ \(size (?<b>\d+) is different from (?<a>\d+)\)/,
    read: ({ a, b }) => ({
      kind: 'other',
      about: 'matrix product',
      text: `a matrix product, no broadcast: the last size of the left is ${a} and must be the second last of the right, which is ${b}.`,
    }),
  },
  {
    name: 'dot',
    pattern: new RegExp(
      String.raw`shapes (?<a>${SHAPE}) and (?<b>${SHAPE}) not aligned: \d+ \(dim \d+\) != \d+ \(dim \d+\)`,
    ),
    read: ({ a, b }) => productFinding(shapeIn(a!), shapeIn(b!)),
  },
  {
    name: 'concatenate',
    pattern:
      /all the input array dimensions except for the concatenation axis must match exactly, but along dimension (?<axis>\d+), the array at index (?<i>\d+) has size (?<a>\d+) and the array at index (?<j>\d+) has size (?<b>\d+)/,
    read: ({ axis, i, a, j, b }) =>
      concatenationFinding(`on axis ${axis} array ${i} has size ${a} and array ${j} has size ${b}.`),
  },
  {
    name: 'reshape',
    pattern: new RegExp(String.raw`cannot reshape array of size (?<size>\d+) into shape (?<shape>${SHAPE})`),
    read: ({ size, shape }) => reshapeFinding(`${size} elements do not fill ${shape}.`),
  },
]
