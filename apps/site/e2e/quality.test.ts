// For everybody: axe, every width, the keyboard, no jumps; without a network, under any path, within its size.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder } from '../build/folder.ts'
import { firstLoad, total } from '../build/sizes.ts'
import { serveFolder } from '../commands/serve.ts'
import { axeViolations, close, field, inChromium, open, opensSite, verdict, visitor, watched } from './site.ts'

const pages = {
  shapes: '#text=2,3,4++3,1&cell=1,2,0',
  mistake: '#text=2,3,4++2,4',
  fixed: '#text=2,3,4++2,4&fix=0',
  names: '#text=N,3++4,M&rule=pdpd',
  outer: '#text=1000++1000,1',
  values: '#text=2,3++3&view=values&dtype=int8&values=0:0,1=120;1:1=100&cell=0,1',
  rules: '#text=2,3,4,5++3,4&view=rules',
  code: '#text=2,3,4++2,4&fix=0&view=code',
  message: '#text=The+size+of+tensor+a+(3)+must+match+the+size+of+tensor+b+(4)+at+non-singleton+dimension+1',
  expression: '#text=x+-+m++x%3D100,3+m%3D3',
  nothing: '#text=hello',
  meant: '#text=is+(2,3)+like+(4,)',
  product: '#text=mat1+and+mat2+shapes+cannot+be+multiplied+(2x3+and+4x5)',
  engine: '#view=engine&text=x+-+m++x%3D100,3+m%3D3',
  invitation: '#view=engine',
  model: '#view=model',
} as const

/** The page when everything that it loads is there. */
const settled = async (page: Awaited<ReturnType<typeof open>>): Promise<void> => {
  await page.waitForFunction(() => {
    const asked = new URLSearchParams(location.hash.slice(1)).get('text')
    return asked === null || document.querySelector<HTMLTextAreaElement>('#field')?.value === asked
  })
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() => !document.body.textContent?.includes('Loading…'))
}

describe.each(['light', 'dark'] as const)('axe, %s', { ...inChromium }, (theme) => {
  opensSite()

  it.each(Object.entries(pages))('finds nothing in %s', async (_, hash) => {
    const page = await open(hash, { theme })
    await settled(page)
    expect(await axeViolations(page)).toEqual([])
    await close(page)
  })
})

describe('the page', inChromium, () => {
  opensSite()

  it.each([320, 375, 768, 1280, 1920])('fits into %i pixels', async (width) => {
    const page = await open('', { width })
    for (const hash of [...Object.values(pages), '#text=2,3,4,5++3,1,5', '#text=5,1,4++3,1++5,3,4++4++1++()']) {
      await page.goto(`${page.url().split('#')[0]}${hash}`)
      await settled(page)
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([hash, wide]).toEqual([hash, 0])
    }
    await close(page)
  })

  it('does not jump', async () => {
    const page = await open('#text=2,3,4++3,1')
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
          }).observe({ type: 'layout-shift', buffered: true } as PerformanceObserverInit)
          setTimeout(() => resolve(sum), 500)
        }),
    )
    expect(shift).toBeLessThan(0.02)
    const top = async (): Promise<number> => (await page.locator('.figure svg').boundingBox())!.y
    const before = await top()
    await page.locator('[data-cell="1,2,3"]').hover()
    expect(await top()).toBe(before)
    await close(page)
  })

  it('is used by keyboard alone', async () => {
    const page = await open('#text=2,3,4++2,4')
    await page.keyboard.press('Tab')
    const seen: string[] = []
    for (let i = 0; i < 60; i++) {
      const what = await page.evaluate(() => {
        const { activeElement: element } = document
        return (
          element?.getAttribute('aria-label')?.slice(0, 40) || element?.textContent?.slice(0, 40) || element?.id || ''
        )
      })
      seen.push(what)
      if (what.startsWith('reshape B')) await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
    }
    await expect.poll(() => verdict(page)).toContain('gives (2,3,4)')
    for (const wanted of [
      'bcast',
      'Copy link',
      'Dark',
      'Shapes',
      'Values',
      'A is 2 by 3 by 4',
      'Copy picture as SVG',
      '4,3  3',
    ]) {
      expect(seen.some((each) => each.startsWith(wanted))).toBe(true)
    }
    await close(page)
  })

  it('is light or dark as the reader wants', async () => {
    const page = await open('', { theme: 'dark' })
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const dark = await ground()
    await page.getByRole('button', { name: 'Light' }).click()
    const light = await ground()
    expect(light).not.toBe(dark)
    await page.reload()
    await expect.poll(() => ground()).toBe(light)
    await close(page)
  })

  it('lets no script in, and no style', async () => {
    const page = await open()
    const blocked = await page.evaluate(async () => {
      const seen = new Set<string>()
      const all = new Promise<void>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
          if (seen.add(violatedDirective).size === 3) resolve()
        })
      })
      const script = document.createElement('script')
      script.textContent = 'document.title = "broken"'
      document.body.append(script)
      const style = document.createElement('style')
      style.textContent = 'body { display: none }'
      document.body.append(style)
      await fetch('https://example.com/').catch(() => undefined)
      await all
      return [...seen].sort()
    })
    expect(blocked).toEqual(['connect-src', 'script-src-elem', 'style-src-elem'])
    expect(await page.title()).toContain('bcast')
    await page.context().close()
  })
})

describe('the folder', inChromium, () => {
  opensSite()

  it('is served under any path, and is there without a network from the second visit on', async () => {
    const server = await serveFolder(folder, 0, { under: '/some/path/', headers: {} })
    const context = await visitor()
    const page = await watched(context, server.origin)
    await page.goto(`${server.origin}/some/path/`)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await server.close()
    await page.reload()
    await field(page).fill('operands could not be broadcast together with shapes (4,3) (4,)')
    await page.getByText('NumPy says:').waitFor()
    await expect.poll(() => verdict(page)).toContain('3 vs 4')
    await page.goto(`${server.origin}/some/path/#text=2,3++3&view=values`)
    await page.waitForSelector('[data-cell]')
    await close(page)
  })

  it('is small: what the first visit loads has at most 60 kB', () => {
    const { first } = firstLoad(folder)
    expect(first.size).toBeGreaterThan(3)
    expect(total(first)).toBeLessThan(60_000)
  })

  it('asks nobody else', () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8').replaceAll('&#39;', "'")
    expect(page).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/,
    )
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style| style=/)
  })
})
