// jax-js on its WebAssembly backend, compiled with `jit`. It has one thread in Node, and no way to write into existing
// memory. Operands are passed as references, because a call takes ownership of what it gets.
import { defaultDevice, init, type Array as JaxArray, jit, nn, numpy as np, valueAndGrad } from '@jax-js/jax'
import { type BenchDType, EPSILON, type Task, WIDTH } from '../../task.ts'
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

type Results = JaxArray | readonly JaxArray[]

function compute({ op, axes, operands, result: { shape } }: Task): (...operands: JaxArray[]) => Results {
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
    case 'sum':
    case 'sumTo': {
      const keepdims = shape.length === operands[0]!.shape.length
      return (x) => np.sum(x!, [...axes], { keepdims })
    }
    case 'softmax':
      return (x) => nn.softmax(x!, -1)
    case 'layerNorm':
      return (x, g, b) => nn.standardize(x!, -1, { epsilon: EPSILON }).mul(g!).add(b!)
    case 'normaliseGrad': {
      const all = valueAndGrad((x: JaxArray, m: JaxArray, s: JaxArray) => np.square(x.sub(m).div(s)).mean(), {
        argnums: [0, 1, 2],
      })
      return (x, m, s) => {
        const [value, gradients] = all(x!, m!, s!)
        return [value, ...gradients] as JaxArray[]
      }
    }
    case 'logisticStep': {
      const loss = valueAndGrad((w: JaxArray, x: JaxArray, y: JaxArray) => {
        const z = np.matmul(x, w)
        return nn.softplus(z.ref).sub(y.mul(z)).mean()
      })
      return (x, y, w) => {
        const [value, gradient] = loss(w!.ref, x!, y!)
        return [value, w!.sub(gradient as JaxArray)] as JaxArray[]
      }
    }
  }
}

type Result = readonly JaxArray[] | ArrayBufferView

/** Bools come back as words. */
const packed = (data: ArrayBufferView, dtype: BenchDType): ArrayBufferView =>
  dtype === 'bool' && !(data instanceof Uint8Array) ? Uint8Array.from(data as Int32Array) : data

const peer: Peer<Operand, Result> = {
  load: (operand) => operand,
  build(task, operands) {
    const { dtype } = task.result
    if (WIDTH[dtype] === 2) cannot(dtype)
    const compiled = jit(compute(task) as (...operands: JaxArray[]) => JaxArray) as (...operands: JaxArray[]) => Results
    const run = (arrays: readonly JaxArray[]): readonly JaxArray[] => [compiled(...arrays)].flat() as JaxArray[]
    if (task.foreign) {
      return {
        fresh: () => run(operands.map(upload))[0]!.dataSync(),
        free: () => {},
        read: (result) => packed(result as ArrayBufferView, dtype),
      }
    }
    const arrays = operands.map(upload)
    return {
      fresh: async () => {
        const results = run(arrays.map((array) => array.ref))
        for (const result of results) await result.blockUntilReady()
        return results
      },
      free: (results) => {
        for (const result of results as readonly JaxArray[]) result.dispose()
      },
      read: (results) => (results as readonly JaxArray[]).map((result) => packed(result.ref.dataSync(), dtype)),
    }
  },
}

serve(peer)
