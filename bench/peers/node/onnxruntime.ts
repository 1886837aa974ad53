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

type Outputs = InferenceSession.OnnxValueMapType

const peer: Peer<Operand, Outputs> = {
  load: (operand) => operand,
  async build({ model, result, also, foreign }, operands) {
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
    const tensorsIn = (outputs: Outputs): Tensor[] => session.outputNames.map((name) => outputs[name] as Tensor)
    const place = { y: wrap(result.dtype, makeArray(result.dtype, elementCount(result.shape)), result.shape) }
    return {
      fresh: () => session.run(given()),
      free: (made) => {
        for (const each of tensorsIn(made)) each.dispose()
      },
      ...(also.length > 0 ? {} : { out: () => session.run(given(), place) }),
      read: (made) => tensorsIn(made).map(({ data }) => data as unknown as ArrayBufferView),
    }
  },
}

serve(peer)
