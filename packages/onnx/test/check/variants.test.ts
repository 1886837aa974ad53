// Real models, broken on purpose: a bias of the wrong size, axes exchanged, a reduction that drops its axis. Each is
// found at its node, and with its first fix applied the model passes the check and runs in onnxruntime again.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import { fromData, type Tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { exposeValues } from '../../../../testing/models/expose.ts'
import { declared } from '../../../../testing/models/infer.ts'
import { packaged } from '../../../../testing/models/packaged.ts'
import { runOnce } from '../../../../testing/models/session.ts'
import {
  applyFix,
  type CheckedBroadcast,
  checkModel,
  inferShapes,
  type Model,
  type Node,
  nodePath,
  readModel,
  tensorOf,
  tensorProtoOf,
  viewModel,
  writeModel,
} from '../../src/index.ts'
import {
  AttributeProtoSchema,
  AttributeProto_AttributeType as AttributeType,
  ValueInfoProtoSchema,
} from '../../src/proto/onnx_pb.ts'

const inputs: Readonly<Record<string, readonly number[]>> = {
  'ch_PP-OCRv4_det_infer.onnx': [1, 3, 64, 96],
  'ch_PP-OCRv4_rec_infer.onnx': [2, 3, 48, 64],
  'ch_ppocr_mobile_v2.0_cls_infer.onnx': [2, 3, 48, 192],
}

const count = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1)

const read = (file: string): Model => readModel(readFileSync(packaged.find((each) => path.basename(each) === file)!))

/** The model with declared shapes for values that inference does not know, from a run. */
async function withShapes(file: string): Promise<Model> {
  const { proto, ...model } = read(file)
  const x = inputs[file]!
  const inference = inferShapes({ proto, ...model }, { inputs: { x } })
  const known = (name: string): boolean => {
    const value = inference.valueIn(inference.root, name)
    return value.kind === 'tensor' && value.shape !== null
  }
  const elements = new Float32Array(count(x)).map((_, i) => Math.sin(i))
  for (const { name, actual } of await exposeValues(
    { proto, ...model },
    { x: { element: 'float32', shape: x, elements } },
  )) {
    if (known(name)) continue
    const text = `${actual.element}: ${actual.shape.join(', ')}`
    proto.graph!.valueInfo.push(create(ValueInfoProtoSchema, declared(name, text)))
  }
  return viewModel(proto)
}

/** The shape of the first output of a run. */
async function run(model: Model, x: readonly number[]): Promise<readonly number[]> {
  // Its optimizations replace a layer normalisation as a whole, whatever keepdims says.
  const feeds = { x: new ort.Tensor('float32', new Float32Array(count(x)), x) }
  const results = await runOnce(writeModel(model), feeds, 'disabled')
  return Object.values(results)[0]!.dims
}

type Variant = (model: Model, broadcasts: readonly CheckedBroadcast[]) => Node | undefined

/** The constant operand of a node, if one is stretched; broken ones go under a name of their own. */
function* constants(broadcasts: readonly CheckedBroadcast[]) {
  for (const { node, verdict, operands, rule } of broadcasts) {
    if (verdict !== 'broadcast' || rule !== 'numpy') continue
    for (const { producer, input, name } of operands) {
      const definition = producer?.definition
      const proto =
        definition?.kind === 'initializer' && !definition.initializer.sparse
          ? definition.initializer.proto
          : definition?.kind === 'output' && definition.node.opType === 'Constant'
            ? definition.node.attributes.tensor('value', undefined)
            : undefined
      if (proto === undefined || input === undefined) continue
      yield { node, input, name, tensor: tensorOf(proto) }
    }
  }
}

function replaceConstant(
  model: Model,
  { node, input, name }: { node: Node; input: number; name: string },
  value: Tensor,
): Node {
  model.proto.graph!.initializer.push(tensorProtoOf(value, `${name}.broken`))
  node.proto.input[input] = `${name}.broken`
  return node
}

/** The last constant that has a long axis, with one element more. */
const wrongSize: Variant = (model, broadcasts) => {
  const site = [...constants(broadcasts)].findLast(({ tensor }) => tensor.shape.some((size) => size > 1))
  if (site === undefined) return undefined
  const { shape, data } = site.tensor
  const axis = shape.findIndex((size) => size > 1)
  // One long axis, so that the elements stay in order.
  if (shape.some((size, i) => i !== axis && size > 1)) return undefined
  const longer = new Float32Array(data.length + 1)
  longer.set(data as Float32Array)
  const value = fromData('float32', longer, shape.with(axis, shape[axis]! + 1)) as Tensor
  return replaceConstant(model, site, value)
}

