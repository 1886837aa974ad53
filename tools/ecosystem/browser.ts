// Chromium, driven through its debugging pipe: opens a page, waits for its title, and tells what it warned of, what
// failed in it and which workers it had.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { chromium, FLAGS } from '../../testing/chromium.ts'

/** What came of a page. */
export interface Visit {
  readonly title: string
  readonly isolated: boolean
  readonly warnings: readonly string[]
  /** Exceptions that nobody caught. */
  readonly errors: readonly string[]
  /** Addresses of the workers that run, in whatever depth. */
  readonly workers: readonly string[]
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's messages are described elsewhere.
  readonly params?: any
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly result?: any
  readonly error?: { readonly message: string }
}

/** How long a page may compute. */
const PATIENCE_MS = 45_000

export class Browser {
  readonly #process: ChildProcess
  readonly #profile: string
  readonly #waiting = new Map<number, (message: Message) => void>()
  #listen: (message: Message) => void = () => undefined
  #sent = 0

  private constructor(process: ChildProcess, profile: string) {
    this.#process = process
    this.#profile = profile
    let rest = ''
    const output = process.stdio[4] as Readable
    output.on('data', (chunk: Buffer) => {
      const messages = (rest + chunk.toString()).split('\0')
      rest = messages.pop()!
      for (const message of messages) this.#hear(JSON.parse(message) as Message)
    })
  }

  static async start(): Promise<Browser> {
    const profile = await mkdtemp(join(tmpdir(), 'bcast-chromium-'))
    const flags = [...FLAGS, '--remote-debugging-pipe', `--user-data-dir=${profile}`]
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const
    return new Browser(spawn(chromium!, flags, { stdio: [...stdio], detached: true }), profile)
  }

  async close(): Promise<void> {
    // The browser's processes are a group of their own.
    if (this.#process.pid !== undefined) process.kill(-this.#process.pid, 'SIGKILL')
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }

  #hear(message: Message): void {
    if (message.id === undefined) this.#listen(message)
    else {
      this.#waiting.get(message.id)?.(message)
      this.#waiting.delete(message.id)
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  #ask(method: string, params: object, sessionId?: string): Promise<any> {
    const id = ++this.#sent
    ;(this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result)
        else reject(new Error(`${method}: ${error.message}`))
      })
    })
  }

  /** Opens a page and waits until its title is not the one it began with; one page at a time. */
  async visit(url: string, done: (title: string) => boolean): Promise<Visit> {
    const { targetId } = await this.#ask('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await this.#ask('Target.attachToTarget', { targetId, flatten: true })
    const [warnings, errors, workers] = [[] as string[], [] as string[], new Map<string, string>()]
    const watch = (session: string): unknown =>
      Promise.all([
        this.#ask('Runtime.enable', {}, session),
        this.#ask('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true }, session),
        // A worker may be gone before it is asked.
      ]).catch(() => undefined)
    this.#listen = ({ method, params }) => {
      if (method === 'Runtime.consoleAPICalled' && params.type === 'warning')
        warnings.push(params.args.map(({ value }: { value: unknown }) => String(value)).join(' '))
      if (method === 'Runtime.exceptionThrown')
        errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text)
      if (method === 'Target.detachedFromTarget') workers.delete(params.sessionId)
      if (method === 'Target.attachedToTarget' && params.targetInfo.type === 'worker') {
        workers.set(params.sessionId, params.targetInfo.url)
        watch(params.sessionId)
      }
    }
    await watch(sessionId)
    await this.#ask('Page.navigate', { url }, sessionId)
    const evaluate = async (expression: string): Promise<unknown> =>
      // While a page is on its way to another there is nothing to ask.
      (await this.#ask('Runtime.evaluate', { expression }, sessionId).catch(() => undefined))?.result.value
    const end = Date.now() + PATIENCE_MS
    let title = ''
    while (!done(title) && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      title = String(await evaluate('document.title'))
    }
    const isolated = (await evaluate('crossOriginIsolated')) === true
    // What was said last may still be on its way.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const visit = { title, isolated, warnings, errors, workers: [...workers.values()] }
    await this.#ask('Target.closeTarget', { targetId })
    return visit
  }
}
