// One process of a peer: requests go in as lines, replies come out as lines. A peer that dies or does not answer gives
// an error like any other, and is not asked again.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { REPLY, type Reply, type Request } from './task.ts'

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const PATIENCE_MS = 180_000

export class PeerProcess {
  readonly #child: ChildProcess
  #pending: ((reply: Reply) => void) | undefined
  #ended: string | undefined
  #lastWords = ''

  constructor({ file, args, env = {} }: Command) {
    this.#child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } })
    this.#child.on('error', (error) => this.#end(error.message))
    this.#child.on('exit', (code, signal) =>
      this.#end(`its process ended (${signal ?? code}) ${this.#lastWords}`.trim()),
    )
    this.#child.stdin!.on('error', () => {})
    this.#child.stderr!.on('data', (chunk: Buffer) => {
      const lines = chunk.toString().split('\n')
      this.#lastWords = lines.findLast((line) => line.trim() !== '')?.slice(0, 160) ?? this.#lastWords
    })
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      if (line.startsWith(REPLY)) this.#settle(JSON.parse(line.slice(REPLY.length)) as Reply)
    })
  }

  #settle(reply: Reply): void {
    const pending = this.#pending
    this.#pending = undefined
    pending?.(reply)
  }

  #end(reason: string): void {
    this.#ended ??= reason
    this.#settle({ error: this.#ended })
  }

  ask(request: Request): Promise<Reply> {
    if (this.#ended !== undefined) return Promise.resolve({ error: this.#ended })
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#end(`gave no answer within ${PATIENCE_MS / 1000} s`)
        this.#child.kill('SIGKILL')
      }, PATIENCE_MS)
      this.#pending = (reply) => {
        clearTimeout(timer)
        resolve(reply)
      }
      this.#child.stdin!.write(`${JSON.stringify(request)}\n`)
    })
  }

  get alive(): boolean {
    return this.#ended === undefined
  }

  /** Ends the process, and waits until its memory is free for the others. */
  async close(): Promise<void> {
    if (this.#ended !== undefined) return
    const gone = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.stdin!.end()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000)
    await gone
    clearTimeout(timer)
  }
}
