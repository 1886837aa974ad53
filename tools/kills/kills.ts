// Kills `bcast eval -o` at random moments and looks at what is left: the output must be absent, old or whole.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSink } from '../../packages/cli/src/files/open.ts'
import { makeProgram } from '../../testing/program.ts'
import { makeRandom } from '../../testing/random.ts'

export interface Kills {
  /** What was found after a kill. */
  readonly absent: number
  readonly old: number
  readonly whole: number
  /** Anything else, in words. */
  readonly broken: readonly string[]
}

const OLD = 'what was there before'
/** Milliseconds between two looks at the folder. */
const LOOK = 1
/** Evaluations begun for each that is to be killed; most are. */
const MOST_TRIES = 10

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

function start(program: string, folder: string): { child: ChildProcess; ended: Promise<unknown> } {
  const words = ['eval', '(x - 1) * x', `x=${join(folder, 'x.npy')}`, '-o', join(folder, 'y.npy'), '--quiet']
  const child = spawn(process.execPath, [program, ...words], { stdio: 'ignore' })
  return { child, ended: new Promise((resolve) => child.once('exit', resolve)) }
}

/** Files beside the input and the output: what is being written. */
const others = (folder: string): string[] => readdirSync(folder).filter((name) => name !== 'x.npy' && name !== 'y.npy')

/** When writing begins, or the process ends without having been seen to write. */
async function untilWriting(folder: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false
  void ended.then(() => (isOver = true))
  while (!isOver && others(folder).length === 0) await pause(LOOK)
}

/** Begins evaluations of an array of `bytes` bytes until `count` of them have been killed while they wrote. */
export async function killRepeatedly(
  count: number,
  bytes: number,
  seed: number,
  said: (done: number) => void,
): Promise<Kills> {
  const program = await makeProgram()
  const folder = mkdtempSync(join(tmpdir(), 'bcast-kills-'))
  const output = join(folder, 'y.npy')
  const random = makeRandom(seed)
  const found = { absent: 0, old: 0, whole: 0 }
  const broken: string[] = []
  let killed = 0
  try {
    const elements = Float32Array.from({ length: bytes / 4 }, (_, i) => i % 1000)
    const sink = await openSink(join(folder, 'x.npy'), { dtype: 'float32', shape: [elements.length] })
    await sink.write(elements)
    await sink.finish()
    const first = start(program.file, folder)
    await untilWriting(folder, first.ended)
    const began = performance.now()
    if ((await first.ended) !== 0) throw new Error('the evaluation itself fails')
    let duration = performance.now() - began
    const expected = digestOf(output)
    for (let tries = 0; killed < count; tries++) {
      if (tries === MOST_TRIES * count) throw new Error('the evaluations end before they can be killed')
      rmSync(output, { force: true })
      if (random.chance(0.5)) writeFileSync(output, OLD)
      const wasThere = existsSync(output)
      const { child, ended } = start(program.file, folder)
      await untilWriting(folder, ended)
      await pause(random.unit() * duration)
      const isKilled = child.exitCode === null && child.kill('SIGKILL') && (await ended) !== 0
      const isWhole = existsSync(output) && digestOf(output) === expected
      if (!isKilled) {
        if (!isWhole) broken.push(`try ${tries}: an evaluation that ended left no whole output`)
        // Others on the machine slowed the one that was timed.
        duration *= 0.9
      } else if (isWhole) found.whole++
      else if (!existsSync(output)) {
        if (wasThere) broken.push(`try ${tries}: the old output is gone`)
        else found.absent++
      } else if (wasThere && readFileSync(output, 'utf8') === OLD) found.old++
      else broken.push(`try ${tries}: the output is neither old nor whole`)
      for (const name of others(folder)) rmSync(join(folder, name), { force: true })
      if (isKilled) said(++killed)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    program.remove()
  }
  return { ...found, broken }
}
