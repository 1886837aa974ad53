// A cause explains why an engine and bcast part, and names the clause or decision that settles it. Predicates are as
// narrow as the explanation: what they do not cover stays unexplained and fails the run.
import { integerRange } from '@bcast/spec'
import type { CaseDType, ComputeCase } from '../case.ts'
import type { Disagreement, Nature } from '../compare.ts'
import { isFloatType, isIntegerType } from '../values.ts'

export interface Cause {
  readonly id: string
  /** Engines it applies to. */
  readonly engines: readonly string[]
  /** What the engine does, in words. */
  readonly what: string
  /** The clause of a document, or the decision of bcast, that settles it. */
  readonly decides: string
  explains(disagreement: Disagreement): boolean
}

export type Test = (disagreement: Disagreement) => boolean

/** All of the tests at once. */
export const all =
  (...tests: readonly Test[]): Test =>
  (disagreement) =>
    tests.every((test) => test(disagreement))

export const either =
  (...tests: readonly Test[]): Test =>
  (disagreement) =>
    tests.some((test) => test(disagreement))

export const natureIs =
  (...natures: readonly Nature[]): Test =>
  ({ nature }) =>
    natures.includes(nature)

export const value: Test = natureIs('value')
export const crash: Test = natureIs('crash')
export const accepts: Test = natureIs('accepts')
export const refuses: Test = natureIs('refuses')

export const opIs =
  (...ops: readonly string[]): Test =>
  ({ question }) =>
    ops.includes(question.op)

export const ruleIs =
  (...names: readonly string[]): Test =>
  ({ question }) =>
    names.includes(question.rule.name)

export const compute = ({ question }: Disagreement): ComputeCase | undefined =>
  question.kind === 'compute' ? question : undefined

/** The type that the values have: of the first operand, or of Where's second. */
export const dtypeOf = (disagreement: Disagreement): CaseDType | undefined => {
  const question = compute(disagreement)
  return question?.inputs[question.op === 'Where' ? 1 : 0]?.dtype
}

export const typeIs =
  (...dtypes: readonly string[]): Test =>
  (disagreement) =>
    dtypes.includes(dtypeOf(disagreement) ?? '')

export const isFloat: Test = (disagreement) => isFloatType(dtypeOf(disagreement) ?? '')
export const isInteger: Test = (disagreement) => isIntegerType(dtypeOf(disagreement) ?? '')
export const isSixteenBit: Test = typeIs('float16', 'bfloat16')

/** The engine's error holds this text. */
export const textHas =
  (part: string): Test =>
  ({ theirs }) =>
    'text' in theirs && theirs.text.includes(part)

/** bcast refuses with this code. */
export const ourCodeIs =
  (code: string): Test =>
  ({ ours }) =>
    ours.kind === 'error' && ours.code === code

export const dividesByZero: Test = ourCodeIs('BCAST_DIVISION_BY_ZERO')

/** The elements that met; none when the operator is not element-wise. */
export const operandsOf = ({ difference }: Disagreement): readonly unknown[] => difference?.operands ?? []

/** The two answers are zeros of different sign. */
export const zerosDiffer: Test = ({ difference }) => difference?.ours === 0 && difference.theirs === 0

export const ourValue =
  (test: (element: unknown) => boolean): Test =>
  ({ difference }) =>
    difference !== undefined && test(difference.ours)

export const theirValue =
  (test: (element: unknown) => boolean): Test =>
  ({ difference }) =>
    difference !== undefined && test(difference.theirs)

export const someOperand =
  (test: (element: unknown) => boolean): Test =>
  (disagreement) =>
    operandsOf(disagreement).some(test)

export const isNaNElement = (element: unknown): boolean => Number.isNaN(element)
export const isInfinite = (element: unknown): boolean => element === Infinity || element === -Infinity

/** At most so many units in the last place apart. */
export const within =
  (ulps: bigint): Test =>
  ({ difference }) =>
    difference?.ulps !== undefined && difference.ulps <= ulps

const SMALLEST_NORMAL: Readonly<Record<string, number>> = {
  float16: 2 ** -14,
  bfloat16: 2 ** -126,
  float32: 2 ** -126,
  float64: 2 ** -1022,
}

/** Not zero, and at most the smallest normal number in magnitude. */
export const isTiny =
  (dtype: string | undefined) =>
  (element: unknown): boolean =>
    typeof element === 'number' && element !== 0 && Math.abs(element) <= (SMALLEST_NORMAL[dtype ?? ''] ?? 0)

/** A subnormal number, or the smallest normal one, is an operand or the result. */
export const touchesSubnormal: Test = (disagreement) => {
  const tiny = isTiny(dtypeOf(disagreement))
  return operandsOf(disagreement).some(tiny) || tiny(disagreement.difference?.ours)
}

/** Whether a float lies outside of an integer type once its fraction is cut off. */
export function leavesRange(element: unknown, dtype: string): boolean {
  const number = Number(element)
  if (!Number.isFinite(number)) return true
  const { min, max } = integerRange(dtype as Parameters<typeof integerRange>[0])
  const whole = BigInt(Math.trunc(number))
  return whole < min || whole > max
}

/** Shapes of the operands as they are given. */
export const shapesOf = ({ question }: Disagreement): readonly (readonly unknown[])[] =>
  question.kind === 'compute'
    ? question.inputs.map(({ shape }) => shape)
    : question.shapes.map((shape: readonly unknown[] | null) => shape ?? [])

/** An operand has no elements. */
export const hasEmpty: Test = (disagreement) =>
  shapesOf(disagreement).some((shape) => shape.includes(0)) || compute(disagreement)?.target?.includes(0) === true

export const ALL: readonly string[] = [
  'onnxruntime',
  'numpy',
  'onnx-reference',
  'torch',
  'openvino',
  'openvino-cpu',
  'paddle',
]
