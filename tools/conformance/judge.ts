// Sends a case to the judge of its kind.

import type { Case } from './case.ts'
import { judgeAxes, judgeGradient } from './judge-gradient.ts'
import { judgeShape } from './judge-shape.ts'
import { judgeTypeError, judgeValue } from './judge-value.ts'
import type { Outcome } from './outcome.ts'

export function judgeCase(read: Case): Outcome {
  if (read.kind === 'grad_axes') return judgeAxes(read)
  if (read.kind === 'grad') return judgeGradient(read)
  if (read.tags.includes('dtype-error')) return judgeTypeError(read)
  return read.kind === 'value' ? judgeValue(read) : judgeShape(read)
}
