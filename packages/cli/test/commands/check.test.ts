// `bcast check`: exit codes, formats, inputs, profiles, and files that appear whole or not at all.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeModel } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from '../../../../testing/json-schema.ts'
import { modelOf, node } from '../../../../testing/models/infer.ts'
import { called } from '../support/called.ts'
import { writeExampleFiles } from '../support/example-files.ts'
import { typed, workplace } from '../support/program.ts'

const place = workplace()
beforeAll(() => writeExampleFiles(place.folder))
afterAll(place.remove)

const check = (...args: string[]) => called(['check', ...args], { cwd: place.folder })
const read = (name: string) => readFileSync(path.join(place.folder, name), 'utf8')

describe('verdict and exit code', () => {
  it('exits 0 for a model that is as it should be', async () => {
    const { code, stdout, stderr } = await check('model.onnx')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^passes under profile onnx: 0 errors/)
  })

  it('exits 1 and names node, axis, reason and fix', async () => {
    const { code, stdout, stderr } = await check('broken.onnx')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('node 0 "shift" (Add): cannot broadcast axis -1: 8 vs 3')
    expect(stdout).toContain('fix: Unsqueeze (axes=[1,2]) "bias"')
  })

  it('leaves fixes out when told', async () => {
    expect((await check('broken.onnx', '--no-fixes')).stdout).not.toContain('fix:')
  })

  it.each([
    ['newer-ir-version', 99n, 22n, 'IR version 99 is newer than 14'],
    ['newer-opset', 10n, 999n, 'version 999 of the operator set of ONNX is newer than 28'],
  ])('warns of what is newer than it knows: %s', async (id, irVersion, opset, reason) => {
    const { proto } = readModelFile(path.join(place.folder, 'model.onnx')).model
    proto.irVersion = irVersion
    proto.opsetImport[0]!.version = opset
    writeFileSync(path.join(place.folder, 'newer.onnx'), writeModel({ proto }))
    const { code, stdout } = await check('newer.onnx')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`warning ${id}: ${reason}`) })
    const [run] = JSON.parse((await check('newer.onnx', '--format', 'sarif')).stdout).runs
    expect(run.results).toContainEqual(expect.objectContaining({ ruleId: id, level: 'warning' }))
  })

  it('exits 2 for what is no model', async () => {
    writeFileSync(path.join(place.folder, 'text.onnx'), 'no model at all')
    const { code, stdout, stderr } = await check('text.onnx')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^bcast: .*at byte 0/)
  })
})

describe('the report of a large model', () => {
  const large = () => {
    const [long, count] = ['a.size.with.a.long.name', 60]
    const model = modelOf({
      inputs: {
        ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, `${long}, ${i + 2}, another.${long}`])),
        b: '4',
        c: '5',
      },
      nodes: Array.from({ length: count }, (_, i) => node('Add', `x${i} ${i < 40 ? 'b' : 'c'}`, `y${i}`)),
    })
    writeFileSync(path.join(place.folder, 'large.onnx'), writeModel(model))
  }
  const widest = (text: string) => Math.max(...text.split('\n').map(({ length }) => length))

  it('is as wide as COLUMNS says, 120 unless said, and has the summary at both ends', async () => {
    large()
    const { stdout } = await check('large.onnx')
    expect(widest(stdout)).toBeLessThanOrEqual(120)
    expect(stdout.split('\n').length).toBeLessThan(60)
    expect(stdout).toMatch(
      /^passes .*60 notes.*\n\nnote broadcast-conditional, 40 ×, the first: node 0 \(Add\): it holds if/,
    )
    expect(stdout.trimEnd().split('\n\n').at(-1)).toBe(stdout.split('\n\n')[0])
    const narrow = (await called(['check', 'large.onnx'], { cwd: place.folder, env: { COLUMNS: '72' } })).stdout
    expect(widest(narrow)).toBeLessThanOrEqual(72)
    expect(narrow.replaceAll(/\s+/g, '')).toContain('40×,thefirst:node0(Add):itholdsif')
  })

  it('is the same in a file, and whole with --all and as JSON', async () => {
    large()
    expect(await check('large.onnx', '-o', 'large.txt')).toMatchObject({ code: 0, stdout: '' })
    expect(read('large.txt')).toBe((await check('large.onnx')).stdout)
    expect((await check('large.onnx', '--all')).stdout.match(/^note broadcast-conditional: /gm)).toHaveLength(60)
    expect(JSON.parse((await check('large.onnx', '--format', 'json')).stdout).findings).toHaveLength(60)
  })
})

