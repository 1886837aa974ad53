// What NumPy says. Shapes are written (2,3), one size as (3,) and before 1.20 as (3).
import { type Dim, numpy, type SymbolicShape, unidirectional } from 'bcast'
import {
  axesText,
  concatenationFinding,
  diagonalFinding,
  innerSizesFinding,
  maskFinding,
  ontoFinding,
  productFinding,
  reshapeFinding,
  unequalFinding,
} from './findings.ts'
import { type Form, type Found, MOST_AXES, numberIn, SHAPE, SHAPES, shapeIn, shapesIn } from './form.ts'

/** Where einsum, nditer and generalised ufuncs put axes: (2,3)->(2,newaxis,3); an operand that stays has no arrow. */
const REMAPPED = String.raw`operands could not be broadcast together with remapped shapes ?\[original->remapped\]: (?<shapes>${SHAPE}(?:->${SHAPE})?(?: ?${SHAPE}(?:->${SHAPE})?)*)`
/** Some write it with a capital, as Keras does, which has spaces behind its commas. */
const OPERANDS = String.raw`(?:operands|Operands(?= could not be broadcast together with shapes \(\d+,\d))`
const REQUESTED = `(?: and requested shape (?<into>${SHAPE}))?`

/** The operands as they meet; a new axis has size 1. */
const remappedIn = (text: string): SymbolicShape[] =>
  [...text.matchAll(new RegExp(`(${SHAPE})(?:->(${SHAPE}))?`, 'g'))].map(([, own, moved]) =>
    shapeIn((moved ?? own!).replaceAll('newaxis', '1')),
  )

/** The sizes but 1 that operands have on an axis counted from the right. */
const sizesAt = (operands: readonly SymbolicShape[], axis: number): readonly Dim[] => [
  ...new Set(operands.flatMap((shape) => shape?.at(axis) ?? []).filter((size) => size !== 1)),
]

/**
 * Operands that meet each other and a requested shape, which does not change. The request may leave axes open, and
 * those at its left are not printed: they are as the operands have them.
 */
function iteratedFinding(operands: readonly SymbolicShape[], into: string | undefined, where?: string): Found {
  const place = where === undefined ? {} : { where }
  const among: Found = { kind: 'shapes', shapes: operands, rule: numpy, ...place }
  if (into === undefined) return among
  const wanted = shapeIn(into.replaceAll('newaxis', '?')) ?? []
  const rank = operands.reduce((most, shape) => Math.max(most, shape?.length ?? 0), wanted.length)
  // Of no array: its explanation says so.
  if (rank > MOST_AXES) return among
  const axes = Array.from({ length: rank }, (_, i) => i - rank)
  const isOpen = (axis: number): boolean => (wanted.at(axis) ?? null) === null
  if (axes.some((axis) => isOpen(axis) && sizesAt(operands, axis).length > 1)) return among
  const target = axes.map((axis) => (isOpen(axis) ? (sizesAt(operands, axis)[0] ?? 1) : wanted.at(axis)!))
  const letters = 'A is the requested shape, the others are the operands'
  return {
    kind: 'shapes',
    shapes: [target, ...operands],
    rule: unidirectional,
    where: where === undefined ? letters : `${where}; ${letters}`,
  }
}

