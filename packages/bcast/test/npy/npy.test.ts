// NumPy's files in memory: every type, order and version, sound or not, and archives, stored or deflated. What NumPy
// itself reads and writes is compared where there is one; the formats' parts are tested with the command line.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { arange, type DType, DTypeError, dtypes, type Tensor, tensor, zeros } from 'bcast'
import { FormatError, readNpy, readNpz, type StoredDType, writeNpy, writeNpz } from 'bcast/npy'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsOf } from '../../../../testing/elements.ts'
import { archive } from '../../../../testing/files/archive.ts'
import { needs } from '../../../../testing/needs.ts'
import { sample } from '../support/layouts.ts'

const stored = dtypes.filter((dtype): dtype is StoredDType => dtype !== 'string' && dtype !== 'real')
const any = fc
  .tuple(fc.constantFrom<DType>(...stored), fc.array(fc.constantFrom(0, 1, 2, 3), { maxLength: 4 }))
  .chain(([dtype, shape]) => sample(dtype, shape))

const bytesIn = ({ data }: Tensor): Uint8Array => {
  const { buffer, byteOffset, byteLength } = data as Uint8Array
  return new Uint8Array(buffer, byteOffset, byteLength).slice()
}

/** An .npy file with a header of its own. */
const file = (header: string, elements: Uint8Array, major = 1): Uint8Array => {
  const text = Buffer.from(`${header}\n`, 'latin1')
  const length = Buffer.alloc(major === 1 ? 2 : 4)
  length.writeUIntLE(text.length, 0, length.length)
  return Buffer.concat([Buffer.from('\x93NUMPY', 'latin1'), Buffer.of(major, 0), length, text, elements])
}

describe('a tensor in a file', () => {
  it('comes back with every bit, whatever its type and layout', () => {
    fc.assert(
      fc.property(any, ({ tensor: x }) => {
        const back = readNpy(writeNpy(x))
        expect([back.dtype, back.shape, back.isRowMajor]).toEqual([x.dtype, x.shape, true])
        expect(bytesIn(back)).toEqual(bytesIn(x))
      }),
    )
  })

  it('is read from whatever holds bytes, at any place', () => {
    const bytes = writeNpy(arange(3))
    const shifted = new Uint8Array(bytes.length + 3)
    shifted.set(bytes, 3)
    for (const given of [bytes, shifted.subarray(3), bytes.slice().buffer, new DataView(bytes.slice().buffer)]) {
      expect(readNpy(given).toArray()).toEqual([0, 1, 2])
    }
  })

  it('is read in the other byte order, in Fortran order, and of every version', () => {
    const wanted = [
      [1, 2, 3],
      [4, 5, 6],
    ]
    const big = Buffer.alloc(12)
    for (const [i, x] of [1, 2, 3, 4, 5, 6].entries()) big.writeInt16BE(x, 2 * i)
    const header = "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }"
    for (const version of [1, 2, 3]) expect(readNpy(file(header, big, version)).toArray()).toEqual(wanted)
    const fortran = readNpy(
      file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", Uint8Array.of(1, 4, 2, 5, 3, 6)),
    )
    expect([fortran.toArray(), fortran.isRowMajor]).toEqual([wanted, false])
  })

  it('of bools has any byte but 0 for true', () => {
    const made = readNpy(file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", Uint8Array.of(0, 1, 7)))
    expect(made.toArray()).toEqual([false, true, true])
    expect([...(made.data as Uint8Array)]).toEqual([0, 1, 1])
  })

  it.each([
    [
      'no .npy file',
      Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
      'it is no .npy file: it begins with the bytes 010203040506',
    ],
    ['too short', writeNpy(arange(3)).subarray(0, 100), 'the .npy header ends 28 bytes too early.'],
    ['empty', new Uint8Array(), 'the .npy header ends 8 bytes too early.'],
    [
      'without its last byte',
      writeNpy(arange(3)).subarray(0, -1),
      '1 bytes are missing: shape (3) of float32 takes 140',
    ],
    ['with a byte more', Buffer.concat([writeNpy(arange(3)), Buffer.of(0)]), '1 bytes follow the last element'],
    [
      'objects',
      file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", new Uint8Array(8)),
      'pickled Python objects',
    ],
    ['complex', file("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", new Uint8Array(8)), 'arr.real'],
    ['a header that is none', file('{', new Uint8Array()), 'the .npy header is no Python dictionary'],
  ])('is refused: %s', (_, bytes, words) => {
    expect(() => readNpy(bytes)).toThrow(FormatError)
    expect(() => readNpy(bytes)).toThrow(words)
  })

  it('is numbers or bools', () => {
    expect(() => writeNpy(tensor(['a']))).toThrow(DTypeError)
    expect(() => writeNpy([1] as never)).toThrow('writeNpy takes a tensor')
    expect(() => readNpy('x.npy' as never)).toThrow('readNpy takes the bytes of a file')
  })
})

describe('an archive', () => {
  it('has tensors by name, and the same ones give the same bytes', async () => {
    const tensors = { x: zeros([2, 2]), ключ: arange(3, { dtype: 'int64' }), __proto__x: tensor([true]) }
    const bytes = writeNpz(tensors)
    expect(writeNpz(tensors)).toEqual(bytes)
    const back = await readNpz(bytes)
    expect(Object.keys(back)).toEqual(Object.keys(tensors))
    for (const [name, x] of Object.entries(tensors)) expect(elementsOf(back[name]!)).toEqual(elementsOf(x as Tensor))
    expect(await readNpz(writeNpz({}))).toEqual({})
  })

  it('may be deflated, or hold both', async () => {
    const [a, b] = [writeNpy(arange(1000)), writeNpy(zeros([500]))]
    const made = archive([
      { name: 'a.npy', data: a, deflate: true },
      { name: 'b.npy', data: b },
    ])
    const back = await readNpz(made)
    expect([back['a']!.get(999), back['b']!.size]).toEqual([999, 500])
  })

  const data = writeNpy(arange(100))
  it.each([
    ['nothing', Buffer.alloc(0), 'its directory is missing'],
    ['no archive', Buffer.alloc(100, 1), 'its directory is missing'],
    ['half', archive([{ name: 'x.npy', data }]).subarray(0, 200), 'its directory is missing'],
    ['a wrong checksum', archive([{ name: 'x.npy', data, checksum: 1 }]), 'the checksum of x.npy differs'],
    [
      'one of a deflated file',
      archive([{ name: 'x.npy', data, deflate: true, checksum: 1 }]),
      'x.npy cannot be inflated',
    ],
    ['more than it says', archive([{ name: 'x.npy', data, deflate: true, size: 10 }]), 'x.npy'],
    ['less than it says', archive([{ name: 'x.npy', data, deflate: true, size: 9999 }]), 'x.npy'],
    ['bytes that it has not', archive([{ name: 'x.npy', data, compressedSize: 99999 }]), 'and has'],
    ['another method', archive([{ name: 'x.npy', data, method: 12 }]), 'compressed by method 12'],
    ['a password', archive([{ name: 'x.npy', data, flags: 1 }]), 'x.npy is encrypted'],
    [
      'a name twice',
      archive([
        { name: 'x.npy', data },
        { name: 'x.npy', data },
      ]),
      'two of its members are named x',
    ],
    ['text', archive([{ name: 'x.txt', data: Buffer.from('hello') }]), 'x.txt: the .npy header ends'],
  ])('is refused: %s', async (_, bytes, words) => {
    const error = await readNpz(bytes).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error).toBeInstanceOf(FormatError)
    expect(error!.message).toContain(words)
  })

  it('with any byte changed is read as it was, or refused', async () => {
    const whole = archive([{ name: 'x.npy', data: writeNpy(arange(5)), deflate: true }])
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const changed = Buffer.from(whole)
        changed[at] = byte
        const outcome = await readNpz(changed).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(FormatError)
        else
          for (const x of Object.values(outcome as Record<string, Tensor>)) expect(x.toArray()).toEqual([0, 1, 2, 3, 4])
      }),
      { numRuns: 200 },
    )
  })

  it('of names that are none, or what is no tensor, is not written', () => {
    expect(() => writeNpz({ '': zeros([1]) })).toThrow('a name has 1 to')
    expect(() => writeNpz({ x: 1 } as never)).toThrow('writeNpz: x takes a tensor')
    expect(() => writeNpz([zeros([1])] as never)).toThrow('writeNpz takes tensors by name')
  })
})

