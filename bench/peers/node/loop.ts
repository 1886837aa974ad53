// The loops that one writes by hand in JavaScript when there is no library: one for each way operands meet. They are
// the reference of every result, so each operation rounds as its element type says.
import { elementCount, type Task } from '../../task.ts'
import { bfloat16From, bfloat16To, float16From, float16To } from './half.ts'
import { reducingLoop } from './loop-reduce.ts'
import { cannot, type Elements, makeArray, type Operand, type Peer } from './peer.ts'
import { serve } from './serve.ts'

type Numbers = Float32Array | Float64Array | Int8Array
/** Writes into the arrays of its results, of which most loops have one. */
type Loop = (out: Elements, ...others: Elements[]) => void
const { fround } = Math

/** add and mul of numbers, by how the second operand meets the first. */
function pair(op: 'add' | 'mul', [a, b]: readonly Operand[], shape: readonly number[]): Loop {
  const [x, y] = [a!.array as Numbers, b!.array as Numbers]
  const columns = shape.at(-1)!
  const rows = elementCount(shape) / columns
  if (shape.length === 8) return (out) => alternating(x, y, out as Numbers, shape[0]!)
  if (op === 'mul') {
    return (out) => {
      const o = out as Numbers
      for (let i = 0, k = 0; i < rows; i++) for (let j = 0; j < columns; j++, k++) o[k] = x[k]! * y[j]!
    }
  }
  if (x.length === y.length && x.length === rows * columns) {
    return (out) => {
      const o = out as Numbers
      for (let k = 0; k < o.length; k++) o[k] = x[k]! + y[k]!
    }
  }
  if (x.length < rows * columns) {
    return (out) => {
      const o = out as Numbers
      for (let i = 0, k = 0; i < rows; i++) {
        const left = x[i]!
        for (let j = 0; j < columns; j++, k++) o[k] = left + y[j]!
      }
    }
  }
  if (b!.shape.at(-1) === 1) {
    // One element for each row or plane, over and over.
    const plane = b!.shape.length < shape.length ? elementCount(shape.slice(-2)) : columns
    return (out) => {
      const o = out as Numbers
      for (let i = 0, k = 0; k < o.length; i++) {
        const right = y[i % y.length]!
        for (let j = 0; j < plane; j++, k++) o[k] = x[k]! + right
      }
    }
  }
  return (out) => {
    const o = out as Numbers
    for (let i = 0, k = 0; i < rows; i++) for (let j = 0; j < columns; j++, k++) o[k] = x[k]! + y[j]!
  }
}

/** (d,1,d,1,d,1,d,1) + (1,d,1,d,1,d,1,d). */
function alternating(x: Numbers, y: Numbers, o: Numbers, d: number): void {
  let k = 0
  for (let a = 0; a < d; a++)
    for (let b = 0; b < d; b++)
      for (let c = 0; c < d; c++)
        for (let e = 0; e < d; e++)
          for (let f = 0; f < d; f++)
            for (let g = 0; g < d; g++)
              for (let h = 0; h < d; h++) {
                const left = x[((a * d + c) * d + f) * d + h]!
                const right = ((b * d + e) * d + g) * d
                for (let i = 0; i < d; i++, k++) o[k] = left + y[right + i]!
              }
}

/** Multiplication of int64 with a row; storing wraps. */
function wide([a, b]: readonly Operand[]): Loop {
  const [x, y] = [a!.array as BigInt64Array, b!.array as BigInt64Array]
  return (out) => {
    const o = out as BigInt64Array
    for (let k = 0; k < o.length; ) for (let j = 0; j < y.length; j++, k++) o[k] = x[k]! * y[j]!
  }
}

/** 16-bit floats with a row: widened, added in float32, rounded back. */
function half(dtype: 'float16' | 'bfloat16', [a, b]: readonly Operand[]): Loop {
  const [x, y] = [a!.array as Uint16Array, b!.array as Uint16Array]
  const widen = dtype === 'float16' ? float16From : bfloat16From
  const narrow = dtype === 'float16' ? float16To : bfloat16To
  return (out) => {
    const o = out as Uint16Array
    for (let k = 0; k < o.length; )
      for (let j = 0; j < y.length; j++, k++) o[k] = narrow(fround(widen(x[k]!) + widen(y[j]!)))
  }
}

