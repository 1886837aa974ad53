// `bcast eval` over Zarr arrays beside dask.array, cubed, xarray and NumPy on the same stores, in turns: seconds from
// the start of a process to its end, and its peak resident size. Every result is compared with ours to the bit.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newerNode, preparePython, python } from '../install.ts'
import { evalPeak, evalSeconds, program, timed } from './run.ts'

const PEERS = ['dask', 'cubed', 'xarray', 'numpy'] as const

interface Workload {
  readonly title: string
  readonly expression: string
  /** Shape, chunks and names of axes of each array. */
  readonly arrays: Readonly<Record<string, readonly [number[], number[], string[]]>>
  readonly shape: readonly number[]
  readonly chunks: readonly number[]
  readonly dims: readonly string[]
  readonly codec: 'none' | 'zstd'
  /** What is given as --memory, where that is not what bcast takes anyway. */
  readonly memory?: string
}

/** Seconds, and the peak resident size in bytes; both infinite where it fails. */
export interface ZarrFigures {
  readonly name: string
  readonly seconds: number
  readonly peak: number
}

export interface ZarrRow {
  readonly title: string
  /** By this Node, and by a newer one where there is one. */
  readonly own: readonly ZarrFigures[]
  readonly peers: readonly ZarrFigures[]
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
      // As much as the peers take: two threads need room for such a chunk each.
      ...(mib > 8 ? { memory: '1GiB' } : {}),
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
          // As long as a chunk of the result, or peers take all of it for one.
          [8, 1, 1],
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
  const { expression, arrays, chunks, codec, memory } = workload
  const words = [
    expression,
    ...Object.keys(arrays).map((name) => `${name}=${inputs}:${name}`),
    ...['-o', ours, '--codec', codec, '--chunks', chunks.join(), '--quiet'],
    ...(memory === undefined ? [] : ['--memory', memory]),
  ]
  const own = nodes().map(({ name, file: node }) => ({ name, node, seconds: [] as number[] }))
  const theirs = PEERS.map((name) => ({ name, seconds: [] as number[], peak: 0 }))
  for (let round = 0; round < rounds; round++) {
    say(`${workload.title}, round ${round + 1} of ${rounds}…`)
    for (const { node, seconds } of own) {
      clear('ours.zarr')
      seconds.push(evalSeconds(words, node))
    }
    for (const known of theirs) {
      const { name } = known
      const output = join(place, `${name}.zarr`)
      ask(output)
      try {
        known.seconds.push(timed(python, [peersFile, 'run', file, name]))
      } catch (error) {
        say(`${name}: ${String(error).trim().split('\n').at(-1)}`)
        known.seconds.push(Number.POSITIVE_INFINITY)
        known.peak = Number.POSITIVE_INFINITY
        clear(`${name}.zarr`, `${name}.zarr.peak`, 'scratch')
        continue
      }
      known.peak = Number(readFileSync(`${output}.peak`, 'utf8')) * 1024
      if (round === 0) {
        const theirOwn = name === 'xarray' ? `${output}:y` : output
        timed(process.execPath, [program, 'diff', ours, theirOwn])
      }
      clear(`${name}.zarr`, `${name}.zarr.peak`, 'scratch')
    }
  }
  const figures = own.map(({ name, node, seconds }) => {
    clear('ours.zarr')
    return { name, seconds: Math.min(...seconds), peak: evalPeak(place, words, node) }
  })
  clear('in.zarr', 'ours.zarr')
  const peers = theirs.map(({ name, seconds, peak }) => ({ name, seconds: Math.min(...seconds), peak }))
  return { title: workload.title, own: figures, peers }
}

/** This Node, and a newer one, which has zstd of its own. */
function nodes(): { readonly name: string; readonly file: string }[] {
  const files = existsSync(newerNode) ? [process.execPath, newerNode] : [process.execPath]
  return files.map((file) => {
    const [major] = execFileSync(file, ['--version'], { encoding: 'utf8' }).slice(1).split('.')
    return { name: `bcast, Node ${major}`, file }
  })
}

/** `gib`: of the largest array. */
export function zarrRows(place: string, gib: number, rounds: number, say: (text: string) => void): ZarrRow[] {
  const { bavail, bsize } = statfsSync(place)
  if (bavail * bsize < 4 * gib * 2 ** 30) throw new Error(`${place} needs ${4 * gib} GiB`)
  prepareZarrPeers()
  return workloads(Math.sqrt(gib * 2 ** 28)).map((workload) => {
    const row = measured(place, workload, rounds, say)
    const times = [...row.own, ...row.peers].map(({ name, seconds }) => `${name} ${seconds.toFixed(2)} s`)
    say(`${row.title}: ${times.join(', ')}`)
    return row
  })
}
