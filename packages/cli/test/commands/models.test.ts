// `bcast explicit`, `census` and `run`: what they write, where, and how they end.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hasExternalData, viewModel, writeModel } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from '../../../../testing/json-schema.ts'
import { ints, modelOf, node } from '../../../../testing/models/infer.ts'
import { called } from '../support/called.ts'
import { writeExampleFiles, writeExternalModel } from '../support/example-files.ts'
import { workplace } from '../support/program.ts'

const place = workplace()
const inPlace = (...parts: string[]) => path.join(place.folder, ...parts)
const call = (...args: string[]) => called(args, { cwd: place.folder })

beforeAll(async () => {
  await writeExampleFiles(place.folder)
  const matrix = { inputs: { x: 'N, 3', w: '3, 4', b: '4' }, outputs: ['y'] }
  const nodes = [node('MatMul', 'x w', 'p'), node('Add', 'p b', 'y')]
  writeFileSync(inPlace('matrix.onnx'), writeModel(modelOf({ ...matrix, nodes })))
  writeExternalModel(place.folder)
})
afterAll(place.remove)

const RESULT = `y: float32 (1,3,2,2)
[[[[1. 1.]
   [1. 1.]]

  [[2. 2.]
   [2. 2.]]

  [[3. 3.]
   [3. 3.]]]]
`

