// The seed is one: generators draw from it, other tests name none of their own, and none leaves a case to chance.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seed, seedOf } from './seed.ts'

const root = path.resolve(import.meta.dirname, '..')

/** What would make a case depend on something else than the seed. */
const elsewhere: readonly RegExp[] = [
  /\bseed: *-?\d/,
  /\b\w*SEED\w* = -?\d/,
  /\bMath\.random\b/,
  /\brandom(Bytes|Int|UUID|FillSync)\b|\bgetRandomValues\b/,
  /\binterruptAfterTimeLimit\b|\bskipAllAfterTimeLimit\b/,
]

const files = ['packages', 'tools']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  )
  .filter((file) => !file.includes('node_modules') && /^packages\/[^/]+\/test\/.*\.(ts|js)$|\.test\.ts$/.test(file))
  // There seeds are what the tests are about.
  .filter((file) => !file.startsWith(path.join('tools', 'random')))

describe('the seed', () => {
  it('is that of every property', () => {
    expect(fc.readConfigureGlobal().seed).toBe(seed)
    const drawn = () => fc.sample(fc.integer(), 20)
    expect(drawn()).toEqual(drawn())
  })

  it('makes another for each stream', () => {
    expect(new Set(Array.from({ length: 1000 }, (_, stream) => seedOf(stream))).size).toBe(1000)
    expect(seedOf(7)).toBe(seedOf(7))
  })

  it('is the only one: no test names its own or asks for chance', () => {
    expect(files.length).toBeGreaterThan(200)
    const found = files.flatMap((file) => {
      const lines = readFileSync(path.join(root, file), 'utf8').split('\n')
      return lines.flatMap((line, i) =>
        elsewhere.some((sign) => sign.test(line)) ? [`${file}:${i + 1} ${line.trim()}`] : [],
      )
    })
    expect(found).toEqual([])
  })
})
