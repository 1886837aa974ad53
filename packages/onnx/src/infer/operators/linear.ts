// Products of matrices: MatMul, Gemm, Einsum, Det.
import { matmulBatch, type Rule } from 'bcast'
import { constantOf, type Dim, type DimShape, isEqual } from '../../dims/index.ts'
import { ELLIPSIS, equationOf } from '../attributes/equation.ts'
import { transposes } from '../attributes/forms.ts'
import { addendRule } from '../attributes/legacy.ts'
import type { Call } from '../call.ts'
import type { Operand } from '../context.ts'
import { type KnownTensor, tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** The shape of a product of matrices, batches broadcast; of vectors, without their axis. */
export const matmulShape = (call: Call, a: number, b: number): DimShape =>
  productShape(call, call.operand(a), call.operand(b))

export function productShape(call: Call, a: Operand, b: Operand): DimShape {
  const batch = call.broadcast([a, b], matmulBatch)
  const [left, right] = [a.shape, b.shape]
  if (left === null || right === null || batch === null) return null
  const [inner, other] = [left.at(-1)!, right.at(right.length > 1 ? -2 : -1)!]
  call.learn(inner, other, () => 'the inner sizes of the matrices differ.')
  const rows = left.length > 1 ? [left.at(-2)!] : []
  const columns = right.length > 1 ? [right.at(-1)!] : []
  return [...batch, ...rows, ...columns]
}

const matmul: Row = {
  name: 'MatMul',
  infer: (call) => [tensor(call.element(0) ?? call.element(1), matmulShape(call, 0, 1))],
}

/** Two sizes of input i, in the order that a flag says. */
function matrixSizes(
  call: Call,
  i: number,
  transposed: boolean,
): readonly [rows: Dim | undefined, columns: Dim | undefined] {
  const shape = call.ranked(i, 2, 2)
  return transposed ? [shape?.[1], shape?.[0]] : [shape?.[0], shape?.[1]]
}

/** The shape of A'B' + C, given which inputs they are and how C stretches. */
export function gemmShape(call: Call, [a, b, c]: readonly [number, number, number], rule: Rule): DimShape {
  const [transA, transB] = transposes(call)
  const [m, inner] = matrixSizes(call, a, transA)
  const [other, n] = matrixSizes(call, b, transB)
  if (inner !== undefined && other !== undefined) {
    call.learn(inner, other, () => 'the inner sizes of the matrices differ.')
  }
  const shape = [m ?? call.fresh('rows'), n ?? call.fresh('columns')]
  if (call.has(c)) {
    const whole = { name: "A'B'", shape, input: undefined, factors: [a, b] as const, producer: undefined }
    call.broadcast([whole, call.operand(c)], rule)
  }
  return shape
}

const gemm: Row = {
  name: 'Gemm',
  infer: (call) => [tensor(call.element(0) ?? call.element(1), gemmShape(call, [0, 1, 2], addendRule(call)))],
}

interface Labelled {
  readonly sizes: Map<string, Dim>
  /** The axes that ellipses stand for, right-aligned; null where they are not known. */
  broadcast: readonly Dim[] | null
}

/** Puts the sizes of one operand to its labels. */
function label(call: Call, into: Labelled, labels: readonly string[], { shape }: KnownTensor, i: number): void {
  const dots = labels.indexOf(ELLIPSIS)
  if (shape === null) {
    if (dots >= 0) into.broadcast = null
    return
  }
  const covered = shape.length - (dots < 0 ? labels.length : labels.length - 1)
  if (covered < 0 || (dots < 0 && covered > 0))
    call.fail(`input ${i} has rank ${shape.length}, its part of the equation another.`)
  let axis = 0
  for (const name of labels) {
    if (name === ELLIPSIS) {
      into.broadcast = into.broadcast && joined(call, into.broadcast, shape.slice(axis, axis + covered))
      axis += covered
    } else {
      const dim = shape[axis++]!
      into.sizes.set(name, common(call, into.sizes.get(name), dim, `label ${name}`))
    }
  }
}

/** Sizes of one label are equal, but that a 1 stretches. */
function common(call: Call, before: Dim | undefined, dim: Dim, what: string): Dim {
  if (before === undefined || isEqual(before, 1) === true) return dim
  if (isEqual(dim, 1) === true || isEqual(before, dim) === true) return before
  if (isEqual(before, dim) === false && isEqual(before, 1) === false && isEqual(dim, 1) === false) {
    return call.fail(`${what} has different sizes.`)
  }
  if (constantOf(before) !== undefined) return before
  return constantOf(dim) !== undefined ? dim : call.fresh('size')
}

function joined(call: Call, a: readonly Dim[], b: readonly Dim[]): readonly Dim[] {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  const offset = long.length - short.length
  return long.map((dim, axis) => (axis < offset ? dim : common(call, dim, short[axis - offset]!, 'an ellipsis')))
}

const einsum: Row = {
  name: 'Einsum',
  since: 12,
  infer: (call) => {
    const tensors = call.inputs.map((_, i) => call.tensor(i))
    const { operands, result } = equationOf(call, tensors.length)
    const sizes: Labelled = { sizes: new Map(), broadcast: [] }
    for (const [i, labels] of operands.entries()) label(call, sizes, labels, tensors[i]!, i)
    const element = tensors[0]?.element
    if (result.includes(ELLIPSIS) && sizes.broadcast === null) return [tensor(element, null)]
    const shape = result.flatMap((name) =>
      name === ELLIPSIS ? sizes.broadcast! : [sizes.sizes.get(name) ?? call.fresh(name)],
    )
    return [tensor(element, shape)]
  },
}

const det: Row = {
  name: 'Det',
  since: 11,
  infer: (call) => {
    const shape = call.ranked(0, 2)
    if (shape !== null) call.learn(shape.at(-1)!, shape.at(-2)!, () => 'the matrices are not square.')
    return [tensor(call.element(0), shape?.slice(0, -2) ?? null)]
  },
}

export const linearRows: readonly Row[] = [matmul, gemm, einsum, det]