describe('explicit', () => {
  it('reports and writes nothing without -o', async () => {
    const { code, stdout, stderr } = await call('explicit', 'model.onnx')
    expect(code).toBe(0)
    expect(stdout).toContain('1 node rewritten')
    expect(stderr).toBe('Nothing was written; -o FILE writes the model.\n')
  })

  it('writes a model that is explicit and computes the same', async () => {
    expect(await call('explicit', 'model.onnx', '-o', 'explicit.onnx')).toMatchObject({ code: 0, stderr: '' })
    expect(await call('check', 'explicit.onnx', '--profile', 'sonnx-strict')).toMatchObject({ code: 0 })
    expect(await call('run', 'explicit.onnx', 'x=image.npy')).toEqual({ code: 0, stdout: RESULT, stderr: '' })
  })

  it('exits 1 where something stays that it cannot prove', async () => {
    const { code, stdout } = await call('explicit', 'broken.onnx', '--format', 'json')
    expect({ code, version: JSON.parse(stdout).version }).toEqual({ code: 1, version: 1 })
  })

  it('keeps weights outside where the new model lies beside them, and takes them in elsewhere', async () => {
    const beside = await call('explicit', 'outside/model.onnx', '-o', 'outside/explicit.onnx')
    expect(beside).toMatchObject({ code: 0, stderr: '' })
    expect(hasExternalData(readModelFile(inPlace('outside/explicit.onnx')).model)).toBe(true)
    const elsewhere = await call('explicit', 'outside/model.onnx', '-o', 'inside.onnx')
    expect(elsewhere.stderr).toContain(
      'inside.onnx: its weights, which lie in files beside outside/model.onnx, were put',
    )
    expect(hasExternalData(readModelFile(inPlace('inside.onnx')).model)).toBe(false)
    for (const model of ['outside/explicit.onnx', 'inside.onnx']) {
      expect((await call('run', model, 'x=image.npy')).stdout).toBe(RESULT)
    }
  })

  it('says that weights were taken in when they were, and not before', async () => {
    mkdirSync(inPlace('without'))
    writeFileSync(inPlace('without', 'model.onnx'), readFileSync(inPlace('outside', 'model.onnx')))
    expect(await call('explicit', 'without/model.onnx', '-o', 'whole.onnx')).toEqual({
      ...{ code: 2, stdout: '', stderr: 'bcast: external data "bias.bin": there is no such file.\n' },
    })
  })

  it.each(['check', 'explicit', 'run'])('names the file that is no model: %s', async (command) => {
    writeFileSync(inPlace('garbage.onnx'), 'garbage')
    mkdirSync(inPlace('models.onnx'), { recursive: true })
    expect((await call(command, 'garbage.onnx')).stderr).toMatch(/^bcast: garbage\.onnx: .* at byte 0\.\n$/)
    expect((await call(command, 'models.onnx')).stderr).toBe('bcast: models.onnx: it is a folder.\n')
  })

  it.each([
    ['check', 2],
    ['explicit', 2],
    ['run', 2],
    ['census', 1],
  ])('says of an empty file that it is empty: %s', async (command, code) => {
    writeFileSync(inPlace('nothing.onnx'), '')
    const outcome = await call(command, 'nothing.onnx')
    expect({ ...outcome, code: outcome.code }).toMatchObject({ code })
    expect(outcome.stdout + outcome.stderr).toContain('it is empty and ends at byte 0.')
  })

  it('does not call operands equal that are not there', async () => {
    const nodes = [node('Add', 'x', 'y')]
    writeFileSync(inPlace('one.onnx'), writeModel(modelOf({ inputs: { x: 'N' }, outputs: ['y'], nodes })))
    const { code, stdout } = await call('explicit', 'one.onnx')
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('node 0 (Add): it has 1 input') })
    expect(stdout).not.toContain('They are equal')
  })

  it('reads constants that lie outside', async () => {
    const { proto } = readModelFile(inPlace('outside', 'model.onnx')).model
    const [add] = proto.graph!.node
    const bias = proto.graph!.initializer[0]!
    add!.opType = 'Pow'
    bias.dims = [1n]
    bias.externalData.push({ $typeName: 'onnx.StringStringEntryProto', key: 'offset', value: '4' })
    bias.externalData.push({ $typeName: 'onnx.StringStringEntryProto', key: 'length', value: '4' })
    writeFileSync(inPlace('outside', 'square.onnx'), writeModel(viewModel(proto)))
    expect((await call('explicit', 'outside/square.onnx')).stdout).toContain('(Pow): Mul in its place')
  })

  it('says which sizes are others than declared, and refuses another number of axes', async () => {
    const { code, stdout } = await call('explicit', 'matrix.onnx', '--input', 'b=1', '-o', 'refixed.onnx')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('other sizes than were declared:\n  input "b" is (1), and was (4)\n'),
    })
    expect((await call('check', 'refixed.onnx')).stdout).not.toContain('input-size-differs')
    const report = JSON.parse((await call('explicit', 'matrix.onnx', '--input', 'b=1', '--format', 'json')).stdout)
    const schema = JSON.parse(
      readFileSync(new URL('../../../onnx/schema/explicit.schema.json', import.meta.url), 'utf8'),
    )
    expect(faults(report, schema)).toEqual([])
    expect(report.overruled).toEqual([{ input: 'b', given: [1], declared: [4] }])
    expect(await call('explicit', 'matrix.onnx', '--input', 'x=5', '-o', 'refixed.onnx')).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('input "x": it is given as (5), and the model declares (N,3)'),
    })
  })

  it('says which node cannot run with the shapes that are given', async () => {
    const { stdout, code } = await call('explicit', 'matrix.onnx', '--input', 'x=5,4')
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('not proven') })
    expect(stdout).toContain('(MatMul):')
  })

  it('lists what sonnx-strict does not pass, as the check of the result does', async () => {
    const inputs = { x: '2, 3', s: '3' }
    const nodes = [node('LayerNormalization', 'x s', 'y', { axis: 0 })]
    writeFileSync(inPlace('norm.onnx'), writeModel(modelOf({ inputs, nodes, outputs: ['y'] })))
    const { code, stdout, stderr } = await call('explicit', 'norm.onnx', '-o', 'norm-explicit.onnx')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Some of it is not proven') })
    expect(stdout).toContain(
      'not proven by profile sonnx-strict:\n  node 0 (LayerNormalization): B on axis -2 is repeated',
    )
    expect(await call('check', 'norm-explicit.onnx', '--profile', 'sonnx-strict')).toMatchObject({ code: 1 })
  })

  it('assumes no default of an input, or makes constants of them', async () => {
    const { proto } = modelOf({
      inputs: { x: '2, 6', s: ints(3, 4), b: '4' },
      nodes: [node('Reshape', 'x s', 'r'), node('Add', 'r b', 'y')],
      outputs: ['y'],
    })
    proto.graph!.input.push(...modelOf({ inputs: { s: 'int64: 2' }, nodes: [] }).proto.graph!.input)
    writeFileSync(inPlace('default.onnx'), writeModel(viewModel(proto)))
    const open = await call('explicit', 'default.onnx')
    expect(open).toMatchObject({ code: 1, stdout: expect.stringContaining('nothing is assumed') })
    expect(open.stderr).toContain('--fix-defaults makes constants of the inputs that have a default.')
    expect(await call('explicit', 'default.onnx', '--fix-defaults', '-o', 'default-fixed.onnx')).toMatchObject({
      ...{
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('inputs that became constants, with their defaults:\n  "s"'),
      },
    })
    expect(await call('check', 'default-fixed.onnx', '--profile', 'sonnx-strict')).toMatchObject({ code: 0 })
    expect((await call('check', 'default.onnx')).stdout).toContain('1 input is taken to be its default')
    expect((await call('check', 'default.onnx', '--input', 's=2')).stdout).not.toContain('taken to be its default')
  })

  it('writes to stdout the model alone', async () => {
    const { stdout, stderr } = await call('explicit', 'model.onnx', '-o', '-')
    expect(stdout).toContain('Expand')
    expect(stderr).toMatch(/^1 node rewritten/)
  })
})

