// numpy-ts with as much WebAssembly memory as it can have, results disposed. It cannot write into existing memory.
import * as np from 'numpy-ts'
import { type BenchDType, EPSILON, elementCount, type Task } from '../../task.ts'
import { cannot, type Operand, type Peer } from './peer.ts'
import { serve } from './serve.ts'

np.configureWasm({ maxMemory: 2 ** 31 })

const TYPES: Partial<Record<BenchDType, np.DType>> = {
  ...(np.hasFloat16 ? { float16: 'float16' } : {}),
  float32: 'float32',
  float64: 'float64',
  int8: 'int8',
  int64: 'int64',
  bool: 'bool',
}

const upload = ({ dtype, shape, array }: Operand): np.NDArray =>
  np.frombuffer(array.buffer, TYPES[dtype] ?? cannot(dtype)).reshape([...shape])

/** Reductions to one element give numbers. */
type Results = np.NDArray | number | readonly (np.NDArray | number)[]

/** Gives arrays back that a function keeps while it runs. */
function scoped<T>(body: (kept: (array: unknown) => np.NDArray) => T): T {
  const all: np.NDArray[] = []
  const kept = (array: unknown): np.NDArray => {
    all.push(array as np.NDArray)
    return array as np.NDArray
  }
  const result = body(kept)
  for (const array of all) array.dispose()
  return result
}

const softmax = (x: np.NDArray): np.NDArray =>
  scoped((kept) => {
    const e = kept(np.exp(kept(np.subtract(x, kept(np.max(x, -1, true))))))
    return np.divide(e, kept(np.sum(e, -1, true)))
  })

const layerNorm = (x: np.NDArray, g: np.NDArray, b: np.NDArray): np.NDArray =>
  scoped((kept) => {
    const d = kept(np.subtract(x, kept(np.mean(x, -1, true))))
    const deviation = kept(np.sqrt(kept(np.add(kept(np.mean(kept(np.square(d)), -1, true)), EPSILON))))
    return np.add(kept(np.multiply(kept(np.divide(d, deviation)), g)), b)
  })

/** It has no gradients; this is how one writes them by hand. */
const normaliseGrad = (x: np.NDArray, m: np.NDArray, s: np.NDArray): Results =>
  scoped((kept) => {
    const z = kept(np.divide(kept(np.subtract(x, m)), s))
    const value = np.mean(kept(np.square(z))) as number
    const dx = np.multiply(z, kept(np.divide(kept(np.full(s.shape, 2 / elementCount(x.shape), 'float32')), s)))
    const dm = np.negative(kept(np.sum(dx, 0)))
    return [value, dx, dm, np.negative(kept(np.sum(kept(np.multiply(dx, z)), 0)))]
  })

const logisticStep = (x: np.NDArray, y: np.NDArray, w: np.NDArray): Results =>
  scoped((kept) => {
    const z = kept(np.matmul(x, w))
    const loss = np.mean(kept(np.subtract(kept(np.logaddexp(z, 0)), kept(np.multiply(y, z))))) as number
    const p = kept(np.reciprocal(kept(np.add(kept(np.exp(kept(np.negative(z)))), 1))))
    const gradient = kept(np.matmul(kept(x.T), kept(np.subtract(p, y))))
    return [loss, np.subtract(w, kept(np.divide(gradient, x.shape[0]!)))]
  })

function compute({ op, axes, result }: Task, [a, b, c, d, e]: readonly np.NDArray[]): Results {
  /** The outcome of the last step, with what the steps before it made given back. */
  const chain = (first: np.NDArray, ...steps: ((x: np.NDArray) => np.NDArray)[]): np.NDArray => {
    let result = first
    for (const step of steps) {
      const next = step(result)
      result.dispose()
      result = next
    }
    return result
  }
  switch (op) {
    case 'add':
      return np.add(a!, b!)
    case 'mul':
      return np.multiply(a!, b!)
    case 'greater':
      return np.greater(a!, b!)
    case 'where':
      return np.where(a!, b!, c!) as np.NDArray
    case 'normalise':
      return chain(
        np.subtract(a!, b!),
        (x) => np.divide(x, c!),
        (x) => np.multiply(x, d!),
        (x) => np.add(x, e!),
      )
    case 'max':
      return chain(
        np.maximum(a!, b!),
        (x) => np.maximum(x, c!),
        (x) => np.maximum(x, d!),
        (x) => np.maximum(x, e!),
      )
    case 'addTransposed':
      return np.add(a!, b!.T as np.NDArray)
    case 'addStrided':
      return np.add(a!, b!.slice('::-1', '::2'))
    case 'gemm':
      return chain(np.matmul(a!, b!), (x) => np.add(x, c!))
    case 'sum':
    case 'sumTo':
      return np.sum(a!, axes.length === 1 ? axes[0] : [...axes], result.shape.length === a!.ndim) as np.NDArray | number
    case 'softmax':
      return softmax(a!)
    case 'layerNorm':
      return layerNorm(a!, b!, c!)
    case 'normaliseGrad':
      return normaliseGrad(a!, b!, c!)
    case 'logisticStep':
      return logisticStep(a!, b!, c!)
  }
}

const elementsOf = (result: np.NDArray | number): ArrayBufferView =>
  typeof result === 'number' ? Float32Array.of(result) : (result.data as unknown as ArrayBufferView)

const peer: Peer<Operand, Results> = {
  load: (operand) => operand,
  build(task, operands) {
    if (TYPES[task.result.dtype] === undefined) cannot(task.result.dtype)
    const arrays = operands.map(upload)
    return {
      fresh: task.foreign
        ? () => {
            const uploaded = operands.map(upload)
            const result = compute(task, uploaded)
            for (const array of uploaded) array.dispose()
            return result
          }
        : () => compute(task, arrays),
      free: (results) => {
        for (const result of [results].flat()) if (typeof result !== 'number') result.dispose()
      },
      read: (results) => [results].flat().map(elementsOf),
    }
  },
}

serve(peer)
