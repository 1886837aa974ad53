// The whole process stays under --memory, whatever it reads: garbage that piles up counts as much as arrays do. Sources
// are about as large as the memory, and read with hardly more than the least that the program asks for.
import { execFile } from 'node:child_process'
import { createReadStream, statSync, truncateSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { archive } from '../../../../testing/files/archive.ts'
import { npyBytes } from '../../../../testing/files/npy.ts'
import { needs } from '../../../../testing/needs.ts'
import { countOf } from '../../src/files/element.ts'
import { put, temporaryFolder } from '../files/made.ts'
import { program } from '../support/program.ts'

const array = { dtype: 'float32', shape: [3072, 8192] } as const
const at = temporaryFolder()

/** Linux alone keeps a process's own peak: elsewhere it is that of the process that started it, where that is larger. */
const PEAK = `data:text/javascript,${encodeURIComponent(`import fs from 'node:fs'
process.on('exit', () => {
  const [, peak] = /VmHWM:\\s*(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'latin1'))
  fs.writeSync(2, 'peak ' + peak)
})`)}`

function evaluated(memory: string, args: readonly string[], input?: string): Promise<string> {
  return new Promise((resolve) => {
    const call = ['--import', PEAK, program, 'eval', ...args, '--memory', memory, '-o', '/dev/null', '--quiet']
    const child = execFile(process.execPath, call, (_error, _stdout, stderr) => resolve(stderr))
    // A program that refuses its memory does not read.
    child.stdin!.on('error', () => undefined)
    if (input !== undefined) createReadStream(input).pipe(child.stdin!)
  })
}

/** How much the program says that it takes at least, where it was given less. */
const leastOf = (stderr: string): number | undefined => {
  const found = /at least ([\d.]+) MiB/.exec(stderr)
  return found === null ? undefined : Number(found[1])
}

describe('the peak is within --memory', needs('linux', process.platform === 'linux'), () => {
  let least = 0

  beforeAll(async () => {
    // Zeros that take no room on the disk: what they are does not matter here.
    for (const [name, fortran] of [
      ['rows.npy', false],
      ['columns.npy', true],
    ] as const) {
      put(at(name), npyBytes({ ...array, elements: new Float32Array() }, { fortran }))
      truncateSync(at(name), statSync(at(name)).size + 4 * countOf(array.shape))
    }
    const elements = new Float32Array(countOf(array.shape))
    put(at('deflated.npz'), archive([{ name: 'x.npy', data: npyBytes({ ...array, elements }), deflate: true }]))
    put(at('list.json'), Buffer.from(`[0${',0.12345678901234'.repeat(2_500_000)}]`))
    least = leastOf(await evaluated('1MiB', ['x', `x=${at('rows.npy')}`]))!
  })

  it.each([
    ['C order', ['x + 1', 'x=rows.npy']],
    ['Fortran order', ['x + 1', 'x=columns.npy']],
    ['both orders', ['x + y', 'x=rows.npy', 'y=columns.npy']],
    ['a deflated member', ['x + 1', 'x=deflated.npz']],
    ['JSON', ['x + 1', 'x=list.json']],
    ['stdin', ['x + 1', 'x=-'], 'rows.npy'],
    ['stdin that is spooled', ['x + y', 'x=rows.npy', 'y=-'], 'columns.npy'],
  ] as const)('%s', async (_, [expression, ...bindings], input?: string) => {
    let memory = least + 2
    const placed = bindings.map((text) => text.replace(/=(.{2,})/, (_all, name: string) => `=${at(name)}`))
    const run = (): Promise<string> =>
      evaluated(`${memory}MiB`, [expression, ...placed], input === undefined ? input : at(input))
    let stderr = await run()
    // What the program itself takes differs by some MiB from start to start; it says so before it reads anything.
    for (let more = leastOf(stderr); more !== undefined && memory < least + 32; more = leastOf(stderr)) {
      memory = Math.max(memory, more) + 2
      stderr = await run()
    }
    expect(stderr).toMatch(/^peak \d+$/)
    expect(Number(stderr.slice('peak '.length)) / 1024).toBeLessThan(memory)
  })
})
