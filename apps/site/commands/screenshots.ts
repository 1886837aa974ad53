// `npm run site:screenshots`: the pictures of the page that README and documents show, taken of the page as it is.
import { join } from 'node:path'
import { writeModel } from '@bcast/onnx'
import { fromData, type Tensor } from 'bcast'
import { type Page, chromium as playwright } from 'playwright-core'
import { chromium, FLAGS } from '../../../testing/chromium.ts'
import { modelOf, node } from '../../../testing/models/infer.ts'
import { buildSite } from '../build/build.ts'
import { folder } from '../build/folder.ts'
import { root } from '../docs/repository.ts'
import { CallError, command } from './command.ts'
import { serveFolder } from './serve.ts'

const usage = `usage: npm run site:screenshots

Builds the page and takes the screenshots that README.md and docs/*.md show, in both themes, into docs/pictures.

  --help  prints this`

interface Shot {
  readonly name: string
  /** The page's address. */
  readonly hash: string
  readonly width: number
  /** How much of it is shown. */
  readonly height: number
  /** What is done before, up to what is to be seen. */
  readonly prepare: (page: Page) => Promise<unknown>
  /** The part that is shown, from its beginning; all of the page unless said. */
  readonly part?: string
}

/** A model that fails, as the text about models has it. */
const broken = (): Buffer => {
  const inputs = { x: 'N, 3, 8, 8', bias: fromData('float32', new Float32Array(3), [3]) as Tensor }
  const model = modelOf({ inputs, nodes: [{ ...node('Add', 'x bias', 'y'), name: 'shift' }] })
  // Of the operator sets that tests have only that of ONNX is used.
  model.proto.opsetImport.splice(1)
  return Buffer.from(writeModel(model))
}

/** An element of the result that is made of a repeated one; nobody is seen who is at the keys. */
async function pointAtElement(page: Page): Promise<void> {
  await page.locator('.figure').focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
  await page.addStyleTag({ content: '.figure { outline: none !important }' })
}

async function openBroken(page: Page): Promise<void> {
  const file = { name: 'broken.onnx', mimeType: 'application/octet-stream', buffer: broken() }
  await page.getByLabel('Open files').setInputFiles([file])
  await page.locator('.broadcasts').waitFor()
}

/** Room above a part of the page. */
const MARGIN = 16

const SHOTS: readonly Shot[] = [
  { name: 'playground', hash: '#text=2,3,4%20%203,1', width: 1280, height: 806, prepare: pointAtElement },
  { name: 'model', hash: '#view=model', width: 760, height: 612, prepare: openBroken, part: '.model' },
  {
    ...{ name: 'engine', hash: '#view=engine&text=(x+-+m)+/+s++x%3D8,16,512+m%3D512+s%3D512', width: 760, height: 452 },
    // Times are those of whoever measures.
    ...{ prepare: (page) => page.locator('.kernel').first().waitFor(), part: '[aria-label="Step 1"]' },
  },
]

await command({
  usage,
  run: async () => {
    if (chromium === undefined) throw new CallError('Chromium is not here; CHROMIUM_PATH names it.')
    await buildSite()
    const server = await serveFolder(folder)
    const browser = await playwright.launch({ executablePath: chromium, args: [...FLAGS] })
    try {
      for (const { name, hash, width, height, prepare, part } of SHOTS) {
        for (const theme of ['light', 'dark'] as const) {
          const viewport = { width, height: part === undefined ? height : 1600 }
          const page = await browser.newPage({ viewport, colorScheme: theme, reducedMotion: 'reduce', bypassCSP: true })
          await page.goto(`${server.origin}/${hash}`)
          await page.waitForSelector('main')
          await prepare(page)
          await page.evaluate('scrollTo(0, 0)')
          const path = `docs/pictures/${name}-${theme}.png`
          const top = part === undefined ? 0 : (await page.locator(part).boundingBox())!.y - MARGIN
          await page.screenshot({ path: join(root, path), clip: { x: 0, y: top, width, height } })
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
