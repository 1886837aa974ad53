// jax-js on its WebAssembly backend, compiled with `jit`. It has one thread in Node, and no way to write into existing
// memory. Operands are passed as references, because a call takes ownership of what it gets.
import { defaultDevice, init, type Array as JaxArray, jit, numpy as np } from '@jax-js/jax'
import { type BenchDType, type Task, WIDTH } from '../../task.ts'
import { cannot, type Operand, type Peer } from './peer.ts'
import { serve } from './serve.ts'

await init('wasm')
defaultDevice('wasm')

const TYPES: Partial<Record<BenchDType, 'float32' | 'float64' | 'bool'>> = {
  float32: 'float32',
  float64: 'float64',
  bool: 'bool',
}

const upload = ({ dtype, shape, array }: Operand): JaxArray => {
  const type = TYPES[dtype] ?? cannot(dtype)
  if (type === 'bool')
    return np
      .array(Int32Array.from(array as Uint8Array))
      .reshape([...shape])
      .astype(np.bool)
  return np.array(array as Float32Array<ArrayBuffer>, { dtype: np[type] }).reshape([...shape])
}

function compute({ op, result: { shape } }: Task): (...operands: JaxArray[]) => JaxArray {
  switch (op) {
    case 'add':
      return (a, b) => a!.add(b!)
    case 'mul':
      return (a, b) => a!.mul(b!)
    case 'greater':
      return (a, b) => np.greater(a!, b!)
    case 'where':
      return (c, x, y) => np.where(c!, x!, y!)
    case 'normalise':
      return (x, m, s, g, b) => x!.sub(m!).div(s!).mul(g!).add(b!)
    case 'max':
      return (a, b, c, d, e) => np.maximum(np.maximum(np.maximum(np.maximum(a!, b!), c!), d!), e!)
    case 'addTransposed':
      return (x, y) => x!.add(np.transpose(y!))
    case 'addStrided':
      return (x, y) => x!.add(np.flip(y!.reshape([...shape, 2]).slice([], [], 0), 0))
    case 'gemm':
      return (a, b, c) => np.matmul(a!, b!).add(c!)
  }
}

type Result = JaxArray | ArrayBufferView

/** Bools come back as words. */
const packed = (data: ArrayBufferView, dtype: BenchDType): ArrayBufferView =>
  dtype === 'bool' && !(data instanceof Uint8Array) ? Uint8Array.from(data as Int32Array) : data

const peer: Peer<Operand, Result> = {
  load: (operand) => operand,
  build(task, operands) {
    const { dtype } = task.result
    if (WIDTH[dtype] === 2) cannot(dtype)
    const run = jit(compute(task)) as (...operands: JaxArray[]) => JaxArray
    if (task.foreign) {
      return {
        fresh: () => run(...operands.map(upload)).dataSync(),
        free: () => {},
        read: (result) => packed(result as ArrayBufferView, dtype),
      }
    }
    const arrays = operands.map(upload)
    return {
      fresh: async () => {
        const result = run(...arrays.map((array) => array.ref))
        await result.blockUntilReady()
        return result
      },
      free: (result) => (result as JaxArray).dispose(),
      read: (result) => packed((result as JaxArray).ref.dataSync(), dtype),
    }
  },
}

serve(peer)
