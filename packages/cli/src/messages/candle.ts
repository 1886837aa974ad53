// What candle says: to its reader as a sentence, in a panic as the value of an error. Only functions whose names begin
// with broadcast_ stretch; the others want equal shapes.
import { numpy, type SymbolicShape } from 'bcast'
import { concatenationFinding, equalShapesFinding, ontoFinding, productFinding, reshapeFinding } from './findings.ts'
import { type Form, type Found, SHAPE, shapeIn, shapeText } from './form.ts'

/** Operators that have a twin which broadcasts. */
const TWINS = new Set(['add', 'sub', 'mul', 'div', 'maximum', 'minimum', 'eq', 'ne', 'lt', 'le', 'gt', 'ge'])

/** Products of matrices whose batches must be equal. */
function matmulFinding(a: SymbolicShape, b: SymbolicShape): Found {
  if (a?.at(-1) !== b?.at(-2)) return productFinding(a, b)
  const [left, right] = [a, b].map((shape) => shapeText(shape?.slice(0, -2) ?? null))
  return {
    kind: 'other',
    about: 'matrix product',
    text: `a product of batches, no broadcast: matmul does not stretch, and the batches are ${left} and ${right}; broadcast_matmul broadcasts them.`,
  }
}

function operatorFinding(op: string, lhs: string, rhs: string): Found {
  const [a, b] = [shapeIn(lhs), shapeIn(rhs)]
  if (op === 'matmul') return matmulFinding(a, b)
  if (op === 'reshape') return reshapeFinding(`the elements of ${lhs} do not fill ${rhs}.`)
  if (op.startsWith('broadcast_')) return { kind: 'shapes', shapes: [a, b], rule: numpy, where: `in ${op}` }
  return equalShapesFinding([a, b], op, TWINS.has(op) ? `broadcast_${op} broadcasts` : undefined)
}

export const candleForms: readonly Form[] = [
  {
    name: 'operator',
    pattern: new RegExp(
      String.raw`shape mismatch in (?<op>[\w-]{1,100}), lhs: (?<lhs>${SHAPE}), rhs: (?<rhs>${SHAPE})`,
    ),
    read: ({ op, lhs, rhs }) => operatorFinding(op!, lhs!, rhs!),
  },
  {
    name: 'operator in a panic',
    pattern: new RegExp(
      String.raw`ShapeMismatchBinaryOp \{ lhs: (?<lhs>${SHAPE}), rhs: (?<rhs>${SHAPE}), op: "(?<op>[\w-]{1,100})" \}`,
    ),
    read: ({ op, lhs, rhs }) => operatorFinding(op!, lhs!, rhs!),
  },
  {
    name: 'broadcast_as',
    pattern:
      /(?:cannot broadcast|BroadcastIncompatibleShapes \{ src_shape:) (?<from>\[[\d, ]*\])(?: to|, dst_shape:) (?<into>\[[\d, ]*\])/,
    read: ({ from, into }) => ontoFinding(into!, from!, 'A is the target, B the tensor'),
  },
  {
    name: 'cat',
    pattern: new RegExp(
      String.raw`shape mismatch in cat for dim (?<axis>\d+), shape for arg 1: (?<a>${SHAPE}) shape for arg (?<i>\d+): (?<b>${SHAPE})`,
    ),
    read: ({ axis, a, i, b }) =>
      concatenationFinding(`along axis ${axis}, argument 1 is ${a} and argument ${i} is ${b}.`),
  },
]