const larger = (a: number, b: number): number => (a > b ? a : b)

function loopOf(task: Task, operands: readonly Operand[]): Loop {
  const { op, result } = task
  const { dtype, shape } = result
  const reducing = reducingLoop(task, operands)
  if (reducing !== undefined) return reducing as Loop
  if (dtype === 'int64') return wide(operands)
  if (dtype === 'float16' || dtype === 'bfloat16') return half(dtype, operands)
  if (op === 'add' || op === 'mul') return pair(op, operands, shape)
  const [rows, columns] = shape as readonly [number, number]
  const [x, y, z, u, v] = operands.map(({ array }) => array as Float32Array) as unknown as readonly [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  switch (op) {
    case 'greater':
      return (out) => {
        const o = out as Uint8Array
        for (let i = 0, k = 0; i < rows; i++) for (let j = 0; j < columns; j++, k++) o[k] = x[k]! > y[j]! ? 1 : 0
      }
    case 'where':
      return (out) => {
        const o = out as Float32Array
        const c = x as unknown as Uint8Array
        for (let i = 0, k = 0; i < rows; i++) for (let j = 0; j < columns; j++, k++) o[k] = c[k] !== 0 ? y[k]! : z[j]!
      }
    case 'normalise':
      return (out) => {
        const o = out as Float32Array
        for (let i = 0, k = 0; i < rows; i++)
          for (let j = 0; j < columns; j++, k++) o[k] = fround(fround(fround(x[k]! - y[j]!) / z[j]!) * u[j]!) + v[j]!
      }
    case 'max':
      return (out) => {
        const o = out as Float32Array
        const one = v[0]!
        for (let i = 0, k = 0; i < rows; i++) {
          const column = larger(z[i]!, one)
          for (let j = 0; j < columns; j++, k++) o[k] = larger(larger(x[k]!, y[j]!), larger(column, u[k]!))
        }
      }
    case 'addTransposed':
      return (out) => {
        const o = out as Float32Array
        for (let i = 0, k = 0; i < rows; i++) for (let j = 0; j < columns; j++, k++) o[k] = x[k]! + y[j * rows + i]!
      }
    case 'addStrided':
      return (out) => {
        const o = out as Float32Array
        for (let i = 0, k = 0; i < rows; i++) {
          const row = (rows - 1 - i) * 2 * columns
          for (let j = 0; j < columns; j++, k++) o[k] = x[k]! + y[row + 2 * j]!
        }
      }
    case 'gemm':
      return (out) => multiply(x, y, z, out as Float32Array, rows, columns)
    default:
      return cannot(op)
  }
}

/** a b + c in the order i, k, j, which walks along rows. */
function multiply(a: Float32Array, b: Float32Array, c: Float32Array, o: Float32Array, m: number, n: number): void {
  const depth = a.length / m
  for (let i = 0; i < m; i++) {
    const row = o.subarray(i * n, (i + 1) * n)
    row.fill(0)
    for (let k = 0; k < depth; k++) {
      const left = a[i * depth + k]!
      for (let j = 0; j < n; j++) row[j] = row[j]! + fround(left * b[k * n + j]!)
    }
    for (let j = 0; j < n; j++) row[j] = row[j]! + c[j]!
  }
}

const peer: Peer<Operand, readonly Elements[]> = {
  load: (operand) => operand,
  build(task, operands) {
    const loop = loopOf(task, operands)
    const results = (): readonly [Elements, ...Elements[]] => {
      const [first, ...others] = [task.result, ...task.also].map(({ dtype, shape }) =>
        makeArray(dtype, elementCount(shape)),
      )
      return [first!, ...others]
    }
    const place = results()
    const into = (outs: readonly [Elements, ...Elements[]]): readonly Elements[] => {
      loop(...outs)
      return outs
    }
    return {
      fresh: () => into(results()),
      free: () => {},
      out: () => into(place),
      read: (outs) => outs,
    }
  },
}

serve(peer)