/** The first constant for channels, (1,C,1,1), as (1,1,C,1). */
const swappedAxis: Variant = (model, broadcasts) => {
  const site = [...constants(broadcasts)].find(({ tensor: { shape } }) => shape.length === 4 && shape[1]! > 1)
  if (site === undefined) return undefined
  const { shape, data } = site.tensor
  const value = fromData('float32', data as Float32Array, [1, 1, shape[1]!, 1]) as Tensor
  return replaceConstant(model, site, value)
}

/** A Transpose before a MatMul that leaves the axes as they are. */
const swappedMatrix: Variant = (model) => {
  const transpose = model.graph.nodes.find(
    ({ opType, outputs }) => opType === 'Transpose' && model.graph.uses.get(outputs[0]!)?.[0]?.node.opType === 'MatMul',
  )
  const perm = transpose?.proto.attribute.find(({ name }) => name === 'perm')
  if (transpose === undefined || perm === undefined) return undefined
  perm.ints = perm.ints.map((_, i) => BigInt(i))
  return model.graph.uses.get(transpose.outputs[0]!)![0]!.node
}

/** The first reduction whose result meets what it reduced, without its axis. */
const droppedAxis: Variant = (model, broadcasts) => {
  for (const { node } of broadcasts) {
    const reduction = node.inputs
      .map((name) => model.graph.definitions.get(name))
      .find((each) => each?.kind === 'output' && /^Reduce/.test(each.node.opType))
    if (reduction?.kind !== 'output' || !node.inputs.includes(reduction.node.inputs[0]!)) continue
    const { attribute } = reduction.node.proto
    const kept = attribute.findIndex(({ name }) => name === 'keepdims')
    if (kept >= 0) attribute.splice(kept, 1)
    attribute.push(create(AttributeProtoSchema, { name: 'keepdims', type: AttributeType.INT, i: 0n }))
    return node
  }
  return undefined
}

const cases: readonly (readonly [file: string, name: string, variant: Variant, fix: RegExp])[] = [
  ['ch_PP-OCRv4_det_infer.onnx', 'a bias of the wrong size', wrongSize, /^give initializer "\S+" the shape/],
  ['ch_PP-OCRv4_rec_infer.onnx', 'a bias of the wrong size', wrongSize, /^give initializer "\S+" the shape/],
  ['ch_ppocr_mobile_v2.0_cls_infer.onnx', 'a bias of the wrong size', wrongSize, /^give initializer "\S+" the shape/],
  ['ch_PP-OCRv4_det_infer.onnx', 'a swapped axis', swappedAxis, /^Squeeze .* and Unsqueeze/],
  ['ch_PP-OCRv4_rec_infer.onnx', 'swapped axes', swappedMatrix, /^Transpose \(perm=\[0,1,3,2\]\)/],
  ['ch_PP-OCRv4_rec_infer.onnx', 'a missing keepdims', droppedAxis, /^set keepdims=1 on node \d+ "p2o.ReduceMean/],
]

describe.each(cases)('%s with %s', (file, _, variant, text) => {
  it('is found at its node, and runs again with the fix', async () => {
    const x = inputs[file]!
    const options = { inputs: { x } }
    const whole = await run(read(file), x)
    const model = await withShapes(file)
    const intact = checkModel(model, options)
    expect(intact.findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(intact.verdicts.unknown).toBe(0)

    const broken = variant(model, intact.broadcasts)
    expect(broken).toBeDefined()
    const again = viewModel(model.proto)
    await expect(run(again, x)).rejects.toThrow()

    const [finding, ...others] = checkModel(again, options).findings.filter(({ severity }) => severity === 'error')
    expect(others).toEqual([])
    expect(finding).toMatchObject({ path: nodePath(broken!) })
    const [fix] = finding!.fixes
    expect(fix!.text).toMatch(text)
    expect(fix!.uncovers).toEqual([])

    const fixed = applyFix(again, fix!)
    expect(checkModel(fixed, options).passes).toBe(true)
    expect(await run(fixed, x)).toEqual(whole)
  })
})
