// A model of as many nodes as wanted, for measuring: residual blocks with a bias for each channel, a scale for all, a
// gate for each sample and channel, and a row, so that a check has every usual broadcast to judge.
import { type Model, tensorProtoOf, viewModel } from '@bcast/onnx'
import { ModelProtoSchema } from '@bcast/onnx/proto'
import { create } from '@bufbuild/protobuf'
import { fromData, type Tensor } from 'bcast'

const size = (given: string | number) =>
  typeof given === 'number'
    ? { value: { case: 'dimValue' as const, value: BigInt(given) } }
    : { value: { case: 'dimParam' as const, value: given } }

const weights = (...shape: number[]): Tensor =>
  fromData('float32', new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(1), shape) as Tensor

/** The nodes of a block; `x` is what the block before it gives. */
const block = ['Add x bias', 'Relu x', 'Mul x scale', 'GlobalAveragePool x', 'Mul x gate', 'Add x rows', 'Add x skip']

export function syntheticModel(count: number): Model {
  const initializer = Object.entries({ bias: weights(8, 1, 1), scale: weights(), rows: weights(16) })
  let [x, skip, gate] = ['input', 'input', 'input']
  const node = Array.from({ length: count }, (_, i) => {
    const [opType, ...inputs] = block[i % block.length]!.split(' ')
    if (i % block.length === 0) skip = x
    const input = inputs.map((name) => ({ x, skip, gate })[name] ?? name)
    const output = `v${i}`
    if (opType === 'GlobalAveragePool') gate = output
    else x = output
    return { opType: opType!, name: `node${i}`, input, output: [output] }
  })
  return viewModel(
    create(ModelProtoSchema, {
      irVersion: 10n,
      opsetImport: [{ version: 22n }],
      graph: {
        name: 'synthetic',
        input: [
          {
            name: 'input',
            type: {
              value: { case: 'tensorType', value: { elemType: 1, shape: { dim: ['N', 8, 'H', 16].map(size) } } },
            },
          },
        ],
        initializer: initializer.map(([name, tensor]) => tensorProtoOf(tensor, name)),
        node,
        output: [{ name: x }],
      },
    }),
  )
}
