// Real Chromium: a page that is isolated, one that is not, and one whose policy forbids compiling give what Node's
// interpreter gives, to the bit. The pages come from a local server with the headers that make the difference.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as bcast from 'bcast'
import * as npy from 'bcast/npy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, FLAGS } from '../../../../testing/chromium.ts'
import { needs } from '../../../../testing/needs.ts'
import { type Built, build } from '../support/built.ts'
import { compute } from './operations.js'

/** Pages in the order they are visited, with what makes each special. */
const pages = {
  isolated: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' },
  plain: {},
  strict: { 'Content-Security-Policy': "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src 'self'" },
} as const
type Page = keyof typeof pages
const order = Object.keys(pages) as Page[]

interface Report {
  readonly error?: string
  readonly results: Readonly<Record<string, string>>
  /** The same by the asynchronous forms, and how often other things got their turn meanwhile. */
  readonly later: Readonly<Record<string, string>>
  readonly turns: number
  /** What worker threads have computed for the page's own thread. */
  readonly batches: number
  readonly warnings: readonly string[]
  readonly memory: string
  readonly isolated: boolean
  readonly worker?: {
    readonly results: Readonly<Record<string, string>>
    readonly first: Readonly<Record<string, string>>
    readonly later: Readonly<Record<string, string>>
    readonly canShareWork: boolean
    readonly anotherRan: boolean
  }
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Serves the pages; what they report goes to `received`. */
function serve(built: Built, received: (page: Page, report: Report) => void): Server {
  return createServer(async (request, response) => {
    const [, page, ...rest] = new URL(request.url ?? '/', 'http://host').pathname.split('/')
    const file = rest.join('/')
    const headers = pages[page as Page]
    if (headers === undefined) return response.writeHead(404).end()
    if (file === 'report') {
      const parts: Uint8Array[] = []
      for await (const part of request) parts.push(part as Uint8Array)
      received(page as Page, JSON.parse(Buffer.concat(parts).toString()) as Report)
      const next = order[order.indexOf(page as Page) + 1]
      return response.end(JSON.stringify(next === undefined ? {} : { next: `/${next}/` }))
    }
    const type = extname(file) === '.js' ? 'text/javascript' : 'text/html'
    response.setHeaders(new Headers({ ...headers, 'Content-Type': type }))
    if (file === '')
      return response.end('<!doctype html><title>page</title><script type="module" src="page.js"></script>')
    const path = file.startsWith('dist/') ? join(built.folder, file.slice(5)) : here(file)
    return response.end(await readFile(path).catch(() => ''))
  })
}

describe('Chromium', needs('chromium', chromium !== undefined), () => {
  const reports = new Map<Page, Report>()
  let built: Built
  let server: Server
  let browser: ChildProcess | undefined
  let profile: string | undefined
  let wanted: Readonly<Record<string, string>>

  beforeAll(async () => {
    bcast.configure({ backend: 'interpreter' })
    wanted = await compute({ ...bcast, ...npy })
    bcast.configure({ backend: 'auto' })
    built = await build()
    profile = await mkdtemp(join(tmpdir(), 'bcast-chromium-'))
    let finished = (_: unknown): void => {}
    const done = new Promise((resolve) => {
      finished = resolve
    })
    server = serve(built, (page, report) => {
      reports.set(page, report)
      if (page === order.at(-1) || report.error !== undefined) finished(undefined)
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
    const { port } = server.address() as AddressInfo
    const start = `http://127.0.0.1:${port}/${order[0]}/`
    browser = spawn(chromium!, [...FLAGS, `--user-data-dir=${profile}`, start], { stdio: 'ignore', detached: true })
    browser.on('error', finished)
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 90_000))])
  }, 120_000)

  afterAll(async () => {
    // The browser's processes are a group of their own.
    if (browser?.pid !== undefined) process.kill(-browser.pid, 'SIGKILL')
    await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined))
    server?.closeAllConnections()
    await built?.remove()
    if (profile !== undefined) await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  })

  const reported = (page: Page): Report => {
    const report = reports.get(page)
    expect(report?.error).toBeUndefined()
    expect(report, `nothing came from the page; others: ${[...reports.keys()].join()}`).toBeDefined()
    return report!
  }

  it.each(order)('computes to the bit what Node does: %s page', (page) => {
    const { results } = reported(page)
    expect(Object.keys(results)).toEqual(Object.keys(wanted))
    expect(Object.keys(wanted).filter((name) => results[name] !== wanted[name])).toEqual([])
  })

  it.each(order)('computes the same asynchronously: %s page', (page) => {
    const { later } = reported(page)
    expect(Object.keys(later)).toEqual(Object.keys(wanted))
    expect(Object.keys(wanted).filter((name) => later[name] !== wanted[name])).toEqual([])
  })

  it('leaves asynchronous calls to workers in an isolated page, and only there', () => {
    expect(reported('isolated').batches).toBeGreaterThan(10)
    expect(reported('isolated').turns).toBeGreaterThan(1)
    expect([reported('plain').batches, reported('strict').batches]).toEqual([0, 0])
  })

  it('shares memory in an isolated page, has memory of one size in another, and none under a strict policy', () => {
    expect(order.map((page) => reported(page).memory)).toEqual(['shared', 'of one size', 'none'])
    expect(order.map((page) => reported(page).isolated)).toEqual([true, false, false])
  })

  it('warns once, and only where it computes without threads or kernels', () => {
    expect(reported('isolated').warnings).toEqual([])
    expect(reported('plain').warnings).toEqual([expect.stringMatching(/Cause: the page is not cross-origin isolated/)])
    expect(reported('strict').warnings).toEqual([expect.stringMatching(/^bcast: WebAssembly cannot be compiled here/)])
  })

  it('shares work between threads in a worker of an isolated page', () => {
    const { worker } = reported('isolated')
    expect(worker!.results).toEqual(wanted)
    expect(worker!.first).toEqual(wanted)
    expect(worker!.later).toEqual(wanted)
    expect([worker!.canShareWork, worker!.anotherRan]).toEqual([true, true])
  })
})