describe('census', () => {
  it('counts every model once, as its schema says', async () => {
    const schema = JSON.parse(readFileSync(new URL('../../../onnx/schema/census.schema.json', import.meta.url), 'utf8'))
    const { code, stdout } = await call('census', 'model.onnx', 'broken.onnx', 'model.onnx', '--format', 'json')
    expect(code).toBe(0)
    const counted = JSON.parse(stdout)
    expect(faults(counted, schema)).toEqual([])
    expect(counted.totals).toMatchObject({ models: 2, broadcasting: 1 })
  })

  it('goes on behind a file that is no model, and exits 1', async () => {
    mkdirSync(inPlace('some'))
    writeFileSync(inPlace('some', 'text.onnx'), 'no model at all')
    const { code, stdout } = await call('census', 'some', 'model.onnx')
    expect(code).toBe(1)
    expect(stdout).toContain('Not read')
    expect(stdout).toContain('1 model')
  })

  it('counts what links lead to once, and says of one that leads nowhere that it does not', async () => {
    mkdirSync(inPlace('linked', 'm'), { recursive: true })
    writeFileSync(inPlace('linked', 'm', 'model.onnx'), readFileSync(inPlace('model.onnx')))
    symlinkSync('..', inPlace('linked', 'm', 'up'))
    symlinkSync('gone', inPlace('linked', 'dangling.onnx'))
    const { code, stdout } = await call('census', 'linked', 'linked/m/up')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^1 model, 1 more not read; /)
    expect(stdout).toContain(`Not read\n${path.join('linked', 'dangling.onnx')}: there is no such file.`)
  })

  it('exits 2 where there is nothing to count', async () => {
    mkdirSync(inPlace('empty'))
    expect(await call('census', 'empty')).toMatchObject({ code: 2, stdout: '' })
    expect((await call('census', 'missing')).stderr).toContain('missing: there is no such file')
  })
})

/** model.onnx with its output named twice over, or not at all. */
function writeOutputs(file: string, names: readonly string[]): void {
  const { proto } = readModelFile(inPlace('model.onnx')).model
  const { graph } = proto
  const [output] = graph!.output
  for (const name of names) {
    graph!.node.push({ ...graph!.node[0]!, opType: 'Identity', input: [output!.name], output: [name], attribute: [] })
  }
  graph!.output = names.map((name) => ({ ...output!, name }))
  writeFileSync(inPlace(file), writeModel(viewModel(proto)))
}

describe('names in a model', () => {
  it('reach a terminal as text, whatever they hold', async () => {
    const name = 'red \u001b[31m\u009b31m'
    const shown = 'red \\u001b[31m\\u009b31m'
    writeOutputs('red.onnx', [name])
    expect((await call('run', 'red.onnx', 'x=image.npy')).stdout).toContain(`${shown}: `)
    const { proto } = readModelFile(inPlace('broken.onnx')).model
    proto.graph!.node[0]!.name = name
    writeFileSync(inPlace(`${name}.onnx`), writeModel(viewModel(proto)))
    for (const args of [
      ['check', `${name}.onnx`],
      ['explicit', 'red.onnx'],
      ['census', '.'],
    ]) {
      const { stdout } = await call(args[0]!, ...args.slice(1))
      expect(stdout).not.toMatch(/[^\P{Cc}\n]/u)
    }
  })
})

