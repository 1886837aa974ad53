// Dropped files: arrays by their header, texts, and what is neither.
import { tensor } from 'bcast'
import { writeNpy } from 'bcast/npy'
import { expect, it } from 'vitest'
import { type GivenFile, readFile } from '../src/recognise/file.ts'

const file = (name: string, bytes: Uint8Array<ArrayBuffer>, size = bytes.length): GivenFile => ({
  ...{ name, size },
  slice: (start, end) => new Blob([bytes.slice(start, end)]),
})

const text = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content) as Uint8Array<ArrayBuffer>

it('an array gives its shape', async () => {
  const bytes = writeNpy(tensor([[1, 2, 3]]) as never) as Uint8Array<ArrayBuffer>
  // Of a file of any size the header is read.
  expect(await readFile(file('x.npy', bytes, 3e8))).toEqual({ kind: 'array', shape: [1, 3], dtype: 'float32' })
  expect(await readFile(file('x.npy', bytes.slice(0, 20)))).toMatchObject({ kind: 'problem' })
  expect(
    await readFile(
      file(
        'x.npy',
        bytes.map((byte, i) => (i > 12 && i < 20 ? 33 : byte)),
      ),
    ),
  ).toMatchObject({
    kind: 'problem',
    text: expect.stringContaining('x.npy'),
  })
})

it('a text is a text', async () => {
  expect(await readFile(file('log.txt', text('shapes (2,3) (4,)')))).toEqual({
    kind: 'text',
    text: 'shapes (2,3) (4,)',
  })
})

it('anything else is told', async () => {
  expect(await readFile(file('a.bin', Uint8Array.of(0, 1, 2)))).toMatchObject({ kind: 'problem' })
  expect(await readFile(file('empty', Uint8Array.of()))).toMatchObject({ kind: 'problem' })
})
