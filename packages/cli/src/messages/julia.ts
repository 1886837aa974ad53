// What Julia says. Only operators with a dot broadcast; the others want equal sizes.
import type { SymbolicShape } from 'bcast'
import {
  assignmentFinding,
  concatenationFinding,
  equalShapesFinding,
  productFinding,
  reshapeFinding,
  summedSizesFinding,
  unequalFinding,
} from './findings.ts'
import { firstAxisFinding } from './first-axis.ts'
import { type Form, numberIn, SHAPE, shapeIn } from './form.ts'

const NEXT = '@show size(a) size(b) in front of the line that failed'

/** `DimensionMismatch: ` since 1.8, `DimensionMismatch("` before. */
const MISMATCH = String.raw`DimensionMismatch(?:: |\("?)`

/** `(Base.OneTo(3), Base.OneTo(2))`; axes that do not start at 1 are written otherwise and not read. */
const AXES = String.raw`\((?:(?:Base\.)?OneTo\(\d+\)(?:, ?)?)*\)`

const axesIn = (text: string): SymbolicShape => [...text.matchAll(/OneTo\((\d+)\)/g)].map(([, size]) => numberIn(size!))

/** `3-element` or `784×1`. */
const ARRAY = String.raw`(?:\d+-element|\d+(?:[×x]\d+)*)`

const arrayIn = (text: string): SymbolicShape => shapeIn(text.replace('-element', '').replace(/[×x]/g, ','))

const silent = { kind: 'silent', next: NEXT } as const

export const juliaForms: readonly Form[] = [
  {
    name: 'sizes',
    pattern:
      /arrays could not be broadcast to a common size(?:; got a dimension with lengths (?<a>\d+) and (?<b>\d+)|: a has axes (?:Base\.)?OneTo\((?<m>\d+)\) and b has axes (?:Base\.)?OneTo\((?<n>\d+)\))/,
    read: ({ a, b, m, n }) => {
      const [one, other] = [numberIn((a ?? m)!), numberIn((b ?? n)!)]
      const known = 'Axes of one length that start at different indices do not meet either.'
      return {
        kind: 'sizes',
        sizes: [one, other],
        names: ['one', 'other'],
        axis: undefined,
        ...(one === other ? { known } : {}),
        next: NEXT,
      }
    },
  },
  { name: 'broadcast', pattern: /arrays could not be broadcast to a common size/, read: () => silent },
  { name: 'destination', pattern: /array could not be broadcast to match destination/, read: () => silent },
  {
    name: 'destination rank',
    pattern: /cannot broadcast array to have fewer (?:non-singleton )?dimensions/,
    read: () => ({
      kind: 'silent',
      next: `the array has more axes than the one that it was to go into; ${NEXT}`,
    }),
  },
  {
    name: 'destination axes',
    pattern: new RegExp(`destination axes (?<a>${AXES}) are not compatible with source axes (?<b>${AXES})`),
    read: ({ a, b }) =>
      equalShapesFinding([axesIn(a!), axesIn(b!)], 'copyto! of a broadcast', 'A is the destination, B what is written'),
  },
  {
    name: 'assignment',
    pattern: new RegExp(`tried to assign (?<from>${ARRAY}) array to (?<into>${ARRAY}) destination`),
    read: ({ from, into }) => assignmentFinding(`the left side is ${into} and the right ${from}.`),
  },
  {
    name: 'equal shapes',
    pattern: new RegExp(`dimensions must match: a has dims (?<a>${AXES}), b has dims (?<b>${AXES})`),
    read: ({ a, b }) =>
      equalShapesFinding([axesIn(a!), axesIn(b!)], 'an operator without a dot', 'with one, as .+, it broadcasts'),
  },
  {
    name: 'equal shapes not named',
    pattern: new RegExp(`${MISMATCH}dimensions must match`),
    read: () => unequalFinding('an operator without a dot', NEXT),
  },
  {
    name: 'product',
    pattern: new RegExp(
      `(?:matrix )?A has (?:dimensions|axes) (?<a>${SHAPE}) but (?:matrix )?B has (?:dimensions|axes) (?<b>${SHAPE})`,
    ),
    read: ({ a, b }) => productFinding(shapeIn(a!), shapeIn(b!)),
  },
  {
    name: 'product of a vector',
    pattern: /second dimension of A, (?<a>\d+), does not match length of x, (?<b>\d+)/,
    read: ({ a, b }) => summedSizesFinding(a!, b!),
  },
  {
    // Flux: a warning until 0.12, since then an error.
    name: 'loss',
    pattern: new RegExp(
      String.raw`Size mismatch in loss function! .{1,200}? summary\(\S{1,4}\) = "(?<a>${ARRAY})[^"]{0,300}" summary\(\S{1,4}\) = "(?<b>${ARRAY})|expects size\(\S{1,4}\) = (?<c>${SHAPE}) to match size\(y\) = (?<d>${SHAPE})`,
    ),
    read: ({ a, b, c, d }) => {
      const letters = 'A is what the model gives, B what it is compared with'
      if (c !== undefined) return equalShapesFinding([shapeIn(c), shapeIn(d!)], 'this loss', letters)
      const accepted = 'Flux warns and goes on: the loss is taken over all of that result. Give both the same shape.'
      return firstAxisFinding([arrayIn(a!), arrayIn(b!)], letters, accepted)
    },
  },
  {
    name: 'product into',
    pattern: new RegExp(`${MISMATCH}A has size (?<a>${SHAPE}), B has size (?<b>${SHAPE}), C has size (?<c>${SHAPE})`),
    read: ({ a, b, c }) => ({
      kind: 'other',
      about: 'matrix product',
      text: `a matrix product, no broadcast: ${a} times ${b} does not give ${c}, which it was to be written into.`,
    }),
  },
  {
    name: 'concatenation',
    pattern: new RegExp(String.raw`${MISMATCH}mismatch in dimension (?<axis>\d+) \(expected (?<a>\d+) got (?<b>\d+)\)`),
    read: ({ axis, a, b }) => concatenationFinding(`in dimension ${axis}, sizes ${a} and ${b} differ.`),
  },
  {
    name: 'reshape',
    pattern: new RegExp(
      String.raw`(?:parent has (?<size>\d+) elements, which is incompatible with size|new dimensions) (?<shape>${SHAPE})(?: must be consistent with array (?:size|length) (?<other>\d+))?`,
    ),
    read: ({ size, shape, other }) => {
      const elements = size ?? other
      return elements === undefined ? undefined : reshapeFinding(`${elements} elements do not fill ${shape}.`)
    },
  },
]