describe('--input', () => {
  it('takes sizes, names, and several inputs', async () => {
    expect((await check('model.onnx', '--input', 'x=1x3x224x224')).stdout).toContain('(1,3,224,224)')
    expect((await check('model.onnx', '--input', 'x=Bx3xHxH')).stdout).toContain('(B,3,H,H)')
    expect((await check('model.onnx', '--input', 'x=1,4,8,8')).code).toBe(1)
  })

  it('warns of sizes that the file declares otherwise, and checks them', async () => {
    expect((await check('broken.onnx', '--input', 'x=2,3,8,8')).stdout).not.toContain('input-size-differs')
    const { code, stdout } = await check('broken.onnx', '--input', 'x=2,3,8,3')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(
        'warning input-size-differs: input "x" is given as (2,3,8,3), and the model declares (N,3,8,8).',
      ),
    })
    const [run] = JSON.parse((await check('broken.onnx', '--input', 'x=2,3,8,3', '--format', 'sarif')).stdout).runs
    expect(run.results).toContainEqual(expect.objectContaining({ ruleId: 'input-size-differs', level: 'warning' }))
  })

  it.each([
    ['x=5', 'input "x": it is given as (5), and the model declares (N,3,H,W)'],
    ['x=()', 'input "x": it is given as (), and the model declares (N,3,H,W)'],
    ['y=1x3', 'the model has no such input; it has x'],
    ['1x3', '--input is "1x3"; it is a name and a shape'],
    ['x=1x-3', '"-3" in shape "1x-3"'],
    ['x=2x', '"" in shape "2x" is no size.'],
    ['x=2xx3', '"" in shape "2xx3" is no size.'],
  ])('refuses %s', async (input, reason) => {
    const { code, stdout, stderr } = await check('model.onnx', '--input', input)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(reason)
  })
})

describe('--profile', () => {
  it('takes a name or a file', async () => {
    expect(await check('model.onnx', '--profile', 'sonnx-strict')).toMatchObject({ code: 1 })
    const ours = await check('model.onnx', '--profile', 'ours.json')
    expect(ours).toMatchObject({ code: 0, stderr: '' })
    expect(ours.stdout).toContain('profile ours')
  })

  it('says what is wrong with a file', async () => {
    writeFileSync(path.join(place.folder, 'bad.json'), '{ "name": "ours", "operatros": {} }')
    expect((await check('model.onnx', '--profile', 'bad.json')).stderr).toContain('did you mean "operators"?')
    writeFileSync(path.join(place.folder, 'worse.json'), '{ name: ours }')
    const worse = await check('model.onnx', '--profile', 'worse.json')
    expect(worse).toMatchObject({ code: 2, stdout: '' })
    expect(worse.stderr).toContain('worse.json: it is no JSON: ')
    writeFileSync(path.join(place.folder, 'nameless.json'), '\ufeff{}')
    expect((await check('model.onnx', '--profile', 'nameless.json')).stderr).toBe(
      'bcast: nameless.json: profile name: there is none; a text is expected.\n',
    )
  })
})

describe('--format and -o', () => {
  it('writes JSON as its schema says', async () => {
    const schema = JSON.parse(readFileSync(new URL('../../../onnx/schema/report.schema.json', import.meta.url), 'utf8'))
    const { code, stdout } = await check('broken.onnx', '--format', 'json')
    expect(code).toBe(1)
    expect(faults(JSON.parse(stdout), schema)).toEqual([])
  })

  it('writes SARIF with the model as its place', async () => {
    expect(await check('broken.onnx', '--format', 'sarif', '-o', 'out.sarif')).toEqual({
      code: 1,
      stdout: '',
      stderr: '',
    })
    const [run] = JSON.parse(read('out.sarif')).runs
    expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('broken.onnx')
    const { version, homepage } = JSON.parse(
      readFileSync(new URL('../../../bcast/package.json', import.meta.url), 'utf8'),
    )
    expect(run.tool.driver).toMatchObject({ version, informationUri: homepage })
  })

  it('gives places in SARIF as URIs: from this folder where they lie below it, else whole', async () => {
    const uriFor = async (file: string) => {
      const [run] = JSON.parse((await check(file, '--format', 'sarif')).stdout).runs
      return run.results[0].locations[0].physicalLocation.artifactLocation.uri
    }
    const inner = path.join(place.folder, 'some models', '100 % #1')
    mkdirSync(inner, { recursive: true })
    copyFileSync(path.join(place.folder, 'broken.onnx'), path.join(inner, 'b?.onnx'))
    const relative = 'some%20models/100%20%25%20%231/b%3F.onnx'
    expect(await uriFor(path.join(inner, 'b?.onnx'))).toBe(relative)
    expect(await uriFor('./some models/../some models/100 % #1/b?.onnx')).toBe(relative)
    const outside = mkdtempSync(path.join(tmpdir(), 'bcast-'))
    copyFileSync(path.join(place.folder, 'broken.onnx'), path.join(outside, 'b.onnx'))
    expect(await uriFor(path.join(outside, 'b.onnx'))).toBe(pathToFileURL(path.join(outside, 'b.onnx')).href)
    rmSync(outside, { recursive: true })
  })

  it('writes Markdown', async () => {
    expect((await check('broken.onnx', '--format', 'md')).stdout).toContain('| node | operator |')
  })

  it('leaves nothing behind where the file cannot be written', async () => {
    mkdirSync(path.join(place.folder, 'taken'), { recursive: true })
    const before = readdirSync(place.folder).toSorted()
    const { code, stdout, stderr } = await check('broken.onnx', '-o', 'taken')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^bcast: taken: it is a folder/)
    expect((await check('broken.onnx', '-o', 'nowhere/out.txt')).stderr).toContain(
      'nowhere/out.txt: there is no folder',
    )
    expect(readdirSync(place.folder).toSorted()).toEqual(before)
  })

  it('leaves what was there when the disk is full', async () => {
    writeFileSync(path.join(place.folder, 'before.json'), 'before')
    const line = 'ulimit -f 1; bcast check broken.onnx --format sarif -o before.json'
    const { code, stderr } = await typed(line, place)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^bcast: before\.json: /)
    expect(read('before.json')).toBe('before')
    expect(readdirSync(place.folder).filter((name) => name.includes('part'))).toEqual([])
  })
})
