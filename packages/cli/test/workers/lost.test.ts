// A PostgreSQL that goes away between the first look at it and the first question of a worker.
import { execFile } from 'node:child_process'
import { connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { hasPostgres, type QueueServer, startPostgres } from '../../../../testing/queue-servers.ts'
import { program } from '../support/program.ts'

describe('a worker whose PostgreSQL goes away while it begins', needs('postgres', hasPostgres), () => {
  let server: QueueServer
  let between: Server
  beforeAll(async () => {
    server = await startPostgres()
    let count = 0
    // The first look is answered; whoever comes then finds that the server is away.
    between = createServer((socket) => {
      socket.on('error', () => {})
      if (count++ > 0) return socket.destroy()
      const behind = connect(server.port, '127.0.0.1').on('error', () => socket.destroy())
      socket
        .on('close', () => behind.destroy())
        .pipe(behind)
        .pipe(socket)
      return undefined
    })
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', () => resolve()))
  })
  afterAll(async () => {
    between.close()
    await server.remove()
  })

  it('ends, saying so', async () => {
    const { port } = between.address() as { port: number }
    const url = server.url.replace(`:${server.port}`, `:${port}`)
    const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      const options = { timeout: 20_000, killSignal: 'SIGKILL' } as const
      execFile(process.execPath, [program, 'worker', url, '--threads', '1'], options, (error, _, stderr) =>
        resolve({ code: error === null ? 0 : error.code, stderr }),
      )
    })
    expect(ended).toEqual({ code: 2, stderr: expect.stringContaining(`127.0.0.1:${port}`) })
    expect(ended.stderr).toMatch(/it closes the connection\. It may have gone away/)
  })
})
