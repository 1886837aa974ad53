// TensorFlow.js on its WebAssembly backend. It has one thread in Node, and no way to write into existing memory.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import * as tf from '@tensorflow/tfjs-core'
import type { BenchDType, Task } from '../../task.ts'
import { cannot, type Operand, type Peer } from './peer.ts'
import { serve } from './serve.ts'

setWasmPaths(join(dirname(fileURLToPath(import.meta.resolve('@tensorflow/tfjs-backend-wasm'))), '/'))
await tf.setBackend('wasm')

const TYPES: Partial<Record<BenchDType, 'float32' | 'bool'>> = { float32: 'float32', bool: 'bool' }

const upload = ({ dtype, shape, array }: Operand): tf.Tensor =>
  tf.tensor(array as Float32Array, [...shape], TYPES[dtype] ?? cannot(dtype))

function compute({ op }: Task, [a, b, c, d, e]: readonly tf.Tensor[]): tf.Tensor {
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
  }
}

type Result = tf.Tensor | ArrayBufferView

const peer: Peer<Operand, Result> = {
  load: (operand) => operand,
  build(task, operands) {
    if (!(task.result.dtype in TYPES)) cannot(task.result.dtype)
    if (task.foreign) {
      return {
        fresh: () => {
          // The data is taken outside: tidy looks for tensors in what it returns, element by element.
          const result = tf.tidy(() => compute(task, operands.map(upload)))
          const data = result.dataSync()
          result.dispose()
          return data
        },
        free: () => {},
        read: (result) => result as ArrayBufferView,
      }
    }
    const tensors = operands.map(upload)
    return {
      fresh: () => tf.tidy(() => compute(task, tensors)),
      free: (result) => (result as tf.Tensor).dispose(),
      read: (result) => (result as tf.Tensor).dataSync(),
    }
  },
}

serve(peer)
