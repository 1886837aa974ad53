// The operators that take as many operands as there are shapes, and the types that each takes.
import { type DType, dtypes, type Operator, operators } from 'bcast'

/** A call that has to say an attribute has other names here: leftShift for bitShift. */
const isComplete = ({ attributes }: Operator): boolean =>
  Object.values(attributes).every((attribute) => attribute.default !== undefined)

/** Of one array sum, mean, max and min would be something else: a reduction. */
const takes = ({ least, most }: Operator, count: number): boolean =>
  count >= (most === Number.POSITIVE_INFINITY ? 2 : least) && count <= most

/** Operators for so many operands, by name. */
export const operatorsFor = (count: number): Operator[] =>
  Object.values(operators)
    .filter((operator) => isComplete(operator) && takes(operator, count))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** What is shown where the state names an operator for another number of operands. */
const PREFERRED = ['add', 'sum', 'identity']

export function operatorFor(name: string, count: number): Operator {
  const all = operatorsFor(count)
  const found = all.find((operator) => operator.name === name)
  return found ?? PREFERRED.flatMap((each) => all.find((operator) => operator.name === each) ?? [])[0] ?? all[0]!
}

export const typesFor = ({ types }: Operator): readonly DType[] =>
  dtypes.filter((dtype) => types.shared.includes(dtype))

export function typeFor(name: string, operator: Operator): DType {
  const all = typesFor(operator)
  return all.find((dtype) => dtype === name) ?? all.find((dtype) => dtype === 'float32') ?? all[0]!
}

/** The type of one operand: some operators have one with a type of its own, such as a condition. */
export function operandType({ types: { own } }: Operator, shared: DType, operand: number): DType {
  if (own?.operand !== operand) return shared
  return own.types.includes(shared) ? shared : own.types[0]!
}

/** Operators that stand between their operands. */
const signs: Readonly<Record<string, string>> = {
  ...{ add: '+', sub: '−', mul: '×', div: '÷', pow: '**', sum: '+', and: '∧', or: '∨', xor: '⊕' },
  ...{ equal: '=', notEqual: '≠', less: '<', lessOrEqual: '≤', greater: '>', greaterOrEqual: '≥' },
  ...{ bitwiseAnd: '&', bitwiseOr: '|', bitwiseXor: '^', leftShift: '<<', rightShift: '>>' },
}

/** The sign of an operator, or its name. */
export const signOf = ({ name }: Operator): string => signs[name] ?? name
