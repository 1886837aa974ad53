// A program that runs, with what it says on stderr, and that may be killed.
import { type ChildProcess, spawn } from 'node:child_process'

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

export class Running {
  readonly #child: ChildProcess
  readonly ended: Promise<number | null>
  said = ''
  /** Whether it was ended by force. */
  isKilled = false

  constructor(file: string, args: readonly string[]) {
    this.#child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.said += text
    })
    // What it said last is there when its streams are closed.
    this.ended = new Promise((resolve) => this.#child.once('close', resolve))
  }

  /** Whether it still ran. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): boolean {
    const isRunning = this.#child.exitCode === null && this.#child.signalCode === null && this.#child.kill(signal)
    if (isRunning && signal === 'SIGKILL') this.isKilled = true
    return isRunning
  }
}