export const numpyForms: readonly Form[] = [
  {
    name: 'operands',
    pattern: new RegExp(`${OPERANDS} could not be broadcast together with shapes (?<shapes>${SHAPES})${REQUESTED}`),
    read: ({ shapes, into }) => iteratedFinding(shapesIn(shapes!), into),
  },
  {
    name: 'repeat',
    pattern: new RegExp(`operands could not be broadcast together with shape (?<axis>${SHAPE}) (?<counts>${SHAPE})`),
    read: ({ axis, counts }) =>
      ontoFinding(axis!, counts!, 'in np.repeat; A is the axis, B how often each is repeated'),
  },
  {
    name: 'broadcast_to',
    pattern: new RegExp(
      String.raw`operands could not be broadcast together with remapped shapes ?\[original->remapped\]: (?<from>${SHAPE}) and requested shape (?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is the target, B the array'),
  },
  {
    name: 'remapped',
    pattern: new RegExp(`${REMAPPED}${REQUESTED}`),
    read: ({ shapes, into }) => {
      // The matrices of matmul and its like are left out of the iteration.
      const isBatch = into !== undefined && /newaxis\)/.test(shapes!)
      const moved = shapes!.includes('->') ? 'with axes as they were moved' : undefined
      return iteratedFinding(remappedIn(shapes!), into, isBatch ? 'in batches; ones stand for the matrices' : moved)
    },
  },
  {
    name: 'assignment',
    pattern: new RegExp(
      `[Cc]ould not broadcast input array from shape ?(?<from>${SHAPE}) into shape ?(?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is what is written into, B what is written'),
  },
  {
    name: 'indexed assignment',
    pattern: new RegExp(
      `shape mismatch: value array of shape (?<from>${SHAPE}) could not be broadcast to indexing result of shape (?<into>${SHAPE})`,
    ),
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is the place that the index selects, B what is written'),
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
    read: ({ out, result }) =>
      ontoFinding(out!, result!, 'A is the output, which does not grow; B is what the operands give'),
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
    name: 'broadcast_to a scalar',
    pattern: /cannot broadcast a non-scalar to a scalar array/,
    read: () => ({
      kind: 'silent',
      next: 'the shape it was to take is (), for one element; print the .shape of the array',
    }),
  },
  {
    name: 'ufunc.at',
    pattern: /array is not broadcastable to correct shape/,
    read: () => ({
      kind: 'silent',
      next: 'ufunc.at(a, indices, b) stretches b to the shape of a[indices]; print a[indices].shape and b.shape',
    }),
  },
  {
    // Which of the two sizes the operand has differs from what the words say: they are given as a pair.
    name: 'einsum',
    pattern:
      /Size of label '(?<label>[^']{1,100})' for operand (?<i>\d+) \((?<a>\d+)\) does not match previous terms \((?<b>\d+)\)/,
    read: ({ label, i, a, b }) => ({
      kind: 'sizes',
      sizes: [numberIn(a!), numberIn(b!)],
      names: ['one', 'other'],
      axis: undefined,
      place: `on the axes labelled ${label}`,
      next: 'print the .shape of each operand',
      where: `in einsum, operand ${i} and those before it`,
    }),
  },
  {
    name: 'einsum diagonal',
    pattern:
      /dimensions in (?:single )?operand(?: \d+)? for collapsing index '(?<label>[^']{1,100})' don't match \((?<a>\d+) != (?<b>\d+)\)/,
    read: ({ label, a, b }) => diagonalFinding(label!, a!, b!),
  },
  {
    name: 'matmul',
    pattern:
      /matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature \S+ \(size (?<b>\d+) is different from (?<a>\d+)\)/,
    read: ({ a, b }) => innerSizesFinding(a!, b!),
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
    name: 'concatenate ranks',
    pattern:
      /all the input arrays must have same number of dimensions(?:, but the array at index (?<i>\d+) has (?<a>\d+) dimension\(s\) and the array at index (?<j>\d+) has (?<b>\d+) dimension\(s\))?/,
    read: ({ i, a, j, b }) =>
      concatenationFinding(
        i === undefined
          ? 'the arrays have different numbers of axes.'
          : `array ${i} has ${axesText(a!)} and array ${j} has ${axesText(b!)}.`,
      ),
  },
  {
    name: 'stack',
    pattern: /all input arrays must have the same shape/,
    read: () => unequalFinding('np.stack', 'print the .shape of each array'),
  },
  {
    name: 'mask',
    pattern:
      /boolean index did not match indexed array along (?:axis|dimension) (?<axis>\d+); (?:size of axis|dimension) is (?<array>\d+) but (?:size of )?corresponding boolean (?:axis|dimension) is (?<mask>\d+)/,
    read: ({ axis, array, mask }) => maskFinding(axis!, mask!, array!),
  },
  {
    name: 'reshape',
    pattern: new RegExp(String.raw`cannot reshape array of size (?<size>\d+) into shape (?<shape>${SHAPE})`),
    read: ({ size, shape }) => reshapeFinding(`${size} elements do not fill ${shape}.`),
  },
]
