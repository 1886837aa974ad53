// The one field takes what people have: messages, expressions, files, examples; and bad input of every kind.
import { tensor } from 'bcast'
import { writeNpy } from 'bcast/npy'
import { describe, expect, it } from 'vitest'
import { close, copied, field, inChromium, open, opensSite, verdict } from './site.ts'

const numpyMessage = 'ValueError: operands could not be broadcast together with shapes (32,10) (32,)'

describe('the field', inChromium, () => {
  opensSite()

  it('reads an error message and shows its shapes', async () => {
    const page = await open()
    await field(page).fill(`Traceback (most recent call last):\n  File "x.py", line 3\n${numpyMessage}`)
    await page.getByText('NumPy says:').waitFor()
    await expect.poll(() => verdict(page)).toContain('cannot broadcast axis -1: 10 vs 32')
    await page.getByRole('button', { name: /reshape B from \(32\) to \(32,1\)/ }).click()
    await expect.poll(() => verdict(page)).toContain('(32,10) with (32,1) under numpy gives (32,10)')
    await close(page)
  })

  it('draws what a message without shapes has, and says how to see the rest', async () => {
    const page = await open()
    await field(page).fill('The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1')
    const drawn = page.getByRole('img', { name: /^a is \(\?,3,…\): other axes are not known, 3 does not fit/ })
    await drawn.waitFor()
    await expect.poll(() => drawn.locator('.cell').count()).toBe(7)
    await page.getByText('To see the shapes: print(a.shape, b.shape)').waitFor()
    expect(await copied(page, 'Copy picture as SVG', 'Picture (SVG) copied.')).toContain('a (?,3,…)')
    // What was asked for, as PyTorch prints it.
    await field(page).fill('torch.Size([2, 3]) torch.Size([2, 4])')
    await expect.poll(() => verdict(page)).toContain('cannot broadcast axis -1: 3 vs 4')
    await close(page)
  })

  it('lets one choose among several messages', async () => {
    const page = await open()
    await field(page).fill(
      `${numpyMessage}\nRuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1`,
    )
    await page.getByText('2 messages').waitFor()
    await page.getByRole('radio', { name: /PyTorch/ }).check()
    await page.getByText('3 meets 4 on axis 1 from the left').waitFor()
    await page.getByRole('radio', { name: /NumPy/ }).check()
    await expect.poll(() => verdict(page)).toContain('10 vs 32')
    await close(page)
  })

  it('offers the shapes of a text that is no message it knows', async () => {
    const page = await open()
    await field(page).fill('why can I not add (2,3) and (4,)?')
    await page.getByRole('button', { name: 'Show the shapes in it: (2,3) (4,)' }).click()
    await expect.poll(() => verdict(page)).toContain('cannot broadcast axis -1: 3 vs 4')
    await page.goBack()
    await expect.poll(() => field(page).inputValue()).toContain('why')
    await close(page)
  })

  it('infers the shape of an expression', async () => {
    const page = await open()
    await field(page).fill('(x - mean) / std  x=100,3 mean=3 std=100,1')
    await page.getByText('gives (100,3). Its arrays as they meet: A is x, B is mean, C is std.').waitFor()
    await expect.poll(() => verdict(page)).toContain('gives (100,3)')
    await page.locator('[data-cell="99,2"]').hover()
    await expect.poll(() => page.locator('#index-map').textContent()).toBe('z[99,2] = f(a[99,2], b[2], c[99,0])')
    await field(page).fill('(x - mean) / std  x=100,3 mean=4 std=3')
    await page.getByText('cannot broadcast axis -1: 3 vs 4').waitFor()
    await close(page)
  })

  it('takes files: arrays by their shapes, texts as they are', async () => {
    const page = await open()
    const array = (shape: number[]): Buffer =>
      Buffer.from(writeNpy(tensor(new Float32Array(shape.reduce((a, b) => a * b, 1)), { shape }) as never))
    await page.getByLabel('Open files').setInputFiles([
      { name: 'x.npy', mimeType: 'application/octet-stream', buffer: array([4, 3]) },
      { name: 'y.npy', mimeType: 'application/octet-stream', buffer: array([3]) },
    ])
    await page.getByText('under numpy gives (4,3)').waitFor()
    await expect.poll(() => field(page).inputValue()).toBe('4,3  3')
    await page
      .getByLabel('Open files')
      .setInputFiles([{ name: 'log', mimeType: 'text/plain', buffer: Buffer.from(numpyMessage) }])
    await page.getByText('NumPy says:').waitFor()
    await page.getByLabel('Open files').setInputFiles([{ name: 'a.bin', mimeType: '', buffer: Buffer.from([0, 1, 2]) }])
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('a.bin is neither')
    await close(page)
  })

  it('takes files that are dropped', async () => {
    const page = await open()
    const bytes = [...writeNpy(tensor(new Float32Array(6), { shape: [2, 3] }) as never)]
    const dropped = await page.evaluateHandle((content) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(content)], 'x.npy'))
      return data
    }, bytes)
    await page.dispatchEvent('main', 'dragover', { dataTransfer: dropped })
    await expect.poll(() => page.locator('.field.dropping').count()).toBe(1)
    await page.dispatchEvent('main', 'drop', { dataTransfer: dropped })
    await page.getByText('(2,3) under numpy gives (2,3)').waitFor()
    await expect.poll(() => page.locator('.field.dropping').count()).toBe(0)
    await close(page)
  })

  it('has examples beside it', async () => {
    const page = await open()
    await page.getByRole('button', { name: /a million elements by accident/ }).click()
    await expect.poll(() => field(page).inputValue()).toBe('1000  1000,1')
    await page.getByText('OpenVINO: broadcast rules').click()
    await page.getByRole('button', { name: /2,3,4,5 3,4 ?pdpd, axis 1/ }).click()
    await expect.poll(() => verdict(page)).toContain('under pdpd(axis=1) gives (2,3,4,5)')
    await close(page)
  })
})

