// `bcast eval` judged by exit code, streams and files.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Shape, type Tensor, tensor } from 'bcast'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredDType, TypedArray } from '../../src/files/element.ts'
import { openSink, openSource } from '../../src/files/open.ts'
import { called } from '../support/called.ts'
import type { Outcome } from '../support/program.ts'

let folder = ''
const file = (name: string): string => join(folder, name)

const bcast = (...words: string[]): Promise<Outcome> => called(['eval', ...words])

async function save(name: string, { dtype, shape, data }: Tensor): Promise<void> {
  const sink = await openSink(file(name), { dtype: dtype as StoredDType, shape })
  await sink.write(data as TypedArray)
  await sink.finish()
}

async function load(name: string): Promise<{ dtype: string; shape: Shape; elements: unknown[] }> {
  const source = await openSource(file(name))
  const target = tensor(new Array(source.shape.reduce((a, b) => a * b, 1)).fill(0), { dtype: source.dtype })
    .data as TypedArray
  await source.read(0, target)
  await source.close()
  return { dtype: source.dtype, shape: source.shape, elements: [...target] }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bcast-eval-'))
  await save(
    'x.npy',
    tensor([
      [1, 2, 3],
      [4, 5, 6],
    ]),
  )
  await save('m.npy', tensor([2.5, 3.5, 4.5]))
  await save('pair.npy', tensor([1, 2]))
  await save(
    'i.npy',
    tensor(
      [
        [6, 7],
        [8, 9],
      ],
      { dtype: 'int32' },
    ),
  )
  await save(
    'zero.npy',
    tensor(
      [
        [1, 2],
        [0, 4],
      ],
      { dtype: 'int32' },
    ),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('bcast eval', () => {
  it('prints the result without -o', async () => {
    expect(await bcast('(x - m) / 1.5', `x=${file('x.npy')}`, `m=${file('m.npy')}`)).toEqual({
      code: 0,
      stdout: 'float32 (2,3)\n[[-1. -1. -1.]\n [ 1.  1.  1.]]\n',
      stderr: '',
    })
  })

  it('writes it with -o, and says on stderr what it wrote, unless it is to be quiet', async () => {
    const words = ['where(x > m, x, 0)', `x=${file('x.npy')}`, `m=${file('m.npy')}`, '--dtype', 'int8']
    const { stderr, ...rest } = await bcast(...words, '-o', file('y.npy'))
    expect(rest).toEqual({ code: 0, stdout: '' })
    expect(stderr.slice(folder.length + 1)).toMatch(
      /^y\.npy: \(2,3\) int8, 6 B in \d+ ms, \S+ (B|KiB)\/s read and written\n$/,
    )
    expect(await bcast(...words, '-o', file('y.npy'), '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await load('y.npy')).toEqual({ dtype: 'int8', shape: [2, 3], elements: [0, 0, 0, 4, 5, 6] })
    expect(await bcast('y + 1', `y=${file('y.npy')}`, '-o', file('y.npy'))).toMatchObject({ code: 0 })
    expect((await load('y.npy')).elements).toEqual([1, 1, 1, 5, 6, 7])
  })

  it('writes Fortran order where the arrays lie in it and the format knows it', async () => {
    const columns = await openSink(file('f.npy'), { dtype: 'float32', shape: [2, 3], order: 'column-major' })
    await columns.write(Float32Array.of(1, 4, 2, 5, 3, 6))
    await columns.finish()
    const words = ['f * 10 + m', `f=${file('f.npy')}`, `m=${file('m.npy')}`]
    const text = 'float32 (2,3)\n[[12.5 23.5 34.5]\n [42.5 53.5 64.5]]\n'
    expect((await bcast(...words)).stdout).toBe(text)
    const orders: Record<string, string> = {}
    for (const name of ['fy.npy', 'fy.npz', 'fy.json', 'fy.pb']) {
      expect(await bcast(...words, '-o', file(name), '--quiet')).toMatchObject({ code: 0, stderr: '' })
      const source = await openSource(file(name))
      orders[name] = source.order
      await source.close()
      expect((await bcast('float32(y)', `y=${file(name)}`)).stdout).toBe(text)
    }
    const [row, column] = ['row-major', 'column-major']
    expect(orders).toEqual({ 'fy.npy': column, 'fy.npz': column, 'fy.json': row, 'fy.pb': row })
  })

  it('takes names with spaces, quotes and colons', async () => {
    for (const name of ['run 12:30:00.npy', "it's.npy", 'a:b.npz', 'C:\\data\\x.npy', '100%.json']) {
      expect(await bcast('x + 1', `x=${file('x.npy')}`, '-o', file(name), '--quiet')).toMatchObject({ code: 0 })
      expect((await bcast('float32(y)', `y=${file(name)}`)).stdout).toBe('float32 (2,3)\n[[2. 3. 4.]\n [5. 6. 7.]]\n')
    }
    expect((await bcast('x', `x=${file('no 12:30.npy')}`)).stderr).toMatch(/no 12:30\.npy: there is no such file\.\n$/)
    expect((await bcast('y', `y=${file('a:b.npz')}:arr_0`)).code).toBe(0)
  })

  it('needs no arrays, and takes a rule', async () => {
    expect((await bcast('2 ** 10 - 1 / 4')).stdout).toBe('float64 () 1023.75\n')
    const words = ['x * pair', `x=${file('x.npy')}`, `pair=${file('pair.npy')}`]
    expect((await bcast(...words, '--rule', 'pdpd', '--axis', '0')).stdout).toBe(
      'float32 (2,3)\n[[ 1.  2.  3.]\n [ 8. 10. 12.]]\n',
    )
  })

  it('exits 1 when the arrays do not go together, and leaves the output as it was', async () => {
    writeFileSync(file('old.npy'), 'old')
    const shapes = await bcast(
      'm + x * pair',
      ...['m', 'x', 'pair'].map((name) => `${name}=${file(`${name}.npy`)}`),
      '-o',
      file('old.npy'),
    )
    expect({ code: shapes.code, stdout: shapes.stdout }).toEqual({ code: 1, stdout: '' })
    expect(shapes.stderr).toContain(
      'bcast: cannot broadcast axis -1: 3 vs 2 (shapes [2,3] and [2]).\n  m + x * pair\n        ^\n(A is x, B is pair)\n',
    )
    const zero = await bcast('i / zero', `i=${file('i.npy')}`, `zero=${file('zero.npy')}`, '-o', file('old.npy'))
    expect(zero.code).toBe(1)
    expect(zero.stderr).toContain('division by zero at index [1, 0] of the result. Make the divisor there nonzero')
    expect(zero.stderr).toContain('\n  i / zero\n    ^\n')
    expect(readFileSync(file('old.npy'), 'utf8')).toBe('old')
    expect((await bcast('i + 0.5', `i=${file('i.npy')}`)).code).toBe(1)
  })

  it.each([
    [['x +', 'x=x.npy'], 'the expression ends where an operand is expected.\n  x +\n     ^\n'],
    [['x + mean', 'x=x.npy', 'meam=m.npy'], 'no file is given for mean. Did you mean meam?\n  x + mean\n      ^^^^\n'],
    [['x + 1', 'x=x.npy', 'y=m.npy'], 'y=m.npy is given and the expression does not use y.\n  x + 1\n'],
    [['x + 1', 'x=x.npy', 'x=m.npy'], 'two files are given for x'],
    [['x + 1', 'x.npy'], '"x.npy" is no NAME=FILE'],
    [['x + 1', 'not=x.npy'], '"not" means something else in an expression'],
    [['x + 1', '2x=x.npy'], '"2x" is no name'],
    [['x + 1', 'x=missing.npy'], 'missing.npy'],
    [['x + y', 'x=-', 'y=-'], 'stdin (-) can be read for one name only'],
    [['x + 1', 'x=x.npy', '--memory', '1MiB'], 'the program itself takes'],
    [['x + 1', 'x=x.npy', '--memory', 'much'], '--memory is "much"'],
    [['x + 1', 'x=x.npy', '--dtype', 'int7'], 'int7'],
    [['x + 1', 'x=x.npy', '--rule', 'numpi'], 'numpi'],
    [['x + 1', 'x=x.npy', '-o', 'nowhere/y.npy'], 'nowhere'],
  ])('exits 2 with the reason on stderr: %j', async (words, reason) => {
    const given = words.map((word) => word.replace(/^(\w+=)(\w+\.npy)$/, (_, name, own) => `${name}${file(own)}`))
    const { code, stdout, stderr } = await bcast(...given)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.replaceAll(`${folder}/`, '')).toContain(reason)
    expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([])
    expect(existsSync(file('nowhere'))).toBe(false)
  })
})
