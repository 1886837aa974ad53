// What a person sees of shapes: the verdict, the picture, where each element comes from.
import { describe, expect, it } from 'vitest'
import { axeViolations, close, inChromium, open, opensSite } from './site.ts'

describe('shapes', inChromium, () => {
  opensSite()

  it('are explained in the words of the library', async () => {
    const page = await open('#text=2,3,4++2,1')
    const verdict = page.getByRole('status').first()
    expect(await verdict.textContent()).toContain('cannot broadcast')
    await page.getByLabel('Shapes, an error message').fill('2,3,4 3,1')
    expect(await verdict.textContent()).toContain('(2,3,4) with (3,1) under numpy gives (2,3,4)')
    expect(await axeViolations(page)).toEqual([])
    await close(page)
  })
})
