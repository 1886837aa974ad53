// `npm run bench:files`: `bcast eval` over files larger than the memory it may take, beside dd moving the same bytes; and
// over files that are in the page cache, beside NumPy. Makes the files, verifies every result, writes docs/bench-files.md.
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandLine } from '../../tools/command-line/command-line.ts'
import { buildPackages, folder, installOwn, preparePython, python } from '../install.ts'
import { machine } from '../report.ts'
import { columns, formatRatio, formatTime, markdownTable } from '../text.ts'
import { makeFile } from './make.ts'
import { ddSeconds, evalPeak, evalSeconds, pythonSeconds } from './run.ts'
import { checkSame, checkSum } from './verify.ts'
import { type ZarrFigures, type ZarrRow, zarrRows } from './zarr.ts'

const GIB = 2 ** 30
const MIB = 2 ** 20
const EXPRESSION = '(x - m) / s * g + b'

const USAGE = `usage: npm run bench:files -- [--quick] [--only files|zarr]

Times bcast eval over files larger than the memory it may take, over files in the page cache beside NumPy, and over Zarr
arrays beside dask.array, cubed, xarray and NumPy. Writes docs/bench-files.md, unless only a part is run.

  --quick  small files: checks that everything works and writes nothing
  --only   one part
  --help   prints this`

const { values } = commandLine(USAGE, { quick: { type: 'boolean', default: false }, only: { type: 'string' } })
/** Bytes of an array in either part. */
const [LARGE, CACHED] = values.quick ? [64 * MIB, 16 * MIB] : [4 * GIB, GIB]
const GIB_OF_ZARR = values.quick ? 1 / 16 : 4
const ROUNDS = values.quick ? 1 : 3
/** A round of the peers takes minutes. */
const ZARR_ROUNDS = values.quick ? 1 : 2

interface Row {
  readonly what: string
  readonly measured: string
  readonly target: string
  readonly isMet: boolean
}

