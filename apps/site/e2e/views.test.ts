// The other views: values that the engine computes, rules side by side, code to copy.
import { describe, expect, it } from 'vitest'
import { close, copied, inChromium, open, opensSite, picture, verdict, view } from './site.ts'

describe('values', inChromium, () => {
  opensSite()

  it('are computed as they are typed, and wrap around where the type ends', async () => {
    const page = await open('#text=2,3++3')
    await view(page, 'Values')
    const cell = picture(page).locator('[data-cell="0,1"]')
    await expect.poll(() => cell.textContent()).toBe('22')
    await page.getByLabel('Element type').selectOption('int8')
    await page.getByLabel('A[0,1]').fill('120')
    await page.keyboard.press('Tab')
    await page.getByLabel('B[1]').fill('100')
    await page.keyboard.press('Tab')
    await expect.poll(() => cell.textContent()).toBe('-36')
    await cell.click()
    await expect.poll(() => page.locator('main').textContent()).toContain('z[0,1] is -36 in int8: wrapped around.')
    await page.reload()
    await page.waitForSelector('[data-cell]')
    await expect.poll(() => cell.textContent()).toBe('-36')
    await page.getByLabel('A[0,0]').fill('300')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('300 cannot be an element of type int8')
    await close(page)
  })

  it('show what float16 rounds and what is no number', async () => {
    const page = await open('#text=2++2&view=values&dtype=float16&values=0:0=2048;1:0=1;0:1=inf;1:1=-inf&cell=0')
    await page.waitForSelector('[data-cell]')
    await expect.poll(() => picture(page).locator('[data-cell]').allTextContents()).toEqual(['2048', 'nan'])
    await expect.poll(() => page.locator('main').textContent()).toContain('z[0] is 2048 in float16: rounded.')
    await close(page)
  })

  it('have every operator for so many operands', async () => {
    const page = await open('#text=3++2,3++()&view=values')
    await page.getByLabel('Operator').selectOption('where')
    await expect
      .poll(() => picture(page).locator('[data-cell]').allTextContents())
      .toEqual(['10', '3', '30', '40', '3', '60'])
    await page.getByLabel('Operator').selectOption('sum')
    await page.getByLabel('Element type').selectOption('real')
    await page.waitForSelector('[data-cell]')
    await expect.poll(() => picture(page).locator('[data-cell]').first().textContent()).toBe('14')
    await close(page)
  })

  it('of too many elements are not computed', async () => {
    const page = await open('#text=1000000++1000000,1&view=values')
    await page.waitForFunction(() => document.body.textContent?.includes('1,000,000,000,000 elements'))
    await close(page)
  })
})

describe('rules', inChromium, () => {
  opensSite()

  it('are compared side by side, and one is taken', async () => {
    const page = await open('#text=2,3,4,5++3,4')
    await view(page, 'Rules')
    const rows = page.locator('.rules tbody tr')
    await expect.poll(() => rows.count()).toBe(11)
    await expect.poll(() => rows.filter({ hasText: 'fails' }).count()).toBe(10)
    await expect.poll(() => rows.filter({ hasText: /^pdpd/ }).textContent()).toContain('pdpd(axis=1) would hold')
    await page.getByRole('button', { name: 'Use matmulBatch' }).click()
    await expect.poll(() => verdict(page)).toContain('under matmulBatch gives (2,3)')
    await close(page)
  })
})

describe('code', inChromium, () => {
  opensSite()

  it('has the chosen fix, in six languages, to copy', async () => {
    const page = await open('#text=2,3,4++2,4')
    await view(page, 'Code')
    await expect.poll(() => page.locator('main').textContent()).toContain('Apply one of the fixes')
    await page.getByRole('button', { name: /reshape B from/ }).click()
    await expect
      .poll(() => page.locator('.code h2').allTextContents())
      .toEqual([...['bcast', 'NumPy', 'PyTorch', 'JAX', 'ONNX (Expand)', 'OpenVINO']])
    const code = await copied(page, 'Copy NumPy code', 'NumPy code copied.')
    expect(code).toContain('b = b.reshape((2, 1, 4))')
    expect(code).toContain('assert tuple(z.shape) == (2, 3, 4)')
    await close(page)
  })
})
