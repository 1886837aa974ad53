// The loops by hand of sums, of functions with sums inside, and of gradients. Sums are kept in float64, which costs a
// loop in JavaScript nothing, and makes them the reference of those who add in float32.
import { EPSILON, type Task } from '../../task.ts'
import type { Elements, Operand } from './peer.ts'

/** Writes each result into an array of its own. */
type Loop = (...outs: Float32Array[]) => void

const floats = (...arrays: readonly Elements[]) =>
  arrays as readonly Elements[] as readonly [Float32Array, Float32Array, Float32Array]

/** Sums over the middle of three axes. */
function sumMiddle(x: Float32Array, outer: number, length: number, inner: number): Loop {
  if (inner === 1) {
    return (o) => {
      for (let i = 0, k = 0; i < outer; i++) {
        let sum = 0
        for (let j = 0; j < length; j++, k++) sum += x[k]!
        o![i] = sum
      }
    }
  }
  const sums = new Float64Array(inner)
  return (o) => {
    for (let i = 0, k = 0; i < outer; i++) {
      sums.fill(0)
      for (let j = 0; j < length; j++) for (let l = 0; l < inner; l++, k++) sums[l] = sums[l]! + x[k]!
      o!.set(sums, i * inner)
    }
  }
}

/** Sums over axes that lie side by side. */
function sum({ shape, array }: Operand, axes: readonly number[]): Loop {
  const count = (sizes: readonly number[]): number => sizes.reduce((n, size) => n * size, 1)
  const [first, end] = [axes[0]!, axes.at(-1)! + 1]
  return sumMiddle(
    array as Float32Array,
    count(shape.slice(0, first)),
    count(shape.slice(first, end)),
    count(shape.slice(end)),
  )
}

function softmax({ array, shape: [rows, columns] }: Operand): Loop {
  const x = array as Float32Array
  return (o) => {
    for (let i = 0; i < rows!; i++) {
      const at = i * columns!
      let most = Number.NEGATIVE_INFINITY
      for (let j = 0; j < columns!; j++) most = x[at + j]! > most ? x[at + j]! : most
      let sum = 0
      for (let j = 0; j < columns!; j++) {
        const e = Math.exp(x[at + j]! - most)
        o![at + j] = e
        sum += e
      }
      for (let j = 0; j < columns!; j++) o![at + j] = o![at + j]! / sum
    }
  }
}

function layerNorm([{ array, shape }, scale, bias]: readonly [Operand, Operand, Operand]): Loop {
  const [x, g, b] = floats(array, scale.array, bias.array)
  const [rows, columns] = shape as readonly [number, number]
  return (o) => {
    for (let i = 0; i < rows; i++) {
      const at = i * columns
      let sum = 0
      for (let j = 0; j < columns; j++) sum += x[at + j]!
      const mean = sum / columns
      let squares = 0
      for (let j = 0; j < columns; j++) squares += (x[at + j]! - mean) ** 2
      const factor = 1 / Math.sqrt(squares / columns + EPSILON)
      for (let j = 0; j < columns; j++) o![at + j] = (x[at + j]! - mean) * factor * g[j]! + b[j]!
    }
  }
}

/** The value in one element, then gradients by x, m and s. */
function normaliseGrad([{ array, shape }, mean, deviation]: readonly [Operand, Operand, Operand]): Loop {
  const [x, m, s] = floats(array, mean.array, deviation.array)
  const [rows, columns] = shape as readonly [number, number]
  const [byM, byS] = [new Float64Array(columns), new Float64Array(columns)]
  return (value, dx, dm, ds) => {
    byM.fill(0)
    byS.fill(0)
    let squares = 0
    for (let i = 0, k = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++, k++) {
        const z = (x[k]! - m[j]!) / s[j]!
        const d = (2 * z) / (s[j]! * rows * columns)
        squares += z * z
        dx![k] = d
        byM[j] = byM[j]! - d
        byS[j] = byS[j]! - d * z
      }
    }
    value![0] = squares / (rows * columns)
    dm!.set(byM)
    ds!.set(byS)
  }
}

/** The loss in one element, then the next weights. */
function logisticStep([{ array, shape }, labels, weights]: readonly [Operand, Operand, Operand]): Loop {
  const [x, y, w] = floats(array, labels.array, weights.array)
  const [samples, features] = shape as readonly [number, number]
  const gradient = new Float64Array(features)
  return (value, next) => {
    gradient.fill(0)
    let loss = 0
    for (let i = 0; i < samples; i++) {
      const at = i * features
      let z = 0
      for (let j = 0; j < features; j++) z += x[at + j]! * w[j]!
      loss += Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - y[i]! * z
      const d = 1 / (1 + Math.exp(-z)) - y[i]!
      for (let j = 0; j < features; j++) gradient[j] = gradient[j]! + d * x[at + j]!
    }
    value![0] = loss / samples
    for (let j = 0; j < features; j++) next![j] = w[j]! - gradient[j]! / samples
  }
}

/** The loop of an operator with reductions; undefined for any other. */
export function reducingLoop({ op, axes }: Task, operands: readonly Operand[]): Loop | undefined {
  const three = operands as readonly [Operand, Operand, Operand]
  switch (op) {
    case 'sum':
    case 'sumTo':
      return sum(three[0], axes)
    case 'softmax':
      return softmax(three[0])
    case 'layerNorm':
      return layerNorm(three)
    case 'normaliseGrad':
      return normaliseGrad(three)
    case 'logisticStep':
      return logisticStep(three)
    default:
      return undefined
  }
}
