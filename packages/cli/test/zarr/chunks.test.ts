// Chunks that are damaged are refused with their key and a reason; chunks that blocks share are decoded once, as far as
// there is memory; what is stored as it is is read in place.
import { describe, expect, it } from 'vitest'
import { decode } from '../../../../testing/zarr/literal.ts'
import { MemoryStore } from '../../../../testing/zarr/memory-store.ts'
import { bytesOf, newElements } from '../../src/files/element.ts'
import { arrayIn } from '../../src/zarr/array.ts'
import { ChunkError } from '../../src/zarr/chunk-error.ts'
import { bloscFault } from '../../src/zarr/codecs/blosc-frame.ts'
import { decodeBytes, encodeBytes, largestEncoded } from '../../src/zarr/codecs/byte-codecs.ts'
import { claimedSize } from '../../src/zarr/codecs/claimed-size.ts'
import { crc32c } from '../../src/zarr/codecs/crc32c.ts'
import type { ByteCodec } from '../../src/zarr/metadata/array-metadata.ts'
import { metadataText } from '../../src/zarr/metadata/json.ts'
import { metadataOf, type ZarrOutput } from '../../src/zarr/output.ts'
import { objectsOf, positions } from './support.ts'

const output: ZarrOutput = { dtype: 'int32', shape: [8, 8], chunks: [4, 4], codec: { name: 'zstd' }, fill: 0 }

async function elements(store: MemoryStore): Promise<unknown[]> {
  const target = newElements('int32', 64)
  await (await arrayIn('x.zarr', store, '')).readBlock([0, 0], [8, 8], target)
  return [...target]
}

/** An array with one object changed. */
async function damaged(made: ZarrOutput, key: string, change: (bytes: Uint8Array) => Uint8Array): Promise<MemoryStore> {
  const store = new MemoryStore(await objectsOf(made), true)
  store.objects.set(key, change(Uint8Array.from(store.objects.get(key)!)))
  return store
}

const flipped = (at: number) => (bytes: Uint8Array) => bytes.with(at < 0 ? bytes.length + at : at, bytes.at(at)! ^ 1)
const cut = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, -1)
const checked: ZarrOutput = { ...output, checksum: true }
const shards: ZarrOutput = { ...output, chunks: [2, 2], shards: [4, 4] }

describe('a damaged chunk', () => {
  it.each<[problem: string, made: ZarrOutput, change: (bytes: Uint8Array) => Uint8Array]>([
    ['it does not decode as zstd', output, cut],
    ['it holds 63 bytes, where 64 belong', { ...output, codec: { name: 'none' } }, cut],
    ['it does not decode as gzip: unexpected end of file', { ...output, codec: { name: 'gzip' } }, cut],
    ['it does not decode as blosc: it has', { ...output, codec: { name: 'blosc' } }, cut],
    ['its checksum (crc32c) is', checked, flipped(-1)],
    ['its checksum (crc32c) is', checked, flipped(20)],
    ['its checksum (crc32c) is', { ...checked, codec: { name: 'none' } }, flipped(0)],
    ['it has 2 bytes, fewer than a checksum takes', checked, (bytes) => bytes.subarray(0, 2)],
    ['the index of the shard: its checksum (crc32c) is', shards, flipped(-5)],
    ['it has 9 bytes, and the index of a shard takes 68', shards, (bytes) => bytes.subarray(0, 9)],
    ['chunk 0 of the shard: it does not decode as zstd', shards, flipped(0)],
    ['it has 10000 bytes, where at most', output, () => new Uint8Array(10_000)],
    [
      'zstd would decode it to 65536 bytes, where 64 belong',
      output,
      () => Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 1, 0, 1, 0, 0),
    ],
  ])('%s', async (problem, made, change) => {
    const key = 'c/1/0'
    const refused = elements(await damaged(made, key, change))
    await expect(refused).rejects.toThrow(`x.zarr: ${key}: ${problem}`)
    await expect(refused).rejects.toMatchObject({ constructor: ChunkError, key, path: 'x.zarr' })
  })

  /** Another place and length for every chunk of a shard of four, with the checksum that belongs to it. */
  const indexed = (place: (shard: Buffer) => readonly [offset: bigint, length: bigint]) => (bytes: Uint8Array) => {
    const out = Buffer.from(bytes)
    const start = out.length - 68
    for (let i = 0; i < 4; i++) {
      for (const [at, value] of place(out).entries()) out.writeBigUInt64LE(value, start + 16 * i + 8 * at)
    }
    out.writeUInt32LE(crc32c(out.subarray(start, start + 64)), start + 64)
    return out
  }

  it('of a shard whose index points beyond it, or claims what no chunk takes', async () => {
    const raw: ZarrOutput = { ...shards, codec: { name: 'none' } }
    const beyond = await damaged(
      raw,
      'c/0/0',
      indexed(({ length }) => [BigInt(length - 8), 16n]),
    )
    await expect(elements(beyond)).rejects.toThrow('where its index says that chunk 0 of the shard ends')
    await expect(elements(new MemoryStore(beyond.objects))).rejects.toThrow('chunk 0 of the shard ends')
    for (const made of [raw, shards]) {
      const huge = await damaged(
        made,
        'c/0/0',
        indexed(() => [0n, 2n ** 40n]),
      )
      await expect(elements(huge)).rejects.toThrow(
        /its index says that chunk 0 of the shard has 1099511627776 bytes, where (16 belong|at most \d+ can be right)/,
      )
    }
    const outside = await damaged(
      raw,
      'c/0/0',
      indexed(() => [2n ** 63n, 2n ** 62n]),
    )
    await expect(elements(outside)).rejects.toThrow('the index of the shard: its index says that chunk 0 has')
  })
})

