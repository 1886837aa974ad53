// Requests over HTTP that are asked again where that can help. Everything that is asked here may be asked twice: what
// reads changes nothing, and what writes puts the same whole object.
import { setTimeout as sleep } from 'node:timers/promises'
import { ServerError } from './server-error.ts'
import type { Range } from './store.ts'
import { tooLarge } from './too-large.ts'

const ATTEMPTS = 5
/** Milliseconds before the second attempt; each wait is twice the one before, and no two are alike. */
const FIRST_WAIT = 100
const LONGEST_WAIT = 10_000

/** A busy or failing server, which may answer the next time. */
const isBusy = (status: number): boolean => status === 429 || (status >= 500 && status !== 501 && status !== 505)

/** Names that do not resolve and certificates that do not hold will not the next time, either. */
const HOPELESS = /^(ENOTFOUND|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_INVALID)/

const codeOf = (error: unknown): string =>
  String(((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? '')

/** Why there was no answer. */
function silence(label: string, host: string, error: unknown): ServerError {
  const code = codeOf(error)
  const cause = (error as Error).cause as Error | undefined
  const reasons: Readonly<Record<string, string>> = {
    ECONNREFUSED: `nothing answers at ${host}.`,
    ENOTFOUND: `there is no host ${host}.`,
    ECONNRESET: `${host} ended the connection.`,
    UND_ERR_SOCKET: `${host} ended the connection.`,
  }
  const problem = reasons[code] ?? `${host} does not answer: ${cause?.message || (error as Error).message}.`
  return new ServerError(label, problem, undefined, !HOPELESS.test(code))
}

const waitFor = (response: Response | undefined, attempt: number): number => {
  const asked = Number(response?.headers.get('retry-after') ?? Number.NaN) * 1000
  const usual = FIRST_WAIT * 2 ** attempt * (0.5 + Math.random())
  return Math.min(LONGEST_WAIT, Number.isFinite(asked) ? Math.max(asked, usual) : usual)
}

/**
 * Sends what `make` gives and has `read` take the answer, again where the server is busy or the connection breaks.
 * `read` gets every answer but those of a busy server.
 */
export async function request<T>(
  label: string,
  make: () => Promise<Request>,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const made = await make()
    const { host } = new URL(made.url)
    let response: Response | undefined
    let failure: ServerError
    try {
      response = await fetch(made)
      if (!isBusy(response.status)) return await read(response)
      await response.body?.cancel()
      failure = new ServerError(
        label,
        `${host} answers ${response.status} ${response.statusText}.`,
        response.status,
        true,
      )
    } catch (error) {
      // Errors of fetch are TypeErrors with a cause; what `read` makes of an answer is something else.
      if (!(error instanceof TypeError) || error.cause === undefined) throw error
      failure = silence(label, host, error)
    }
    if (!failure.isTransient || attempt === ATTEMPTS - 1) throw failure
    await sleep(waitFor(response, attempt))
  }
}

/** The header that asks for a range. */
export const rangeHeader = (range: Range): string =>
  'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.offset}-${range.offset + range.length - 1}`

/** The bytes of an answer from `begin` to `end`; the rest is not waited for. */
async function bytesBetween(response: Response, begin: number, end: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let position = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    const part = chunk.subarray(Math.max(0, begin - position), Math.max(0, end - position))
    if (part.length > 0) parts.push(part)
    position += chunk.length
    if (position >= end) break
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

const lengthOf = (response: Response): number => Number(response.headers.get('content-length') ?? Number.NaN)

/** A whole object; one of more than `most` bytes is refused. */
export async function wholeBody(label: string, key: string, response: Response, most: number): Promise<Uint8Array> {
  const size = lengthOf(response)
  if (size > most) {
    await response.body?.cancel()
    throw tooLarge(label, key, size, most)
  }
  const bytes = await bytesBetween(response, 0, most + 1)
  if (bytes.length <= most) return bytes
  throw tooLarge(label, key, bytes.length, most)
}

/** A range of an object; a server that knows no ranges answers with all of it. */
export async function rangeBody(response: Response, range: Range): Promise<Uint8Array> {
  if (response.status === 206) return bytesBetween(response, 0, 'suffix' in range ? range.suffix : range.length)
  if (!('suffix' in range)) return bytesBetween(response, range.offset, range.offset + range.length)
  const size = lengthOf(response)
  if (Number.isFinite(size)) return bytesBetween(response, Math.max(0, size - range.suffix), size)
  const whole = await bytesBetween(response, 0, Number.POSITIVE_INFINITY)
  return whole.subarray(Math.max(0, whole.length - range.suffix))
}
