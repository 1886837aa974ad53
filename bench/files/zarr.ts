// `bcast eval` over Zarr arrays beside dask.array, cubed, xarray and NumPy on the same stores, in turns: seconds from
// the start of a process to its end, and its peak resident size. Every result is compared with ours to the bit.
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { preparePython, python } from '../install.ts'
import { evalPeak, evalSeconds, program, timed } from './run.ts'

const PEERS = ['dask', 'cubed', 'xarray', 'numpy'] as const
type Peer = (typeof PEERS)[number]

interface Workload {
  readonly title: string
  readonly expression: string
  /** Shape, chunks and names of axes of each array. */
  readonly arrays: Readonly<Record<string, readonly [number[], number[], string[]]>>
  readonly shape: readonly number[]
  readonly chunks: readonly number[]
  readonly dims: readonly string[]
  readonly codec: 'none' | 'zstd'
}

export interface ZarrRow {
  readonly title: string
  readonly seconds: number
  readonly peak: number
  readonly peers: readonly { readonly name: Peer; readonly seconds: number; readonly peak: number }[]
}

const peersFile = fileURLToPath(new URL('zarr_peers.py', import.meta.url))

/** `side`: of the square array; a chunk of so many MiB is as nearly square as whole halves allow. */
function workloads(side: number): Workload[] {
  const normalise = (mib: number, codec: Workload['codec']): Workload => {
    const rows = 2 ** Math.floor((18 + Math.log2(mib)) / 2)
    const chunks = [rows, (mib * 2 ** 18) / rows].map((size) => Math.min(size, side))
    return {
      ...{ title: `(x - m) / s, chunks of ${mib} MiB, ${codec === 'none' ? 'raw' : codec}`, expression: '(x - m) / s' },
      arrays: {
        x: [[side, side], chunks, ['i', 'j']],
        m: [[side], [side], ['j']],
        s: [[side], [side], ['j']],
      },
      ...{ shape: [side, side], chunks, dims: ['i', 'j'], codec },
    }
  }
  const height = Math.round((3957 * side) / 32768)
  const half = side / 2
  return [
    ...[1, 8, 64].flatMap((mib) => [normalise(mib, 'none'), normalise(mib, 'zstd')]),
    {
      ...{ title: `outer product, (${height},1,1) * (5,46187)`, expression: 'a * b' },
      arrays: {
        a: [
          [height, 1, 1],
          [height, 1, 1],
          ['i', 'k', 'l'],
        ],
        b: [
          [1, 5, 46187],
          [1, 5, 46187],
          ['h', 'j', 'n'],
        ],
      },
      ...{ shape: [height, 5, 46187], chunks: [8, 5, 46187], dims: ['i', 'j', 'n'], codec: 'none' as const },
    },
    {
      ...{ title: 'u * dx - v * dy, chunks that do not agree', expression: 'u * p - v * q' },
      arrays: {
        u: [
          [half, half],
          [1024, 2048],
          ['i', 'j'],
        ],
        p: [
          [half, half],
          [700, 1500],
          ['i', 'j'],
        ],
        v: [
          [half, half],
          [2048, 512],
          ['i', 'j'],
        ],
        q: [
          [half, half],
          [1000, 1000],
          ['i', 'j'],
        ],
      },
      ...{ shape: [half, half], chunks: [1024, 2048], dims: ['i', 'j'], codec: 'none' as const },
    },
  ]
}

/** Installs the peers; says what is missing. */
function prepareZarrPeers(): void {
  for (const [module, requirement] of [
    ['zarr', 'zarr==3.1.6'],
    ['dask', 'dask==2026.8.0'],
    ['cubed', 'cubed==0.27.0'],
    ['xarray', 'xarray==2026.9.0'],
  ] as const) {
    const found = preparePython({ module, requirement })
    if ('reason' in found) throw new Error(`${module}: ${found.reason}`)
  }
}

function measured(place: string, workload: Workload, rounds: number, say: (text: string) => void): ZarrRow {
  const inputs = join(place, 'in.zarr')
  const file = join(place, 'question.json')
  const ask = (output: string): void =>
    writeFileSync(file, JSON.stringify({ ...workload, inputs, output, scratch: join(place, 'scratch') }))
  const clear = (...names: string[]): void => {
    for (const name of names) rmSync(join(place, name), { recursive: true, force: true })
  }
  ask('')
  timed(python, [peersFile, 'make', file])
  const ours = join(place, 'ours.zarr')
  const { expression, arrays, chunks, codec } = workload
  const words = [
    expression,
    ...Object.keys(arrays).map((name) => `${name}=${inputs}:${name}`),
    ...['-o', ours, '--codec', codec, '--chunks', chunks.join(), '--quiet'],
  ]
  const mine: number[] = []
  const theirs = new Map(PEERS.map((name) => [name, { seconds: [] as number[], peak: 0 }]))
  for (let round = 0; round < rounds; round++) {
    say(`${workload.title}, round ${round + 1} of ${rounds}…`)
    mine.push(evalSeconds(words))
    for (const name of PEERS) {
      const output = join(place, `${name}.zarr`)
      ask(output)
      const known = theirs.get(name)!
      known.seconds.push(timed(python, [peersFile, 'run', file, name]))
      known.peak = Number(readFileSync(`${output}.peak`, 'utf8')) * 1024
      if (round === 0) {
        const theirOwn = name === 'xarray' ? `${output}:y` : output
        timed(process.execPath, [program, 'diff', ours, theirOwn])
      }
      clear(`${name}.zarr`, `${name}.zarr.peak`, 'scratch')
    }
  }
  const peak = evalPeak(place, words)
  clear('in.zarr', 'ours.zarr')
  return {
    title: workload.title,
    seconds: Math.min(...mine),
    peak,
    peers: PEERS.map((name) => ({
      name,
      seconds: Math.min(...theirs.get(name)!.seconds),
      peak: theirs.get(name)!.peak,
    })),
  }
}

/** `gib`: of the largest array. */
export function zarrRows(place: string, gib: number, rounds: number, say: (text: string) => void): ZarrRow[] {
  const { bavail, bsize } = statfsSync(place)
  if (bavail * bsize < 4 * gib * 2 ** 30) throw new Error(`${place} needs ${4 * gib} GiB`)
  prepareZarrPeers()
  return workloads(Math.sqrt(gib * 2 ** 28)).map((workload) => {
    const row = measured(place, workload, rounds, say)
    const times = [{ name: 'bcast', seconds: row.seconds }, ...row.peers].map(
      ({ name, seconds }) => `${name} ${seconds.toFixed(2)} s`,
    )
    say(`${row.title}: ${times.join(', ')}`)
    return row
  })
}
