// `npm run site`, `npm run site:build`: builds the page into a folder that any server can serve, and serves it here.
import { parseArgs } from 'node:util'
import { buildSite, folder } from '../build/build.ts'
import { serveFolder } from './serve.ts'

const USAGE = `usage: npm run site -- [--port N] [--dev]
       npm run site:build

site         builds the page, serves it on this machine and prints its address
site:build   builds it into apps/site/dist, which any server can serve under any path

  --port N   the port; a free one unless said
  --dev      serves the sources instead, and follows changes
  --help     prints this`

async function develop(port: number): Promise<void> {
  const { createServer } = await import('vite')
  const server = await createServer({
    configFile: new URL('../vite.config.ts', import.meta.url).pathname,
    server: { port },
  })
  await server.listen()
  server.printUrls()
}

async function main(args: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean' },
        build: { type: 'boolean' },
        dev: { type: 'boolean' },
        port: { type: 'string' },
      },
    })
    if (values.help === true) {
      console.log(USAGE)
      return 0
    }
    const port = values.port === undefined ? 0 : Number(values.port)
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new Error(`--port is ${values.port}; it is a number up to 65535`)
    if (values.dev === true) {
      await develop(port)
      return 0
    }
    const report = await buildSite()
    console.log(report)
    if (values.build === true) return 0
    const { origin } = await serveFolder(folder, port)
    console.log(`\nThe page is at ${origin}/ as long as this runs.`)
    return 0
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    return 2
  }
}

process.exitCode = await main(process.argv.slice(2))
