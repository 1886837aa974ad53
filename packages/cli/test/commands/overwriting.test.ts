// A result never replaces what it was made of: the model, its weights in other files, the profile.
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hasExternalData, writeModel } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { called } from '../support/called.ts'
import { writeExampleFiles, writeExternalModel } from '../support/example-files.ts'
import { type Outcome, workplace } from '../support/program.ts'

let place: ReturnType<typeof workplace>
const inPlace = (...parts: string[]) => path.join(place.folder, ...parts)
const call = (...args: string[]): Promise<Outcome> => called(args, { cwd: place.folder })

beforeEach(async () => {
  place = workplace()
  await writeExampleFiles(place.folder)
  writeExternalModel(place.folder)
  symlinkSync('outside', inPlace('folder-link'))
  symlinkSync('bias.bin', inPlace('outside', 'link.bin'))
  linkSync(inPlace('outside', 'bias.bin'), inPlace('hard.bin'))
  symlinkSync('model.onnx', inPlace('link.onnx'))
})
afterEach(() => place.remove())

const KEPT = ['model.onnx', 'outside/model.onnx', 'outside/bias.bin', 'ours.json']

async function expectRefused(args: readonly string[], reason: string): Promise<void> {
  const before = KEPT.map((file) => readFileSync(inPlace(file)))
  const { code, stdout, stderr } = await call(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(reason)
  expect(stderr).toContain('would be replaced. Name another file.')
  expect(KEPT.map((file) => readFileSync(inPlace(file)))).toEqual(before)
}

describe('refused', () => {
  const weights = 'the weights of outside/model.onnx lie there'
  it.each([
    ['outside/bias.bin'],
    ['./folder-link/../outside/bias.bin'],
    ['folder-link/bias.bin'],
    ['outside/link.bin'],
    ['hard.bin'],
  ])('weights, named %s', async (spelled) => {
    await expectRefused(['explicit', 'outside/model.onnx', '-o', spelled], weights)
    await expectRefused(['check', 'outside/model.onnx', '-o', spelled], weights)
    await expectRefused(['census', 'outside/model.onnx', '-o', spelled], weights)
    await expectRefused(['run', 'outside/model.onnx', 'x=image.npy', '-o', `y=${spelled}`], weights)
  })

  it('weights that are not there yet', async () => {
    rmSync(inPlace('hard.bin'))
    rmSync(inPlace('outside', 'bias.bin'))
    const { code, stderr } = await call('explicit', 'outside/model.onnx', '-o', 'folder-link/bias.bin')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(weights) })
  })

  it.each([['model.onnx'], ['./outside/../model.onnx'], ['link.onnx']])('the model, named %s', async (spelled) => {
    const model = 'it is the model that is read'
    await expectRefused(['check', 'model.onnx', '-o', spelled], model)
    await expectRefused(['check', 'model.onnx', '--format', 'sarif', '-o', spelled], model)
    await expectRefused(['census', 'model.onnx', '-o', spelled], model)
    await expectRefused(['run', 'model.onnx', 'x=image.npy', '-o', `y=${spelled}:npy`], model)
  })

  it('what a folder holds that is counted', async () => {
    await expectRefused(['census', '.', '-o', 'outside/model.onnx'], 'it is a model that is read')
    await expectRefused(['census', '.', '-o', 'outside/bias.bin'], 'the weights of ')
  })

  it('the profile', () =>
    expectRefused(['check', 'model.onnx', '--profile', 'ours.json', '-o', './ours.json'], 'it is the profile'))

  it('one file for two outputs, however it is named', async () => {
    mkdirSync(inPlace('results'))
    const { proto } = readModelFile(inPlace('model.onnx')).model
    proto.graph!.output.push({ ...proto.graph!.output[0]!, name: 'x' })
    writeFileSync(inPlace('two.onnx'), writeModel({ proto }))
    const { code, stderr } = await call(
      ...['run', 'two.onnx', 'x=image.npy'],
      ...['-o', 'y=results/c.npy', '-o', 'x=results/../results/c.npy'],
    )
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('would hold two outputs') })
  })
})

describe('allowed', () => {
  const shifted = async (model: string): Promise<string> => (await call('run', model, 'x=image.npy')).stdout

  it.each([['outside/model.onnx'], ['folder-link/model.onnx']])('explicit onto %s itself', async (spelled) => {
    const before = await shifted('outside/model.onnx')
    expect(await call('explicit', 'outside/model.onnx', '-o', spelled)).toMatchObject({ code: 0, stderr: '' })
    const { model } = readModelFile(inPlace('outside', 'model.onnx'))
    expect(model.graph.nodes.map(({ opType }) => opType)).toContain('Expand')
    expect(hasExternalData(model)).toBe(true)
    expect(await shifted('outside/model.onnx')).toBe(before)
  })

  it('explicit onto a link that leads away from the weights, which go with it', async () => {
    const before = await shifted('outside/model.onnx')
    symlinkSync('../landed.onnx', inPlace('outside', 'away.onnx'))
    writeFileSync(inPlace('landed.onnx'), '')
    const { code, stderr } = await call('explicit', 'outside/model.onnx', '-o', 'outside/away.onnx')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('were put into the model itself') })
    expect(await shifted('landed.onnx')).toBe(before)
  })

  it('a result of run onto its input', async () => {
    const before = await shifted('model.onnx')
    expect(await call('run', 'model.onnx', 'x=image.npy', '-o', 'y=image.npy')).toMatchObject({ code: 0, stderr: '' })
    expect(await call('eval', 'x', 'x=image.npy')).toMatchObject({ stdout: before.replace('y: ', '') })
  })
})