const say = (text: string): void => console.error(text)
const best = (seconds: readonly number[]): number => Math.min(...seconds)
const mib = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`

function checkSpace(place: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(place)
  if (bavail * bsize < bytes) throw new Error(`${place} has ${mib(bavail * bsize)} left and ${mib(bytes)} are needed`)
}

/** Files larger than the memory allowed. */
function larger(place: string): Row[] {
  checkSpace(place, 4.5 * LARGE)
  const [x, y, sum, copy] = ['x', 'y', 'sum', 'copy'].map((name) => join(place, `${name}.npy`)) as [
    string,
    string,
    string,
    string,
  ]
  const shape = [LARGE / 4 / 4096, 4096]
  say(`Making two files of ${mib(LARGE)}…`)
  makeFile(x, shape, -1, 1, 1)
  makeFile(y, shape, -1, 1, 2)
  const words = ['x + y', `x=${x}`, `y=${y}`, '-o', sum, '--memory', '256MiB']
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 1; round <= ROUNDS; round++) {
    say(`x + y and dd, round ${round} of ${ROUNDS}…`)
    rmSync(sum, { force: true })
    ours.push(evalSeconds(words))
    rmSync(copy, { force: true })
    theirs.push(ddSeconds(x, '/dev/null') + ddSeconds(y, copy))
  }
  rmSync(copy)
  say('Peak memory…')
  const peak = evalPeak(place, words)
  say('Verifying…')
  checkSum(sum, x, y)
  const ratio = best(ours) / best(theirs)
  for (const file of [x, y, sum]) rmSync(file)
  return [
    {
      what: `x + y, two files of ${mib(LARGE)}, --memory 256MiB: peak resident size`,
      measured: mib(peak),
      target: 'below 400 MiB',
      isMet: peak < 400 * MIB,
    },
    {
      what: 'the same: time, and that of dd bs=4M reading both and writing one',
      measured: `${formatTime(best(ours))}, ${formatTime(best(theirs))}: ${formatRatio(ratio)} times`,
      target: 'at most 2 times',
      isMet: ratio <= 2,
    },
  ]
}

/** Files in the page cache, the result in memory. */
function cached(place: string, fast: string): Row[] {
  const numpy = preparePython({ module: 'numpy', requirement: 'numpy==2.4.6' })
  if ('reason' in numpy) throw new Error(`NumPy: ${numpy.reason}`)
  checkSpace(fast, 2.2 * CACHED)
  const names = ['x', 'm', 's', 'g', 'b'] as const
  const file = (name: string): string => join(place, `${name}.npy`)
  const columnsOf = 4096
  say(`Making a file of ${mib(CACHED)}…`)
  makeFile(file('x'), [CACHED / 4 / columnsOf, columnsOf], -3, 3, 3)
  for (const [i, name] of names.slice(1).entries()) makeFile(file(name), [columnsOf], 0.5, 2, 4 + i)
  const [ours, theirs] = [join(fast, 'bcast.npy'), join(fast, 'numpy.npy')]
  const words = [EXPRESSION, ...names.map((name) => `${name}=${file(name)}`), '-o', ours]
  const loads = names.map((name) => `${name} = np.load(${JSON.stringify(file(name))})`).join('; ')
  const program = `import numpy as np; ${loads}; np.save(${JSON.stringify(theirs)}, ${EXPRESSION})`
  const [mine, others]: [number[], number[]] = [[], []]
  // The first of each only warms the cache.
  for (let round = 0; round <= ROUNDS; round++) {
    say(`${EXPRESSION} and NumPy, round ${round} of ${ROUNDS}…`)
    const [a, b] = [evalSeconds(words), pythonSeconds(python, program)]
    if (round > 0) {
      mine.push(a)
      others.push(b)
    }
    checkSame(ours, theirs)
    rmSync(ours)
    rmSync(theirs)
  }
  for (const name of names) rmSync(file(name))
  const ratio = best(others) / best(mine)
  return [
    {
      what: `${EXPRESSION}, x of ${mib(CACHED)} in the page cache, result on ${fast.startsWith('/dev/shm') ? 'tmpfs' : 'disk'}: time, and that of python3 -c with NumPy ${numpy.version}`,
      measured: `${formatTime(best(mine))}, ${formatTime(best(others))}: ${formatRatio(ratio)} times faster`,
      target: 'at least 2 times',
      isMet: ratio >= 2,
    },
  ]
}

/** Of tiny files nothing is claimed. */
const verdict = (isMet: boolean): string => (values.quick ? '–' : isMet ? 'met' : 'LOST')

const tableOf = (rows: readonly Row[]): string[][] => [
  ['', 'measured', 'target', ''],
  ...rows.map(({ what, measured, target, isMet }) => [what, measured, target, verdict(isMet)]),
]

const figures = (each: readonly ZarrFigures[], what: 'seconds' | 'peak'): number =>
  Math.min(...each.map((one) => one[what]))
/** Speed over the best peer, and memory over the least, each by the Node that is best at it. */
const ratioOf = ({ own, peers }: ZarrRow): number => figures(peers, 'seconds') / figures(own, 'seconds')
const shareOf = ({ own, peers }: ZarrRow): number => figures(own, 'peak') / figures(peers, 'peak')

/** A ratio, marked where what is wanted of it is missed. */
const marked = (ratio: number, isMet: boolean): string => `${formatRatio(ratio)}${isMet || values.quick ? '' : ' ✗'}`

const zarrTable = (rows: readonly ZarrRow[]): string[][] => [
  ['', ...[...rows[0]!.own, ...rows[0]!.peers].map(({ name }) => name), 'times the best', 'of the least memory'],
  ...rows.map((row) => [
    row.title,
    ...[...row.own, ...row.peers].map(({ seconds, peak }) =>
      Number.isFinite(seconds) ? `${formatTime(seconds)}, ${mib(peak)}` : 'fails',
    ),
    marked(ratioOf(row), ratioOf(row) >= 2),
    marked(shareOf(row), shareOf(row) <= 0.25),
  ]),
]

const markdown = (rows: readonly Row[], zarr: readonly ZarrRow[]): string =>
  [
    '# Speed of `bcast eval`',
    '<!-- Written by `npm run bench:files`; changes by hand are lost. -->',
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine()}. Best of ${ROUNDS} runs each, in turns, from the start of the process to its end. Files hold random float32, every byte of them written; every result was verified to the bit.`,
    markdownTable(tableOf(rows)),
    '## Zarr arrays',
    `The same arrays of random float32 in [Zarr](zarr.md), ${GIB_OF_ZARR} GiB the largest, read from and written to the disk's cache by each: seconds from the start of the process to its end, best of ${ZARR_ROUNDS}, and its peak resident size. Wanted: 2 times the speed of the best peer, a quarter of the memory of the least; ✗ where that is missed. Node has zstd of its own from 22.15 on; before, it is WebAssembly. Of bcast the better Node counts. It is allowed 512 MiB, and 1 GiB where chunks are of 64 MiB.`,
    markdownTable(zarrTable(zarr)),
  ].join('\n\n')

installOwn()
buildPackages()
mkdirSync(folder, { recursive: true })
const places = [
  mkdtempSync(join(tmpdir(), 'bcast-files-')),
  ...(existsSync('/dev/shm') ? [mkdtempSync('/dev/shm/bcast-files-')] : []),
]
try {
  const rows = values.only === 'zarr' ? [] : [...cached(places[0]!, places.at(-1)!), ...larger(places[0]!)]
  const zarr = values.only === 'files' ? [] : zarrRows(places[0]!, GIB_OF_ZARR, ZARR_ROUNDS, say)
  if (rows.length > 0) console.log(columns(tableOf(rows)).join('\n'))
  if (zarr.length > 0) console.log(columns(zarrTable(zarr)).join('\n'))
  const isWhole = !values.quick && values.only === undefined
  if (isWhole) writeFileSync(new URL('../../docs/bench-files.md', import.meta.url), `${markdown(rows, zarr)}\n`)
  process.exitCode = values.quick || rows.every(({ isMet }) => isMet) ? 0 : 1
} finally {
  for (const place of places) rmSync(place, { recursive: true, force: true })
}
