// The server of the page: the right types and headers, and nothing from outside its folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileAt, type Served, serveFolder } from '../../src/playground/serve.ts'

const outside = mkdtempSync(path.join(tmpdir(), 'bcast-served-'))
const folder = path.join(outside, 'site')
let server: Served

beforeAll(async () => {
  mkdirSync(path.join(folder, 'assets'), { recursive: true })
  writeFileSync(path.join(outside, 'secret.txt'), 'secret')
  mkdirSync(`${folder}-other`)
  writeFileSync(path.join(`${folder}-other`, 'secret.txt'), 'secret')
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html>')
  writeFileSync(path.join(folder, 'assets', 'main.js'), 'export {}')
  writeFileSync(path.join(folder, 'odd name?.bin'), 'x')
  server = await serveFolder(folder)
})
afterAll(async () => {
  await server.close()
  rmSync(outside, { recursive: true, force: true })
})

/** The address as it is, which `fetch` would put right first. */
const asked = (
  url: string,
  method = 'GET',
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(server.origin)
    const sent = request({ host: '127.0.0.1', port, path: url, method }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end()
  })

describe('the server', () => {
  it('gives files with their types, and isolates the page', async () => {
    const page = await asked('/')
    expect([page.status, page.text, page.headers['content-type']]).toEqual([
      200,
      '<!doctype html>',
      'text/html; charset=utf-8',
    ])
    expect(page.headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-content-type-options': 'nosniff',
    })
    expect((await asked('/assets/main.js?v=1')).headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect((await asked('/odd%20name%3F.bin')).headers['content-type']).toBe('application/octet-stream')
  })

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/../site-other/secret.txt',
    '//etc/hosts',
    '/%2fetc/hosts',
    '/%00',
    '/%',
    '/assets',
    '/none.js',
  ])('gives nothing for %s', async (url) => {
    const { status, text } = await asked(url)
    expect([status, text]).toEqual([404, ''])
  })

  it('is only read', async () => {
    expect((await asked('/', 'POST')).status).toBe(405)
    expect(await asked('/', 'HEAD')).toMatchObject({ status: 200, text: '' })
  })

  it('names files below its folder alone', () => {
    expect(fileAt(folder, '/assets/main.js')).toBe(path.join(folder, 'assets', 'main.js'))
    expect(fileAt(folder, '/some/path/', '/some/path/')).toBe(path.join(folder, 'index.html'))
    expect(fileAt(folder, '/other/', '/some/path/')).toBeUndefined()
    expect(fileAt(folder, '/..%2fsite-other/secret.txt')).toBeUndefined()
  })

  it('is on this machine alone', () => {
    expect(server.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })
})
