// A model in the page: checked in a worker, listed, opened as pictures, written; and what happens with files that are
// none.
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkModel, makeExplicit, readModel, reportMarkdown, reportText, writeModel } from '@bcast/onnx'
import { fromData, type Tensor, tensor } from 'bcast'
import { writeNpy } from 'bcast/npy'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modelOf, node } from '../../../testing/models/infer.ts'
import { packaged } from '../../../testing/models/packaged.ts'
import { needs } from '../../../testing/needs.ts'
import { folder as site } from '../build/folder.ts'
import { serveFolder } from '../commands/serve.ts'
import { axeViolations, close, inChromium, open, opensSite, visitor, watched } from './site.ts'

const detection = packaged.find((file) => file.endsWith('det_infer.onnx'))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bcast-site-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function written(name: string, content: Uint8Array | string): string {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

const broken = (): Uint8Array =>
  writeModel(
    modelOf({
      inputs: { x: '2, 3', y: '4, 4', row: fromData('float32', new Float32Array(3), [3]) as Tensor, n: 'N, 3' },
      nodes: [
        { ...node('Add', 'x y', 'a'), name: 'fails' },
        { ...node('Mul', 'x row', 'b'), name: 'stretches' },
        { ...node('Sub', 'x n', 'c'), name: 'depends' },
        node('Add', 'x x', 'd'),
      ],
    }),
  )

/** Chooses files where the field has them. */
const choose = async (page: Page, ...files: string[]): Promise<void> =>
  page.getByLabel('Open files').setInputFiles(files)

const summary = (page: Page): ReturnType<Page['locator']> => page.locator('.model .verdict .headline')
const rows = (page: Page): ReturnType<Page['locator']> => page.locator('.broadcasts tbody tr')

async function downloaded(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ])
  return readFileSync(await download.path())
}

