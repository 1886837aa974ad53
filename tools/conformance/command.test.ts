import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tensorProtoOf, writeModel, writeTensorProto } from '@bcast/onnx'
import { AttributeProto_AttributeType, ModelProtoSchema } from '@bcast/onnx/proto'
import { create } from '@bufbuild/protobuf'
import { fromData } from 'bcast'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conformance } from './command.ts'

const root = path.resolve(import.meta.dirname, '../..')
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'conformance-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function call(...paths: string[]): { code: number; out: string; err: string } {
  const said = { out: '', err: '' }
  const code = conformance(paths, {
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
  })
  return { code, ...said }
}

const shapeCase = (id: string, result: unknown): object => ({
  id,
  kind: 'shape',
  form: 'elementwise',
  rule: 'numpy',
  inputs: [{ shape: [2, 3] }, { shape: [3] }],
  expect: result,
})

function put(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

const tensor = (values: readonly number[]): Uint8Array =>
  writeTensorProto(tensorProtoOf(fromData('float32', Float32Array.from(values), [values.length])))

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const addModel = writeModel({
  proto: create(ModelProtoSchema, {
    irVersion: 8n,
    opsetImport: [{ version: 14n }],
    graph: {
      node: [{ input: ['a', 'b'], output: ['c'], opType: 'Add' }],
      input: [{ name: 'a' }, { name: 'b' }],
      output: [{ name: 'c' }],
    },
  }),
})

/** c = a * b, and the derivatives of c. */
const gradientModel = writeModel({
  proto: create(ModelProtoSchema, {
    irVersion: 8n,
    opsetImport: [{ version: 14n }, { domain: 'ai.onnx.preview.training', version: 1n }],
    graph: {
      node: [
        { input: ['a', 'b'], output: ['c'], opType: 'Mul' },
        {
          input: ['a', 'b'],
          output: ['dc_da', 'dc_db'],
          opType: 'Gradient',
          domain: 'ai.onnx.preview.training',
          attribute: [
            { name: 'xs', type: AttributeProto_AttributeType.STRINGS, strings: ['a', 'b'].map(bytes) },
            { name: 'y', type: AttributeProto_AttributeType.STRING, s: bytes('c') },
          ],
        },
      ],
      input: [{ name: 'a' }, { name: 'b' }],
      output: [{ name: 'dc_db' }, { name: 'c' }, { name: 'dc_da' }],
    },
  }),
})

function putOnnx(name: string, output: readonly number[]): string {
  put(`${name}/model.onnx`, addModel)
  put(`${name}/test_data_set_0/input_0.pb`, tensor([1, 2]))
  put(`${name}/test_data_set_0/input_1.pb`, tensor([10]))
  put(`${name}/test_data_set_0/output_0.pb`, tensor(output))
  return path.join(folder, name)
}

describe('npm run conformance', () => {
  it('judges case files and ONNX directories below a path, skips a manifest, and exits with 0', () => {
    put('good/a.json', JSON.stringify([shapeCase('a', { shape: [2, 3] })]))
    put('good/onnx/manifest.json', '[{"name":"test_add"}]')
    putOnnx('good/onnx/test_add', [11, 12])
    const { code, out } = call(path.join(folder, 'good'), path.join(folder, 'good/a.json'))
    expect(out).toBe('2 passed, 0 failed\n')
    expect(code).toBe(0)
  })

  it('runs models with Gradient nodes', () => {
    const file = (name: string, values: readonly number[]): string =>
      put(`grad/test_mul/test_data_set_0/${name}.pb`, tensor(values))
    put('grad/test_mul/model.onnx', gradientModel)
    file('input_0', [1, 2])
    file('input_1', [10])
    file('output_0', [3])
    file('output_1', [10, 20])
    file('output_2', [10, 10])
    expect(call(path.join(folder, 'grad'))).toMatchObject({ out: '1 passed, 0 failed\n', code: 0 })
    file('output_0', [2])
    expect(call(path.join(folder, 'grad'))).toMatchObject({ code: 1 })
  })

  it('shows what failed and exits with 1', () => {
    put(
      'bad/a.json',
      JSON.stringify([shapeCase('a', { shape: [2, 4] }), shapeCase('b', { error: true, message: 'why' })]),
    )
    putOnnx('bad/onnx/test_add', [11, 13])
    const { code, out } = call(path.join(folder, 'bad'))
    expect(out.split('\n')).toEqual([
      'FAILED a',
      '  expected shape (2,4)',
      '  got      shape (2,3)',
      'FAILED b',
      '  expected error (why)',
      '  got      shape (2,3)',
      'FAILED onnx/test_add',
      '  expected [11, 13] (float32)',
      '  got      test_data_set_0, output 0: [11, 12], which differs at position 1: 12 for 13',
      '0 passed, 3 failed',
      '',
    ])
    expect(code).toBe(1)
  })

  it('counts a malformed case as failed, by name, and judges the others of its file', () => {
    put('malformed/x.json', JSON.stringify([{ id: 'q' }, shapeCase('a', { shape: [2, 3] }), 7]))
    const { code, out } = call(path.join(folder, 'malformed'))
    expect(out.split('\n')).toEqual([
      'FAILED q',
      '  expected a case of the schema',
      '  got      kind is undefined, not one of shape, value, grad, grad_axes',
      expect.stringMatching(/^FAILED .*x\.json, entry 2$/),
      '  expected a case of the schema',
      '  got      the case is not an object',
      '1 passed, 2 failed',
      '',
    ])
    expect(code).toBe(1)
  })

  it('is a program with that exit code and those streams', () => {
    const script = ['--conditions=bcast-source', '--import', 'tsx', 'tools/conformance/main.ts']
    const bad = put('alone/a.json', JSON.stringify([shapeCase('a', { shape: [9] })]))
    const ran = (...paths: string[]) =>
      spawnSync(process.execPath, [...script, ...paths], { cwd: root, encoding: 'utf8' })
    expect(ran(bad)).toMatchObject({ status: 1, stderr: '', stdout: expect.stringMatching(/\n0 passed, 1 failed\n$/) })
    expect(ran()).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('no path is given') })
  })

  it('exits with 2 and says why when the call is bad', () => {
    const damaged = putOnnx('damaged/test_add', [11, 12])
    put('damaged/test_add/test_data_set_0/input_0.pb', tensor([1, 2]).subarray(0, 9))
    const calls: [string[], RegExp][] = [
      [[], /no path is given/],
      [[path.join(folder, 'absent')], /absent does not exist/],
      [[put('cut/x.json', '[{')], /x\.json is not JSON/],
      [[damaged], /input_0\.pb is damaged: .* at byte \d+/],
      [[path.dirname(put('nothing/readme.txt', 'text'))], /holds no case file and no ONNX test directory/],
    ]
    for (const [paths, message] of calls) {
      const { code, out, err } = call(...paths)
      expect(err).toMatch(message)
      expect(out).toBe('')
      expect(code).toBe(2)
    }
  })
})
