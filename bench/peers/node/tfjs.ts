// TensorFlow.js on its WebAssembly backend. It has one thread in Node, and no way to write into existing memory.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import * as tf from '@tensorflow/tfjs-core'
import { type BenchDType, EPSILON, type Task } from '../../task.ts'
import { cannot, type Operand, type Peer } from './peer.ts'
import { serve } from './serve.ts'

setWasmPaths(join(dirname(fileURLToPath(import.meta.resolve('@tensorflow/tfjs-backend-wasm'))), '/'))
await tf.setBackend('wasm')

const TYPES: Partial<Record<BenchDType, 'float32' | 'bool'>> = { float32: 'float32', bool: 'bool' }

const upload = ({ dtype, shape, array }: Operand): tf.Tensor =>
  tf.tensor(array as Float32Array, [...shape], TYPES[dtype] ?? cannot(dtype))

/** Node cannot load the gradients of this package; this is how one writes them by hand. */
function normaliseGrad(x: tf.Tensor, m: tf.Tensor, s: tf.Tensor): tf.Tensor[] {
  const z = tf.div(tf.sub(x, m), s)
  const dx = tf.mul(z, tf.div(2 / x.size, s))
  return [tf.mean(tf.square(z)), dx, tf.neg(tf.sum(dx, 0)), tf.neg(tf.sum(tf.mul(dx, z), 0))]
}

function logisticStep(x: tf.Tensor, y: tf.Tensor, w: tf.Tensor): tf.Tensor[] {
  const z = tf.matMul(x, w)
  const gradient = tf.div(tf.matMul(x, tf.sub(tf.sigmoid(z), y), true), x.shape[0]!)
  return [tf.mean(tf.sub(tf.softplus(z), tf.mul(y, z))), tf.sub(w, gradient)]
}

function compute({ op, axes, result }: Task, [a, b, c, d, e]: readonly tf.Tensor[]): tf.Tensor | readonly tf.Tensor[] {
  switch (op) {
    case 'add':
      return tf.add(a!, b!)
    case 'mul':
      return tf.mul(a!, b!)
    case 'greater':
      return tf.greater(a!, b!)
    case 'where':
      return tf.where(a!, b!, c!)
    case 'normalise':
      return tf.add(tf.mul(tf.div(tf.sub(a!, b!), c!), d!), e!)
    case 'max':
      return tf.maximum(tf.maximum(tf.maximum(tf.maximum(a!, b!), c!), d!), e!)
    case 'addTransposed':
      return tf.add(a!, tf.transpose(b!))
    case 'addStrided':
      return tf.add(a!, tf.reverse(tf.stridedSlice(b!, [0, 0], b!.shape, [1, 2]), 0))
    case 'gemm':
      return tf.fused.matMul({ a: a! as tf.Tensor2D, b: b! as tf.Tensor2D, bias: c! })
    case 'sum':
    case 'sumTo':
      return tf.sum(a!, [...axes], result.shape.length === a!.rank)
    case 'softmax':
      return tf.softmax(a!)
    case 'layerNorm': {
      const { mean, variance } = tf.moments(a!, -1, true)
      return tf.add(tf.mul(tf.mul(tf.sub(a!, mean), tf.rsqrt(tf.add(variance, EPSILON))), b!), c!)
    }
    case 'normaliseGrad':
      return normaliseGrad(a!, b!, c!)
    case 'logisticStep':
      return logisticStep(a!, b!, c!)
  }
}

type Result = tf.Tensor[] | ArrayBufferView

const computeAll = (task: Task, operands: readonly tf.Tensor[]): tf.Tensor[] =>
  tf.tidy(() => [compute(task, operands)].flat() as tf.Tensor[])

const peer: Peer<Operand, Result> = {
  load: (operand) => operand,
  build(task, operands) {
    if (!(task.result.dtype in TYPES)) cannot(task.result.dtype)
    if (task.foreign) {
      return {
        fresh: () => {
          // The data is taken outside: tidy looks for tensors in what it returns, element by element.
          const uploaded = operands.map(upload)
          const [result] = computeAll(task, uploaded)
          const data = result!.dataSync()
          tf.dispose([...uploaded, result!])
          return data
        },
        free: () => {},
        read: (result) => result as ArrayBufferView,
      }
    }
    const tensors = operands.map(upload)
    return {
      fresh: () => computeAll(task, tensors),
      free: (results) => tf.dispose(results as tf.Tensor[]),
      read: (results) => (results as tf.Tensor[]).map((result) => result.dataSync()),
    }
  },
}

serve(peer)