describe('a model', inChromium, () => {
  opensSite()

  it('is checked, with the findings and the broadcasts of the command line', async () => {
    const page = await open()
    await choose(page, written('broken.onnx', broken()))
    await summary(page).waitFor()
    const [head] = reportText(checkModel(readModel(broken()))).split('\n')
    await expect.poll(() => summary(page).textContent()).toContain(`broken.onnx ${head}`)
    await expect.poll(() => page.locator('.finding').first().textContent()).toContain('node 0 "fails" (Add)')
    await expect.poll(() => rows(page).count()).toBe(4)
    expect(await axeViolations(page)).toEqual([])
    await close(page)
  })

  it('opens each broadcast as a picture with its producers, and goes back', async () => {
    const page = await open()
    await choose(page, written('broken.onnx', broken()))
    await page.getByRole('button', { name: 'node 1 "stretches" (Mul)' }).click()
    const note = page.getByRole('region', { name: 'Node of the model' })
    await expect.poll(() => note.textContent()).toContain('B is row, from initializer')
    await expect.poll(() => page.getByLabel('Shapes, an error message').inputValue()).toBe('2,3  3')
    await expect.poll(() => page.locator('.figure svg').count()).toBe(1)
    await expect.poll(() => page.url()).toContain('node=1')
    await page.goBack()
    await summary(page).waitFor()
    await page.goForward()
    await note.getByRole('button', { name: 'Back to the model' }).click()
    await expect.poll(() => rows(page).count()).toBe(4)
    await close(page)
  })

  it('is not in an address, which says so', async () => {
    const page = await open('#text=2,3++3&node=1')
    await page.getByText('These shapes are of a model, which an address does not hold.').waitFor()
    await expect.poll(() => page.locator('.figure svg').count()).toBe(1)
    await page.getByRole('button', { name: 'Open the model' }).click()
    await page.getByText('Nothing is uploaded. Weights').waitFor()
    await page.getByLabel('Choose an .onnx model').setInputFiles(written('broken.onnx', broken()))
    await summary(page).waitFor()
    await close(page)
  })

  it('is searched and filtered, and the address holds it', async () => {
    const page = await open()
    await choose(page, written('broken.onnx', broken()))
    await page.getByLabel('Search by name').fill('2,3 n,3')
    await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('depends')])
    await page.getByLabel('Search by name').fill('')
    await page.getByLabel('Verdict').selectOption('error')
    await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('fails')])
    await page.getByLabel('Verdict').selectOption('')
    await page.getByLabel('Pattern or finding').selectOption('row')
    await expect.poll(() => rows(page).allTextContents()).toEqual([expect.stringContaining('stretches')])
    await expect.poll(() => page.url()).toContain('about=row')
    await page.goBack()
    await expect.poll(() => rows(page).count()).toBe(4)
    await close(page)
  })

  it('is held against another profile', async () => {
    const page = await open('#profile=sonnx-strict')
    await choose(page, written('broken.onnx', broken()))
    await summary(page).waitFor()
    await expect.poll(() => summary(page).textContent()).toContain('fails under profile sonnx-strict')
    await page.getByLabel('Profile').selectOption('onnx')
    await page.getByText('under profile onnx').waitFor()
    await expect.poll(() => page.url()).not.toContain('profile=')
    await close(page)
  })

  it('is written as the command line writes it', async () => {
    const page = await open()
    await choose(page, written('broken.onnx', broken()))
    const report = checkModel(readModel(broken()))
    expect(String(await downloaded(page, 'Markdown'))).toBe(reportMarkdown(report))
    expect(JSON.parse(String(await downloaded(page, 'JSON')))).toMatchObject({ version: 1, passes: false })
    const sarif = JSON.parse(String(await downloaded(page, 'SARIF')))
    expect(sarif.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('broken.onnx')
    const explicit = readModel(await downloaded(page, 'Explicit model'))
    expect(writeModel(explicit)).toEqual(writeModel(makeExplicit(readModel(broken())).model))
    await close(page)
  })

  it('may be dropped, and used with keys alone', async () => {
    const page = await open('', { theme: 'dark', width: 375 })
    await page.evaluate(`{
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array([${broken()}])], 'dropped.onnx'))
      dispatchEvent(new DragEvent('drop', { dataTransfer: data }))
    }`)
    await summary(page).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375)
    const row = page.getByRole('button', { name: 'node 2 "depends" (Sub)', exact: true })
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Node of the model' }).waitFor()
    await expect.poll(() => page.locator('.verdict').textContent()).toContain('N')
    expect(await axeViolations(page)).toEqual([])
    await close(page)
  })

  it('of thousands of nodes is paged', async () => {
    const nodes = Array.from({ length: 5000 }, (_, i) => ({ ...node('Add', 'x row', `y${i}`), name: `add${i}` }))
    const model = modelOf({ inputs: { x: '2, 3', row: '3' }, nodes })
    const page = await open()
    await choose(page, written('many.onnx', writeModel(model)))
    await summary(page).waitFor()
    await expect.poll(() => rows(page).count()).toBe(50)
    await page.getByRole('button', { name: 'Later' }).click()
    await expect.poll(() => rows(page).first().textContent()).toContain('add50')
    await page.getByLabel('Search by name').fill('add4999')
    await expect.poll(() => rows(page).count()).toBe(1)
    await close(page)
  })

  it('that keeps its weights elsewhere says so, and takes them along', async () => {
    const model = modelOf({
      inputs: { x: '2, 3', row: fromData('float32', Float32Array.of(1, 2, 3), [3]) as Tensor },
      nodes: [node('Add', 'x row', 'y')],
    })
    const [tensor] = model.proto.graph!.initializer
    const weights = tensor!.rawData
    tensor!.rawData = new Uint8Array()
    tensor!.dataLocation = 1
    tensor!.externalData = [{ $typeName: 'onnx.StringStringEntryProto', key: 'location', value: 'weights.bin' }]
    const file = written('outside.onnx', writeModel(model))
    const page = await open()
    await choose(page, file)
    await expect
      .poll(() => page.getByText('files of their own that did not come along').textContent())
      .toContain('weights.bin')
    await choose(page, file, written('weights.bin', weights))
    await page.getByText('files of their own that did not come along').waitFor({ state: 'detached' })
    await summary(page).waitFor()
    expect(readModel(await downloaded(page, 'Explicit model')).graph.initializers.size).toBeGreaterThan(0)
    await expect.poll(() => page.getByText('put into the model itself').count()).toBe(1)
    await close(page)
  })
})

