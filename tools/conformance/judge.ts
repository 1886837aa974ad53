// Sends a case to the judge of its kind.

import type { Case } from './case.ts'
import { judgeShape } from './judge-shape.ts'
import { judgeTypeError, judgeValue } from './judge-value.ts'
import type { Outcome } from './outcome.ts'

export function judgeCase(read: Case): Outcome {
  if (read.kind === 'grad' || read.kind === 'grad_axes') return { status: 'deferred', why: 'gradients' }
  if (read.tags.includes('dtype-error')) return judgeTypeError(read)
  return read.kind === 'value' ? judgeValue(read) : judgeShape(read)
}
