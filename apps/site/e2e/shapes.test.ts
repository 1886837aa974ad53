// What a person sees of shapes: the verdict, the picture, where each element comes from, sizes to try, steps to play.
import { describe, expect, it } from 'vitest'
import { close, copied, field, inChromium, indexMap, open, opensSite, picture, verdict } from './site.ts'

describe('shapes', inChromium, () => {
  opensSite()

  it('are explained in the words of the library as they are typed', async () => {
    const page = await open()
    await expect.poll(() => verdict(page)).toContain('(2,3,4) with (3,1) under numpy gives (2,3,4)')
    await field(page).fill('2,3,4  2,1')
    await expect.poll(() => verdict(page)).toContain('cannot broadcast axis -2: 3 vs 2')
    await field(page).fill('5,1,4  3,1  5,3,4  4  1  ()')
    await expect.poll(() => verdict(page)).toContain('gives (5,3,4)')
    await expect.poll(() => page.locator('.aligned tbody tr').count()).toBe(7)
    await close(page)
  })

  it('are drawn with ghosts, each size in the colour of its axis', async () => {
    const page = await open('#text=4,3++3')
    await expect.poll(() => picture(page).locator('.ghost').count()).toBe(9)
    await expect.poll(() => picture(page).locator('.ghost rect[stroke-dasharray]').count()).toBe(9)
    await expect.poll(() => picture(page).locator('[data-cell]').count()).toBe(12)
    await expect
      .poll(() => picture(page).getAttribute('aria-label'))
      .toContain('B is 3: axis -2 is added and repeated 4 times')
    const colours = await page.$$eval('.axis-1', (all) => new Set(all.map((each) => getComputedStyle(each).color)).size)
    expect(colours).toBe(1)
    await close(page)
  })

  it('tell where the element under the pointer comes from', async () => {
    const page = await open('#text=2,3,4++3,1')
    await picture(page).locator('[data-cell="1,2,0"]').hover()
    await expect.poll(() => indexMap(page)).toBe('z[1,2,0] = a[1,2,0] + b[2,0]')
    await expect.poll(() => picture(page).locator('rect[stroke-width="2"]').count()).toBe(4)
    await page.mouse.move(5, 5)
    await expect.poll(() => indexMap(page)).toContain('Point at an element')
    await close(page)
  })

  it('tell it to a finger', async () => {
    const page = await open('#text=4,3++3', { touch: true, width: 375, height: 812 })
    await picture(page).locator('[data-cell="3,1"]').tap()
    await expect.poll(() => indexMap(page)).toBe('z[3,1] = a[3,1] + b[1]')
    await close(page)
  })

  it('tell it to the keyboard, and remember it in the address', async () => {
    const page = await open('#text=2,3,4++3,1')
    await picture(page).focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'PageDown']) await page.keyboard.press(key)
    await expect.poll(() => indexMap(page)).toBe('z[1,1,1] = a[1,1,1] + b[1,0]')
    await page.keyboard.press('End')
    await expect.poll(() => indexMap(page)).toBe('z[1,2,3] = a[1,2,3] + b[2,0]')
    await expect.poll(() => page.url()).toContain('cell=1,2,3')
    await close(page)
  })

  it('meet under any rule, with its options', async () => {
    const page = await open('#text=2,3,4,5++3,4')
    await expect.poll(() => verdict(page)).toContain('cannot broadcast')
    await page.getByLabel('Rule', { exact: true }).selectOption('pdpd')
    await page.getByLabel('axis where B starts').selectOption('1')
    await expect.poll(() => verdict(page)).toContain('under pdpd(axis=1) gives (2,3,4,5)')
    await picture(page).locator('[data-cell="1,2,3,4"]').hover()
    await expect.poll(() => indexMap(page)).toBe('z[1,2,3,4] = a[1,2,3,4] + b[2,3]')
    await page.getByLabel('Rule', { exact: true }).selectOption('explicit')
    await page.getByLabel('result axis of each axis of B').fill('1,2')
    await page.keyboard.press('Enter')
    await expect.poll(() => verdict(page)).toContain('explicit(axesMapping=[1,2]) gives (2,3,4,5)')
    await page.getByLabel('result axes that B lacks').fill('0,3')
    await page.keyboard.press('Enter')
    await expect.poll(() => verdict(page)).toContain('explicit(broadcastAxes={0,3}) gives (2,3,4,5)')
    await page.getByLabel('keeps its shape').selectOption('B')
    await expect.poll(() => verdict(page)).toContain('They do not meet')
    await close(page)
  })

  it('with names say when they meet, and sizes can be tried', async () => {
    const page = await open('#text=N,3++4,M')
    await expect.poll(() => verdict(page)).toContain('it holds if (N = 1 or N = 4) and (M = 1 or M = 3)')
    const slider = page.getByLabel(/^N =/)
    await slider.fill('1')
    await expect
      .poll(() => page.locator('main').textContent())
      .toContain('With these sizes: (1,3) with (4,3) under numpy gives (4,3)')
    await slider.focus()
    await page.keyboard.press('ArrowRight')
    await expect
      .poll(() => page.locator('main').textContent())
      .toContain('With these sizes: cannot broadcast axis -2: 2 vs 4')
    await close(page)
  })

  it('are played step by step', async () => {
    const page = await open('#text=4,3++3', { motion: true })
    const shown = (name: string): Promise<number> => picture(page).locator(`.${name}[opacity="1"]`).count()
    await page.getByLabel('Given').check()
    expect([await shown('cell'), await shown('ghost')]).toEqual([15, 0])
    await page.getByLabel('Stretch').check()
    expect([await shown('cell'), await shown('ghost')]).toEqual([15, 9])
    // The clock is the test's own: a busy machine would miss a step.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', { name: 'Play' }).click()
    const heights = new Set<number>()
    for (const step of ['given', 'pad', 'stretch', 'compute']) {
      await expect.poll(() => page.locator('.steps :checked').inputValue()).toBe(step)
      heights.add((await picture(page).boundingBox())!.height)
      await page.clock.runFor(1100)
    }
    expect(heights.size).toBe(1)
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await expect.poll(() => shown('cell')).toBe(27)
    await close(page)
  })

  it('of more axes than a picture has are a table', async () => {
    const page = await open('#text=2,3,4,5,6,7++3,1,1,1,1')
    await expect.poll(() => page.locator('.aligned tbody tr').count()).toBe(3)
    await expect.poll(() => page.locator('main').textContent()).toContain('Pictures have up to 4 axes')
    const text = await copied(page, 'Copy picture as SVG', 'Picture (SVG) copied.')
    expect(text.match(/>7<\/text>/g)).toHaveLength(2)
    await close(page)
  })
})