describe('a file that is no model', inChromium, () => {
  opensSite()

  it('but an array gives its type and its shape', async () => {
    const page = await open('#view=model')
    await choose(page, written('x.npy', writeNpy(tensor([[1, 2, 3]]) as never)))
    await page.getByText('x.npy is float32 of shape (1,3).').waitFor()
    await expect.poll(() => page.getByLabel('Shapes, an error message').inputValue()).toBe('1,3')
    await close(page)
  })

  it('is refused in the words of the library', async () => {
    const page = await open()
    await choose(page, written('text.onnx', 'this is no model'))
    let message = ''
    try {
      readModel(new TextEncoder().encode('this is no model'))
    } catch (error) {
      message = (error as Error).message
    }
    await expect.poll(() => page.getByRole('alert').textContent()).toContain(message)
    // The page goes on.
    await choose(page, written('broken.onnx', broken()))
    await summary(page).waitFor()
    await close(page)
  })

  it('may be cut anywhere, or empty', async () => {
    const page = await open()
    const whole = broken()
    for (const length of [0, 1, Math.floor(whole.length / 2), whole.length - 1]) {
      await choose(page, written(`cut-${length}.onnx`, whole.subarray(0, length)))
      await page.getByText(`cut-${length}.onnx cannot be checked.`).waitFor()
    }
    await close(page)
  })

  it('of 300 MB leaves the page alive', async () => {
    const page = await open()
    const file = written('large.onnx', '')
    truncateSync(file, 300_000_000)
    await choose(page, file)
    await page.getByText('large.onnx cannot be checked.').waitFor()
    await page.getByLabel('Shapes, an error message').fill('2,3  3')
    await page.getByText('gives (2,3)').waitFor()
    await close(page)
  })
})

describe('a large model', inChromium, () => {
  opensSite()

  it('of 100 MB is checked, and may be cancelled', async () => {
    const count = 25_000_000
    const model = modelOf({
      inputs: { x: '2, 3', row: '3', table: fromData('float32', new Float32Array(count), [count]) as Tensor },
      nodes: [node('Add', 'x row', 'y')],
    })
    const file = written('large.onnx', writeModel(model))
    const page = await open('', { kept: false })
    // A quick machine is done before anyone could press the button.
    let goOn = (): void => undefined
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route(/\/checker-.*\.js$/, (route) => held.then(() => route.continue()))
    await choose(page, file)
    await page.getByText('large.onnx: Loading the checker…').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The check was cancelled.').waitFor()
    goOn()
    await choose(page, file)
    await summary(page).waitFor()
    await expect.poll(() => summary(page).textContent()).toContain('1 broadcast')
    await expect.poll(() => page.url().length).toBeLessThan(200)
    await close(page)
  })
})

describe('without a network', inChromium, () => {
  opensSite()

  it('a model is checked, and an expression inspected, from the second visit on, under any path', async () => {
    const server = await serveFolder(site, 0, { under: '/some/path/', headers: {} })
    const page = await watched(await visitor(), server.origin)
    await page.goto(`${server.origin}/some/path/`)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.waitForFunction('navigator.serviceWorker.controller !== null')
    await server.close()
    await page.reload()
    await choose(page, written('broken.onnx', broken()))
    await summary(page).waitFor()
    await expect.poll(() => rows(page).count()).toBe(4)
    await page.goto(`${server.origin}/some/path/#view=engine&text=x+%2B+y++x%3D8,64+y%3D64`)
    await page.getByRole('button', { name: 'Measure' }).click()
    await page.getByText('Measured.').waitFor()
    await close(page)
  })
})

describe('PP-OCR detection', { ...inChromium, ...needs('models', detection !== undefined) }, () => {
  opensSite()

  it('is checked in the page', async () => {
    const page = await open()
    await choose(page, detection!)
    await summary(page).waitFor()
    const report = checkModel(readModel(readFileSync(detection!)))
    const [head] = reportText(report).split('\n')
    await expect.poll(() => summary(page).textContent()).toContain(head)
    await expect.poll(() => page.getByText(`${report.broadcasts.length} broadcasts.`).count()).toBe(1)
    await rows(page).first().getByRole('button').click()
    await page.getByRole('region', { name: 'Node of the model' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await close(page)
  })
})
