// NumPy is the judge of .npy and .npz: what it writes is read back equal, and what is written here it reads.
// BCAST_PYTHON names the interpreter that has NumPy; python3 otherwise.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { readBlock } from '../../src/files/blocks/block.ts'
import { rewindable } from '../../src/files/blocks/spool.ts'
import { bytesOf, bytesPerElement, countOf, elementsOver, newElements, storedDTypes } from '../../src/files/element.ts'
import { openSource } from '../../src/files/open.ts'
import { temporaryFolder, writeFile } from './made.ts'

const { BCAST_PYTHON: python = 'python3' } = process.env
const { status } = spawnSync(python, ['-c', 'import numpy'])
const script = fileURLToPath(new URL('numpy_files.py', import.meta.url))
const at = temporaryFolder()

function numpy<T>(task: 'read' | 'write', folder: string): T {
  const {
    stdout,
    stderr,
    status: code,
  } = spawnSync(python, [script, task, folder], { encoding: 'utf8', maxBuffer: 2 ** 28 })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

interface Told {
  readonly spec: string
  readonly dtype: string
  readonly shape: readonly number[]
  readonly hex: string
}

async function asTold(spec: string): Promise<Omit<Told, 'spec'>> {
  const source = await rewindable(await openSource(spec), 2 ** 24)
  const { dtype, shape } = source
  const target = newElements(dtype, countOf(shape))
  await readBlock(
    source,
    shape.map(() => 0),
    shape,
    target,
  )
  await source.close()
  return { dtype, shape, hex: Buffer.from(bytesOf(target)).toString('hex') }
}

describe('NumPy', needs('numpy', status === 0), () => {
  it('writes files of every type, order and version that read back equal', async () => {
    mkdirSync(at('theirs'))
    const told = numpy<Told[]>('write', at('theirs'))
    expect(told.length).toBeGreaterThan(300)
    for (const { spec, ...expected } of told)
      expect([spec, await asTold(at(`theirs/${spec}`))]).toEqual([spec, expected])
  })

  it('reads what is written here, and would write the same header', async () => {
    mkdirSync(at('ours'))
    const expected: Record<string, object> = {}
    const shapes = [[], [5], [2, 3], [2, 0, 3], [2, 1, 2, 1, 2]]
    for (const dtype of storedDTypes) {
      for (const [number, shape] of shapes.entries()) {
        const bytes = Uint8Array.from({ length: countOf(shape) * bytesPerElement(dtype) }, (_, i) =>
          dtype === 'bool' ? i % 2 : (i * 37) % 251,
        )
        const elements = elementsOver(dtype, bytes.buffer, 0, countOf(shape))
        for (const name of [`${dtype}-${number}.npy`, `${dtype}-${number}.npz`]) {
          await writeFile(at(`ours/${name}`), { dtype, shape, elements })
          const hex = Buffer.from(bytes).toString('hex')
          const header = name.endsWith('.npz') ? null : dtype !== 'bfloat16'
          expected[name] = { dtype: dtype === 'bfloat16' ? 'void16' : dtype, shape, hex, header }
        }
      }
    }
    expect(numpy('read', at('ours'))).toEqual(expected)
  })
})
