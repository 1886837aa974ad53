// Addresses of queues, and what is shown of them.
import { describe, expect, it } from 'vitest'
import { parseQueueUrl } from '../../src/workers/queue-url.ts'

describe('an address of a queue', () => {
  it.each([
    ['redis://localhost:6379', 'Redis'],
    ['rediss://user@example.org:6380/1', 'Redis'],
    ['postgres://user@localhost/jobs', 'PostgreSQL'],
    ['postgresql://localhost/jobs?sslmode=require', 'PostgreSQL'],
  ])('%s', (text, kind) => {
    expect(parseQueueUrl(text)).toEqual({ kind, href: text, shown: text })
  })

  it.each([
    ['redis://:secret@localhost', 'redis://:***@localhost'],
    ['postgres://me:secret@localhost/jobs', 'postgres://me:***@localhost/jobs'],
    ['postgres://localhost/jobs?password=secret', 'postgres://localhost/jobs?password=***'],
  ])('%s is shown without its password', (text, shown) => {
    expect(parseQueueUrl(text)).toMatchObject({ href: text, shown })
  })

  it.each(['amqp://me:secret@localhost', 'localhost:6379', 'jobs me:secret', ''])(
    '%j is none, and is told what one is',
    (text) => {
      expect(() => parseQueueUrl(text)).toThrow(/it is redis:\/\/HOST:6379, rediss:/)
      expect(() => parseQueueUrl(text)).not.toThrow(/secret/)
    },
  )
})