describe(
  'NumPy',
  needs('numpy', spawnSync(process.env['BCAST_PYTHON'] ?? 'python3', ['-c', 'import numpy']).status === 0),
  () => {
    const python = (script: string, ...args: string[]): string => {
      const { stdout, stderr, status } = spawnSync(process.env['BCAST_PYTHON'] ?? 'python3', ['-c', script, ...args], {
        encoding: 'utf8',
      })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      return stdout
    }

    it('reads what is written here, and the other way round', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'bcast-npy-'))
      try {
        const ours = Object.fromEntries(
          stored
            .filter((dtype) => dtype !== 'bfloat16')
            .map((dtype) => [dtype, readNpy(writeNpy(zeros([2, 3], { dtype })))]),
        )
        writeFileSync(join(folder, 'ours.npz'), writeNpz(ours))
        const told = python(
          "import numpy as np, sys\nz = np.load(sys.argv[1] + '/ours.npz')\nprint(' '.join(f'{k}:{z[k].dtype}:{z[k].shape}' for k in z))\nnp.savez_compressed(sys.argv[1] + '/theirs.npz', **{k: np.asfortranarray(z[k] + 1 if z[k].dtype != bool else ~z[k]) for k in z})",
          folder,
        )
        expect(told.trim().split(/ (?=\w+:)/).length).toBe(Object.keys(ours).length)
        const theirs = await readNpz(readFileSync(join(folder, 'theirs.npz')))
        for (const [name, x] of Object.entries(theirs)) {
          expect([name, x.dtype, x.shape, new Set(elementsOf(x).map(Number))]).toEqual([
            name,
            name,
            [2, 3],
            new Set([1]),
          ])
        }
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  },
)
