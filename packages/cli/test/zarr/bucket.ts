// A bucket on a server here, as S3 answers: objects by key, and lists of a few keys a page.
import { sendObject, served } from './support.ts'

const PAGE = 2

/** Keys as S3 writes them in a list. */
const listed = (keys: readonly string[], next: string | undefined): string =>
  `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType>
  <IsTruncated>${next !== undefined}</IsTruncated>
  ${next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`}
  ${keys.map((key) => `<Contents><Key>${encodeURIComponent(key)}</Key><Size>3</Size></Contents>`).join('')}
  </ListBucketResult>`

export interface Bucket {
  readonly address: string
  /** By `/bucket/key`. */
  readonly objects: Map<string, Uint8Array>
  readonly asked: { readonly line: string; readonly signed: boolean }[]
}

/** Buckets named none, denied and elsewhere answer as their names say. */
export async function bucketServer(): Promise<Bucket> {
  const objects = new Map<string, Uint8Array>()
  const asked: { line: string; signed: boolean }[] = []
  const address = await served((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x')
    asked.push({ line: `${request.method} ${request.url}`, signed: request.headers.authorization !== undefined })
    if (pathname.startsWith('/none')) {
      response.writeHead(404).end('<Error><Code>NoSuchBucket</Code><Message>x</Message></Error>')
    } else if (pathname.startsWith('/denied')) {
      response
        .writeHead(403)
        .end('<Error><Code>SignatureDoesNotMatch</Code><Message>It is &quot;wrong&quot;.</Message></Error>')
    } else if (pathname.startsWith('/elsewhere')) {
      response
        .writeHead(301, { 'x-amz-bucket-region': 'eu-west-1' })
        .end('<Error><Code>PermanentRedirect</Code></Error>')
    } else if (searchParams.has('list-type')) {
      const keys = [...objects.keys()]
        .map((key) => key.replace('/bucket/', ''))
        .filter((key) => key.startsWith(searchParams.get('prefix')!))
      const from = Number(searchParams.get('continuation-token') ?? 0)
      const next = from + PAGE
      response.end(listed(keys.slice(from, next), next < keys.length ? String(next) : undefined))
    } else if (request.method === 'PUT') {
      const parts: Buffer[] = []
      request.on('data', (part) => parts.push(part))
      request.on('end', () => {
        objects.set(decodeURIComponent(pathname), Buffer.concat(parts))
        response.end()
      })
    } else if (request.method === 'DELETE') {
      objects.delete(decodeURIComponent(pathname))
      response.writeHead(204).end()
    } else sendObject(objects.get(decodeURIComponent(pathname)), request, response)
  })
  return { address, objects, asked }
}
