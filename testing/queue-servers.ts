// Servers that keep queues, started for a test on a free port, with a folder of their own that goes away with them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface QueueServer {
  readonly url: string
  readonly port: number
  /** Ends it at once, as kill -9 does; its folder stays. */
  kill(): Promise<void>
  /** Starts it again where it was. */
  start(): Promise<void>
  /** Ends it and takes its folder away. */
  remove(): Promise<void>
}

/** A program on the path, or where Debian keeps PostgreSQL's. */
function find(...names: readonly string[]): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => path.join(debian, version, 'bin')) : []
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...versions]
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find((file) => existsSync(file))
}

const redis = find('redis-server', 'valkey-server')
const postgres = find('postgres')
const initdb = find('initdb')

export const hasRedis: boolean = redis !== undefined
export const hasPostgres: boolean = postgres !== undefined && initdb !== undefined

/** Whom PostgreSQL runs as; it refuses to be root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Milliseconds that a server may fail to start. */
const PATIENCE = 5000

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** What the server at a port answers first; nothing where there is none. */
export const answerOf = (port: number, question: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(question, 'latin1'))
    socket.on('data', (reply) => {
      resolve(reply.toString('latin1'))
      socket.destroy()
    })
    socket.on('error', () => resolve(''))
    socket.on('close', () => resolve(''))
  })

interface Kind {
  readonly program: string
  readonly args: (port: number, folder: string) => readonly string[]
  readonly url: (port: number) => string
  readonly isReady: (port: number) => Promise<boolean>
  readonly as?: { readonly uid?: number; readonly gid?: number }
}

async function run(kind: Kind, folder: string): Promise<QueueServer> {
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const begin = (): ChildProcess =>
      spawn(kind.program, kind.args(port, folder), { cwd: folder, stdio: 'ignore', ...kind.as })
    const end = Date.now() + PATIENCE
    child = begin()
    while (!(await kind.isReady(port))) {
      const isOver = child.exitCode !== null || child.signalCode !== null
      if (isOver && Date.now() > end) throw new Error(`${kind.program} does not start`)
      await pause(20)
      // Children of one that was killed may still hold its memory.
      if (isOver) child = begin()
    }
  }
  const kill = async (): Promise<void> => {
    const [own, isOver] = [child, child?.exitCode !== null || child.signalCode !== null]
    child = undefined
    if (own === undefined || isOver) return
    const ended = new Promise((resolve) => own.once('exit', resolve))
    own.kill('SIGKILL')
    await ended
  }
  const remove = async (): Promise<void> => {
    await kill()
    // Children of a killed PostgreSQL end by themselves, a moment later.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  await start()
  return { url: kind.url(port), port, kill, start, remove }
}

/** `args` are further words of its command line. */
export function startRedis(...args: readonly string[]): Promise<QueueServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bcast-redis-'))
  const password = args.includes('--requirepass') ? `:${args[args.indexOf('--requirepass') + 1]}@` : ''
  return run(
    {
      program: redis!,
      args: (port) => ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...args],
      url: (port) => `redis://${password}127.0.0.1:${port}`,
      // One that still loads its file says so.
      isReady: async (port) => /^(\+PONG|-NOAUTH)/.test(await answerOf(port, 'PING\r\n')),
    },
    folder,
  )
}

/** What a client says first: length, version 3.0, who it is. The answer begins with R once the server lets people in. */
const GREETING = '\0\0\0&\0\u0003\0\0user\0bcast\0database\0postgres\0\0'

export function startPostgres(): Promise<QueueServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bcast-postgres-'))
  chmodSync(folder, 0o700)
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
  const words = ['-D', folder, '-U', 'bcast', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C']
  execFileSync(initdb!, words, { cwd: folder, stdio: 'ignore', ...nobody })
  return run(
    {
      program: postgres!,
      args: (port) => ['-D', folder, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F'],
      url: (port) => `postgres://bcast@127.0.0.1:${port}/postgres`,
      isReady: async (port) => (await answerOf(port, GREETING)).startsWith('R'),
      as: nobody,
    },
    folder,
  )
}
