// `bcast diff` judged by exit code and streams.
import { describe, expect, it } from 'vitest'
import { npyBytes } from '../../../../testing/files/npy.ts'
import { put, temporaryFolder, writeFile } from '../files/made.ts'
import { called } from '../support/called.ts'
import type { Outcome } from '../support/program.ts'

const at = temporaryFolder()

const diff = (args: readonly string[], input: Uint8Array = new Uint8Array()): Promise<Outcome> =>
  called(['diff', ...args], { input })

const a = { dtype: 'float32', shape: [2, 2], elements: Float32Array.of(1, 2, 0, NaN) } as const
const b = { ...a, elements: Float32Array.of(1, 2.0000002, -0, NaN) } as const
put(at('a.npy'), npyBytes(a))
// The same array, its elements in the other order.
const turned = Float32Array.of(1, 0, 2, NaN)

describe('diff', () => {
  it('exits 0 when arrays are equal, whatever their formats and orders', async () => {
    await writeFile(at('a.json'), a)
    const fortran = npyBytes({ ...a, elements: turned }, { fortran: true, order: '>' })
    expect(await diff([at('a.json'), '-'], fortran)).toEqual({
      code: 0,
      stdout: `A  ${at('a.json')}  float32 (2,2)\nB  ${'-'.padEnd(at('a.json').length)}  float32 (2,2)\nequal: 4 elements\n`,
      stderr: '',
    })
  })

  it('exits 1 when they differ, and says where and by how much', async () => {
    await writeFile(`${at('b.npz')}:y`, b)
    const { code, stdout } = await diff([at('a.npy'), `${at('b.npz')}:y`])
    expect(code).toBe(1)
    expect(stdout.split('\n').slice(2)).toEqual([
      '1 of 4 elements differ',
      '  at [0, 1]  2 against 2.0000002   1 ulp, relative 1.19e-7',
      'largest: 1 ulp at [0, 1] (2 against 2.0000002)',
      'largest relative: 1.19e-7 at [0, 1] (2 against 2.0000002)',
      '1 zero of another sign, which counts as equal',
      '',
    ])
    expect((await diff([at('a.npy'), `${at('b.npz')}:y`, '--ulp', '1'])).code).toBe(0)
  })

  it('says at the end again how many differ, below a long list', async () => {
    const zeros = { dtype: 'float32', shape: [50], elements: new Float32Array(50) } as const
    put(at('zeros.npy'), npyBytes(zeros))
    put(at('ones.npy'), npyBytes({ ...zeros, elements: new Float32Array(50).fill(1) }))
    const last = async (show: string) =>
      (await diff([at('zeros.npy'), at('ones.npy'), '--show', show])).stdout.split('\n').at(-2)
    expect(await last('40')).toBe('50 of 50 elements differ')
    expect(await last('4')).toMatch(/^largest relative: /)
  })

  it('says differences of 64-bit integers to the last digit', async () => {
    const wide = (elements: BigInt64Array<ArrayBuffer>) => npyBytes({ dtype: 'int64', shape: [2], elements })
    put(at('low.npy'), wide(BigInt64Array.of(-(2n ** 63n), 2n ** 53n)))
    put(at('high.npy'), wide(BigInt64Array.of(2n ** 63n - 1n, 2n ** 53n + 1n)))
    const { code, stdout } = await diff([at('low.npy'), at('high.npy')])
    expect(code).toBe(1)
    expect(stdout).toContain('against 9223372036854775807   by 18446744073709551615\n')
    expect(stdout).toMatch(/9007199254740992 against 9007199254740993 +by 1\n/)
    expect(stdout).toContain('largest: by 18446744073709551615 at [0]')
  })

  it('takes and gives distances above 2^53 to the last digit', async () => {
    const { stdout } = await diff([at('low.npy'), at('high.npy'), '--json'])
    expect(stdout.match(/"ulp": \d+/g)).toEqual(
      [18446744073709551615n, 1n, 18446744073709551615n, 18446744073709551615n].map((ulp) => `"ulp": ${ulp}`),
    )
    expect(JSON.parse(stdout)).toMatchObject({ largestUlp: { index: [0] } })
    const within = (ulp: string) => diff([at('low.npy'), at('high.npy'), '--ulp', ulp])
    expect(await within('18446744073709551615')).toMatchObject({ code: 0 })
    expect((await within('18446744073709551615')).stdout).toContain('equal within 18446744073709551615 ulp: 2 elements')
    expect((await within('18446744073709551614')).stdout).toContain(
      '1 of 2 elements differ by more than 18446744073709551614 ulp',
    )
  })

  it('takes stdin with its format, before and behind options and files', async () => {
    for (const args of [
      ['-:npy', at('a.npy')],
      [at('a.npy'), '--json', '-:npy'],
      ['--ulp', '1', '-:npy', '--', at('a.npy')],
    ]) {
      expect(await diff(args, npyBytes(a))).toMatchObject({ code: 0, stderr: '' })
    }
    expect((await diff(['-:npy', at('a.npy'), '--jsno'])).stderr).toContain(
      "unknown option '--jsno'\n(Did you mean --json?)",
    )
  })

  it('exits 1 when types or shapes differ', async () => {
    put(at('c.npy'), npyBytes({ dtype: 'int8', shape: [3], elements: Int8Array.of(1, 2, 3) }))
    const { code, stdout } = await diff([at('a.npy'), at('c.npy')])
    expect(code).toBe(1)
    expect(stdout).toContain('types differ: float32 against int8\nshapes differ: (2,2) against (3)\n')
  })

  it('prints JSON', async () => {
    const { code, stdout } = await diff([at('a.npy'), at('a.npy'), '--nan-differs', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      equal: false,
      a: { file: at('a.npy'), dtype: 'float32', shape: [2, 2] },
      elements: 4,
      differing: 1,
      first: [{ index: [1, 1], a: 'NaN', b: 'NaN', ulp: 'NaN' }],
      largestUlp: null,
    })
  })

  it.each([
    [['a.npy', 'none.npy'], 'none.npy: there is no such file.'],
    [['-', '-'], 'stdin can be read once.'],
    [['a.npy', 'a.npy', '--ulp', '-1'], '--ulp is "-1"; it is a whole number'],
    [['a.npy', 'a.npy', '--rtol', 'x'], '--rtol is "x"; it is a number that is not negative'],
  ])('exits 2 with the reason on stderr: %j', async (args, reason) => {
    const { code, stdout, stderr } = await diff(
      args.map((arg) => (arg.endsWith('.npy') ? at(arg) : arg)),
      npyBytes(a),
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(reason)
  })
})
