// A store on a web server, to read: an object is what lies under its address. Servers do not say what they hold.
import { rangeBody, rangeHeader, request, wholeBody } from './requests.ts'
import { ServerError } from './server-error.ts'
import type { Range, Store, StoredObject } from './store.ts'

/** Compressed once more on the way, ranges would be those of something else. */
const HEADERS = { 'accept-encoding': 'identity' }

export class HttpStore implements Store {
  readonly label: string
  readonly lists = false
  readonly #base: URL

  constructor(label: string, address: string) {
    this.label = label
    try {
      this.#base = new URL(address)
    } catch {
      throw new ServerError(label, 'it is no address.', undefined, false)
    }
  }

  #request(key: string, init: RequestInit): () => Promise<Request> {
    const url = new URL(this.#base)
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/${key.split('/').map(encodeURIComponent).join('/')}`
    return async () => new Request(url, init)
  }

  /** Undefined where there is nothing; every other answer than what was asked for is an error. */
  #read<T>(key: string, init: RequestInit, read: (response: Response) => Promise<T>): Promise<T | undefined> {
    return request(this.label, this.#request(key, init), async (response) => {
      if (response.ok) return read(response)
      await response.body?.cancel()
      if (response.status === 404 || response.status === 410) return undefined
      const answer = `${key}: ${this.#base.host} answers ${response.status} ${response.statusText}`.trimEnd()
      throw new ServerError(this.label, `${answer}.`, response.status, false)
    })
  }

  get(key: string, most: number = Number.MAX_SAFE_INTEGER): Promise<Uint8Array | undefined> {
    return this.#read(key, { headers: HEADERS }, (response) => wholeBody(this.label, key, response, most))
  }

  async getRange(key: string, range: Range): Promise<Uint8Array | undefined> {
    // Nothing has no range that could be asked for.
    if ('length' in range && range.length === 0) return new Uint8Array()
    const headers = { ...HEADERS, range: rangeHeader(range) }
    try {
      return await this.#read(key, { headers }, (response) => rangeBody(response, range))
    } catch (error) {
      // The object ends before the range begins.
      if (error instanceof ServerError && error.status === 416) return new Uint8Array()
      throw error
    }
  }

  async has(key: string): Promise<boolean> {
    return (await this.#read(key, { method: 'HEAD', headers: HEADERS }, async () => true)) ?? false
  }

  // biome-ignore lint/correctness/useYield: it says why it has nothing to say.
  async *list(): AsyncGenerator<StoredObject> {
    throw new ServerError(this.label, 'a web server does not say what it holds.', undefined, false)
  }

  async close(): Promise<void> {}
}
