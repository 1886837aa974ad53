// docs/coming-from.md runs: every spelling of bcast in its table gives what NumPy gave for the one beside it (recorded in
// coming-from.json, and compared with NumPy itself where there is one), and its program prints and saves what the
// program of NumPy does.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as bcast from 'bcast'
import { normal, random, Tensor, tensor } from 'bcast'
import { readNpz, writeNpy, writeNpz } from 'bcast/npy'
import { afterAll, describe, expect, it } from 'vitest'
import { buildProgram } from '../../packages/cli/build.ts'
import { needs } from '../../testing/needs.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const document = readFileSync(join(root, 'docs/coming-from.md'), 'utf8')
const python = process.env['BCAST_PYTHON'] ?? 'python3'
const hasNumpy = spawnSync(python, ['-c', 'import numpy']).status === 0
const recorded = new URL('coming-from.json', import.meta.url)

/** What the names of the table stand for. */
const NAMES = {
  x: [[1.5, -2.25, 3], [0.5, 4, -1]], // biome-ignore format: a matrix
  y: [[2, 0.5, 3], [1, -3, 2]], // biome-ignore format: a matrix
  v: [10, 20, 30],
  w: [[1, 2], [3, 4], [5, 6]], // biome-ignore format: a matrix
}
const INTEGERS = { i: [[7, -3, 5], [2, 9, -8]], j: [2, 3, 4] } // biome-ignore format: matrices
const BOOLS = { p: [[true, false, true], [false, true, true]], q: [[true, true, false], [false, true, false]] } // biome-ignore format: matrices

type Plain =
  | number
  | string
  | boolean
  | { readonly shape: readonly number[]; readonly values: readonly Plain[] }
  | Plain[]

const context: Readonly<Record<string, unknown>> = {
  ...bcast,
  ...Object.fromEntries(Object.entries(NAMES).map(([name, rows]) => [name, tensor(rows, { dtype: 'float64' })])),
  ...Object.fromEntries(Object.entries(INTEGERS).map(([name, rows]) => [name, tensor(rows, { dtype: 'int64' })])),
  ...Object.fromEntries(Object.entries(BOOLS).map(([name, rows]) => [name, tensor(rows)])),
}

/** A result as numbers, which both languages have. */
function plain(value: unknown): Plain {
  if (value instanceof Tensor) {
    return { shape: [...value.shape], values: [value.toArray() as unknown].flat(9).map((each) => plain(each)) }
  }
  if (ArrayBuffer.isView(value))
    return { shape: [(value as Float64Array).length], values: [...(value as Float64Array)] }
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === 'bigint' ? Number(value) : (value as Plain)
}

/** Every row: what NumPy writes, and the code of bcast, which may be a way around. */
const rows = [...document.matchAll(/^\| `(.+?)` \| .*? \| ([^|]*?`[^|]+`) \|$/gm)].map(([, numpy, ours]) => ({
  numpy: numpy!.replaceAll('\\|', '|'),
  ours: /`([^`]+)`$/.exec(ours!)![1]!,
  isHere: !ours!.startsWith('not here'),
}))

const evaluated = (code: string): Plain =>
  plain(new Function(...Object.keys(context), `return ${code}`)(...Object.values(context)))

const SCRIPT = `
import json, sys
import numpy as np
given = json.load(sys.stdin)
names = {name: np.array(rows) for group in given['names'] for name, rows in group.items()}
names = {name: x.astype('float64') if name in given['floats'] else x for name, x in names.items()}
def plain(value):
    if isinstance(value, np.ndarray):
        return {'shape': list(value.shape), 'values': [each.item() for each in value.ravel()]}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value
print(json.dumps([plain(eval(row, {'np': np, **names})) for row in given['rows']]))
`

function byNumpy(): Plain[] {
  const input = JSON.stringify({
    names: [NAMES, INTEGERS, BOOLS],
    floats: Object.keys(NAMES),
    rows: rows.map(({ numpy }) => numpy),
  })
  const { stdout, stderr, status } = spawnSync(python, ['-c', SCRIPT], { input, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout) as Plain[]
}

/** Equal, or so near as functions may be; scalars and tensors of rank 0 are the same. */
function expectSame(found: Plain, wanted: Plain): void {
  if (Array.isArray(wanted)) {
    expect((found as Plain[]).length).toBe(wanted.length)
    for (const [at, each] of wanted.entries()) expectSame((found as Plain[])[at]!, each)
    return
  }
  if (typeof wanted === 'object') {
    expect((found as typeof wanted).shape).toEqual(wanted.shape)
    for (const [at, each] of wanted.values.entries()) expectSame((found as typeof wanted).values[at]!, each)
    return
  }
  const value = typeof found === 'object' && !Array.isArray(found) ? found.values[0] : found
  if (typeof wanted !== 'number') expect(value).toBe(wanted)
  else expect(Math.abs(Number(value) - wanted)).toBeLessThanOrEqual(1e-12 * Math.abs(wanted))
}

describe('the table', () => {
  const known = JSON.parse(readFileSync(recorded, 'utf8')) as Readonly<Record<string, Plain>>

  it('has a hundred rows, most of them here', () => {
    expect(rows.length).toBeGreaterThanOrEqual(100)
    expect(rows.length).toBe([...document.matchAll(/^\| `/gm)].length)
    expect(rows.filter(({ isHere }) => isHere).length).toBeGreaterThanOrEqual(100)
    expect(Object.keys(known)).toEqual(rows.map(({ numpy }) => numpy))
  })

  it.each(rows)('$numpy is $ours', ({ numpy, ours }) => {
    expectSame(evaluated(ours), known[numpy]!)
  })

  it('holds what NumPy gives', needs('numpy', hasNumpy), () => {
    const given = byNumpy()
    for (const [at, { numpy }] of rows.entries()) expectSame(given[at]!, known[numpy]!)
  })
})

describe('the program', () => {
  const [ours, theirs, printed] = ['ts program', 'python', 'text'].map(
    (language) => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(document)![1]!,
  ) as [string, string, string]
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'program-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  const stream = random(2026)
  writeFileSync(
    join(folder, 'measurements.npy'),
    writeNpy(normal(stream, [60, 4], { dtype: 'float64', mean: 20, std: 5 }) as Tensor),
  )
  const weights = normal(stream, [5, 3], { dtype: 'float64' }) as Tensor
  writeFileSync(join(folder, 'model.npz'), writeNpz({ weights }))

  const run = (command: string, ...args: string[]): string => {
    const { stdout, stderr, status } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return stdout
  }
  const saved = (): Promise<Record<string, Tensor>> => readNpz(readFileSync(join(folder, 'result.npz')))

  it('is one that fits on a page', () => {
    expect(ours.trim().split('\n').length).toBeLessThanOrEqual(50)
  })

  it('prints and saves what the program of NumPy does', async () => {
    writeFileSync(join(folder, 'program.ts'), ours)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    await buildProgram(join(folder, 'dist'), [join(folder, 'program.ts')])
    expect(run(process.execPath, 'dist/program.js')).toBe(printed)
    if (!hasNumpy) return
    const made = await saved()
    writeFileSync(join(folder, 'program.py'), theirs)
    expect(run(python, 'program.py')).toBe(printed)
    const expected = await saved()
    for (const name of ['average', 'deviation', 'masked']) expect(made[name]!.data).toEqual(expected[name]!.data)
    expect(bcast.allClose(made['scores']!, expected['scores']!, { rtol: 1e-12, atol: 1e-12 })).toBe(true)
  })
})
