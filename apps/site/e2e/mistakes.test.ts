// Mistakes teach: the axis in place, the sentence, fixes that apply and can be undone, results that nobody meant.
import { describe, expect, it } from 'vitest'
import { close, field, inChromium, open, opensSite, verdict } from './site.ts'

describe('a mistake', inChromium, () => {
  opensSite()

  it('is shown on its axis, with fixes that apply and are undone', async () => {
    const page = await open('#text=2,3,4++2,4')
    await expect
      .poll(() => page.locator('.aligned .conflict').allTextContents())
      .toEqual(['3 does not fit', '2 does not fit'])
    await expect.poll(() => verdict(page)).toContain('sizes on an axis must be equal or 1')
    await page.getByRole('button', { name: /reshape B from \(2,4\) to \(2,1,4\)/ }).click()
    await expect.poll(() => verdict(page)).toContain('(2,3,4) with (2,1,4) under numpy gives (2,3,4)')
    await expect.poll(() => page.locator('.applied').textContent()).toContain('b.reshape(2, 1, 4)')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => verdict(page)).toContain('cannot broadcast')
    await expect.poll(() => field(page).inputValue()).toBe('2,3,4  2,4')
    await page.goBack()
    await expect.poll(() => verdict(page)).toContain('(2,1,4)')
    await close(page)
  })

  it('of ranks is told where there is no axis to show', async () => {
    const page = await open('#text=3++2,3&rule=unidirectional')
    await expect.poll(() => verdict(page)).toContain('B has rank 2')
    await expect.poll(() => page.locator('.figure').count()).toBe(1)
    await close(page)
  })

  it('that holds is pointed out with what it costs', async () => {
    const page = await open('#text=1000++1000,1')
    const note = page.locator('.fixes .note')
    await expect.poll(() => note.textContent()).toContain('the result 1,000,000: 4.00 MB in float32')
    await page.getByRole('button', { name: /reshape B from \(1000,1\) to \(1000\)/ }).click()
    await expect.poll(() => verdict(page)).toContain('gives (1000)')
    await close(page)
  })

  it('goes on from its fix when the rule is changed', async () => {
    const page = await open('#text=2,3,4++2,4&fix=0')
    await page.getByLabel('Rule', { exact: true }).selectOption('unidirectional')
    await expect.poll(() => field(page).inputValue()).toBe('2,3,4  2,1,4')
    await expect.poll(() => verdict(page)).toContain('under unidirectional gives (2,3,4)')
    await close(page)
  })
})
