// The files that examples of help and README speak of.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { tensorProtoOf, viewModel, writeModel } from '@bcast/onnx'
import { readModelFile } from '@bcast/onnx/node'
import { TensorProto_DataLocation as DataLocation, ModelProtoSchema } from '@bcast/onnx/proto'
import { create } from '@bufbuild/protobuf'
import { tensor } from 'bcast'
import { openSink } from '../../src/files/open.ts'
import { metadataText } from '../../src/zarr/metadata/json.ts'
import { encodeObject, keyOf, metadataOf, type ZarrOutput } from '../../src/zarr/output.ts'

const sizes = (dims: readonly (number | string)[]) => ({
  dim: dims.map((size) => ({
    value:
      typeof size === 'number'
        ? { case: 'dimValue' as const, value: BigInt(size) }
        : { case: 'dimParam' as const, value: size },
  })),
})

/** x of the given shape, plus a bias of the given shape. */
function modelBytes(x: readonly (number | string)[], bias: readonly number[]): Uint8Array {
  const count = bias.reduce((product, size) => product * size, 1)
  const values = tensor(
    Float32Array.from({ length: count }, (_, i) => i + 1),
    { shape: bias },
  )
  const type = { value: { case: 'tensorType' as const, value: { elemType: 1, shape: sizes(x) } } }
  const proto = create(ModelProtoSchema, {
    irVersion: 10n,
    opsetImport: [{ version: 22n }],
    graph: {
      name: 'shift',
      input: [{ name: 'x', type }],
      initializer: [tensorProtoOf(values, 'bias')],
      node: [{ opType: 'Add', name: 'shift', input: ['x', 'bias'], output: ['y'] }],
      output: [{ name: 'y', type }],
    },
  })
  return writeModel({ proto })
}

const traceback = `Traceback (most recent call last):
  File "train.py", line 12, in <module>
    loss = (predicted - target) ** 2
RuntimeError: The size of tensor a (10) must match the size of tensor b (32) at non-singleton dimension 1

During handling of the above exception, another exception occurred:

ValueError: operands could not be broadcast together with shapes (32,10) (32,)
`

const profile = { name: 'ours', extends: 'sonnx-strict', operators: { Add: { broadcasting: 'allowed' } } }

/** Arrays of eval's examples: rows, a column and what they go onto. */
const arrays = {
  x: tensor([
    [0.5, -1.5, 2],
    [3, 0.25, -4],
  ]),
  m: tensor([1, 2, 3]),
  s: tensor([2, 2, 4]),
  g: tensor([1, 10, 100]),
  b: tensor([0.5, 0.5, 0.5]),
  c: tensor([10, 20]),
  image: tensor(new Float32Array(12), { shape: [1, 3, 2, 2] }),
}

/** An array as a Zarr store of one chunk. */
async function writeZarr(folder: string, name: keyof typeof arrays): Promise<void> {
  const { shape, data } = arrays[name]
  const output: ZarrOutput = { dtype: 'float32', shape, chunks: shape, codec: { name: 'zstd' }, fill: 0 }
  const index = shape.map(() => 0)
  const put = (key: string, content: string | Uint8Array): void => {
    mkdirSync(path.dirname(path.join(folder, key)), { recursive: true })
    writeFileSync(path.join(folder, key), content)
  }
  put('zarr.json', metadataText(metadataOf(output)))
  put(keyOf(output, index), await encodeObject(output, index, data))
}

/** Puts them into a folder. */
export async function writeExampleFiles(folder: string): Promise<void> {
  for (const [name, { shape, data }] of Object.entries(arrays)) {
    const sink = await openSink(path.join(folder, `${name}.npy`), { dtype: 'float32', shape })
    await sink.write(data)
    await sink.finish()
  }
  await writeZarr(path.join(folder, 'x.zarr'), 'x')
  await writeZarr(path.join(folder, 'image.zarr'), 'image')
  await writeZarr(path.join(folder, 'stats.zarr', 'mean'), 'm')
  await writeZarr(path.join(folder, 'stats.zarr', 'std'), 's')
  const group = metadataText({ zarr_format: 3, node_type: 'group', attributes: {} })
  writeFileSync(path.join(folder, 'stats.zarr', 'zarr.json'), group)
  const put = (name: string, content: string | Uint8Array) => writeFileSync(path.join(folder, name), content)
  put('model.onnx', modelBytes(['N', 3, 'H', 'W'], [3, 1, 1]))
  put('broken.onnx', modelBytes(['N', 3, 8, 8], [3]))
  put('traceback.txt', traceback)
  put('ours.json', JSON.stringify(profile))
}

/** model.onnx in a folder `outside`, with its weights in bias.bin beside it. */
export function writeExternalModel(folder: string): void {
  const { proto } = readModelFile(path.join(folder, 'model.onnx')).model
  const bias = proto.graph!.initializer[0]!
  const outside = path.join(folder, 'outside')
  mkdirSync(outside)
  writeFileSync(path.join(outside, 'bias.bin'), new Uint8Array(Float32Array.of(1, 2, 3).buffer))
  Object.assign(bias, { floatData: [], rawData: new Uint8Array(), dataLocation: DataLocation.EXTERNAL })
  bias.externalData.push({ $typeName: 'onnx.StringStringEntryProto', key: 'location', value: 'bias.bin' })
  writeFileSync(path.join(outside, 'model.onnx'), writeModel(viewModel(proto)))
}
