// The built page in Chromium: a server, a browser, pages in the size and the theme of a test's choice, and what axe says.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { chromium, FLAGS } from '../../../testing/chromium.ts'
import { needs } from '../../../testing/needs.ts'
import { folder } from '../build/folder.ts'
import { type Served, serveFolder } from '../commands/serve.ts'

/** Options of suites that open the page. */
export const inChromium = needs('chromium', chromium !== undefined)

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser | undefined
let server: Served | undefined

export interface Look {
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
  readonly touch?: boolean
  readonly motion?: boolean
  /** Whether the page is kept for visits without a network; requests of one that is not can be held up. */
  readonly kept?: boolean
}

/** Starts browser and server for the tests of a file. */
export function opensSite(built: string = folder): void {
  beforeAll(async () => {
    if (chromium === undefined) return
    server = await serveFolder(built)
    browser = await playwright.launch({ executablePath: chromium, args: [...FLAGS] })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
}

/** A visitor who has not been here before. */
export function visitor({
  width = 1280,
  height = 900,
  theme = 'light',
  touch = false,
  motion = false,
  kept = true,
}: Look = {}): Promise<BrowserContext> {
  return browser!.newContext({
    ...{ viewport: { width, height }, colorScheme: theme, hasTouch: touch },
    reducedMotion: motion ? 'no-preference' : 'reduce',
    serviceWorkers: kept ? 'allow' : 'block',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
}

/** Whatever went wrong in a page that nobody looked at. */
const faults = new WeakMap<Page, string[]>()

/** A page that tells what fails in it, and whom it asks. */
export async function watched(context: BrowserContext, origin: string): Promise<Page> {
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const seen: string[] = []
  faults.set(page, seen)
  page.on('pageerror', (error) => seen.push(String(error.stack ?? error)))
  page.on('console', (message) => {
    const isOurs = !message.text().includes('blocked by Playwright')
    if (isOurs && (message.type() === 'error' || message.type() === 'warning')) seen.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (protocol.startsWith('http') && asked !== origin) seen.push(`asked ${request.url()}`)
  })
  return page
}

/** Opens the page at an address such as `#text=2,3`. */
export async function open(hash = '', look: Look = {}): Promise<Page> {
  const page = await watched(await visitor(look), server!.origin)
  await page.goto(`${server!.origin}/${hash}`)
  await page.waitForSelector('main')
  return page
}

/** Nothing failed, nothing was blocked, nobody else was asked. */
export async function close(page: Page): Promise<void> {
  expect(faults.get(page)).toEqual([])
  await page.context().close()
}

export const field = (page: Page): ReturnType<Page['getByLabel']> => page.getByLabel('Shapes, an error message')

/** The text of the verdict. */
export const verdict = async (page: Page): Promise<string> => (await page.locator('.verdict').textContent()) ?? ''

/** The picture, which arrow keys move in. */
export const picture = (page: Page): ReturnType<Page['locator']> => page.locator('.figure')

/** Where the chosen element comes from. */
export const indexMap = async (page: Page): Promise<string> => (await page.locator('#index-map').textContent()) ?? ''

/** Opens a view by its tab. */
export async function view(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click()
  await page.waitForFunction(() => !document.body.textContent?.includes('Loading…'))
}

/** Presses a button that copies; what it says is there for a moment only, so somebody waits for it beforehand. */
export async function copied(page: Page, button: string, said: string): Promise<string> {
  await Promise.all([
    page.getByText(said, { exact: true }).waitFor(),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  return page.evaluate(() => navigator.clipboard.readText())
}

/** What axe finds in the page as it is. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe is there because it was just loaded.
    const { violations } = await (globalThis as any).axe.run()
    return violations.map(
      ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join(' | ')}`,
    )
  })
}
