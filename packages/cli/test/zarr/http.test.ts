// Stores on web servers: whole objects and ranges, servers that know no ranges, that are busy, that fail.
import { describe, expect, it } from 'vitest'
import type { ZarrOutput } from '../../src/zarr/output.ts'
import { HttpStore } from '../../src/zarr/store/http.ts'
import { ServerError } from '../../src/zarr/store/server-error.ts'
import { elementsOf, objectsOf, positions, sendObject, served } from './support.ts'

const output: ZarrOutput = {
  ...{ dtype: 'int32', shape: [7, 9], chunks: [2, 3], shards: [4, 6], codec: { name: 'zstd' }, fill: 0 },
}
const plain: ZarrOutput = { dtype: 'uint8', shape: [7, 9], chunks: [4, 4], codec: { name: 'none' }, fill: 0 }

const objects = new Map<string, Uint8Array>([
  ...(await objectsOf(output)).map(([key, bytes]) => [`/data/x.zarr/shards/${key}`, bytes] as const),
  ...(await objectsOf(plain)).map(([key, bytes]) => [`/data/x.zarr/a%20b/${key}`, bytes] as const),
])
const pathOf = (url: string | undefined): string => new URL(url!, 'http://x').pathname

describe('a store on a web server', async () => {
  const asked: string[] = []
  const address = await served((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.range ?? ''}`.trim())
    sendObject(objects.get(pathOf(request.url)), request, response)
  })

  it('is read by ranges of its shards', async () => {
    expect(await elementsOf(`${address}/data/x.zarr:shards`)).toEqual(positions(63))
    expect(asked.filter((line) => line.includes('bytes=-')).length).toBe(4)
    expect(asked.some((line) => line.startsWith('GET /data/x.zarr/shards/c/1/1 bytes=0-'))).toBe(true)
  })

  it('is read whole where chunks are objects; names are written as addresses want them', async () => {
    expect(await elementsOf(`${address}/data/x.zarr:a b`)).toEqual(positions(63))
    expect(await elementsOf(`${address}/data/x.zarr/a%20b/`)).toEqual(positions(63))
    asked.length = 0
    expect(await elementsOf(`${address}/data/x.zarr/a%20b?token=1`)).toEqual(positions(63))
    expect(asked[0]).toBe('GET /data/x.zarr/a%20b/zarr.json?token=1')
  })

  it('says what there is of an object', async () => {
    const store = new HttpStore('x', `${address}/data/x.zarr/a%20b`)
    expect([await store.has('c/0/0'), await store.has('c/9/9')]).toEqual([true, false])
    expect(await store.get('c/9/9')).toBeUndefined()
    expect(await store.getRange('c/0/0', { offset: 2 ** 40, length: 1 })).toEqual(new Uint8Array())
    expect([...(await store.getRange('c/0/0', { offset: 1, length: 3 }))!]).toEqual([1, 2, 3])
    expect(await store.getRange('c/0/0', { offset: 1, length: 0 })).toEqual(new Uint8Array())
    await expect(store.get('c/0/0', 15)).rejects.toThrow('x: c/0/0: it has 16 bytes, where at most 15 can be right.')
    await expect(store.list().next()).rejects.toThrow('does not say what it holds')
  })

  it('is read from a server that knows no ranges', async () => {
    const simple = await served((request, response) => {
      const bytes = objects.get(pathOf(request.url))
      delete request.headers.range
      sendObject(bytes, request, response)
    })
    expect(await elementsOf(`${simple}/data/x.zarr:shards`)).toEqual(positions(63))
  })

  it('is asked again where the server is busy or ends the connection', async () => {
    let count = 0
    const busy = await served((request, response) => {
      count++
      if (count === 1) response.writeHead(503).end()
      else if (count === 2) request.socket.destroy()
      else if (count === 3) {
        response.writeHead(200, { 'content-length': 100 })
        response.write('{')
        setImmediate(() => request.socket.destroy())
      } else sendObject(objects.get(pathOf(request.url)), request, response)
    })
    expect(await elementsOf(`${busy}/data/x.zarr:a b`)).toEqual(positions(63))
  })

  it('fails with what the server said, and where none answers', async () => {
    const closed = await served((_request, response) => response.writeHead(403, 'Forbidden').end())
    const refused = elementsOf(`${closed}/x.zarr`)
    await expect(refused).rejects.toThrow(`${closed}/x.zarr: zarr.json: ${new URL(closed).host} answers 403 Forbidden.`)
    await expect(refused).rejects.toMatchObject({ status: 403, isTransient: false })
    await expect(elementsOf('http://127.0.0.1:9/x.zarr')).rejects.toThrow(ServerError)
    await expect(elementsOf(`${address}/nothing.zarr`)).rejects.toThrow('it is no Zarr store')
  })
})
