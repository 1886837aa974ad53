// What Octave says: the operator or its function, then the sizes of both operands as 2x3.
import type { SymbolicShape } from 'bcast'
import { assignmentFinding, concatenationFinding, productFinding, reshapeFinding } from './findings.ts'
import { firstAxisFinding } from './first-axis.ts'
import { type Form, shapeIn } from './form.ts'

const SIZE = String.raw`\d+(?:x\d+)+`
const ARGUMENTS = String.raw`nonconformant arguments \(op1 is (?<a>${SIZE}), op2 is (?<b>${SIZE})\)`

/** Operators that go element by element, by their signs and by the functions that do them. */
const ELEMENTWISE = String.raw`operator (?:[-+&|<>]|\.[*/\\^]|[<>=!~]=)|product|quotient|mx_el_\w{1,20}|plus|minus|times|rdivide|power|atan2|hypot|rem|mod`

const shapeOf = (text: string): SymbolicShape => shapeIn(text.replaceAll('x', ','))

export const octaveForms: readonly Form[] = [
  {
    name: 'elementwise',
    pattern: new RegExp(String.raw`\b(?<op>${ELEMENTWISE}): ${ARGUMENTS}`),
    read: ({ op, a, b }) =>
      firstAxisFinding([shapeOf(a!), shapeOf(b!)], `in ${op}`, 'Octave before 3.6 did not stretch a size 1.'),
  },
  {
    // Where it is pasted as Markdown the star is gone.
    name: 'product',
    pattern: new RegExp(String.raw`\boperator (?:\\?\*)?: ${ARGUMENTS}`),
    read: ({ a, b }) => productFinding(shapeOf(a!), shapeOf(b!)),
  },
  {
    name: 'division',
    pattern: new RegExp(String.raw`\boperator (?<op>[/\\]): ${ARGUMENTS}`),
    read: ({ op, a, b }) => ({
      kind: 'other',
      about: 'matrix division',
      text: `a division of matrices, no broadcast: ${a} ${op} ${b} needs as many ${op === '/' ? 'columns' : 'rows'} on both sides. Element by element it is .${op} instead.`,
    }),
  },
  {
    name: 'assignment',
    pattern: new RegExp(String.raw`(?<![\w=<>!~] ?)=: ${ARGUMENTS}`),
    read: ({ a, b }) => assignmentFinding(`the left side is ${a} and the right ${b}.`),
  },
  {
    // Of a comparison.
    name: 'operator not named',
    pattern: new RegExp(String.raw`\berror: ${ARGUMENTS}`),
    read: ({ a, b }) =>
      firstAxisFinding(
        [shapeOf(a!), shapeOf(b!)],
        'the operator is not named',
        'So it is another operator that failed, such as an assignment.',
      ),
  },
  {
    name: 'concatenation',
    pattern: new RegExp(
      String.raw`\b(?<way>vertical|horizontal) dimensions mismatch \((?<a>${SIZE}) vs (?<b>${SIZE})\)`,
    ),
    read: ({ way, a, b }) => concatenationFinding(`${way}, ${a} and ${b} do not fit.`),
  },
  {
    name: 'reshape',
    pattern: new RegExp(`reshape: can't reshape (?<from>${SIZE}) array to (?<into>${SIZE}) array`),
    read: ({ from, into }) => reshapeFinding(`the elements of ${from} do not fill ${into}.`),
  },
]
