// Queues that cannot be used: each is told in a sentence that says which one, why, and never its password.
import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import {
  hasPostgres,
  hasRedis,
  type QueueServer,
  startPostgres,
  startRedis,
} from '../../../../testing/queue-servers.ts'
import { UsageError } from '../../src/errors/usage-error.ts'
import { openQueue } from '../../src/workers/queue.ts'
import { atQueue, isAway, QueueError } from '../../src/workers/queue-error.ts'
import { parseQueueUrl } from '../../src/workers/queue-url.ts'

const refusal = (url: string): Promise<string> =>
  openQueue(parseQueueUrl(url)).then(
    () => 'it opens',
    (error) => (error instanceof QueueError ? error.message : `another error: ${error.stack}`),
  )

describe('a queue that is not there', () => {
  let other: Server | undefined
  afterEach(() => other?.close())

  it.each(['redis://127.0.0.1:1', 'postgres://127.0.0.1:1/jobs'])('%s: nothing listens', async (url) => {
    expect(await refusal(url)).toMatch(`${url}: nothing listens there. Is ${parseQueueUrl(url).kind} running`)
  })

  it.each(['redis://queue.invalid', 'postgres://queue.invalid/jobs'])('%s: no such host', async (url) => {
    expect(await refusal(url)).toMatch(/^\w+:\/\/queue\.invalid(\/jobs)?: (there is no host|the name of the host)/)
  })

  it.each(['redis', 'postgres'])('%s:// of a server of another kind', async (kind) => {
    other = createServer((socket) =>
      socket.on('error', () => {}).on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    await new Promise<void>((resolve) => other!.listen(0, '127.0.0.1', () => resolve()))
    const { port } = other.address() as { port: number }
    expect(await refusal(`${kind}://127.0.0.1:${port}`)).toMatch(
      new RegExp(`^${kind}://127\\.0\\.0\\.1:${port}: \\S.*\\.$`, 's'),
    )
  })
})

describe('Redis', needs('redis', hasRedis), () => {
  let server: QueueServer
  beforeAll(async () => {
    server = await startRedis('--requirepass', 'secret', '--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru')
  })
  afterAll(() => server.remove())

  it('refuses a wrong password, and none', async () => {
    const wrong = await refusal(server.url.replace('secret', 'guess'))
    expect(wrong).toBe(`redis://:***@127.0.0.1:${server.port}: it refuses the name or the password.`)
    const none = await refusal(`redis://127.0.0.1:${server.port}`)
    expect(none).toBe(`redis://127.0.0.1:${server.port}: it asks for a password: redis://:PASSWORD@HOST.`)
  })

  it('is warned of once, where it may drop jobs', async () => {
    const { warnings } = await openQueue(parseQueueUrl(server.url))
    expect(warnings).toEqual([
      expect.stringMatching(
        /^redis:\/\/:\*\*\*@.* may drop jobs .*\(maxmemory-policy allkeys-lru\).*Set it to noeviction\.$/,
      ),
    ])
  })
})

describe('PostgreSQL', needs('postgres', hasPostgres), () => {
  let server: QueueServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  it('has no such database', async () => {
    const url = server.url.replace('/postgres', '/jobs')
    expect(await refusal(url)).toBe(`${url}: there is no database of this name.`)
  })

  it('has no such user', async () => {
    const url = server.url.replace('bcast@', 'me:secret@')
    expect(await refusal(url)).toBe(`${url.replace('secret', '***')}: it refuses the name or the password.`)
  })
})

it('tells a queue that is away from one that refuses', () => {
  const coded = (code: string): Error => Object.assign(new Error('said'), { code })
  expect(['ECONNREFUSED', 'ECONNRESET', '57P01', '08006'].map((code) => isAway(coded(code)))).toEqual(
    Array(4).fill(true),
  )
  expect(
    ['Connection is closed.', 'Connection terminated unexpectedly'].map((text) => isAway(new Error(text))),
  ).toEqual([true, true])
  expect(isAway(new Error('LOADING Redis is loading the dataset in memory'))).toBe(true)
  expect(['53100', '42501'].map((code) => isAway(coded(code)))).toEqual([false, false])
  expect(isAway(new Error("OOM command not allowed when used memory > 'maxmemory'."))).toBe(false)
  expect(isAway(new Error('ERR unknown command'))).toBe(false)
})

describe('a queue that goes away while it is asked', () => {
  const url = parseQueueUrl('postgres://queue/jobs')
  const thrown = (error: unknown): Promise<unknown> => atQueue(url, () => Promise.reject(error)).catch((each) => each)

  it.each([
    Object.assign(new Error('terminating connection due to unexpected postmaster exit'), { code: '57P02' }),
    new Error('Client has encountered a connection error and is not queryable'),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  ])('is told as such: %s', async (error) => {
    expect(await thrown(error)).toBeInstanceOf(QueueError)
  })

  it.each([new TypeError('no function'), new UsageError('timeout'), 'SIGINT'])('is not taken for %s', async (error) => {
    expect(await thrown(error)).toBe(error)
  })
})