describe('bad input', inChromium, () => {
  opensSite()

  const big = `${'a line of a log that says nothing of shapes\n'.repeat(24_000)}${numpyMessage}`

  it.each([
    ['hello', 'No shapes, no expression with sizes, and no error message'],
    ['2,x!,3  4', '"x!" in shape "2,x!,3" is no size'],
    [`${'1,'.repeat(69)}1`, '70 axes, and the page takes up to 64'],
    ['2 3 4 5 6 7 8', '7 shapes, and the page draws up to 6'],
    ['99999999999999999999', 'above 2^53 - 1'],
    ['94906267,94906267  2,1,1', '2^53 - 1'],
    ['<img src=x onerror="document.title=1">', 'No shapes'],
    ['x +  x=2', 'x +'],
    ['x +* y  x=2 y=2', 'x +* y'],
    ['x + y  x=2', 'No size is given for y'],
    ['(2', '"(2" in shape'],
  ])('%j is told', async (text, said) => {
    const page = await open()
    await field(page).fill(text)
    await page.getByRole('alert').filter({ hasText: said }).waitFor()
    await expect.poll(() => page.locator('main img').count()).toBe(0)
    await field(page).fill('4,3  3')
    await expect.poll(() => verdict(page)).toContain('gives (4,3)')
    await close(page)
  })

  it('of forty axes and 10^12 elements is answered', async () => {
    const page = await open()
    await field(page).fill(Array.from({ length: 40 }, (_, i) => (i % 3) + 1).join())
    await expect.poll(() => page.locator('.aligned thead th').count()).toBe(41)
    await field(page).fill('1000000,1  1000000')
    await expect.poll(() => verdict(page)).toContain('gives (1000000,1000000)')
    await close(page)
  })

  it('of a megabyte is read, and its address holds the message alone', async () => {
    const page = await open()
    // As a paste: typing a megabyte takes long in any field.
    await field(page).evaluate((element, text) => {
      ;(element as HTMLTextAreaElement).value = text
      element.dispatchEvent(new Event('input', { bubbles: true }))
    }, big)
    await page.getByText('NumPy says:').waitFor()
    await expect.poll(() => verdict(page)).toContain('10 vs 32')
    await page.waitForFunction(() => location.hash.includes('operands'))
    await expect.poll(() => page.url().length).toBeLessThan(1000)
    await page.reload()
    await page.getByText('NumPy says:').waitFor()
    await close(page)
  })
})
