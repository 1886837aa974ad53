// The command: judges the case files and ONNX test directories at or below each path. Results go to `out`, complaints
// to `err`; the exit code is 0 without failures, 1 with some, 2 when the call is bad.

import { readExpectedFailures } from './expected-failures.ts'
import { findSubjects } from './find.ts'
import { BadCallError } from './outcome.ts'
import { format, run } from './run.ts'

export interface Streams {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

export function conformance(paths: readonly string[], { out, err }: Streams): number {
  try {
    if (paths.length === 0) throw new BadCallError('no path is given; usage: npm run conformance -- PATH…')
    const report = run(findSubjects(paths), readExpectedFailures())
    out(`${format(report)}\n`)
    return report.failures.length === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof BadCallError)) throw error
    err(`${error.message}\n`)
    return 2
  }
}
