// The engine at an expression: axes, plan, code, and times on this machine.
import { describe, expect, it } from 'vitest'
import { folder } from '../build/folder.ts'
import { serveFolder } from '../commands/serve.ts'
import { axeViolations, close, inChromium, open, opensSite, visitor, watched } from './site.ts'

const standardize = '#view=engine&text=(x+-+m)+/+s++x%3D8,16,512+m%3D512+s%3D512'

describe('the engine', inChromium, () => {
  opensSite()

  it('shows axes, plan and code', async () => {
    const page = await open(standardize)
    const table = page.locator('.axes')
    await table.waitFor()
    await expect.poll(() => table.textContent()).toContain('3 axes (8,16,512) become 2 loops: 128 × 512')
    await expect.poll(() => table.getByRole('row', { name: /^m / }).textContent()).toContain('unit: element by element')
    await expect.poll(() => page.locator('.plan').textContent()).toContain('loops 128 x 512')
    await page.locator('.kernel summary').first().click()
    const code = await page.locator('.kernel pre').first().textContent()
    expect(code).toMatch(/^\s*\(module\n/)
    expect(code).toContain('f32x4.div')
    expect(await axeViolations(page)).toEqual([])
    await close(page)
  })

  it('measures it in a worker, with threads', async () => {
    const page = await open(standardize, { theme: 'dark', width: 375 })
    await page.getByText('Threads are on').waitFor()
    await page.getByRole('button', { name: 'Measure' }).click()
    await page.getByText('Measured.').waitFor()
    const bars = await page.locator('.bars li').allTextContents()
    expect(bars.map((bar) => /^[^,:]*/.exec(bar)![0])).toEqual(['Fused', 'Fused', 'Not fused', 'Plain JavaScript'])
    for (const bar of bars) expect(bar).toMatch(/\d (µs|ms)/)
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375)
    await close(page)
  })

  it('has one thread where the page is not isolated, and says how to get more', async () => {
    const server = await serveFolder(folder, 0, { headers: {} })
    const page = await watched(await visitor(), server.origin)
    await page.goto(`${server.origin}/${standardize}`)
    await page.getByText('Cross-Origin-Opener-Policy: same-origin').waitFor()
    await page.getByRole('button', { name: 'Measure' }).click()
    await page.getByText('Measured.').waitFor()
    await expect.poll(() => page.locator('.bars li').count()).toBe(3)
    await close(page)
    await server.close()
  })

  it('inspects what is too large to measure, and says so', async () => {
    const page = await open('#view=engine&text=x+%2B+y++x%3D100000,100000+y%3D100000')
    await page.locator('.plan').waitFor()
    await page.getByRole('button', { name: 'Measure' }).click()
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('this page measures up to 67,108,864')
    await page.getByLabel('Shapes, an error message').fill('x + y  x=10 y=10')
    await page.getByText('1 axis (10) become 1 loop').waitFor()
    await page.getByRole('button', { name: 'Measure' }).click()
    await page.getByText('Measured.').waitFor()
    await close(page)
  })

  it('shows where an expression fails', async () => {
    const page = await open('#view=engine&text=(x+-)+/+s++x%3D8+s%3D8')
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/\^/)
    await close(page)
  })

  it('invites who has typed none', async () => {
    const page = await open('#view=engine&text=2,3++3')
    await page.getByRole('button', { name: 'Show this one' }).click()
    await page.getByText('become 2 loops: 4096 × 4096').waitFor()
    await close(page)
  })
})
