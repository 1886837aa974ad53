// What the system tells of caches, as it does on several machines; from which size on results go past them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { lastCache } from '../src/cache.ts'
import { type NativeOptions, streamFrom } from '../src/options.ts'

const MIB = 2 ** 20

let folder = ''
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A folder as Linux has it beside a processor: level, type and size of each cache. */
function told(...caches: readonly (readonly [level: number, type: string, size: string])[]): string {
  folder = mkdtempSync(path.join(tmpdir(), 'bcast-cache-'))
  for (const [i, [level, type, size]] of caches.entries()) {
    mkdirSync(path.join(folder, `index${i}`))
    for (const [name, text] of Object.entries({ level, type, size }))
      writeFileSync(path.join(folder, `index${i}`, name), `${text}\n`)
  }
  writeFileSync(path.join(folder, 'uevent'), '')
  return folder
}

describe('the last cache', () => {
  it.each([
    [
      'a server',
      [
        [1, 'Data', '48K'],
        [1, 'Instruction', '32K'],
        [2, 'Unified', '1024K'],
        [3, 'Unified', '32768K'],
      ],
      32,
    ],
    [
      'one whose caches are told in no order',
      [
        [3, 'Unified', '36M'],
        [1, 'Data', '32K'],
        [2, 'Unified', '1M'],
      ],
      36,
    ],
    [
      'one without a third',
      [
        [1, 'Data', '64K'],
        [2, 'Unified', '2048K'],
      ],
      2,
    ],
    [
      'one with instructions last',
      [
        [2, 'Unified', '4096K'],
        [3, 'Instruction', '8192K'],
      ],
      4,
    ],
  ] as const)('is that of %s', (_, caches, size) => {
    expect(lastCache(told(...caches))).toBe(size * MIB)
  })

  it('is that of most machines where nothing is told', () => {
    expect(lastCache('/nowhere')).toBe(32 * MIB)
    expect(lastCache(told())).toBe(32 * MIB)
    expect(lastCache(told([3, 'Unified', '0K']))).toBe(32 * MIB)
    expect(lastCache(told([3, 'Unified', 'much']))).toBe(32 * MIB)
  })
})

describe('results go past the caches', () => {
  it('where the last one would not hold them, always, or never', () => {
    const from = (['auto', 'streaming', 'ordinary'] as const).map((stores) => streamFrom({ stores }, 7))
    expect(from).toEqual([7, 0, Number.POSITIVE_INFINITY])
  })

  it('in no other way', () => {
    expect(() => streamFrom({ stores: 'never' } as unknown as NativeOptions, 7)).toThrow(
      `configureNative: stores is "never"; it takes { stores }, which is 'auto', 'streaming' or 'ordinary'.`,
    )
  })
})
