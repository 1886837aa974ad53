// The documentation as people read it: axe in both themes, every width, the search by keyboard, copying, the way into
// the playground and back, and what is left of it without a network.
import { describe, expect, it } from 'vitest'
import { folder } from '../build/folder.ts'
import { serveFolder } from '../commands/serve.ts'
import { axeViolations, close, inChromium, open, opensSite, verdict, visitor, watched } from './site.ts'

const pages = [
  'docs/index.html',
  'docs/rules.html',
  'docs/errors.html',
  'docs/bench.html',
  'docs/training.html',
  'docs/api-bcast-operators.html',
  'docs/api-bcast-tensors.html',
]

describe.each(['light', 'dark'] as const)('axe, %s', { ...inChromium }, (theme) => {
  opensSite()

  it.each(pages)('finds nothing in %s', async (address) => {
    const page = await open(address, { theme })
    // What is hidden until it is asked for counts, too.
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    expect(await axeViolations(page)).toEqual([])
    await close(page)
  })

  it('finds nothing in the search and the menu', async () => {
    const page = await open('docs/index.html', { theme, width: 375 })
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect.poll(() => page.getByRole('link', { name: 'The rules' }).first().isVisible()).toBe(true)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('broadcast')
    await page.locator('.results a').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    await close(page)
  })
})

describe('the documentation', inChromium, () => {
  opensSite()

  it.each([320, 375, 768, 1280, 1920])('fits into %i pixels', async (width) => {
    const page = await open('docs/index.html', { width })
    for (const address of [...pages, 'docs/coming-from.html', 'docs/api-onnx-check.html', 'docs/traceability.html']) {
      await page.goto(`${new URL(page.url()).origin}/${address}`)
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([address, wide]).toEqual([address, 0])
    }
    await close(page)
  })

  it('is searched by keyboard, and loads the index only then', async () => {
    const page = await open('docs/index.html')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.keyboard.press('/')
    await page.keyboard.type('unidirectional')
    await page.locator('.results a').first().waitFor()
    expect(asked.filter((path) => /search\.(js|json)$/.test(path))).toHaveLength(2)
    await expect.poll(() => page.locator('.search .status').textContent()).toMatch(/^\d+ found$/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/(rules|api-bcast-shapes)\.html#unidirectional$/)
    await expect
      .poll(() => page.locator('dialog.search').evaluate((dialog) => (dialog as HTMLDialogElement).open))
      .toBe(false)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('zzzzqqq')
    await page.getByText('Nothing is found for zzzzqqq.').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog.search').isVisible()).toBe(false)
    await close(page)
  })

  it('begins with a link to the text', async () => {
    const page = await open('docs/rules.html')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('text')
    await close(page)
  })

  it('copies code', async () => {
    const page = await open('docs/index.html')
    const box = page.locator('.code', { hasText: 'npm install bcast' }).first()
    await box.hover()
    await Promise.all([box.getByText('Copied').waitFor(), box.getByRole('button', { name: 'Copy' }).click()])
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm install bcast')
    await close(page)
  })

  it('has the theme of the playground, and pictures that follow it', async () => {
    const page = await open('docs/rules.html', { theme: 'dark' })
    const shown = (): Promise<string[]> =>
      page.locator('.picture:visible img').evaluateAll((all) => all.map((image) => image.getAttribute('src') ?? ''))
    expect((await shown()).every((src) => src.endsWith('.dark.svg'))).toBe(true)
    await page.getByRole('button', { name: 'Light' }).click()
    const light = await shown()
    expect(light.length).toBeGreaterThan(5)
    expect(light.every((src) => src.endsWith('.light.svg'))).toBe(true)
    await page.getByRole('link', { name: 'Playground' }).first().click()
    await page.waitForSelector('.verdict')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light')
    await close(page)
  })

  it('opens examples in the playground, from where back leads here', async () => {
    const page = await open('docs/rules.html')
    await page.locator('#pdpd ~ .open a').first().click()
    await page.waitForSelector('.verdict')
    await expect.poll(() => verdict(page)).toContain('(2,3,2,2) with (3) under pdpd(axis=1) gives (2,3,2,2)')
    await page.goBack()
    await expect.poll(() => page.url()).toContain('docs/rules.html')
    await page.goto(page.url().replace('rules.html', 'api-bcast-operators.html'))
    await page.locator('section:has(#where) .open a').click()
    await page.waitForSelector('[data-cell]')
    await expect.poll(() => page.locator('#operator').inputValue()).toBe('where')
    await page.getByRole('link', { name: 'Docs', exact: true }).click()
    await page.waitForURL(/docs\/index\.html$/)
    await close(page)
  })

  it.each([375, 1350])('does not jump while it loads, %i pixels wide', async (width) => {
    const page = await open('docs/rules.html', { width })
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
          }).observe({ type: 'layout-shift', buffered: true } as PerformanceObserverInit)
          setTimeout(() => resolve(sum), 300)
        }),
    )
    expect(shift).toBeLessThan(0.02)
    await close(page)
  })

  it('is there without a network, under any path', async () => {
    const server = await serveFolder(folder, 0, { under: '/some/path/', headers: {} })
    const context = await visitor()
    const page = await watched(context, server.origin)
    await page.goto(`${server.origin}/some/path/`)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await server.close()
    await page.goto(`${server.origin}/some/path/docs/rules.html`)
    await page.keyboard.press('/')
    await page.keyboard.type('sumTo')
    await page.locator('.results a').first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#numpy ~ .open a').first().click()
    await page.waitForSelector('.verdict')
    await close(page)
  })
})
