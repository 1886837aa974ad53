// A server for what was built: files of a folder, or what another server answers, with headers of a test's choice.
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Headers } from './page.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
}

export interface Served {
  readonly origin: string
  readonly close: () => Promise<void>
}

const started = async (server: Server): Promise<Served> => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const close = (): Promise<void> => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

export const serveFolder = (folder: string, headers: Headers): Promise<Served> =>
  started(
    createServer(async (request, response) => {
      const path = new URL(request.url ?? '/', 'http://host').pathname
      const file = join(folder, path === '/' ? 'index.html' : path)
      const content = await readFile(file).catch(() => undefined)
      if (content === undefined) return response.writeHead(404).end()
      const type = TYPES[extname(file)] ?? 'application/octet-stream'
      return response.writeHead(200, { ...headers, 'Content-Type': type }).end(content)
    }),
  )

/** Another server, whose headers of the same names are replaced; an empty one is taken away. */
export const serveOther = (origin: string, headers: Headers): Promise<Served> =>
  started(
    createServer(async (request, response) => {
      const answer = await fetch(new URL(request.url ?? '/', origin))
      for (const [name, value] of [...answer.headers, ...Object.entries(headers)]) {
        if (value === '') response.removeHeader(name)
        else if (
          !/^(content-encoding|content-length|transfer-encoding|connection|keep-alive)$/.test(name.toLowerCase())
        )
          response.setHeader(name, value)
      }
      response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
    }),
  )

/** A port that nobody has now. */
export async function freePort(): Promise<number> {
  const { origin, close } = await started(createServer())
  await close()
  return Number(new URL(origin).port)
}
