// What is wrong with an expression, shown at its place: the message, the line, and carets under the part.
import { UsageError } from '../errors/usage-error.ts'
import { columns } from '../terminal/columns.ts'
import type { Span } from './syntax.ts'

/** Characters of the text that are shown; longer ones are cut around the place. */
const SHOWN = 72

const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')

/** The line that a span begins in, with carets under the span. */
export function pointAt(text: string, { start, end }: Span): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const nextLine = text.indexOf('\n', start)
  const lineEnd = nextLine < 0 ? text.length : nextLine
  // Characters, not UTF-16 units, are what is shown.
  const before = [...printable(text.slice(lineStart, start))]
  const marked = [...printable(text.slice(start, Math.min(end, lineEnd)))]
  const after = [...printable(text.slice(Math.min(end, lineEnd), lineEnd))]
  const shownMark = marked.slice(0, SHOWN)
  const room = Math.max(0, SHOWN - shownMark.length)
  const kept =
    before.length + after.length <= room ? before.length : Math.max(room - after.length, Math.floor(room / 2))
  const left = before.slice(Math.max(0, before.length - kept))
  const right = marked.length > SHOWN ? [] : after.slice(0, room - left.length)
  const [open, close] = [
    left.length < before.length ? '…' : '',
    right.length < after.length || marked.length > SHOWN ? '…' : '',
  ]
  const line = `${open}${left.join('')}${shownMark.join('')}${right.join('')}${close}`
  const indent = ' '.repeat(open.length + columns(left))
  return `  ${line}\n  ${indent}${'^'.repeat(Math.max(1, columns(shownMark)))}`
}

export interface ExpressionFault {
  readonly expression: string
  readonly span: Span
  /** One sentence, above the place. */
  readonly problem: string
  /** What follows below it. */
  readonly details?: string
  /** The error of the library that said so. */
  readonly cause?: Error
}

/** An expression that says nothing: a sign too many, a name that is not there. */
export class ExpressionError extends UsageError {
  override name = 'ExpressionError'
  readonly code: 'CLI_EXPRESSION' | 'CLI_EVALUATION' = 'CLI_EXPRESSION'
  readonly problem: string
  /** The part of the expression that is meant. */
  readonly span: Span

  constructor({ expression, span, problem, details, cause }: ExpressionFault) {
    super(`${problem}\n${pointAt(expression, span)}${details === undefined ? '' : `\n${details}`}`)
    if (cause !== undefined) this.cause = cause
    this.problem = problem
    this.span = span
  }
}

/** An expression that is understood, over arrays that do not go together in it: types, shapes, a division by zero. */
export class EvaluationError extends ExpressionError {
  override name = 'EvaluationError'
  override readonly code = 'CLI_EVALUATION'
}
