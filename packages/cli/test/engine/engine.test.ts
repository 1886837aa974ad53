// @bcast/native beside the program: who loads it and when, what is said where it does not fit or makes no machine code.
// The package is one of this test, which tells what it was asked for; the real one is met by `npm run test:ecosystem`.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeModel } from '@bcast/onnx'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { npyBytes } from '../../../../testing/files/npy.ts'
import { modelOf, node } from '../../../../testing/models/infer.ts'
import { type Outcome, program } from '../support/program.ts'

const place = mkdtempSync(path.join(tmpdir(), 'bcast-engine-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
const home = path.join(place, 'node_modules/bcast')
const native = path.join(place, 'node_modules/@bcast/native')
/** Somebody's arrays. */
const folder = path.join(place, 'arrays')
cpSync(path.dirname(path.dirname(program)), home, { recursive: true })
mkdirSync(folder)
const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string }

/** Says on stdout where it is, and what it is asked; makes no code. */
const PACKAGE = `import { isMainThread } from 'node:worker_threads'
const where = isMainThread ? 'process' : 'thread'
const say = (text) => process.stdout.write(where + ': ' + text + '\\n')
export function installInto(provide) {
  say('loaded')
  // Of all that it may be asked, whether machine code pays is said, and answered with no.
  const asked = { pays: (_, elements) => (say('asked for ' + elements), false) }
  provide(new Proxy(asked, { get: (has, name) => has[name] ?? (() => undefined) }))
  return 'machine code (test)'
}
`

/** Installs the package, of a version and with an inside of its own. */
function install(where = native, { given = version, code = PACKAGE } = {}): void {
  mkdirSync(where, { recursive: true })
  const exports = { './program': './program.js', './package.json': './package.json' }
  writeFileSync(path.join(where, 'package.json'), JSON.stringify({ version: given, type: 'module', exports }))
  writeFileSync(path.join(where, 'program.js'), code)
}

const bcast = (...args: readonly string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined }
    const call = [path.join(home, 'program', path.basename(program)), ...args]
    execFile(process.execPath, call, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })

beforeEach(() => {
  rmSync(native, { recursive: true, force: true })
  writeFileSync(
    path.join(folder, 'x.npy'),
    npyBytes({ dtype: 'float32', shape: [100, 100], elements: new Float32Array(10_000) }),
  )
})

const SUM = ['eval', 'x + 1', 'x=x.npy', '--quiet', '-o']

describe('machine code beside the program', () => {
  it('computes for eval', async () => {
    install()
    const { code, stdout, stderr } = await bcast(...SUM, 'y.npy')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^process: loaded\nprocess: asked for 10000\n/)
  })

  it('computes in the threads of a result in chunks', async () => {
    install()
    const { code, stdout, stderr } = await bcast(...SUM, 'y.zarr', '--chunks', '50,100', '--threads', '1')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^process: loaded\nthread: loaded\nthread: asked for \d+\n/)
    expect(stdout).not.toContain('process: asked')
  })

  it('computes for the run of a model', async () => {
    install()
    const model = modelOf({ inputs: { x: '100, 100' }, outputs: ['y'], nodes: [node('Add', 'x x', 'y')] })
    writeFileSync(path.join(folder, 'model.onnx'), writeModel(model))
    const { code, stdout, stderr } = await bcast('run', 'model.onnx', 'x=x.npy', '-o', 'y.npy')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^process: loaded\nprocess: asked for 10000\n/)
  })

  it('is measured by bench, which says so', async () => {
    install()
    const { stdout } = await bcast('bench', '--seconds', '0.1', '--threads', '1', '--json')
    const { engine, machine } = JSON.parse(stdout.slice(stdout.indexOf('{\n')).replaceAll(/^\w+: .*\n/gm, ''))
    expect(engine).toBe('machine code (test)')
    expect(machine).toMatch(/, 1 thread, machine code \(test\)$/)
    expect(stdout).toMatch(/^process: asked/m)
  })

  it('is told with the version, which is the first word', async () => {
    install()
    expect((await bcast('--version')).stdout).toBe(`process: loaded\n${version} with machine code (test)\n`)
    expect((await bcast('-V')).stdout.split('\n')[1]!.split(' ')[0]).toBe(version)
  })

  it('is not loaded by what computes nothing, or when it is not wanted', async () => {
    install()
    for (const args of [
      ['explain', '2,3', '3'],
      ['zarr', 'x.npy'],
      ['--help'],
      [...SUM, 'y.npy', '--engine', 'webassembly'],
      [...SUM, 'y.zarr', '--engine', 'webassembly'],
      [...SUM, 'y.zarr', '--plan'],
    ]) {
      expect((await bcast(...args)).stdout).not.toContain('loaded')
    }
  })
})

describe('where there is none', () => {
  it('nobody is told, unless it was asked for', async () => {
    expect(await bcast(...SUM, 'y.npy')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await bcast('--version')).stdout).toBe(`${version} with WebAssembly\n`)
    expect(await bcast(...SUM, 'y.npy', '--engine', 'machine-code')).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: 'bcast: --engine is "machine-code", and there is none: @bcast/native is not installed where bcast is.\n',
    })
  })

  it('a package of another version is not loaded, which is said once', async () => {
    install(native, { given: '0.0.1' })
    const said = `bcast: WebAssembly computes: the same results, slower. Cause: @bcast/native is 0.0.1 and bcast is ${version}; install @bcast/native@${version}.\n`
    expect(await bcast(...SUM, 'y.npy')).toEqual({ code: 0, stdout: '', stderr: said })
    expect(await bcast(...SUM, 'y.zarr', '--threads', '2')).toEqual({ code: 0, stdout: '', stderr: said })
  })

  it('a package that refuses is asked why, once', async () => {
    const code = "export const installInto = () => { throw new Error('the processor is old') }\n"
    install(native, { code })
    const { stderr } = await bcast(...SUM, 'y.zarr', '--threads', '2')
    expect(stderr).toBe(
      'bcast: WebAssembly computes: the same results, slower. Cause: @bcast/native makes no machine code: the processor is old.\n',
    )
    expect(await bcast(...SUM, 'y.npy', '--engine', 'machine-code')).toMatchObject({ code: 2, stdout: '' })
  })

  it('one that lies beside the arrays is never looked at', async () => {
    install(path.join(folder, 'node_modules/@bcast/native'))
    expect(await bcast(...SUM, 'y.npy')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('workers are told themselves', async () => {
    const { code, stderr } = await bcast(...SUM, 'y.zarr', '--workers', 'redis://localhost', '--engine', 'webassembly')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'bcast: --engine is for what computes here, which with --workers nothing does; give it to bcast worker.\n',
    })
  })
})
