// `npm run site:screenshots`: the pictures of the page that README and documents show, taken of the page as it is.
import { join } from 'node:path'
import { chromium as playwright } from 'playwright-core'
import { chromium, FLAGS } from '../../../testing/chromium.ts'
import { buildSite } from '../build/build.ts'
import { folder } from '../build/folder.ts'
import { root } from '../docs/repository.ts'
import { CallError, command } from './command.ts'
import { serveFolder } from './serve.ts'

const usage = `usage: npm run site:screenshots

Builds the page and takes the screenshots that README.md and docs/*.md show, in both themes, into docs/pictures.

  --help  prints this`

/** What is shown: its name, the page's address, and how much of it. */
const SHOTS = [
  { name: 'playground', hash: '#text=2,3,4%20%203,1', height: 806, keys: ['ArrowDown', 'ArrowDown', 'ArrowRight'] },
] as const
const WIDTH = 1280

await command({
  usage,
  run: async () => {
    if (chromium === undefined) throw new CallError('Chromium is not here; CHROMIUM_PATH names it.')
    await buildSite()
    const server = await serveFolder(folder)
    const browser = await playwright.launch({ executablePath: chromium, args: [...FLAGS] })
    try {
      for (const { name, hash, height, keys } of SHOTS) {
        for (const theme of ['light', 'dark'] as const) {
          const viewport = { width: WIDTH, height }
          const page = await browser.newPage({ viewport, colorScheme: theme, reducedMotion: 'reduce', bypassCSP: true })
          await page.goto(`${server.origin}/${hash}`)
          await page.waitForSelector('.verdict')
          // An element of the result that is made of a repeated one; nobody is seen who is at the keys.
          if (keys.length > 0) {
            const figure = page.locator('.figure')
            await figure.focus()
            for (const key of keys) await page.keyboard.press(key)
            await page.addStyleTag({ content: '.figure { outline: none !important }' })
          }
          await page.evaluate('scrollTo(0, 0)')
          const path = `docs/pictures/${name}-${theme}.png`
          await page.screenshot({ path: join(root, path) })
          console.log(path)
          await page.close()
        }
      }
    } finally {
      await browser.close()
      await server.close()
    }
    return undefined
  },
})
