// An engine runs in a process of its own, because some of them die on some cases. It reads cases and writes answers,
// one line of JSON each, in order; so when the process ends, the first case without an answer is the one that ended it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Answer } from './case.ts'

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** What engines are asked; the rest of it is between them and who asks. */
interface Question {
  readonly id: number
}

/** `A`: answers that some engine gives besides those of all. */
export interface Verdicts<A = never> {
  readonly version: string
  readonly answers: ReadonlyMap<number, Answer | A>
}

/** An engine that cannot be asked at all. */
export class EngineError extends Error {
  override name = 'EngineError'
}

const START_LIMIT_MS = 120_000
const CASE_LIMIT_MS = 60_000

interface Line<A> {
  readonly version?: string
  readonly id?: number
  readonly answer?: A
}

interface Part<A> {
  readonly version: string | undefined
  readonly answers: readonly [number, A][]
  /** How the process ended, when it ended early. */
  readonly end: string | undefined
}

const POSIX = process.platform !== 'win32'

/** The process leads a group of its own, so that what it may have forked can be ended with it. */
function launch({ file, args, env }: Command): ChildProcessWithoutNullStreams {
  return spawn(file, args, { env: { ...process.env, ...env }, stdio: 'pipe', detached: POSIX })
}

/** Ends a process and everything it has started. */
function end(child: ChildProcessWithoutNullStreams): void {
  try {
    if (POSIX && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}

/** Runs one process over the cases until it has answered all or ends. */
function runOnce<A>(command: Command, cases: readonly Question[]): Promise<Part<A>> {
  return new Promise((resolve, reject) => {
    const child = launch(command)
    const answers: [number, A][] = []
    let version: string | undefined
    let stderr = ''
    let timer: NodeJS.Timeout | undefined
    let late = false
    const wait = (limit: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        late = true
        end(child)
      }, limit)
    }
    wait(START_LIMIT_MS)
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-4000)
    })
    // A process that ends early closes its input; that is told by its exit.
    child.stdin.on('error', () => undefined)
    const lines = createInterface({ input: child.stdout })
    lines.on('line', (text) => {
      const line = JSON.parse(text) as Line<A>
      if (line.version !== undefined) version = line.version
      if (line.id !== undefined && line.answer !== undefined) answers.push([line.id, line.answer])
      wait(CASE_LIMIT_MS)
    })
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(new EngineError(error.message))
    })
    // A fork that outlives the process would hold its output open for ever.
    child.on('exit', () => end(child))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      const complete = answers.length === cases.length && version !== undefined
      if (complete) return resolve({ version, answers, end: undefined })
      const how = late ? ' without an answer in a minute' : endText(code, signal)
      if (version === undefined) {
        const reason = stderr.trim().split('\n').at(-1) ?? ''
        return reject(new EngineError(`does not start (ends${how}): ${reason.slice(0, 300)}`))
      }
      resolve({ version, answers, end: how })
    })
    for (const question of cases) child.stdin.write(`${JSON.stringify(question)}\n`)
    child.stdin.end()
  })
}

/** Which of several signals a damaged memory leads to is chance. */
function endText(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === 'SIGABRT' || signal === 'SIGSEGV' || signal === 'SIGBUS') return ' with its memory damaged'
  return signal === null ? ` with exit code ${code}` : ` with ${signal}`
}

const MAX_RESTARTS = 200

/** The answer of a fresh process to one case alone. */
async function askAlone<A>(command: Command, question: Question): Promise<Answer | A> {
  const { answers, end } = await runOnce<Answer | A>({ ...command, env: { ...command.env, JUDGE_ALONE: '1' } }, [
    question,
  ])
  return answers[0]?.[1] ?? { kind: 'crash', text: `the process ends${end}` }
}

/**
 * All answers of an engine. A case on which the process ends is asked again alone, so that it is not blamed for what
 * an earlier one has damaged; if that ends too, `crash` is its answer. Cases that are known to damage the process
 * (`alone`) never share one.
 */
export async function askEngine<Q extends Question, A = never>(
  command: Command,
  cases: readonly Q[],
  alone: (question: Q) => boolean = () => false,
): Promise<Verdicts<A>> {
  const answers = new Map<number, Answer | A>()
  for (const question of cases.filter(alone)) answers.set(question.id, await askAlone(command, question))
  let version = ''
  let rest = cases.filter((question) => !alone(question))
  for (let restarts = 0; ; restarts++) {
    if (restarts > MAX_RESTARTS) throw new EngineError(`ended ${MAX_RESTARTS} times`)
    const part = await runOnce<Answer | A>(command, rest)
    version = part.version ?? version
    for (const [id, answer] of part.answers) answers.set(id, answer)
    if (part.end === undefined) return { version, answers }
    const culprit = rest[part.answers.length]
    if (culprit === undefined) throw new EngineError(`ended after its last answer,${part.end}`)
    answers.set(culprit.id, await askAlone(command, culprit))
    rest = rest.slice(part.answers.length + 1)
    if (rest.length === 0) return { version, answers }
  }
}
