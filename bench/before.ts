// `npm run bench:before -- COMMIT`: this checkout against an earlier commit of itself, in turns in one run. Ratios above
// 1.03 are said to be slower.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../tools/command-line/command-line.ts'
import { firstCalls, summary } from './first-call.ts'
import { folder, prepareNode } from './install.ts'
import { Bench, type Measured } from './measure.ts'
import { OperandFiles } from './operands.ts'
import { bcast, preparePeers, type ReadyPeer } from './peers.ts'
import type { Mode } from './task.ts'
import type { Workload } from './workload.ts'
import { workloads } from './workloads.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const root = here('..')

/** Times differ by this much between two runs of the same code. */
const TOLERANCE = 1.03

/** The package as a commit has it, built, with this checkout's peer beside it. */
function earlier(commit: string): ReadyPeer {
  const sha = execFileSync('git', ['rev-parse', '--short', commit], { cwd: root, encoding: 'utf8' }).trim()
  const place = join(folder, `before-${sha}`)
  const own = join(place, 'packages/bcast')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(join(place, 'node_modules'), { recursive: true })
  const archive = execFileSync('git', ['archive', sha, 'packages/bcast', 'tsconfig.base.json'], {
    cwd: root,
    maxBuffer: 2 ** 30,
  })
  execFileSync('tar', ['-x'], { cwd: place, input: archive })
  symlinkSync('../packages/bcast', join(place, 'node_modules/bcast'))
  symlinkSync(join(root, 'node_modules/fraction.js'), join(place, 'node_modules/fraction.js'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', own, '--outDir', join(own, 'dist')], { stdio: 'inherit' })
  const workers = readdirSync(join(own, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('worker.js'),
  )
  for (const worker of workers) {
    cpSync(join(own, 'src', worker), join(own, 'dist', worker))
  }
  cpSync(here('dist'), join(place, 'bench/dist'), { recursive: true })
  writeFileSync(join(place, 'bench/package.json'), '{ "type": "module" }')
  const script = join(place, 'bench/dist/peers/node/bcast.js')
  return {
    ...bcast,
    id: 'before',
    title: `bcast at ${sha}`,
    command: (threads) => ({ file: process.execPath, args: [script, String(threads)] }),
  }
}

interface Line {
  readonly title: string
  readonly now: number
  readonly before: number
}

const microseconds = (seconds: number): string => `${(seconds * 1e6).toPrecision(4)} µs`

/** What both computed; a workload that the earlier commit cannot is said to be new. */
function linesOf({ workload, contenders }: Measured): Line[] {
  return contenders.flatMap((now) => {
    if (now.peer.id !== 'bcast') return []
    const before = contenders.find(({ peer, threads }) => peer.id === 'before' && threads === now.threads)!
    if (now.problem !== undefined || before.problem?.kind === 'wrong')
      throw new Error(`${workload.title}: ${(now.problem ?? before.problem)!.text}`)
    const title = `${workload.title}, ${now.threads} thread${now.threads === 1 ? '' : 's'}`
    if (before.problem !== undefined) {
      console.log(`new    ${title}: ${before.problem.text}`)
      return []
    }
    return (Object.keys(now.seconds) as Mode[]).map((mode) => ({
      title: `${title}, ${mode}`,
      now: now.seconds[mode]!,
      before: before.seconds[mode]!,
    }))
  })
}

const USAGE = `usage: npm run bench:before -- COMMIT [--only a,b] [--rounds N]

Measures this checkout and an earlier commit in turns, and names what became slower by more than 3%.

  --only a,b  workloads whose id or title contains one of these
  --rounds N  how many turns each gets (8)
  --help      prints this`

const { values, words, whole, refuse } = commandLine(
  USAGE,
  {
    only: { type: 'string' },
    rounds: { type: 'string', default: '8' },
  },
  true,
)
const commit = words.length === 1 ? words[0]! : refuse(`one commit is to be given, not ${words.length}`)
const rounds = whole('rounds', values.rounds, 1)
prepareNode()
if (!existsSync(here('dist'))) throw new Error('the benchmark was not built')
const before = earlier(commit)
const { ready } = preparePeers(['loop'])
const only = values.only?.split(',')
const asked = workloads(false).filter(
  ({ id, title }: Workload) => only === undefined || only.some((text) => id.includes(text) || title.includes(text)),
)
const cores = availableParallelism()
const files = new OperandFiles(mkdtempSync(join(folder, 'operands-')))
const pace = { rounds, turn: 100, warmUp: 200 }
const bench = new Bench(files, pace, [bcast, before, ...ready], cores > 1 ? [1, cores] : [1], false)
const slower: Line[] = []
const show = (line: Line): void => {
  const ratio = line.now / line.before
  if (ratio > TOLERANCE) slower.push(line)
  const verdict = ratio > TOLERANCE ? '  slower' : ''
  console.log(
    `${ratio.toFixed(3)}  ${microseconds(line.now)} was ${microseconds(line.before)}  ${line.title}${verdict}`,
  )
}
try {
  for (const workload of asked) for (const line of linesOf(await bench.measure(workload))) show(line)
  const [now, then] = [await firstCalls(bcast, files, 5), await firstCalls(before, files, 5)].map(summary)
  if (now !== undefined && then !== undefined)
    show({ title: 'first call, median', now: now.median, before: then.median })
} finally {
  await bench.close()
  files.remove()
}
console.log(`${slower.length} slower by more than ${((TOLERANCE - 1) * 100).toFixed(0)}%`)
