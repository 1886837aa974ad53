// The .npy or .npz file with a given number, sound or damaged: the same bytes for the same seed, on every machine.
import zlib from 'node:zlib'
import { archive } from '../../../testing/files/archive.ts'
import { withHeader } from '../../../testing/files/npy.ts'
import { makeRandom, type Random } from '../../../testing/random.ts'
import { byteMutations } from '../onnx/mutations.ts'

export type Kind = 'npy' | 'npz'

export interface Input {
  readonly bytes: Uint8Array
  readonly mutations: readonly string[]
}

const codes = ['f2', 'f4', 'f8', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'b1', 'V2']
const odd = ['O', 'c8', 'U4', 'S3', 'M8[ns]', 'f16', 'V7', '', 'f', 'f4f4', 'é', "'", '\\']
const sizes = [
  '0',
  '1',
  '-1',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '1152921504606846976',
]
const values = [
  'True',
  'False',
  'None',
  '()',
  '(3)',
  '[3]',
  '3',
  "'x'",
  '{}',
  '(1, 2',
  "[('a', '<f4')]",
  '__import__(0)',
]

interface Draft {
  descr: string
  fortran: string
  shape: string[]
  tail: string
  version: number
}

const headerMutations: Readonly<Record<string, (random: Random, draft: Draft) => void>> = {
  oddType(random, draft) {
    draft.descr = `'${random.pick(['<', '>', '|', '=', '', '!'])}${random.pick(odd)}'`
  },
  oddSize(random, draft) {
    draft.shape[random.below(draft.shape.length + 1)] = random.pick(sizes)
  },
  manySizes(random, draft) {
    draft.shape = Array.from({ length: 1 + random.below(200) }, () => random.pick(['1', '2', '0']))
  },
  oddValue(random, draft) {
    const value = random.pick(values)
    if (random.chance(0.5)) draft.descr = value
    else draft.fortran = value
  },
  oddTail(random, draft) {
    draft.tail = random.pick([' ', '\n\n', ', }', '}', "'x': 1, }", '\0', ')'.repeat(50), ' }'.repeat(3), '#'])
  },
  nested(random, draft) {
    draft.descr = `${'(['.repeat(random.below(200))}${random.pick(values)}`
  },
  oddVersion(random, draft) {
    draft.version = random.below(6)
  },
}

/** A header and as many elements as it says, or nearly. */
function npyFile(random: Random, mutations: string[]): Uint8Array {
  const code = random.pick(codes)
  const shape = Array.from({ length: random.below(4) }, () => random.below(5))
  const draft: Draft = {
    descr: `'${random.pick(['<', '<', '>', '|'])}${code}'`,
    fortran: random.pick(['True', 'False']),
    shape: shape.map(String),
    tail: ', }',
    version: 1 + random.below(3),
  }
  for (let i = random.below(3); i > 0; i--) {
    const name = random.pick(Object.keys(headerMutations))
    headerMutations[name]!(random, draft)
    mutations.push(name)
  }
  const tuple = `(${draft.shape.join(', ')}${draft.shape.length === 1 ? ',' : ''})`
  const text = `{'descr': ${draft.descr}, 'fortran_order': ${draft.fortran}, 'shape': ${tuple}${draft.tail}`
  const length = shape.reduce((product, size) => product * size, Number(code.slice(1)))
  return withHeader(
    text,
    Uint8Array.from({ length }, () => random.bits()),
    draft.version,
  )
}

const EXTREMES = [0, 1, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000, 12, 46, 1000]
const SIGNATURES = [0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50]

/** Puts an absurd number into a field of a record of the archive. */
function absurdField(random: Random, bytes: Buffer): void {
  const starts: number[] = []
  for (let i = 0; i + 4 <= bytes.length; i++) if (SIGNATURES.includes(bytes.readUInt32LE(i))) starts.push(i)
  if (starts.length === 0) return
  const at = random.pick(starts) + 4 + 2 * random.below(26)
  const width = random.pick([2, 4] as const)
  if (at + width <= bytes.length) bytes.writeUIntLE(random.pick(EXTREMES) % 2 ** (8 * width), at, width)
}

/** The sizes of 64 bits that large archives have, before the end of the directory. */
function wideEnd(random: Random, bytes: Buffer): Buffer {
  const end = bytes.length - 22
  const record = Buffer.alloc(56 + 20)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(bytes.readUInt16LE(end + 10)), 32)
  record.writeBigUInt64LE(BigInt(bytes.readUInt32LE(end + 16)), 48)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(end), 64)
  if (random.chance(0.5)) {
    record.writeBigUInt64LE(
      random.pick([2n ** 53n, 2n ** 64n - 1n, 2n ** 63n, BigInt(bytes.length)]),
      random.pick([32, 48, 64]),
    )
  }
  return Buffer.concat([bytes.subarray(0, end), record, bytes.subarray(end)])
}

function npzFile(random: Random, mutations: string[]): Uint8Array {
  const members = Array.from({ length: 1 + random.below(3) }, (_, i) => {
    const data = npyFile(random, mutations)
    const deflate = random.chance(0.5)
    const lie = random.below(12)
    return {
      name: random.chance(0.9) ? `x${i}.npy` : random.pick([`x${i}`, 'x0.npy', '../x.npy', '/x', '', 'ä.npy']),
      data,
      deflate,
      ...(lie === 0 ? { size: data.length + random.below(9) - 4 } : {}),
      ...(lie === 1 ? { checksum: random.bits() } : {}),
      ...(lie === 2 ? { method: random.pick([0, 8, 12, 99]) } : {}),
      ...(lie === 3 ? { flags: random.bits() & 0xffff } : {}),
    }
  })
  let bytes = archive(members)
  if (random.chance(0.2)) {
    bytes = wideEnd(random, bytes)
    mutations.push('wideEnd')
  }
  for (let i = Math.max(0, random.below(6) - 3); i > 0; i--) {
    absurdField(random, bytes)
    mutations.push('absurdField')
  }
  return bytes
}

export function makeInput(kind: Kind, seed: number, index: number): Input {
  const random = makeRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const mutations: string[] = []
  let bytes = kind === 'npy' ? npyFile(random, mutations) : npzFile(random, mutations)
  if (bytes.length > 0 && random.chance(0.4)) {
    const name = random.pick(Object.keys(byteMutations))
    bytes = byteMutations[name]!(random, Uint8Array.from(bytes))
    mutations.push(name)
  }
  // Zip bombs: a member that inflates to far more than the file has.
  if (kind === 'npz' && random.below(500) === 0) {
    const data = Buffer.concat([
      npyFile(random, mutations),
      zlib.inflateRawSync(zlib.deflateRawSync(Buffer.alloc(2 ** 22))),
    ])
    bytes = archive([{ name: 'x.npy', data, deflate: true, ...(random.chance(0.5) ? { size: 200 } : {}) }])
    mutations.push('bomb')
  }
  return { bytes, mutations }
}
