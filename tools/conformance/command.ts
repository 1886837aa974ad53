// The command: judges the case files and ONNX test directories at or below each path. Results go to `out`, complaints
// to `err`; the exit code is 0 without failures, 1 with some, 2 when the call is bad.
import { parseArgs } from 'node:util'
import { configure } from 'bcast'
import { readExpectedFailures } from './expected-failures.ts'
import { findSubjects } from './find.ts'
import { BadCallError } from './outcome.ts'
import { format, run } from './run.ts'

export interface Streams {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

const USAGE = 'usage: npm run conformance -- [--backend auto|interpreter] PATH…'

function parsed(args: readonly string[]): { backend: string | undefined; paths: readonly string[] } {
  try {
    const options = { backend: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { backend: values.backend, paths: positionals }
  } catch (error) {
    throw new BadCallError(`${(error as Error).message}; ${USAGE}`)
  }
}

/** The paths of a call, after its options took effect. */
function readArguments(args: readonly string[]): readonly string[] {
  const { backend = 'auto', paths } = parsed(args)
  if (backend !== 'auto' && backend !== 'interpreter') throw new BadCallError(`--backend is ${backend}; ${USAGE}`)
  configure({ backend })
  return paths
}

export function conformance(args: readonly string[], { out, err }: Streams): number {
  try {
    const paths = readArguments(args)
    if (paths.length === 0) throw new BadCallError(`no path is given; ${USAGE}`)
    const report = run(findSubjects(paths), readExpectedFailures())
    out(`${format(report)}\n`)
    return report.failures.length === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof BadCallError)) throw error
    err(`${error.message}\n`)
    return 2
  }
}
