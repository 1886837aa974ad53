// A server for a built page on this machine alone. It isolates the page, so that the library may have threads there, and
// gives out what lies in the folder and nothing else.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

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

/** Headers without which browsers share no memory between threads. */
export const ISOLATED: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export interface Served {
  readonly origin: string
  readonly close: () => Promise<void>
}

export interface ServeOptions {
  /** Where the folder lies on the server: `/some/path/`. */
  readonly under?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The file that an address means; undefined for what is no address, or lies elsewhere. */
export function fileAt(folder: string, url: string, under = '/'): string | undefined {
  let inside: string
  try {
    const { pathname } = new URL(url, 'http://host')
    if (!pathname.startsWith(under)) return undefined
    inside = decodeURIComponent(pathname.slice(under.length))
  } catch {
    return undefined
  }
  if (inside.includes('\0')) return undefined
  const root = path.resolve(folder)
  const file = path.resolve(root, inside === '' || inside.endsWith('/') ? `${inside}index.html` : inside)
  return file.startsWith(`${root}${path.sep}`) ? file : undefined
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** Serves a folder under a free port, unless one is said. */
export async function serveFolder(
  folder: string,
  port = 0,
  { under = '/', headers = ISOLATED }: ServeOptions = {},
): Promise<Served> {
  const server = createServer(async (request, response) => {
    if (!isRead(request)) return response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    const file = fileAt(folder, request.url ?? '/', under)
    const content = file === undefined ? undefined : await readFile(file).catch(() => undefined)
    if (content === undefined) return response.writeHead(404, headers).end()
    const type = TYPES[path.extname(file!)] ?? 'application/octet-stream'
    response.writeHead(200, {
      ...headers,
      ...{ 'Content-Type': type, 'Content-Length': content.length, 'X-Content-Type-Options': 'nosniff' },
    })
    return response.end(request.method === 'HEAD' ? undefined : content)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const close = (): Promise<void> => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
