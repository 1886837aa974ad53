// onnxruntime for Node: one-operator models, tensors over typed arrays. Argument: threads.
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { type BenchDType, elementCount } from '../../task.ts'
import { cannot, type Elements, makeArray, type Operand, type Peer } from './peer.ts'
import { serve } from './serve.ts'

const threads = Number(process.argv[2] ?? 1)

const TYPES: Partial<Record<BenchDType, Tensor.Type>> = {
  float16: 'float16',
  float32: 'float32',
  float64: 'float64',
  int8: 'int8',
  int64: 'int64',
  bool: 'bool',
}

const wrap = (dtype: BenchDType, array: Elements, shape: readonly number[]): Tensor =>
  new Tensor(TYPES[dtype] ?? cannot(dtype), array as Float32Array, shape)

/** Models have one output. */
const only = (outputs: InferenceSession.OnnxValueMapType): Tensor => Object.values(outputs)[0] as Tensor

const peer: Peer<Operand, Tensor> = {
  load: (operand) => operand,
  async build({ model, result, foreign }, operands) {
    const session = await InferenceSession.create(model, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: 3,
    })
    const feed = () =>
      Object.fromEntries(operands.map(({ dtype, array, shape }, i) => [`x${i}`, wrap(dtype, array, shape)]))
    const feeds = feed()
    const given = foreign ? feed : () => feeds
    const place = { y: wrap(result.dtype, makeArray(result.dtype, elementCount(result.shape)), result.shape) }
    return {
      fresh: () => session.run(given()).then(only),
      free: (made) => made.dispose(),
      out: () => session.run(given(), place).then(only),
      read: (made) => made.data as unknown as ArrayBufferView,
    }
  },
}

serve(peer)
