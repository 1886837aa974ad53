// The least that must hold of the page, as part of `npm test`: built from its sources it opens, draws, and its address
// holds what is shown. Everything else is opened by `npm run site:test`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPlayground } from '../build/playground.ts'
import { axeViolations, close, field, inChromium, open, opensSite, picture, verdict } from './site.ts'

describe('the page', inChromium, () => {
  const built = mkdtempSync(join(tmpdir(), 'bcast-page-'))
  beforeAll(() => buildPlayground(built))
  afterAll(() => rmSync(built, { recursive: true, force: true }))
  opensSite(built)

  it('opens, draws shapes, keeps them in its address, and bars nobody', async () => {
    const page = await open()
    await field(page).fill('4,3  3')
    await expect.poll(() => verdict(page)).toContain('(4,3) with (3) under numpy gives (4,3)')
    await expect.poll(() => picture(page).locator('[data-cell]').count()).toBe(12)
    await page.reload()
    await expect.poll(() => field(page).inputValue()).toBe('4,3  3')
    await expect.poll(() => verdict(page)).toContain('gives (4,3)')
    expect(await axeViolations(page)).toEqual([])
    await close(page)
  })
})
