// A store in a bucket of S3, or of a server that speaks like it: objects are put whole by one request each. Who asks and
// where is said by the environment, as for every other program that uses S3.
import { AwsClient } from './aws4fetch.js'
import { rangeBody, rangeHeader, request, wholeBody } from './requests.ts'
import { S3Error } from './s3-error.ts'
import type { Range, StoredObject, WritableStore } from './store.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Segments of a key as they stand in an address; the signature takes a plus for a space where it is not written out. */
const written = (key: string): string => key.split('/').map(encodeURIComponent).join('/')

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
    name === undefined
      ? String.fromCodePoint(decimal === undefined ? parseInt(hex, 16) : Number(decimal))
      : (ENTITIES[name] ?? whole),
  )

/** The text of the first element of a name. */
const element = (xml: string, name: string): string | undefined => {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text === undefined ? undefined : unescaped(text)
}

export class S3Store implements WritableStore {
  readonly label: string
  readonly lists = true
  readonly #bucket: string
  readonly #prefix: string
  /** Where the bucket is. */
  readonly #base: string
  readonly #client: AwsClient | undefined

  constructor(label: string, place: string, environment: Environment = process.env) {
    this.label = label
    const [, bucket, key = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/is.exec(place) ?? []
    if (bucket === undefined) throw new S3Error(label, 'an address on S3 is s3://bucket/key.')
    this.#bucket = bucket
    this.#prefix = key === '' ? '' : `${key.replace(/\/+$/, '')}/`
    const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment
    const region = environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || 'us-east-1'
    const endpoint = environment['AWS_ENDPOINT_URL_S3'] || environment['AWS_ENDPOINT_URL']
    this.#base = baseOf(label, bucket, region, endpoint)
    if (Boolean(id) !== Boolean(secret)) {
      const [there, missing] = id
        ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
        : ['AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID']
      throw new S3Error(label, `${there} is set, and ${missing} is not.`, undefined, undefined, 'Set both, or none.')
    }
    // Without credentials requests are not signed: public buckets take those.
    if (id && secret) {
      const credentials = { accessKeyId: id, secretAccessKey: secret, ...(token ? { sessionToken: token } : {}) }
      this.#client = new AwsClient({ ...credentials, region, service: 's3' })
    }
  }

  #sent<T>(address: string, init: RequestInit, read: (response: Response) => Promise<T>): Promise<T | undefined> {
    // A signature holds for one address, so that others are not followed.
    const sent: RequestInit = { ...init, redirect: 'manual' }
    const signed = async (): Promise<Request> => {
      const made = this.#client === undefined ? new Request(address, sent) : await this.#client.sign(address, sent)
      // Left out of the signature, since servers on the way change it.
      made.headers.set('accept-encoding', 'identity')
      return made
    }
    return request(this.label, signed, async (response) => {
      if (response.ok) return read(response)
      // What the answer says in words; that of a HEAD has none.
      const text = await response.text()
      const code = element(text, 'Code')
      if (response.status === 404 && code !== 'NoSuchBucket') return undefined
      const isSigned = this.#client !== undefined
      throw S3Error.of(this.label, this.#bucket, response, code, element(text, 'Message'), isSigned)
    })
  }

  #address(key: string): string {
    return `${this.#base}/${written(`${this.#prefix}${key}`)}`
  }

  get(key: string, most: number = Number.MAX_SAFE_INTEGER): Promise<Uint8Array | undefined> {
    return this.#sent(this.#address(key), {}, (response) => wholeBody(this.label, key, response, most))
  }

  async getRange(key: string, range: Range): Promise<Uint8Array | undefined> {
    // Nothing has no range that could be asked for.
    if ('length' in range && range.length === 0) return new Uint8Array()
    try {
      const headers = { range: rangeHeader(range) }
      return await this.#sent(this.#address(key), { headers }, (response) => rangeBody(response, range))
    } catch (error) {
      // The object ends before the range begins.
      if (error instanceof S3Error && error.status === 416) return new Uint8Array()
      throw error
    }
  }

  async has(key: string): Promise<boolean> {
    return (await this.#sent(this.#address(key), { method: 'HEAD' }, async () => true)) ?? false
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    let token: string | undefined
    do {
      const query = new URLSearchParams({
        'list-type': '2',
        'encoding-type': 'url',
        prefix: `${this.#prefix}${prefix}`,
        ...(token === undefined ? {} : { 'continuation-token': token }),
      })
      const text = (await this.#sent(`${this.#base}/?${query}`, {}, (response) => response.text())) ?? ''
      const isEncoded = element(text, 'EncodingType') === 'url'
      for (const [, contents] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const name = element(contents!, 'Key') ?? ''
        const key = isEncoded ? decodeURIComponent(name.replaceAll('+', ' ')) : name
        yield { key: key.slice(this.#prefix.length), bytes: Number(element(contents!, 'Size')) }
      }
      token = element(text, 'IsTruncated') === 'true' ? element(text, 'NextContinuationToken') : undefined
    } while (token !== undefined)
  }

  async set(key: string, bytes: Uint8Array): Promise<void> {
    // A copy of the view: requests take no shared memory.
    const body = new Uint8Array(bytes)
    await this.#put(this.#address(key), { method: 'PUT', body })
  }

  async #put(address: string, init: RequestInit): Promise<void> {
    const done = await this.#sent(address, init, async (response) => {
      await response.body?.cancel()
      return true
    })
    if (done === undefined) throw new S3Error(this.label, `there is no bucket ${this.#bucket}.`, 404)
  }

  async delete(key: string): Promise<void> {
    await this.#sent(this.#address(key), { method: 'DELETE' }, async (response) => {
      await response.body?.cancel()
    })
  }

  async close(): Promise<void> {}
}

/** On Amazon's own servers a bucket is a host, unless its name has dots, which certificates do not cover. */
function baseOf(label: string, bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint === undefined) {
    const host = `s3.${region}.amazonaws.com`
    return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
  }
  if (/^https?:\/\//i.test(endpoint)) return `${endpoint.replace(/\/+$/, '')}/${bucket}`
  throw new S3Error(label, `AWS_ENDPOINT_URL is ${JSON.stringify(endpoint)}; it should begin with http:// or https://.`)
}
