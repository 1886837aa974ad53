// ONNX's own test directories, made explicit: onnxruntime computes the same bits as before, and where it refuses the
// old attributes, what the directory records.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { differenceOf, outputsOf } from '../../../../testing/models/bits.ts'
import { facts, filesIn } from '../../../../testing/models/packaged.ts'
import { needs } from '../../../../testing/needs.ts'
import { checkStructure, elementTypeOf, type Model, makeExplicit, readModel, tensorOf } from '../../src/index.ts'
import type { TensorProto } from '../../src/proto/onnx_pb.ts'
import { tensorsIn } from '../support/directory.ts'

/** All but those of a type that onnxruntime cannot be given. */
const folders = filesIn(facts, 'model.onnx')
  .map((file) => path.dirname(file))
  .filter((folder) => !/BFLOAT16/.test(folder))

const ortTensor = (proto: TensorProto): ort.Tensor => {
  const read = tensorOf(proto)
  return new ort.Tensor(elementTypeOf(proto.dataType) as 'float32', read.data as never, [...read.shape])
}

const feedsOf = (model: Model, inputs: ReadonlyMap<number, TensorProto>): Record<string, ort.Tensor> =>
  Object.fromEntries([...inputs].map(([i, proto]) => [model.graph.inputs[i]!.name, ortTensor(proto)]))

const tally = { same: 0, recorded: 0, refused: 0 }

/** Products and powers are recorded by another engine, which rounds otherwise. */
const isRounded = ({ graph }: Model): boolean => graph.nodes.some(({ opType }) => ['Pow', 'Gemm'].includes(opType))

function expectRecorded(recorded: Record<string, ort.Tensor>, got: Record<string, ort.Tensor>, rounded: boolean): void {
  if (!rounded) expect(differenceOf(recorded, got)).toBeUndefined()
  for (const [name, { data, dims }] of Object.entries(recorded)) {
    expect(got[name]!.dims).toEqual(dims)
    const elements = got[name]!.data as Float32Array
    for (const [i, value] of (data as Float32Array).entries()) expect(elements[i]).toBeCloseTo(value, 3)
  }
}

async function judge(model: Model, explicit: Model, folder: string): Promise<void> {
  const feeds = feedsOf(model, tensorsIn(folder, 'input'))
  const [before, after] = [await outputsOf(model, feeds), await outputsOf(explicit, feeds)]
  if (typeof before !== 'string') {
    if (typeof after === 'string') throw new Error(after)
    expect(differenceOf(before, after)).toBeUndefined()
    tally.same++
  } else if (typeof after !== 'string') {
    const outputs = [...tensorsIn(folder, 'output')].map(([i, proto]) => [
      model.graph.outputs[i]!.name,
      ortTensor(proto),
    ])
    expectRecorded(Object.fromEntries(outputs), after, isRounded(model))
    tally.recorded++
  } else {
    expect(before).toMatch(
      /NOT_IMPLEMENTED|Could not find an implementation|Unsupported|not supported|not a registered/,
    )
    tally.refused++
  }
}

describe('test directories of ONNX, made explicit', needs('conformance', folders.length > 0), () => {
  it.each(folders.map((folder) => [path.relative(facts, folder), folder] as const))('%s', async (_, folder) => {
    const model = readModel(readFileSync(path.join(folder, 'model.onnx')))
    const { model: explicit, report } = makeExplicit(model)
    expect(checkStructure(explicit)).toEqual(checkStructure(model))
    expect(makeExplicit(explicit).model === explicit).toBe(true)
    // An Expand of the directory itself may depend on the elements of an input.
    expect(report.unproven.filter((message) => !/\(Expand\)/.test(message))).toEqual([])
    expect(report.kept.map(({ reason }) => reason)).toEqual([])
    for (const set of readdirSync(folder).filter((name) => name.startsWith('test_data_set'))) {
      await judge(model, explicit, path.join(folder, set))
    }
  })

  it('ran, nearly all of them', () => {
    expect(tally.same).toBeGreaterThan(150)
    expect(tally.recorded).toBeGreaterThan(15)
    expect(tally.refused).toBeLessThan(40)
  })
})
