// Where jobs wait for workers, as people write it: redis://, rediss:// or postgres://. The kind decides who keeps them.
import { UsageError } from '../errors/usage-error.ts'

export interface QueueUrl {
  readonly kind: 'Redis' | 'PostgreSQL'
  readonly href: string
  /** For people: without the password. */
  readonly shown: string
}

const KINDS: Readonly<Record<string, QueueUrl['kind']>> = {
  'redis:': 'Redis',
  'rediss:': 'Redis',
  'postgres:': 'PostgreSQL',
  'postgresql:': 'PostgreSQL',
}

const EXPECTED = 'it is redis://HOST:6379, rediss://… with TLS, or postgres://USER:PASSWORD@HOST/DATABASE.'

function withoutPassword(url: URL): string {
  const shown = new URL(url)
  if (shown.password !== '') shown.password = '***'
  // A driver takes passwords there, too.
  for (const name of shown.searchParams.keys()) if (/pass/i.test(name)) shown.searchParams.set(name, '***')
  return shown.href
}

export function parseQueueUrl(text: string): QueueUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const kind = url === undefined ? undefined : KINDS[url.protocol]
  // What is no address of a queue may hold a password all the same.
  if (url === undefined) throw new UsageError(`the address of the queue is none; ${EXPECTED}`)
  if (kind === undefined) throw new UsageError(`${withoutPassword(url)} is no address of a queue; ${EXPECTED}`)
  return { kind, href: text, shown: withoutPassword(url) }
}
