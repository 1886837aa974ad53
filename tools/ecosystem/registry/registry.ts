// A registry on this machine: the packages of this repository are published to it, all others come through it from the
// one that npm is set to.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { run } from './run.ts'

export interface Registry {
  readonly url: string
  /** The environment of whoever talks to it: nothing of the machine's own settings and caches. */
  readonly env: NodeJS.ProcessEnv
  close(): void
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const settings = (folder: string, upstream: string): string => `
storage: ${JSON.stringify(path.join(folder, 'storage'))}
auth: { htpasswd: { file: ${JSON.stringify(path.join(folder, 'htpasswd'))} } }
uplinks: { upstream: { url: ${JSON.stringify(upstream)} } }
packages:
  'bcast': { access: $all, publish: $all }
  '@bcast/*': { access: $all, publish: $all }
  '**': { access: $all, proxy: upstream }
log: { type: stdout, format: pretty, level: warn }
`

async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const isUp = await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the registry did not start within a minute')
}

/** `tools` is the folder of its program, `folder` is where everything is kept. */
export async function startRegistry(tools: string, folder: string): Promise<Registry> {
  const upstream = run('npm', ['config', 'get', 'registry'], folder.replace(/[^/\\]+$/, ''), process.env).stdout.trim()
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  writeFileSync(path.join(folder, 'config.yaml'), settings(folder, upstream))
  writeFileSync(path.join(folder, 'npmrc'), `registry=${url}\n//127.0.0.1:${port}/:_authToken=anyone\n`)
  const server = spawn(
    path.join(tools, 'verdaccio'),
    ['--config', path.join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_NO_WARNINGS: '1' } },
  )
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const env = {
    ...Object.fromEntries(own),
    PATH: `${tools}${path.delimiter}${process.env['PATH']}`,
    npm_config_userconfig: path.join(folder, 'npmrc'),
    npm_config_cache: path.join(folder, 'npm-cache'),
    npm_config_update_notifier: 'false',
  }
  await answers(url)
  return { url, env, close: () => server.kill() }
}
