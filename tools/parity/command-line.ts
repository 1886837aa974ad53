// A call as an expression of the command line, over arrays as files hold them.
import { type DType, dtypeInfo, fromData, Tensor } from 'bcast'
import { ExpressionError } from '../../packages/cli/src/expression/expression-error.ts'
import { operators } from '../../packages/cli/src/expression/operators.ts'
import { parseExpression } from '../../packages/cli/src/expression/parse.ts'
import { Evaluation } from '../../packages/cli/src/stream/evaluate.ts'
import { MemorySink, type MemorySource, sourceOf } from '../../testing/files/memory-arrays.ts'
import { isAlone, type Question, sharedType } from './question.ts'

const isFloat = (dtype: DType | undefined): boolean => dtype !== undefined && dtypeInfo(dtype).isFloat

/** Attributes as they are written. */
const said = (attributes: Question['attributes']): string[] =>
  Object.entries(attributes).map(([name, value]) => `${name}=${String(value)}`)

/** A call as it is written there; undefined where the language has no such operator. */
function callOf(question: Question, args: readonly string[]): string | undefined {
  const { name, attributes } = question
  if (!operators.has(name)) return undefined
  // Words of their own for what these say; of floats // rounds the quotient down, which the library's option does not.
  if (attributes['fmod'] === true) return `fmod(${args.join(', ')})`
  if (attributes['pythondiv'] === true && !isFloat(sharedType(question))) return `floorDiv(${args.join(', ')})`
  return `${name}(${[...args, ...said(attributes)].join(', ')})`
}

/** A value as it is written; undefined where it cannot be. */
function written(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'bigint') return value < 0n ? `(${value})` : String(value)
  if (typeof value !== 'number') return undefined
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value < 0 ? '(-inf)' : 'inf'
  return value < 0 || Object.is(value, -0) ? `(-${Math.abs(value)})` : String(value)
}

/** Whether a value is finite and infinite in a type, which the command line refuses and the library rounds. */
function isBeyond(value: unknown, dtype: DType | undefined): boolean {
  const largest = dtype !== undefined && isFloat(dtype) ? Number(dtypeInfo(dtype).max) : 3.4e38
  const finite = typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
  return finite && Math.abs(Number(value)) > largest
}

/** What an expression over arrays gives; undefined where it is refused. */
export async function evaluated(
  expression: string,
  arrays: Readonly<Record<string, Tensor>>,
): Promise<Tensor | undefined> {
  const sources = new Map<string, MemorySource>(
    Object.entries(arrays).map(([name, tensor]) => [name, sourceOf(tensor)]),
  )
  try {
    const root = parseExpression(expression)
    const evaluation = new Evaluation({ expression, root, sources, rule: undefined, dtype: undefined })
    const sink = new MemorySink()
    await evaluation.run(sink, 2 ** 22, () => {})
    return fromData(evaluation.dtype, sink.elements(evaluation.dtype) as never, evaluation.shape) as Tensor
  } catch (error) {
    if (error instanceof ExpressionError) return undefined
    throw error
  }
}

/** A call as an expression and its arrays; undefined where the language has no words for it. */
export function expressionOf(
  question: Question,
): { readonly expression: string; readonly arrays: Readonly<Record<string, Tensor>> } | undefined {
  // A number has no shape there and goes with any array; the library's is a scalar, which keeps its shape.
  if (question.row.rule !== undefined && !(question.operands[0] instanceof Tensor)) return undefined
  if (isAlone(question)) return undefined
  const arrays: Record<string, Tensor> = {}
  const args = question.operands.map((operand, i) => {
    // Truth values are no numbers there.
    if (typeof operand === 'boolean' && sharedType(question) !== 'bool') return undefined
    if (!(operand instanceof Tensor)) return isBeyond(operand, sharedType(question)) ? undefined : written(operand)
    // Files hold neither.
    if (operand.dtype === 'string' || operand.dtype === 'real') return undefined
    arrays[`x${i}`] = operand
    return `x${i}`
  })
  const expression = args.includes(undefined) ? undefined : callOf(question, args as string[])
  return expression === undefined ? undefined : { expression, arrays }
}
