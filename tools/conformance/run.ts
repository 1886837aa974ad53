// Judges everything that was found and counts. Known wrong cases are listed in expected-failures.json with a reason;
// an entry that has come to pass is a failure, so that the list cannot go stale.

import { failed, type Outcome, type Subject } from './outcome.ts'
import { showError } from './show.ts'

export interface Failure {
  readonly id: string
  readonly expected: string
  readonly got: string
}

export interface Report {
  readonly passed: number
  readonly failures: readonly Failure[]
  readonly failedAsExpected: number
}

function judged(subject: Subject): Outcome {
  try {
    return subject.judge()
  } catch (error) {
    return failed('an answer', showError(error))
  }
}

function withExpectation(outcome: Outcome, reason: string | undefined): Outcome | 'failed as expected' {
  if (reason === undefined) return outcome
  return outcome.status === 'failed'
    ? 'failed as expected'
    : failed(`a failure, listed because ${reason}`, 'it passes: the entry in expected-failures.json is out of date')
}

export function run(subjects: readonly Subject[], expectedFailures: ReadonlyMap<string, string>): Report {
  const failures: Failure[] = []
  let [passed, failedAsExpected] = [0, 0]
  for (const subject of subjects) {
    const outcome = withExpectation(judged(subject), expectedFailures.get(subject.id))
    if (outcome === 'failed as expected') failedAsExpected++
    else if (outcome.status === 'passed') passed++
    else failures.push({ id: subject.id, expected: outcome.expected, got: outcome.got })
  }
  return { passed, failures, failedAsExpected }
}

/** The report as it prints; the last line stands alone. */
export function format({ passed, failures, failedAsExpected }: Report): string {
  const lines = failures.flatMap(({ id, expected, got }) => [
    `FAILED ${id}`,
    `  expected ${expected}`,
    `  got      ${got}`,
  ])
  if (failedAsExpected > 0) lines.push(`${failedAsExpected} failed as expected`)
  lines.push(`${passed} passed, ${failures.length} failed`)
  return lines.join('\n')
}
