// The library's answer beside the specification's: the same elements to the bit, or the same refusal.
import {
  type Attributes,
  broadcast,
  elementwise,
  type FloatType,
  functionCall,
  isFloat,
  type RuleResult,
  SpecError,
  type SpecTensor,
  scalar,
  toFlat,
  ulpError,
} from '@bcast/spec'
import { BroadcastError, DivisionByZeroError, type DType, type Tensor, ValueError } from 'bcast'
import { expect } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { elementsOf, sameElement, show, type Value } from '../../../../testing/elements.ts'
import { thrownBy } from './thrown.ts'

/** How many cases a property has; which they are is the matter of the one seed. */
export const settings = (numRuns: number): { numRuns: number } => ({ numRuns })

export interface Question {
  readonly operator: string
  /** Type of the operands, or of the base, or of the values that Where chooses from. */
  readonly dtype: DType
  readonly attributes?: Attributes
  readonly met: RuleResult
  readonly operands: readonly SpecTensor<Value>[]
}

interface Answer {
  readonly shape: readonly number[]
  readonly values: readonly Value[]
  /** The operands' elements behind each value. */
  readonly args: readonly (readonly Value[])[]
}

const ORDERS: readonly string[] = ['Less', 'Greater', 'LessOrEqual', 'GreaterOrEqual']

/** The element function; order among bools (which OpenVINO allows) is that of 0 and 1. */
function operatorOf({ operator, dtype, attributes }: Question): (...args: Value[]) => Value {
  if (dtype !== 'bool' || !ORDERS.includes(operator)) return scalar(operator, dtype, attributes)
  const order = scalar(operator, 'uint8')
  return (...args) => order(...args.map(Number))
}

/** How many units in the last place a function may be away. */
const limit = (dtype: FloatType): number => (dtype === 'float64' ? 2 : 1) + 2 ** -20

function answer(question: Question): Answer {
  const stretched = broadcast(question.met, question.operands)
  const args: Value[][] = []
  const operator = operatorOf(question)
  const result = elementwise((...elements: Value[]) => {
    args.push(elements)
    return operator(...elements)
  }, stretched)
  return { shape: result.shape, values: toFlat(result), args }
}

/** Why an element is wrong; undefined when it is right. */
function complaint(
  { operator, dtype, attributes = {} }: Question,
  got: Value | undefined,
  wanted: Value,
  args: readonly Value[],
): string | undefined {
  if (sameElement(got, wanted)) return undefined
  if (isFloat(dtype)) {
    const call = functionCall(operator, dtype, attributes, args)
    if (call && ulpError(call.fn, call.args, dtype, got as number) <= limit(dtype)) return undefined
  }
  return `${operator} ${dtype} (${args.map(show).join(', ')}) = ${show(wanted)}, got ${show(got)}`
}

/** What the specification throws, in the library's words. */
function expectSameRefusal(compute: () => Tensor, refusal: SpecError): void {
  const thrown = thrownBy(compute)
  if (refusal.code === 'division-by-zero') {
    expect(thrown).toBeInstanceOf(DivisionByZeroError)
    expect((thrown as DivisionByZeroError).index).toEqual(refusal.index)
  } else expect(thrown).toBeInstanceOf(refusal.code === 'shape' ? BroadcastError : ValueError)
}

/** Asks the specification, and holds the library to the answer, whichever backend computes. */
export function expectAnswer(question: Question, compute: () => Tensor): void {
  let wanted: Answer | SpecError
  try {
    wanted = answer(question)
  } catch (error) {
    if (!(error instanceof SpecError)) throw error
    wanted = error
  }
  // One assertion for all: each takes longer than most calls do.
  const complaints: string[] = []
  for (const { name, use } of everyBackend) {
    use()
    if (wanted instanceof SpecError) expectSameRefusal(compute, wanted)
    else complaints.push(...complaintsAbout(question, compute(), wanted).map((text) => `${name}: ${text}`))
  }
  anyBackend()
  expect(complaints).toEqual([])
}

function complaintsAbout(question: Question, result: Tensor, { shape, values, args }: Answer): string[] {
  if (result.shape.join() !== shape.join()) return [`shape (${shape.join()}), got (${result.shape.join()})`]
  const got = elementsOf(result)
  if (got.length !== values.length) return [`${values.length} elements, got ${got.length}`]
  return values.flatMap((value, i) => complaint(question, got[i], value, args[i]!) ?? []).slice(0, 10)
}