describe('a shard', () => {
  it('may hold a chunk once for several places, in any byte order', async () => {
    const big = { name: 'bytes', configuration: { endian: 'big' } }
    const made = JSON.parse(metadataText(metadataOf({ ...shards, shape: [4, 4], codec: { name: 'none' } })))
    made.codecs[0].configuration.codecs = [big]
    const shard = Buffer.alloc(16 + 68)
    for (let i = 0; i < 4; i++) shard.writeInt32BE(i + 1, 4 * i)
    for (let i = 0; i < 4; i++) shard.writeBigUInt64LE(16n, 16 + 16 * i + 8)
    shard.writeUInt32LE(crc32c(shard.subarray(16, 80)), 80)
    for (const hasFiles of [false, true]) {
      const objects = [
        ['zarr.json', Buffer.from(JSON.stringify(made))],
        ['c/0/0', shard],
      ] as const
      const target = newElements('int32', 16)
      await (await arrayIn('x.zarr', new MemoryStore(objects, hasFiles), '')).readBlock([0, 0], [4, 4], target)
      expect([...target]).toEqual([1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4])
    }
  })

  it('has the fill value behind the end of the array, as every chunk does', async () => {
    for (const layout of [{ chunks: [2, 2] }, { chunks: [2, 2], shards: [4, 4] }]) {
      const made: ZarrOutput = { ...output, shape: [3, 3], ...layout, codec: { name: 'none' }, fill: 7 }
      const store = new MemoryStore(await objectsOf(made))
      const { codecs } = metadataOf(made) as { codecs: [] }
      const last = layout.shards === undefined ? 'c/1/1' : 'c/0/0'
      const fill = bytesOf(Int32Array.of(7))
      const found = await decode(codecs, layout.shards ?? layout.chunks, store.objects.get(last)!, fill)
      const at =
        layout.shards === undefined
          ? [
              [0, 0],
              [0, 1],
              [1, 1],
            ]
          : [
              [2, 2],
              [2, 3],
              [3, 3],
            ]
      expect(at.map((index) => found(index)[0])).toEqual([8, 7, 7])
    }
  })
})

