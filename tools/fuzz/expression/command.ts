// Runs expressions of a seed one after the other; one that takes long is a finding, as is any other error than its own.
import { exercise, type Outcome, prepare } from './exercise.ts'
import { makeExpression } from './input.ts'

export interface ExpressionReport {
  readonly outcomes: Readonly<Record<Outcome, number>>
  readonly failures: readonly string[]
}

/** Milliseconds that an expression may take. */
const PATIENCE = 2000
const PROGRESS = 5000

export function fuzzExpressions(seed: number, count: number, progress: (done: number) => void): ExpressionReport {
  prepare()
  const outcomes = { result: 0, refused: 0, 'operands refused': 0 }
  const failures: string[] = []
  for (let index = 0; index < count; index++) {
    const expression = makeExpression(seed, index)
    const start = performance.now()
    try {
      outcomes[exercise(expression, index)]++
    } catch (error) {
      failures.push(`input ${index}, ${JSON.stringify(expression)}: ${(error as Error).stack}`)
    }
    const milliseconds = performance.now() - start
    if (milliseconds > PATIENCE) failures.push(`input ${index} took ${Math.round(milliseconds)} ms`)
    if ((index + 1) % PROGRESS === 0) progress(index + 1)
  }
  return { outcomes, failures }
}
