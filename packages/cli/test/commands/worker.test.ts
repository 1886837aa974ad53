// `bcast worker` and `bcast eval --workers` as people run them: each in a process of its own, with a real Redis.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { hasRedis, type QueueServer, startRedis } from '../../../../testing/queue-servers.ts'
import { called } from '../support/called.ts'
import { writeExampleFiles } from '../support/example-files.ts'
import { bcast, type Outcome, program, workplace } from '../support/program.ts'

const place = workplace()
beforeAll(() => writeExampleFiles(place.folder))
afterAll(place.remove)

const run = (...words: string[]): Promise<Outcome> => bcast(words, { cwd: place.folder })

/** What is in an array, by the names of its files. */
const filesOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path.join(place.folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [
        entry.name + entry.parentPath.split(name)[1],
        readFileSync(path.join(entry.parentPath, entry.name), 'hex'),
      ]),
  )

describe('a worker', needs('redis', hasRedis), () => {
  let redis: QueueServer
  let worker: ChildProcess
  let said = ''
  beforeAll(async () => {
    redis = await startRedis('--requirepass', 'secret')
    worker = spawn(process.execPath, [program, 'worker', redis.url, '--threads', '1', '--verbose'], {
      cwd: place.folder,
    })
    worker.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
    while (!said.includes('\n')) await new Promise((resolve) => setTimeout(resolve, 10))
  })
  afterAll(() => redis.remove())

  const evaluate = (...words: string[]): Promise<Outcome> => run('eval', ...words, '--workers', redis.url)

  it('computes what one process computes, and again', async () => {
    const words = ['(x - m) / s', 'x=x.npy', 'm=m.npy', 's=s.npy', '--chunks', '1,2']
    const alone = await run('eval', ...words, '-o', 'alone.zarr')
    for (let i = 0; i < 2; i++) {
      const { code, stdout, stderr } = await evaluate(...words, '-o', 'y.zarr')
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
      const lines = (text: string): string => text.replace(/ in .*\n/, '')
      expect(lines(stderr)).toBe(lines(alone.stderr).replace('alone', 'y'))
      expect(filesOf('y.zarr')).toEqual(filesOf('alone.zarr'))
    }
    expect(said).toMatch(
      /^Waiting for chunks at redis:\/\/:\*\*\*@127\.0\.0\.1:\d+, 1 thread with \d+ MiB each\. Ctrl-C ends it\.$/m,
    )
    expect(said.match(/^\(x - m\) \/ s -> y\.zarr, 4 chunks$/gm)).toHaveLength(1)
    for (const chunk of [0, 1, 2, 3]) {
      expect(said.match(new RegExp(`^began chunk ${chunk} of y\\.zarr$`, 'gm'))).toHaveLength(2)
      expect(said.match(new RegExp(`^computed chunk ${chunk} of y\\.zarr in \\d+ ms$`, 'gm'))).toHaveLength(2)
    }
  })

  it('fails an evaluation as it fails alone, with the chunk', async () => {
    const words = ['int32(x) / int32(m - 2)', 'x=x.npy', 'm=m.npy', '--chunks', '1,1', '-o', 'faulty.zarr']
    const [alone, shared] = [await run('eval', ...words), await evaluate(...words)]
    expect(alone.code).toBe(1)
    expect(shared).toEqual({ ...alone, stderr: alone.stderr.replace('bcast: ', 'bcast: chunk 1 of 6: ') })
    expect(readdirSync(place.folder).filter((name) => name.includes('faulty.zarr'))).toEqual([])
  })

  it('ends with 0 when it is told to stop', async () => {
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

describe('a call that cannot be', () => {
  const eval_ = ['eval', 'x + 1', 'x=x.npy']

  it.each([
    [
      'a queue that is not there',
      ['worker', 'redis://127.0.0.1:1'],
      'redis://127.0.0.1:1: nothing listens there. Is Redis',
    ],
    ['no address', ['worker', 'here'], 'the address of the queue is none; it is redis://HOST:6379'],
    ['no threads', ['worker', 'redis://q', '--threads', '0'], '--threads is "0"; it is a number from 1 on.'],
    ['no memory', ['worker', 'redis://q', '--memory', '10MiB'], '--memory is 10.0 MiB; the program itself takes'],
    [
      'another kind of queue',
      [...eval_, '-o', 'z.zarr', '--workers', 'amqp://q'],
      'amqp://q is no address of a queue; it is',
    ],
    [
      'a result in no chunks',
      [...eval_, '-o', 'z.npy', '--workers', 'redis://q'],
      '--workers goes with a result that is a Zarr array',
    ],
    [
      'a queue that is not there',
      [...eval_, '-o', 'z.zarr', '--workers', 'redis://127.0.0.1:1'],
      'redis://127.0.0.1:1: nothing listens there.',
    ],
  ])('%s: %j', async (_, words, message) => {
    const { code, stdout, stderr } = await (words.includes('redis://127.0.0.1:1')
      ? run(...words)
      : called(words, { cwd: place.folder }))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^bcast: ${message.replace(/[.*+?()[\]/]/g, '\\$&')}`))
    expect(readdirSync(place.folder).filter((name) => name.includes('z.zarr'))).toEqual([])
  })
})
