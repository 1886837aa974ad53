// What the tests of files share: a folder that goes away, files made by hand, whole arrays read and written, random
// elements.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll } from 'vitest'
import type { MadeArray } from '../../../../testing/files/npy.ts'
import {
  bytesPerElement,
  countOf,
  elementsOver,
  newElements,
  type StoredDType,
  storedDTypes,
  type TypedArray,
} from '../../src/files/element.ts'
import { openSink, openSource } from '../../src/files/open.ts'
import type { ArraySource } from '../../src/files/source.ts'

/** A folder for the tests of one file. */
export function temporaryFolder(): (name: string) => string {
  const folder = mkdtempSync(path.join(tmpdir(), 'bcast-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return (name) => path.join(folder, name)
}

/** All elements as they lie, read in runs of at most `run`. */
export async function readStored(source: ArraySource, run = 7): Promise<TypedArray> {
  const count = countOf(source.shape)
  const elements = newElements(source.dtype, count)
  try {
    for (let start = 0; start < count; start += run) {
      await source.read(start, elements.subarray(start, Math.min(count, start + run)))
    }
  } finally {
    await source.close()
  }
  return elements
}

export const readFile = async (spec: string): Promise<TypedArray> => readStored(await openSource(spec))

export async function writeFile(spec: string, { dtype, shape, elements }: MadeArray, run = 5): Promise<void> {
  const sink = await openSink(spec, { dtype, shape })
  for (let start = 0; start < elements.length; start += run) await sink.write(elements.subarray(start, start + run))
  await sink.finish()
}

export function put(file: string, bytes: Uint8Array | string): string {
  writeFileSync(file, bytes)
  return file
}

const specials: Readonly<Record<string, readonly number[]>> = {
  float16: [0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 1, 0x3c00, 0x7bff],
  bfloat16: [0, 0x8000, 0x7f80, 0xff80, 0x7fc0, 1, 0x3f80, 0x7f7f],
}

/** Any bits of a type; for `numbers` only those that stand for one number each, so that text can carry them. */
function elementsArbitrary(dtype: StoredDType, count: number, numbers: boolean): fc.Arbitrary<TypedArray> {
  const width = bytesPerElement(dtype)
  if (dtype === 'bool')
    return fc.array(fc.boolean(), { minLength: count, maxLength: count }).map((all) => Uint8Array.from(all, Number))
  if (numbers && dtype in specials) {
    return fc
      .array(fc.oneof(fc.constantFrom(...specials[dtype]!), fc.integer({ min: 0, max: 0x77ff })), {
        minLength: count,
        maxLength: count,
      })
      .map((bits) => Uint16Array.from(bits))
  }
  if (numbers && dtype === 'float32') return fc.float32Array({ minLength: count, maxLength: count })
  if (numbers && dtype === 'float64') return fc.float64Array({ minLength: count, maxLength: count })
  return fc
    .uint8Array({ minLength: count * width, maxLength: count * width })
    .map((bytes) => elementsOver(dtype, bytes.slice().buffer, 0, count))
}

const shapes = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 }),
  fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
)

export const arrays = ({ numbers = false } = {}): fc.Arbitrary<MadeArray> =>
  fc
    .tuple(fc.constantFrom(...storedDTypes), shapes)
    .chain(([dtype, shape]) =>
      elementsArbitrary(dtype, countOf(shape), numbers).map((elements) => ({ dtype, shape, elements })),
    )
