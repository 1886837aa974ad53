// The address holds the whole state: links, back, copies; and no address breaks the page.
import { describe, expect, it } from 'vitest'
import { close, copied, field, inChromium, open, opensSite, verdict, view } from './site.ts'

describe('the address', inChromium, () => {
  opensSite()

  it('follows what is done, and back goes back', async () => {
    const page = await open()
    await field(page).pressSequentially('  4')
    await expect.poll(() => verdict(page)).toContain('gives (2,3,4)')
    await page.getByLabel('Rule', { exact: true }).selectOption('none')
    await view(page, 'Rules')
    await expect.poll(() => page.url()).toContain('view=rules')
    await page.goBack()
    await expect.poll(() => page.locator('.rules').count()).toBe(0)
    await expect.poll(() => verdict(page)).toContain('shapes must be equal')
    await page.goBack()
    await expect.poll(() => verdict(page)).toContain('under numpy')
    // All that was typed is one step.
    await page.goBack()
    await expect.poll(() => field(page).inputValue()).toBe('2,3,4  3,1')
    await page.goForward()
    await expect.poll(() => field(page).inputValue()).toBe('2,3,4  3,1  4')
    await close(page)
  })

  it('is copied as a link that opens the same', async () => {
    const page = await open('#text=2,3,4,5++3,4&rule=pdpd&axis=1&cell=1,2,3,4')
    const link = await copied(page, 'Copy link', 'Link copied.')
    expect(link).toContain('rule=pdpd&axis=1')
    const other = await open(new URL(link).hash)
    await expect.poll(() => verdict(other)).toBe(await verdict(page))
    await expect.poll(() => other.locator('#index-map').textContent()).toBe('z[1,2,3,4] = a[1,2,3,4] + b[2,3]')
    await close(other)
    await close(page)
  })

  it('of a picture is a file: SVG and PNG', async () => {
    const page = await open('#text=4,3++3')
    const text = await copied(page, 'Copy picture as SVG', 'Picture (SVG) copied.')
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(text).toContain('<title>(4,3) with (3) under numpy gives (4,3).</title>')
    await copied(page, 'Copy picture as PNG', 'Picture copied.')
    const [types, size] = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read()
      const image = await createImageBitmap(await item!.getType('image/png'))
      return [item!.types, image.width] as const
    })
    expect(types).toContain('image/png')
    expect(size).toBeGreaterThan(600)
    await close(page)
  })

  it.each([
    '#view=%3Cscript%3Ealert(1)%3C/script%3E',
    '#text=%3Cimg%20src=x%20onerror=alert(1)%3E&rule=__proto__&sizes=__proto__',
    `#text=${'2,3++'.repeat(9000)}`,
    '#cell=9,9,9&fix=77&finding=12&onto=5&dtype=nothing&operator=constructor&view=values',
    '#text=2,3++3&values=0:9,9=1;5:0=2&view=values',
    '#%E0%A4%A&&&===',
  ])('that is hostile ($#) leaves the page alive', async (hash) => {
    const page = await open(hash)
    await page.waitForLoadState('networkidle')
    await expect.poll(() => page.locator('main script, main img').count()).toBe(0)
    await field(page).fill('4,3  3')
    await expect.poll(() => verdict(page)).toContain('gives (4,3)')
    await close(page)
  })

  it('that says what the page does not know is told', async () => {
    const page = await open('#view=nowhere&text=4,3++3')
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('view=nowhere')
    await expect.poll(() => verdict(page)).toContain('gives (4,3)')
    await close(page)
  })
})
