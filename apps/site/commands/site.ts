// `npm run site`: builds the page, serves it here and says where.
import { fileURLToPath } from 'node:url'
import { folder } from '../build/folder.ts'
import { CallError, command } from './command.ts'

const usage = `usage: npm run site -- [--port N] [--dev]

Builds the page into apps/site/dist, serves it on this machine and prints its address.

  --port N  the port; a free one unless said
  --dev     serves the sources instead, and follows changes
  --help    prints this`

async function develop(port: number): Promise<void> {
  const { createServer } = await import('vite')
  const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))
  const server = await createServer({ configFile, server: port === 0 ? {} : { port } })
  await server.listen()
  server.printUrls()
}

await command({
  usage,
  options: { port: { type: 'string' }, dev: { type: 'boolean' } },
  run: async ({ values }) => {
    const port = Number(values['port'] ?? 0)
    if (!(Number.isInteger(port) && port >= 0 && port < 65_536))
      throw new CallError(`--port is ${values['port']}; it is a number up to 65535.`)
    if (values['dev'] === true) {
      await develop(port)
      return undefined
    }
    const { buildSite } = await import('../build/build.ts')
    const { serveFolder } = await import('./serve.ts')
    console.log(await buildSite())
    const { origin } = await serveFolder(folder, port)
    console.log(`\nThe page is at ${origin}/ as long as this runs.`)
    return undefined
  },
})
