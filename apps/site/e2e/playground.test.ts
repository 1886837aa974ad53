// The program serves the page: opened in Chromium, isolated, ended by Ctrl-C.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeProgram } from '../../../testing/program.ts'
import { folder } from '../build/folder.ts'
import { close, inChromium, opensSite, visitor, watched } from './site.ts'

describe('bcast playground', inChromium, () => {
  opensSite()

  it('serves the page with threads', async () => {
    const { file, remove } = await makeProgram()
    cpSync(folder, join(dirname(file), 'site'), { recursive: true })
    const child = spawn(process.execPath, [file, 'playground', '--no-open'])
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const address = String(line).trim()
    const page = await watched(await visitor(), new URL(address).origin)
    await page.goto(`${address}#view=engine&text=x+%2B+y++x%3D64,64+y%3D64`)
    expect(await page.evaluate('crossOriginIsolated')).toBe(true)
    await page.getByText('Threads are on').waitFor()
    await page.getByRole('button', { name: 'Measure' }).click()
    await page.getByText('Measured.').waitFor()
    await close(page)
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
    remove()
  })
})
