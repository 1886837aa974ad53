// `bcast eval … -o y.zarr` as people type it: what is said, what is refused, what is there afterwards.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromData, type Tensor, tensor } from 'bcast'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredDType, TypedArray } from '../../src/files/element.ts'
import { openSink } from '../../src/files/open.ts'
import { metadataOf } from '../../src/zarr/output.ts'
import { called } from '../support/called.ts'
import { type Outcome, program, bcast as started } from '../support/program.ts'

let folder = ''
const bcast = (...words: string[]): Promise<Outcome> => called(words, { cwd: folder })

async function save(name: string, { dtype, shape, data }: Tensor): Promise<void> {
  const sink = await openSink(join(folder, name), { dtype: dtype as StoredDType, shape })
  await sink.write(data as TypedArray)
  await sink.finish()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bcast-eval-zarr-'))
  const rows = Array.from({ length: 60 }, (_, i) => Array.from({ length: 50 }, (_, j) => (i * 7 + j * 3) % 11))
  await save('x.npy', tensor(rows) as Tensor)
  await save('m.npy', tensor(rows[3]!) as Tensor)
  await save('i.npy', tensor(rows, { dtype: 'int32' }) as Tensor)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const left = (): string[] => readdirSync(folder).filter((name) => name.startsWith('.'))

describe('bcast eval to a Zarr array', () => {
  it.each([
    [['--chunks', '16,16']],
    [['--chunks', '16,16', '--shards', '32,64', '--codec', 'gzip:1']],
    [['--codec', 'blosc', '--threads', '1', '--memory', '300MiB']],
    [['--dtype', 'float16', '--codec', 'none']],
  ])('gives what it gives to a file, with %j', async (options) => {
    const arrays = ['x=x.npy', 'm=m.npy']
    const { code, stdout, stderr } = await bcast('eval', '(x - m) / 3', ...arrays, '-o', 'y.zarr', ...options)
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/^y\.zarr: \(60,50\) float\d\d, [\d.]+ KiB in [\d.]+ m?s, .* read and written\n$/)
    const dtype = options.includes('--dtype') ? ['--dtype', 'float16'] : []
    await bcast('eval', '(x - m) / 3', ...arrays, '-o', 'y.npy', ...dtype)
    expect(await bcast('diff', 'y.zarr', 'y.npy')).toMatchObject({ code: 0 })
    expect(left()).toEqual([])
  })

  it('takes Zarr arrays, whose chunks its own are', async () => {
    await bcast('eval', 'x', 'x=x.npy', '-o', 'g.zarr:in/x', '--chunks', '7,50', '--quiet')
    expect(await bcast('eval', 'x * -2', 'x=g.zarr:in/x', '-o', 'g.zarr:out', '--quiet')).toEqual({
      ...{ code: 0, stdout: '', stderr: '' },
    })
    const { chunk_grid } = JSON.parse(readFileSync(join(folder, 'g.zarr/out/zarr.json'), 'utf8'))
    expect(chunk_grid.configuration.chunk_shape).toEqual([7, 50])
    await bcast('eval', 'x * -2', 'x=x.npy', '-o', 'y.npy')
    expect(await bcast('diff', 'g.zarr:out', 'y.npy')).toMatchObject({ code: 0 })
  })

  it('says its plan and does nothing', async () => {
    const { code, stdout, stderr } = await bcast(
      'eval',
      'x - m',
      'x=x.npy',
      'm=m.npy',
      '-o',
      'p.zarr',
      '--chunks',
      '16,16',
      '--plan',
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^tasks {7}16, a grid of \(4,4\)$/m)
    expect(stdout).toMatch(/^memory .* for the largest task, 11\.9 KiB held by each thread$/m)
    expect(existsSync(join(folder, 'p.zarr'))).toBe(false)
  })

  it('takes the flags of Node that are of a whole process, in threads as well', async () => {
    const flags = ['--max-old-space-size=300', '--stack-trace-limit=5', '--no-deprecation']
    const words = [program, 'eval', 'x * -2', 'x=x.npy', '-o', 'flags.zarr', '--quiet']
    const { status, stderr } = spawnSync(process.execPath, [...flags, ...words], { cwd: folder, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    await bcast('eval', 'x * -2', 'x=x.npy', '-o', 'flags.npy')
    expect(await bcast('diff', 'flags.zarr', 'flags.npy')).toMatchObject({ code: 0 })
  })

  it.each(['zstd', 'blosc'] as const)(
    'has room for chunks of 64 MiB in %s unless less memory is said',
    async (name) => {
      const chunk = { dtype: 'float32', shape: [16384, 16384], chunks: [4096, 4096], codec: { name }, fill: 0 } as const
      mkdirSync(join(folder, `${name}.zarr`))
      await writeFile(join(folder, `${name}.zarr/zarr.json`), JSON.stringify(metadataOf(chunk)))
      // In a process of its own, which has not grown.
      const plan = (...more: string[]): Promise<Outcome> =>
        started(['eval', 'x * 2', `x=${name}.zarr`, '-o', 'large.zarr', '--codec', name, '--plan', ...more], {
          cwd: folder,
        })
      const { code, stdout, stderr } = await plan()
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^tasks {7}16, a grid of \(4,4\)$/m)
      const refused = await plan('--memory', '170MiB')
      expect(refused).toMatchObject({ code: 2, stdout: '' })
      expect(refused.stderr).toMatch(/^bcast: a chunk of \(4096,4096\) .* takes [\d.]+ MiB/)
    },
  )

  it('leaves nothing where an element has no value', async () => {
    const { code, stderr } = await bcast('eval', '1 / i', 'i=i.npy', '-o', 'f.zarr', '--chunks', '16,16')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^bcast: Div: division by zero at index \[0, 0\] of the result/)
    expect(stderr).toContain('1 / i\n')
    expect([existsSync(join(folder, 'f.zarr')), left()]).toEqual([false, []])
  })

  it.each([
    [['-o', 'y.npy', '--chunks', '2,2'], '--chunks goes with a result that is a Zarr array, and y.npy is none.'],
    [['--resume'], '--resume goes with a result that is a Zarr array, and there is no -o.'],
    [['-o', 'y.zarr', '--chunks', '2'], '--chunks 2 has 1 axis, and the result (60,50) has 2 axes.'],
    [['-o', 'y.zarr', '--chunks', '2,0'], '--chunks is "2,0"; it is sizes with commas'],
    [
      ['-o', 'y.zarr', '--chunks', '4,4', '--shards', '8,6'],
      '--shards 8,6 is no multiple of --chunks 4,4 on axis 1: 6 % 4 is 2.',
    ],
    [['-o', 'y.zarr', '--codec', 'zst'], '--codec "zst": there is no codec "zst". Did you mean zstd?'],
    [['-o', 'y.zarr', '--codec', 'gzip:10'], 'a level of gzip is a whole number from 0 to 9.'],
    [['-o', 'y.zarr', '--codec', 'none:1'], '--codec none:1: none has no level.'],
    [['-o', 'y.zarr', '--threads', '0'], '--threads is "0"; it is a number from 1 on.'],
    [['-o', 'y.zarr', '--memory', '20MiB'], '--memory is 20.0 MiB; the program itself takes'],
    [['-o', 'nowhere/y.zarr'], 'nowhere/y.zarr: there is no folder'],
    [['-o', 'x.npy:zarr'], 'x.npy:zarr: a file of this name is there.'],
  ])('refuses %j', async (words, problem) => {
    const { code, stderr } = await bcast('eval', 'x + 1', 'x=x.npy', ...words)
    expect(stderr).toContain(problem)
    expect([code, left()]).toEqual([2, []])
  })

  describe('of an array that can be read once', () => {
    /** Larger than what threads hold in any case. */
    const large = Float64Array.from({ length: 400 * 400 }, (_, i) => (i * 7) % 1013)
    const raw = new Uint8Array(large.buffer)
    const options = ['-o', 's.zarr', '--chunks', '64,150', '--quiet']
    const temporary = (): string => {
      const own = join(folder, 'temporary')
      mkdirSync(own, { recursive: true })
      return own
    }
    // In a process of its own, which has another folder for temporary files.
    const fed = (input: Uint8Array, ...words: string[]): Promise<Outcome> =>
      started(words, { cwd: folder, input, env: { TMPDIR: temporary() } })
    beforeAll(() => save('large.npy', fromData('float64', large, [400, 400]) as Tensor))

    it.each([
      ['-', () => readFileSync(join(folder, 'large.npy'))],
      ['-:raw:float64:400,400', () => raw],
      [
        '-:json',
        () =>
          Buffer.from(
            JSON.stringify([
              [1, 2.5],
              [3, -4],
            ]),
          ),
      ],
    ])('gives what it gives to a file, with x=%s', async (spec, input) => {
      const cut = spec === '-:json' ? ['-o', 's.zarr', '--chunks', '1,2', '--quiet'] : options
      const said = await fed(input(), 'eval', 'x * 3', `x=${spec}`, ...cut)
      expect(said).toEqual({ code: 0, stdout: '', stderr: '' })
      expect(await fed(input(), 'eval', 'x * 3', `x=${spec}`, '-o', 's.npy', '--quiet')).toMatchObject({ code: 0 })
      expect(await bcast('diff', 's.zarr', 's.npy')).toMatchObject({ code: 0 })
      expect([left(), readdirSync(temporary())]).toEqual([[], []])
    })

    it('reads it from a pipe with a name, too', async () => {
      execFileSync('mkfifo', [join(folder, 'pipe')])
      const writing = writeFile(join(folder, 'pipe'), raw)
      const spec = 'x=pipe:raw:float64:400,400'
      expect(await bcast('eval', 'x * 3', spec, ...options)).toEqual({ code: 0, stdout: '', stderr: '' })
      await writing
      await bcast('eval', 'x * 3', 'x=large.npy', '-o', 's.npy', '--quiet')
      expect(await bcast('diff', 's.zarr', 's.npy')).toMatchObject({ code: 0 })
    })

    it('goes on with a result of the same elements, wherever they come from', async () => {
      const hashOf = async (input: Uint8Array, spec: string): Promise<string | undefined> =>
        /^plan +(\w+)$/m.exec((await fed(input, 'eval', 'x', `x=${spec}`, ...options, '--plan')).stdout)?.[1]
      const hash = await hashOf(readFileSync(join(folder, 'large.npy')), '-')
      expect(hash).toMatch(/^\w{32}$/)
      expect(await hashOf(raw, '-:raw:float64:400,400')).toBe(hash)
      const other = raw.slice()
      other[80_000]! ^= 1
      expect(await hashOf(other, '-:raw:float64:400,400')).not.toBe(hash)
    })

    it('leaves nothing where it ends early', async () => {
      const { code, stderr } = await fed(raw.subarray(1), 'eval', 'x', 'x=-:raw:float64:400,400', ...options)
      expect([code, left(), readdirSync(temporary())]).toEqual([2, [], []])
      expect(stderr).toMatch(/^bcast: -:raw:float64:400,400: /)
    })

    it('is refused with workers, before the queue is asked', async () => {
      const words = ['eval', 'x', 'x=-', '-o', 's.zarr', '--workers', 'redis://127.0.0.1:1']
      expect(await fed(raw, ...words)).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'bcast: x=- can be read once, and here only; workers open arrays themselves. Write it to a file that they reach, or leave out --workers.\n',
      })
    })
  })

  it('goes on where it was stopped', async () => {
    const words = ['eval', 'exp(sin(x)) ** 2', 'x=x.npy', '-o', 'r.zarr', '--chunks', '5,1', '--threads', '1']
    const child = spawn(process.execPath, [program, ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (text: Buffer) => {
      said += text
    })
    // As soon as the first of six hundred chunks is there.
    const begun = (): boolean => left().some((name) => existsSync(join(folder, name, 'c')))
    while (!begun()) await new Promise((resolve) => setTimeout(resolve, 5))
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)))).toBe('SIGINT')
    expect(said).toMatch(/^bcast: stopped at \d+ of 600 chunks\. The chunks that are done are kept: --resume goes on/)
    expect(existsSync(join(folder, 'r.zarr'))).toBe(false)
    expect(await bcast(...words, '--resume', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
    await bcast('eval', 'exp(sin(x)) ** 2', 'x=x.npy', '-o', 'r.npy')
    expect(await bcast('diff', 'r.zarr', 'r.npy')).toMatchObject({ code: 0 })
    expect(left()).toEqual([])
  })
})