describe('chunks that blocks share', () => {
  const readRows = async (made: ZarrOutput, memory: number): Promise<number> => {
    const store = new MemoryStore(await objectsOf(made))
    const source = await arrayIn('x.zarr', store, '', { memory })
    const target = newElements('int32', 8)
    for (let row = 0; row < 8; row++) {
      await source.readBlock([row, 0], [row + 1, 8], target)
      expect([...target]).toEqual(positions(64).slice(8 * row, 8 * row + 8))
    }
    return store.read.filter((key) => key.startsWith('c/')).length
  }

  it('are read once where they fit in memory, and as often as it takes where they do not', async () => {
    expect(await readRows(output, 2 ** 16)).toBe(4)
    expect(await readRows(output, 0)).toBe(16)
    // One index and one piece of a row of chunks for each shard; the pieces of two rows.
    expect(await readRows(shards, 2 ** 16)).toBe(4 + 8)
  })

  it('are read once by blocks that ask at the same time', async () => {
    const store = new MemoryStore(await objectsOf(output))
    const source = await arrayIn('x.zarr', store, '')
    await Promise.all(positions(8).map((row) => source.readBlock([row, 0], [row + 1, 8], newElements('int32', 8))))
    expect(store.read.filter((key) => key.startsWith('c/')).length).toBe(4)
  })

  it('are asked for again after a failure', async () => {
    const store = new MemoryStore(await objectsOf(output))
    const whole = store.objects.get('c/0/0')!
    store.objects.set('c/0/0', whole.subarray(0, 5))
    const source = await arrayIn('x.zarr', store, '')
    const read = (): Promise<void> => source.readBlock([0, 0], [1, 1], newElements('int32', 1))
    await expect(read()).rejects.toThrow(ChunkError)
    store.objects.set('c/0/0', whole)
    await read()
  })
})

describe('codecs', () => {
  const content = new Uint8Array(300_000).map((_, i) => (i % 7) * (i % 1000 < 500 ? 1 : i % 251))
  const codecs: readonly ByteCodec[] = [
    { name: 'gzip', level: 6 },
    { name: 'zlib', level: 1 },
    { name: 'zstd', level: 3, checksum: true },
    { name: 'lz4', acceleration: 1 },
    { name: 'crc32c' },
    ...(['lz4', 'zstd', 'blosclz', 'zlib'] as const).flatMap((cname) =>
      (['noshuffle', 'shuffle', 'bitshuffle'] as const).map(
        (shuffle): ByteCodec => ({ name: 'blosc', cname, clevel: 5, shuffle, blocksize: 0 }),
      ),
    ),
  ]

  it.each(codecs)(
    'go there and back, of shared memory too, and never make much more: $name $cname $shuffle',
    async (codec) => {
      const shared = new Uint8Array(new SharedArrayBuffer(content.length + 9)).subarray(9)
      shared.set(content)
      const noise = content.map((_, i) => Math.imul(i, 0x9e3779b1) >>> 13)
      for (const bytes of [content, shared, noise]) {
        const encoded = await encodeBytes([codec], bytes)
        expect(encoded.length).toBeLessThanOrEqual(largestEncoded(bytes.length))
        if (['zstd', 'lz4', 'blosc'].includes(codec.name)) expect(claimedSize(codec, encoded)).toBe(bytes.length)
        expect(Buffer.compare(await decodeBytes([codec], encoded, bytes.length), bytes)).toBe(0)
      }
    },
  )

  it('refuse a frame of blosc whose blocks lie outside of it', async () => {
    const frame = await encodeBytes(
      [{ name: 'blosc', cname: 'lz4', clevel: 5, shuffle: 'shuffle', blocksize: 4096 }],
      content,
    )
    expect(bloscFault(frame)).toBeUndefined()
    expect(bloscFault(frame.subarray(0, 12))).toContain('its header takes 16')
    expect(bloscFault(frame.subarray(0, -1))).toContain('says that it has')
    const changed = (at: number): Uint8Array => {
      const bytes = Buffer.from(frame)
      bytes.writeUInt32LE(0x7fffffff, at)
      return bytes
    }
    // The place of the third block, the length of the first stream, the size of blocks.
    expect(bloscFault(changed(24))).toBe('block 2 lies outside of it')
    expect(bloscFault(changed(Buffer.from(frame).readUInt32LE(16)))).toBe('block 0 lies outside of it')
    expect(bloscFault(changed(8))).toContain('its blocks have')
  })

  it('have the checksum that everybody has', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa)
    expect(crc32c(new Uint8Array())).toBe(0)
  })
})
