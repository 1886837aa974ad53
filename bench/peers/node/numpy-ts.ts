// numpy-ts with as much WebAssembly memory as it can have, results disposed. It cannot write into existing memory.
import * as np from 'numpy-ts'
import type { BenchDType, Task } from '../../task.ts'
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

function compute({ op }: Task, [a, b, c, d, e]: readonly np.NDArray[]): np.NDArray {
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
  }
}

const peer: Peer<Operand, np.NDArray> = {
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
      free: (result) => result.dispose(),
      read: (result) => result.data as unknown as ArrayBufferView,
    }
  },
}

serve(peer)
