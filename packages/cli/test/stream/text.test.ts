// What people read and write around an evaluation: amounts of memory, the progress line, results on the terminal.
import { add, broadcastTo, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { formatBytes, parseMemorySize } from '../../src/arguments/memory-size.ts'
import type { StoredDType, TypedArray } from '../../src/files/element.ts'
import { Progress } from '../../src/stream/progress.ts'
import { ShownElements } from '../../src/stream/shown.ts'

describe('amounts of memory', () => {
  it.each([
    ['256MiB', 256 * 2 ** 20],
    ['1G', 2 ** 30],
    ['1.5 gib', 1.5 * 2 ** 30],
    ['500MB', 5e8],
    ['64k', 65536],
    ['1048576', 1048576],
  ])('%s', (text, bytes) => {
    expect(parseMemorySize(text)).toBe(bytes)
  })

  it.each(['', '0', '-1', 'x', '1XB', '1e9', '256 Mi B', 'NaN', '99999999T'])('%j is refused', (text) => {
    expect(() => parseMemorySize(text)).toThrow('it is a number of bytes, such as 256MiB')
  })

  it('are written with three digits', () => {
    expect([0, 999, 1536, 100 * 2 ** 20, 2 ** 32].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '1.5 KiB',
      '100 MiB',
      '4.0 GiB',
    ])
  })
})

describe('progress', () => {
  const watched = (isTTY: boolean) => {
    const texts: string[] = []
    let now = 0
    const progress = new Progress({ isTTY, write: (text) => texts.push(text) }, 4 * 2 ** 30, () => now)
    const at = (time: number, share: number): void => {
      now = time
      progress.update(share)
    }
    return { texts, at, progress }
  }

  it('says share, rate and time left on a terminal, now and then, and clears the line', () => {
    const { texts, at, progress } = watched(true)
    at(100, 0.01)
    at(1000, 0.25)
    at(1010, 0.26)
    at(2000, 0.5)
    progress.end()
    expect(texts).toEqual([
      '\r\u001b[K██████░░░░░░░░░░░░░░░░░░  25 %  1.0 GiB/s  0:03 left',
      '\r\u001b[K████████████░░░░░░░░░░░░  50 %  1.0 GiB/s  0:02 left',
      '\r\u001b[K',
    ])
  })

  it('is silent elsewhere, and where the work is over at once', () => {
    for (const [isTTY, time] of [
      [false, 5000],
      [true, 200],
    ] as const) {
      const { texts, at, progress } = watched(isTTY)
      at(time, 0.5)
      progress.end()
      expect(texts).toEqual([])
    }
  })
})

describe('results on the terminal', () => {
  const shownOf = async (whole: { dtype: string; shape: readonly number[]; data: unknown }, step: number) => {
    const shown = new ShownElements(whole.dtype as StoredDType, whole.shape)
    const data = whole.data as TypedArray
    for (let at = 0; at < data.length; at += step) await shown.write(data.subarray(at, at + step) as TypedArray)
    return String(shown)
  }

  it.each([
    tensor([1.5, 2, 3]),
    tensor(
      [
        [1, 2],
        [3, 4],
      ],
      { dtype: 'int64' },
    ),
    tensor(2.5, { dtype: 'float16' }),
    tensor([true, false]),
    tensor(
      Float32Array.from({ length: 5000 }, (_, i) => i / 7),
      { shape: [50, 100] },
    ),
    add(broadcastTo(tensor([1, 2, 3], { dtype: 'bfloat16' }), [20, 40, 3]), tensor(1, { dtype: 'bfloat16' })),
    tensor(new Float32Array(0), { shape: [0, 3] }),
  ])('are those of the tensor', async (whole) => {
    const head = `${whole.dtype} (${whole.shape.join()})${whole.rank === 0 ? ' ' : '\n'}`
    for (const step of [1, 7, 10_000]) expect(await shownOf(whole, step)).toBe(`${head}${whole}`)
  })

  it('leave out what would fill many screens', async () => {
    expect(String(new ShownElements('float32', [9, 9, 9, 9, 9, 9, 9]))).toBe(
      'float32 (9,9,9,9,9,9,9) of too many axes to be shown',
    )
  })
})
