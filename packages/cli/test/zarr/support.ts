// Small arrays in any store, and servers for stores that are elsewhere.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { newElements } from '../../src/files/element.ts'
import { openZarr } from '../../src/zarr/array.ts'
import { partsOf } from '../../src/zarr/grid.ts'
import { metadataText } from '../../src/zarr/metadata/json.ts'
import { encodeObject, keyOf, metadataOf, objectShape, type ZarrOutput } from '../../src/zarr/output.ts'
import { zarrPlace } from '../../src/zarr/place.ts'
import type { WritableStore } from '../../src/zarr/store/store.ts'

/** Every object of an array of rank 2 whose elements are their positions. */
export async function objectsOf(output: ZarrOutput): Promise<[string, Uint8Array][]> {
  const objects: [string, Uint8Array][] = [['zarr.json', Buffer.from(metadataText(metadataOf(output)))]]
  for (const { index, begin, end } of partsOf([0, 0], output.shape, objectShape(output))) {
    const part = newElements(output.dtype, (end[0]! - begin[0]!) * (end[1]! - begin[1]!))
    let i = 0
    for (let row = begin[0]!; row < end[0]!; row++) {
      for (let column = begin[1]!; column < end[1]!; column++) part[i++] = row * output.shape[1]! + column
    }
    objects.push([keyOf(output, index), await encodeObject(output, index, part)])
  }
  return objects
}

export async function putInto(store: WritableStore, path: string, output: ZarrOutput): Promise<void> {
  for (const [key, bytes] of await objectsOf(output)) await store.set(path === '' ? key : `${path}/${key}`, bytes)
}

/** All elements of an array, as the commands read them. */
export async function elementsOf(spec: string): Promise<unknown[]> {
  const source = await openZarr(zarrPlace(spec)!)
  try {
    const target = newElements(
      source.dtype,
      source.shape.reduce((product, size) => product * size, 1),
    )
    await source.readBlock(
      source.shape.map(() => 0),
      source.shape,
      target,
    )
    return [...target]
  } finally {
    await source.close()
  }
}

export const positions = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

/** A server on this machine; its address. It ends with the tests of the file. */
export async function served(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Answers with an object as web servers do, with the range that is asked for. */
export function sendObject(bytes: Uint8Array | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (bytes === undefined) {
    response.writeHead(404).end()
    return
  }
  const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '')
  if (range === null) {
    response.writeHead(200, { 'content-length': bytes.length }).end(request.method === 'HEAD' ? undefined : bytes)
    return
  }
  const [, first, last] = range
  const begin = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes.length : Math.min(bytes.length, Number(last) + 1)
  if (begin >= bytes.length) {
    response.writeHead(416).end()
    return
  }
  const part = bytes.subarray(begin, end)
  response.writeHead(206, {
    'content-length': part.length,
    'content-range': `bytes ${begin}-${end - 1}/${bytes.length}`,
  })
  response.end(part)
}
