// The command line of the benchmark.
import { commandLine } from '../tools/command-line/command-line.ts'
import { peerIds } from './peers.ts'

export interface Options {
  readonly json: string | undefined
  /** Workloads whose id or title contains one of these. */
  readonly only: readonly string[] | undefined
  /** Small operands and short turns: shows that everything works, not how fast it is. */
  readonly quick: boolean
  readonly peers: readonly string[]
}

const USAGE = `usage: npm run bench -- [options]

  --json FILE        write every time to FILE
  --only a,b         workloads whose id or title contains one of these
  --peers a,b        these peers only: ${peerIds.join(', ')}
  --quick            tiny operands: checks that everything works and agrees
  --help             prints this

A run without --only, --peers and --quick writes docs/bench.md and docs/bench.svg.`

/** What the command was called with. */
export function readOptions(): Options {
  const { values, refuse } = commandLine(USAGE, {
    json: { type: 'string' },
    only: { type: 'string' },
    peers: { type: 'string' },
    quick: { type: 'boolean', default: false },
  })
  const peers = values.peers?.split(',').filter((id) => id !== '') ?? peerIds
  const unknown = peers.find((id) => !peerIds.includes(id))
  if (unknown !== undefined) refuse(`there is no peer ${unknown}; there are ${peerIds.join(', ')}`)
  return { json: values.json, only: values.only?.split(',').filter((text) => text !== ''), quick: values.quick, peers }
}
