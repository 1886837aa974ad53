// `bcast playground`: the page that draws broadcasts, served on this machine as long as the command runs.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { reasonOf } from '../errors/file-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { examplesText } from '../help/examples.ts'
import { openBrowser } from '../playground/open-browser.ts'
import { policy } from '../playground/policy.ts'
import { ISOLATED, type Served, serveFolder } from '../playground/serve.ts'

interface Options {
  readonly port: number
  readonly open: boolean
}

const examples = [
  { line: 'bcast playground', shows: 'the page in your browser; Ctrl-C ends it' },
  { line: 'bcast playground --port 8080 --no-open', shows: 'under a port of your choice, opened by nobody' },
]

/** Where the build puts the page. */
const folder = fileURLToPath(new URL('./site/', import.meta.url))

const MOST_PORT = 65_535

function portFrom(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= MOST_PORT) return port
  throw new UsageError(`--port is ${JSON.stringify(text)}; it is a number up to ${MOST_PORT}, and 0 is any free one.`)
}

async function serve(port: number): Promise<Served> {
  if (!existsSync(folder)) {
    throw new UsageError('The page is not built here. npm run build builds it; npm run site builds and serves it.')
  }
  try {
    return await serveFolder(folder, port, { headers: { ...ISOLATED, 'Content-Security-Policy': policy } })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} is taken. Without --port a free one is found.`)
    const reason = reasonOf(error)
    throw reason === undefined ? error : new UsageError(`Port ${port}: ${reason}`)
  }
}

/** Waits until somebody has had enough. */
const ended = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })

export function playgroundCommand(): Command {
  return new Command('playground')
    .description(
      'open the page that draws broadcasts, reads error messages and checks models; nothing leaves this machine',
    )
    .option('--port <n>', 'the port, on this machine alone; a free one unless said', portFrom, 0)
    .option('--no-open', 'do not open a browser')
    .addHelpText('after', examplesText(examples))
    .action(async ({ port, open }: Options) => {
      const enough = ended()
      const { origin, close } = await serve(port)
      process.stdout.write(`${origin}/\n`)
      const note = (text: string): void => void process.stderr.write(`${text}\n`)
      if (open) openBrowser(`${origin}/`, () => note('No browser could be opened; open the address yourself.'))
      note('Ctrl-C ends it.')
      await enough
      await close()
    })
}
