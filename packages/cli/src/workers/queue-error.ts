// A queue that cannot be used: which one, what it or the system said, and what would help. The text is made here from
// the codes of Redis, PostgreSQL and the network.
import { UsageError } from '../errors/usage-error.ts'
import type { QueueUrl } from './queue-url.ts'

/** Milliseconds that a queue has to answer at first. */
export const PATIENCE = 5000

type Reason = (url: QueueUrl) => string

const refused: Reason = () => 'it refuses the name or the password.'
const silent: Reason = () => `it does not answer within ${PATIENCE / 1000} s.`

/** By codes of the system and of PostgreSQL, and by the words that replies of Redis begin with. */
const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: ({ kind }) => `nothing listens there. Is ${kind} running, at this host and port?`,
  ECONNRESET: () => 'it closes the connection. It may have gone away, or want TLS (rediss://).',
  EPIPE: () => 'it closes the connection. It may have gone away.',
  ENOTFOUND: () => 'there is no host of this name.',
  EAI_AGAIN: () => 'the name of the host cannot be looked up now.',
  ETIMEDOUT: silent,
  EHOSTUNREACH: () => 'the host cannot be reached.',
  ENETUNREACH: () => 'the network cannot be reached.',
  WRONGPASS: refused,
  NOAUTH: () => 'it asks for a password: redis://:PASSWORD@HOST.',
  NOPERM: () => 'the user may not do what a queue needs.',
  OOM: () => 'its memory is full. Give it more, or fewer things to keep.',
  READONLY: () => 'it is a replica, which takes no jobs. Name the primary.',
  MISCONF: () => 'it cannot save what it is told. Its disk may be full.',
  '28P01': refused,
  '28000': refused,
  '3D000': () => 'there is no database of this name.',
  '42501': () => 'the user may not create the schema "bullmq" there. Let somebody who may run a worker once.',
  '53100': () => 'its disk is full.',
}

/** The code of an error, or the word that a reply of Redis begins with. */
function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  // Several addresses of a host were tried; the first tells as much as all.
  const [first] = error instanceof AggregateError ? error.errors : []
  if (first !== undefined) return codeOf(first)
  if (typeof code === 'string') return code
  if (/timed? ?out|timeout/i.test(message)) return 'ETIMEDOUT'
  if (/connection (is closed|terminated|ended|error)|client was closed/i.test(message)) return 'ECONNRESET'
  return /^[A-Z]+(?= )/.exec(message)?.[0] ?? ''
}

export class QueueError extends UsageError {
  override name = 'QueueError'

  constructor(url: QueueUrl, error: unknown) {
    const reason = reasons[codeOf(error)]?.(url)
    // Of a server, whose words are all there is.
    const { message } = error as Error
    const said = message.trim()
    super(`${url.shown}: ${reason ?? (said.endsWith('.') ? said : `${said}.`)}`, { cause: error })
  }
}

/** Whether the queue is away, and may come back. */
export const isAway = (error: unknown): boolean =>
  /^(E(?!RR$)[A-Z_]+|08\w{3}|57P0\d|LOADING|CLUSTERDOWN)$/.test(codeOf(error))

/** Runs `use`, which asks a queue; that it is away is said as such. */
export async function atQueue<T>(url: QueueUrl, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    const isKnown = error instanceof UsageError || !(error instanceof Error)
    throw !isKnown && isAway(error) ? new QueueError(url, error) : error
  }
}
