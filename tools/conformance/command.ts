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
const HELP = `${USAGE}

Judges the case files and ONNX test directories at or below each PATH; ends with N passed, N failed.

  --backend  what computes (auto)
  --help     prints this
`

interface Wanted {
  readonly backend: string | undefined
  readonly help: boolean
  readonly paths: readonly string[]
}

function parsed(args: readonly string[]): Wanted {
  try {
    const options = { backend: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { backend: values.backend, help: values.help, paths: positionals }
  } catch (error) {
    throw new BadCallError(`${(error as Error).message}; ${USAGE}`)
  }
}

/** The paths of a call, after its options took effect; none where help is asked for. */
function readArguments(args: readonly string[]): readonly string[] | undefined {
  const { backend = 'auto', help, paths } = parsed(args)
  if (help) return undefined
  if (backend !== 'auto' && backend !== 'interpreter') throw new BadCallError(`--backend is ${backend}; ${USAGE}`)
  configure({ backend })
  return paths
}

export function conformance(args: readonly string[], { out, err }: Streams): number {
  try {
    const paths = readArguments(args)
    if (paths === undefined) {
      out(HELP)
      return 0
    }
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
