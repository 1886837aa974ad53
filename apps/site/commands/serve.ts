// A server for the built page on this machine. It isolates the page, so that the library may have threads there.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}

const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

export interface Served {
  readonly origin: string
  readonly close: () => Promise<void>
}

export interface ServeOptions {
  /** Where the folder lies on the server: `/some/path/`. */
  readonly under?: string
  readonly headers?: Readonly<Record<string, string>>
}

export async function serveFolder(
  folder: string,
  port = 0,
  { under = '/', headers = ISOLATED }: ServeOptions = {},
): Promise<Served> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    const inside = pathname.startsWith(under)
      ? normalize(`/${decodeURIComponent(pathname.slice(under.length))}`)
      : undefined
    const file = inside === undefined ? undefined : join(folder, inside.endsWith('/') ? `${inside}index.html` : inside)
    const content = file === undefined ? undefined : await readFile(file).catch(() => undefined)
    if (content === undefined) return response.writeHead(404).end()
    const type = TYPES[extname(file!)] ?? 'application/octet-stream'
    return response.writeHead(200, { ...headers, 'Content-Type': type }).end(content)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = (): Promise<void> => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
