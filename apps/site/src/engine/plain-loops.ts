// The same expression in plain JavaScript: a loop over typed arrays for each operator, as one writes it by hand. A page
// under a strict policy compiles no text, so there is no loop for the whole expression.
import { bottomUp, type Expression } from '@bcast/cli/expression'
import { broadcastShapes, type Shape } from 'bcast'

export interface PlainArray {
  readonly data: Float32Array
  readonly shape: Shape
}

type Binary = (
  a: Float32Array,
  i: number,
  di: number,
  b: Float32Array,
  j: number,
  dj: number,
  out: Float32Array,
  k: number,
  end: number,
) => void
type Unary = (a: Float32Array, out: Float32Array) => void

// Every loop is written out: one that takes a function runs several times as long when it has met two of them.
const binary: Readonly<Record<string, Binary>> = {
  add: (a, i, di, b, j, dj, out, k, end) => {
    for (let at = k; at < end; at++, i += di, j += dj) out[at] = a[i]! + b[j]!
  },
  sub: (a, i, di, b, j, dj, out, k, end) => {
    for (let at = k; at < end; at++, i += di, j += dj) out[at] = a[i]! - b[j]!
  },
  mul: (a, i, di, b, j, dj, out, k, end) => {
    for (let at = k; at < end; at++, i += di, j += dj) out[at] = a[i]! * b[j]!
  },
  div: (a, i, di, b, j, dj, out, k, end) => {
    for (let at = k; at < end; at++, i += di, j += dj) out[at] = a[i]! / b[j]!
  },
  max: (a, i, di, b, j, dj, out, k, end) => {
    for (let at = k; at < end; at++, i += di, j += dj) out[at] = Math.max(a[i]!, b[j]!)
  },
  min: (a, i, di, b, j, dj, out, k, end) => {
    for (let at = k; at < end; at++, i += di, j += dj) out[at] = Math.min(a[i]!, b[j]!)
  },
  pow: (a, i, di, b, j, dj, out, k, end) => {
    for (let at = k; at < end; at++, i += di, j += dj) out[at] = a[i]! ** b[j]!
  },
}

const unary: Readonly<Record<string, Unary>> = {
  neg: (a, out) => {
    for (let at = 0; at < out.length; at++) out[at] = -a[at]!
  },
  abs: (a, out) => {
    for (let at = 0; at < out.length; at++) out[at] = Math.abs(a[at]!)
  },
  sqrt: (a, out) => {
    for (let at = 0; at < out.length; at++) out[at] = Math.sqrt(a[at]!)
  },
  exp: (a, out) => {
    for (let at = 0; at < out.length; at++) out[at] = Math.exp(a[at]!)
  },
  log: (a, out) => {
    for (let at = 0; at < out.length; at++) out[at] = Math.log(a[at]!)
  },
  tanh: (a, out) => {
    for (let at = 0; at < out.length; at++) out[at] = Math.tanh(a[at]!)
  },
  sigmoid: (a, out) => {
    for (let at = 0; at < out.length; at++) out[at] = 1 / (1 + Math.exp(-a[at]!))
  },
  relu: (a, out) => {
    for (let at = 0; at < out.length; at++) out[at] = Math.max(0, a[at]!)
  },
}

const countOf = (shape: Shape): number => shape.reduce((product, size) => product * size, 1)

/** Strides of an array in the axes of a result; 0 where it is repeated. */
function stridesIn(own: Shape, shape: Shape): number[] {
  const strides = shape.map(() => 0)
  let step = 1
  for (let axis = own.length - 1; axis >= 0; axis--) {
    if (own[axis] !== 1) strides[axis + shape.length - own.length] = step
    step *= own[axis]!
  }
  return strides
}

function applyBinary(loop: Binary, a: PlainArray, b: PlainArray): PlainArray {
  const shape = broadcastShapes(a.shape, b.shape) as Shape
  const out = new Float32Array(countOf(shape))
  const [left, right] = [stridesIn(a.shape, shape), stridesIn(b.shape, shape)]
  const last = shape.length - 1
  const inner = shape[last] ?? 1
  const index = shape.slice(0, -1).map(() => 0)
  let [i, j] = [0, 0]
  for (let at = 0; at < out.length; at += inner) {
    loop(a.data, i, left[last] ?? 0, b.data, j, right[last] ?? 0, out, at, at + inner)
    for (let axis = last - 1; axis >= 0; axis--) {
      i += left[axis]!
      j += right[axis]!
      if (++index[axis]! < shape[axis]!) break
      i -= left[axis]! * shape[axis]!
      j -= right[axis]! * shape[axis]!
      index[axis] = 0
    }
  }
  return { data: out, shape }
}

const isPlain = (part: Expression): boolean => {
  if (part.kind === 'name' || part.kind === 'number') return true
  if (part.kind !== 'apply' || part.attributes !== undefined) return false
  return part.args.length === 1
    ? Object.hasOwn(unary, part.operator)
    : part.args.length === 2 && Object.hasOwn(binary, part.operator)
}

/** Whether there is a loop for every operator. */
export const hasPlainLoops = (root: Expression): boolean => bottomUp(root).every(isPlain)

export function plainLoops(root: Expression, arrays: ReadonlyMap<string, PlainArray>): PlainArray {
  const all = new Map<Expression, PlainArray>()
  for (const part of bottomUp(root)) {
    if (part.kind === 'name') all.set(part, arrays.get(part.name)!)
    else if (part.kind === 'number') all.set(part, { data: Float32Array.of(Number(part.value)), shape: [] })
    else if (part.kind === 'apply') {
      const [a, b] = part.args.map((arg) => all.get(arg)!)
      if (b !== undefined) all.set(part, applyBinary(binary[part.operator]!, a!, b))
      else {
        const data = new Float32Array(a!.data.length)
        unary[part.operator]!(a!.data, data)
        all.set(part, { data, shape: a!.shape })
      }
    }
  }
  return all.get(root)!
}
