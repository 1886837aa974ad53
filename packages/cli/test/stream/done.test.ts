// The line at the end of an evaluation.
import { expect, it } from 'vitest'
import { doneText } from '../../src/stream/done.ts'

it.each([
  [
    { output: 'y.npy', dtype: 'float32', shape: [4096, 4096], bytes: 2 ** 27, milliseconds: 41.7 },
    'y.npy: (4096,4096) float32, 64.0 MiB in 42 ms, 3.0 GiB/s read and written',
  ],
  [
    { output: '-', dtype: 'bool', shape: [], bytes: 5, milliseconds: 0.2 },
    'stdout: () bool, 1 B in 1 ms, 4.9 KiB/s read and written',
  ],
  [
    { output: 'two\nlines.npy', dtype: 'int8', shape: [2], bytes: 4, milliseconds: 1 },
    'two\\nlines.npy: (2) int8, 2 B in 1 ms, 3.9 KiB/s read and written',
  ],
  [
    { output: 'y.npz:y', dtype: 'int64', shape: [0, 3], bytes: 0, milliseconds: 12_345 },
    'y.npz:y: (0,3) int64, 0 B in 12.35 s, 0 B/s read and written',
  ],
] as const)('%j', (done, text) => {
  expect(doneText(done)).toBe(text)
})
