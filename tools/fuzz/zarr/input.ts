// The Zarr store with a given number, sound or damaged in its metadata, in a chunk or in the index of a shard: the same
// objects for the same seed, on every machine.
import fc from 'fast-check'
import { makeRandom, type Random } from '../../../testing/random.ts'
import { crc32c } from '../../../testing/zarr/literal.ts'
import { type MadeArray, madeArrays, metadataOf, objectsOf } from '../../../testing/zarr/made.ts'
import { byteMutations } from '../onnx/mutations.ts'

export interface Input {
  /** As it was before any damage. */
  readonly array: MadeArray
  readonly objects: Map<string, Uint8Array>
  readonly mutations: readonly string[]
  /** Whether only objects were damaged, all of which end with a checksum: what is read must be what was written. */
  readonly isChecked: boolean
}

type Json = unknown[] | Record<string, unknown>

const HUGE = [2 ** 20, 2 ** 30, 2 ** 31, 2 ** 32 + 1, 2 ** 40, 2 ** 53 - 1, 2 ** 53, 1e300]
const odd: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    0.5,
    Number.MAX_VALUE,
    '',
    'NaN',
    '-Infinity',
    '0x7fc0',
    '0xzz',
    'bytes',
    '/',
    '.',
    '<f4',
    '|S3',
  ],
  ...[[], [1], [0, 0], [2, 1, 0], {}, { name: 'bytes' }, { name: 'zstd', configuration: 3 }, [[[[]]]], 'é\u0000'],
]

/** Every list and object of a tree. */
function* holders(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  yield value as Json
  for (const each of Object.values(value)) yield* holders(each)
}

const metadataMutations: Readonly<Record<string, (random: Random, root: Json) => void>> = {
  oddValue(random, root) {
    const holder = random.pick([...holders(root)]) as Record<string, unknown>
    const keys = Object.keys(holder)
    if (keys.length > 0) holder[random.pick(keys)] = structuredClone(random.pick(odd))
  },
  hugeSize(random, root) {
    const lists = [...holders(root)].filter(
      (each): each is number[] => Array.isArray(each) && typeof each[0] === 'number',
    )
    if (lists.length === 0) return
    const list = random.pick(lists)
    list[random.below(list.length)] = random.pick(HUGE)
  },
  missing(random, root) {
    const holder = random.pick([...holders(root)])
    if (Array.isArray(holder)) holder.splice(random.below(holder.length + 1), 1)
    else delete holder[random.pick(['', ...Object.keys(holder)])]
  },
  extra(random, root) {
    const holder = random.pick([...holders(root)])
    const value = structuredClone(random.pick(odd))
    if (Array.isArray(holder)) holder.splice(random.below(holder.length + 1), 0, value)
    else holder[random.pick(['extra', 'name', 'configuration', 'must_understand', 'storage_transformers'])] = value
  },
  swapped(random, root) {
    const lists = [...holders(root)].filter((each): each is unknown[] => Array.isArray(each) && each.length > 1)
    if (lists.length > 0) random.pick(lists).reverse()
  },
}

const EXTREMES = [0n, 1n, 7n, 2n ** 31n, 2n ** 40n, 2n ** 53n, 2n ** 62n, 2n ** 63n, 2n ** 64n - 2n, 2n ** 64n - 1n]

/** Puts an absurd number into the index of a shard, with the checksum that belongs to it. */
function absurdExtent(random: Random, { codecs, chunks }: MadeArray, shard: Uint8Array): Uint8Array {
  const { configuration } = codecs.find(({ name }) => name === 'sharding_indexed')!
  const inner = configuration!['chunk_shape'] as readonly number[]
  const product = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum * size, 1)
  const size = 16 * (product(chunks) / product(inner))
  const out = Buffer.from(shard)
  const start = configuration!['index_location'] === 'start' ? 0 : out.length - size - 4
  const at = start + 8 * random.below(size / 8)
  const value = random.chance(0.5) ? random.pick(EXTREMES) : BigInt(random.below(2 * out.length))
  if (random.chance(0.5)) out.writeBigUInt64LE(value, at)
  else out.writeBigUInt64BE(value, at)
  crc32c(out.subarray(start, start + size)).copy(out, start + size)
  return out
}

export async function makeInput(seed: number, index: number): Promise<Input> {
  const number = Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)
  const random = makeRandom(number)
  const array = fc.sample(madeArrays, { seed: number, numRuns: 1 })[0]!
  const objects = new Map(await objectsOf(array))
  const mutations: string[] = []
  const [metadataKey, metadata] = metadataOf(array)
  const keys = [...objects.keys()].filter((key) => key !== metadataKey)
  const isSharded = array.codecs.some(({ name }) => name === 'sharding_indexed')
  const kind = random.below(8)
  if (kind < 3) {
    const tree = structuredClone(metadata) as Json
    for (let i = random.below(3); i >= 0; i--) {
      const name = random.pick(Object.keys(metadataMutations))
      metadataMutations[name]!(random, tree)
      mutations.push(name)
    }
    objects.set(metadataKey, Buffer.from(JSON.stringify(tree)))
  } else if (kind < 4 || keys.length === 0) {
    const name = random.pick(Object.keys(byteMutations))
    objects.set(metadataKey, byteMutations[name]!(random, Uint8Array.from(objects.get(metadataKey)!)))
    mutations.push(`${name} of metadata`)
  } else if (kind < 7) {
    const key = random.pick(keys)
    const name = random.pick([...Object.keys(byteMutations), ...(isSharded ? ['absurdExtent', 'absurdExtent'] : [])])
    const before = Uint8Array.from(objects.get(key)!)
    objects.set(
      key,
      name === 'absurdExtent' ? absurdExtent(random, array, before) : byteMutations[name]!(random, before),
    )
    mutations.push(name)
  }
  const chain = isSharded ? (array.codecs.at(-1)!.configuration!['codecs'] as MadeArray['codecs']) : array.codecs
  // A checksum says nothing of where a chunk of a shard lies: another may come to lie there, with a checksum of its own.
  const isMoved = mutations.some((name) => name === 'absurdExtent' || name === 'remove' || name === 'insert')
  const isChecked = kind >= 4 && !(isSharded && isMoved) && chain.at(-1)!.name === 'crc32c'
  return { array, objects, mutations, isChecked }
}