describe('run', () => {
  it('writes several outputs, each to a file of its own', async () => {
    writeOutputs('two.onnx', ['a', 'b'])
    expect(await call('run', 'two.onnx', 'x=image.npy', '-o', 'a=a.npy', '-o', 'b=b.npy')).toMatchObject({ code: 0 })
    expect(await call('diff', 'a.npy', 'b.npy')).toMatchObject({ code: 0 })
    expect(await call('run', 'two.onnx', 'x=image.npy', '-o', 'a=c.npy', '-o', 'b=c.npy')).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('c.npy would hold two outputs; name a file for each.'),
    })
  })

  it('writes Zarr arrays, whole or not at all', async () => {
    writeOutputs('two.onnx', ['a', 'b'])
    const two = (...places: string[]) => call('run', 'two.onnx', 'x=image.npy', ...places.flatMap((to) => ['-o', to]))
    expect(await two('a=two.zarr:a', 'b=two.zarr:deep/b')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await two('a=two.zarr:a', 'b=b.npy')).toMatchObject({ code: 0 })
    expect(await call('diff', 'two.zarr:a', 'b.npy')).toMatchObject({ code: 0 })
    expect(await call('diff', 'two.zarr:deep/b', 'b.npy')).toMatchObject({ code: 0 })
    expect(await call('zarr', 'info', 'two.zarr')).toMatchObject({ stdout: expect.stringContaining('with 2 arrays') })
    expect((await call('zarr', 'info', 'two.zarr:a')).stdout).toMatch(/codecs {2}zstd 3\n/)
    const before = readdirSync(place.folder, { recursive: true }).toSorted()
    for (const [places, problem] of [
      [['a=two.zarr:a', 'b=nowhere/b.npy'], 'nowhere/b.npy'],
      [['a=new.zarr', 'b=nowhere/b.zarr'], 'nowhere/b.zarr: there is no folder'],
      [['a=two.zarr', 'b=b.npy'], 'whose arrays would be lost'],
      [['a=new.zarr:x', 'b=new.zarr:x/'], 'new.zarr:x/ would hold two outputs'],
      [['a=new.zarr', 'b=new.zarr:x'], 'new.zarr:x would lie in new.zarr, another output'],
      [['a=new.zarr:x', 'b=new.zarr'], 'new.zarr:x would lie in new.zarr, another output'],
      [['a=new.zarr:../x', 'b=b.npy'], 'where a name belongs'],
      [['a=https://host/x.zarr', 'b=b.npy'], 'a web server cannot be written to'],
    ] as const) {
      const { code, stderr } = await two(...places)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) })
    }
    expect(readdirSync(place.folder, { recursive: true }).toSorted()).toEqual(before)
  })

  it('writes all outputs or none', async () => {
    writeOutputs('two.onnx', ['a', 'b'])
    const { code, stderr } = await call('run', 'two.onnx', 'x=image.npy', '-o', 'a=first.npy', '-o', 'b=nowhere/b.npy')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('nowhere/b.npy') })
    expect(readdirSync(place.folder).filter((name) => name.includes('first'))).toEqual([])
  })

  it('names the outputs where a file could be for any of them', async () => {
    writeOutputs('two.onnx', ['a', 'b'])
    expect(await call('run', 'two.onnx', 'x=image.npy', '-o', 'o.npy')).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: 'bcast: "o.npy" does not say which output it is for; the model has a, b. Such as a=o.npy.\n',
    })
  })

  it('takes names with = in them', async () => {
    const { proto } = readModelFile(inPlace('model.onnx')).model
    const { graph } = proto
    graph!.input[0]!.name = 'a=b'
    graph!.node[0]!.input[0] = 'a=b'
    graph!.input.push({ ...graph!.input[0]!, name: 'a' })
    graph!.output[0]!.name = 'c=d'
    graph!.node[0]!.output[0] = 'c=d'
    writeFileSync(inPlace('equals.onnx'), writeModel(viewModel(proto)))
    const inputs = ['a=b=image.npy', 'a=image.npy']
    expect(await call('run', 'equals.onnx', ...inputs, '-o', 'c=d=equals.npy')).toMatchObject({ code: 0, stderr: '' })
    expect(await call('eval', 'x', 'x=equals.npy')).toMatchObject({ stdout: RESULT.slice(3) })
    expect((await call('run', 'equals.onnx', ...inputs, '-o', 'c=equals.npy')).stderr).toContain('no output "c"')
  })

  it('says that there is nothing to write where a model has no outputs', async () => {
    writeOutputs('none.onnx', [])
    expect(await call('run', 'none.onnx', 'x=image.npy')).toMatchObject({ code: 0, stdout: '' })
    expect(await call('run', 'none.onnx', 'x=image.npy', '-o', 'y.npy')).toMatchObject({ code: 2, stdout: '' })
  })

  it('says how to get the type that the model takes', async () => {
    writeFileSync(inPlace('zeros.json'), '[[[[0]],[[0]],[[0]]]]')
    const { code, stderr } = await call('run', 'model.onnx', 'x=zeros.json')
    expect(code).toBe(1)
    expect(stderr).toContain('input "x" takes float32; name the type: x=zeros.json:float32.')
    expect(await call('run', 'model.onnx', 'x=zeros.json:float32')).toMatchObject({ code: 0 })
    await call('eval', 'x', 'x=zeros.json', '-o', 'doubles.npy')
    const [, fix] = /convert it: bcast (.*)\n/.exec((await call('run', 'model.onnx', 'x=doubles.npy')).stderr)!
    expect(fix).toBe(`eval "cast(x, 'float32')" x=doubles.npy -o converted.npy`)
    await call('eval', "cast(x, 'float32')", 'x=doubles.npy', '-o', 'converted.npy')
    await call('eval', 'x', 'x=zeros.json', '-o', 'my doubles.npy')
    expect((await call('run', 'model.onnx', 'x=my doubles.npy')).stderr).toContain(` 'x=my doubles.npy' -o `)
    expect(await call('run', 'model.onnx', 'x=converted.npy')).toMatchObject({ code: 0 })
  })

  it('prints results, or writes them', async () => {
    expect(await call('run', 'model.onnx', 'x=image.npy', '--no-fuse')).toMatchObject({ code: 0, stdout: RESULT })
    expect(await call('run', 'model.onnx', 'x=image.npy', '-o', 'y.npy')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await call('diff', 'y.npy', 'image.npy', '--atol', '3')).toMatchObject({ code: 0 })
  })

  it.each([
    [['z=image.npy'], 'the model has no input "z"; it has x'],
    [['x=image.npy', 'x=image.npy'], 'input "x" is given twice'],
    [[], 'the model needs x; give a file for each'],
    [['x'], '"x" is no input; it is a name and a file'],
    [['x=missing.npy'], 'missing.npy: there is no such file'],
    [['x=image.npy', '-o', 'z=z.npy'], 'the model has no output "z"; it has y'],
  ])('refuses %j', async (args, reason) => {
    const { code, stdout, stderr } = await call('run', 'model.onnx', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(reason)
  })

  describe('exits 1 for what it understands and finds wanting', () => {
    const model = (file: string, init: Parameters<typeof modelOf>[0]) =>
      writeFileSync(inPlace(file), writeModel(modelOf({ outputs: ['y'], ...init })))
    const expectWanting = async (args: readonly string[], reason: string) => {
      const { code, stdout, stderr } = await call('run', ...args)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^bcast: /)
      expect(stderr).toContain(reason)
    }

    it('shapes that do not meet', async () => {
      model('meet.onnx', { inputs: { x: 'N, M', b: 'K' }, nodes: [node('Add', 'x b', 'y')] })
      await expectWanting(['meet.onnx', 'x=x.npy', 'b=c.npy'], 'cannot broadcast axis -1: 3 vs 2')
    })

    it('integers divided by zero, by a run or in the file', async () => {
      writeFileSync(inPlace('ints.json'), '[1, 2]')
      const inputs = { x: 'int64: 2', zero: ints(1, 0) }
      model('divided.onnx', { inputs, nodes: [node('Div', 'x zero', 'y')] })
      await expectWanting(['divided.onnx', 'x=ints.json:int64'], 'node 0 (Div): Div: division by zero at index [1]')
      model('constant.onnx', { inputs, nodes: [node('Div', 'zero zero', 'a'), node('Add', 'a x', 'y')] })
      await expectWanting(['constant.onnx', 'x=ints.json:int64'], 'division by zero at index [1]')
    })

    it('an input of another shape or type than declared', async () => {
      await expectWanting(['model.onnx', 'x=x.npy'], 'the model takes (N,3,H,W)')
      await call('eval', 'x', 'x=image.npy', '--dtype', 'float64', '-o', 'wide.npy')
      await expectWanting(['model.onnx', 'x=wide.npy'], 'wide.npy holds float64, and input "x" takes float32')
    })

    it('a model whose names are broken, as check does', async () => {
      model('broken-names.onnx', { inputs: { x: 'N' }, nodes: [node('Add', 'x gone', 'y')] })
      await expectWanting(['broken-names.onnx', 'x=m.npy'], 'which nothing defines')
      expect(await call('check', 'broken-names.onnx')).toMatchObject({ code: 1 })
    })

    it('and 2 where it cannot run a model, or read all of it', async () => {
      model('unknown.onnx', { inputs: { x: 'N' }, nodes: [node('Mystery', 'x', 'y', {}, 'local')] })
      expect(await call('run', 'unknown.onnx', 'x=m.npy')).toMatchObject({ code: 2, stdout: '' })
      expect(await call('run', 'without/model.onnx', 'x=image.npy')).toMatchObject({ code: 2, stdout: '' })
    })
  })
})
