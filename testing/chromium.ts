// The browser of tests that open pages: where it is, and how it is started.
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Chromium as the environment names it, as the system has it, or as Playwright downloaded it. */
function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH']
  if (named !== undefined) return named
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const downloads = join(homedir(), '.cache/ms-playwright')
  const downloaded = existsSync(downloads) ? readdirSync(downloads).filter((name) => name.startsWith('chromium-')) : []
  return [
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...downloaded.map((name) => join(downloads, name, 'chrome-linux/chrome')),
  ].find(existsSync)
}

/** The browser's program; undefined where there is none. */
export const chromium: string | undefined = findChromium()

/** Flags of a browser that nobody looks at. */
export const FLAGS: readonly string[] = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
