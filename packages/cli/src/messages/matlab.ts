// What MATLAB says. It names no sizes but in assignments, and stretches ones since R2016b.
import { assignmentFinding, concatenationFinding, reshapeFinding } from './findings.ts'
import type { Finding, Form } from './form.ts'

const NEXT = 'size(A) and size(B) in front of the line that failed'

/** `97-by-162-by-40`. */
const SIZE = String.raw`\d+(?:-by-\d+)+`

const PRODUCT: Finding = {
  kind: 'other',
  about: 'matrix product',
  text: 'a matrix product, no broadcast: the left operand must have as many columns as the right one has rows, and the message does not name them. Element by element it is .* instead of *.',
}

export const matlabForms: readonly Form[] = [
  {
    name: 'broadcast',
    pattern: /Arrays have incompatible sizes for this operation/,
    read: () => ({ kind: 'silent', next: NEXT }),
  },
  {
    // Until R2020, and of versions that stretched nothing.
    name: 'broadcast before R2020',
    pattern:
      /(?<!Inner )\b[Mm]atrix dimensions must agree|(?:Number of a|A)rray dimensions must match for binary array op|Non-singleton dimensions of the two input arrays must match each other/,
    read: () => ({
      kind: 'silent',
      next: `${NEXT} (before R2016b sizes had to be equal, and a size 1 did not stretch)`,
    }),
  },
  {
    name: 'product',
    pattern: /Inner matrix dimensions must agree|Incorrect dimensions for matrix multiplication/,
    read: () => PRODUCT,
  },
  {
    name: 'assignment',
    pattern: new RegExp(
      `Unable to perform assignment because the size of the left side is (?<into>${SIZE}) and the size of the right side is (?<from>${SIZE})`,
    ),
    read: ({ into, from }) => assignmentFinding(`the left side is ${into} and the right ${from}.`),
  },
  {
    name: 'assignment without sizes',
    pattern:
      /Unable to perform assignment because the (?:left and right sides have a different number of elements|indices on the left side are not compatible with the size of the right side)|Subscripted assignment dimensions? (?:mismatch|do not match)|Assignment has (?:more|fewer) non-singleton rhs dimensions than non-singleton subscripts/,
    read: () => assignmentFinding('the message does not name the sizes.'),
  },
  {
    name: 'concatenation',
    pattern:
      /[Dd]imensions of (?:arrays|matrices) being concatenated are not consistent|[Dd]imensions of concatenated matrices are not consistent/,
    read: () => concatenationFinding('the message does not name the sizes.'),
  },
  {
    name: 'reshape',
    pattern:
      /To RESHAPE the number of elements must not change|Number of elements must not change\. Use \[\] as one of the size inputs/,
    read: () => reshapeFinding('the message does not name the sizes.'),
  },
]
