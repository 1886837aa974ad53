// Whether an engine's answer is ours. Exact to the bit where the standards are exact (any NaN is a NaN), a few units in
// the last place for the functions that nobody rounds correctly, a bound from the operands for sums of products.
import type { Dim, SymbolicShape } from 'bcast'
import type { Answer, Case, ComputeCase, TensorData } from './case.ts'
import { elementsOf, ordinals, sameElement, ulps } from './elements.ts'
import { operandsAt } from './ours.ts'
import { oursIsRight } from './specification.ts'
import { isFloatType } from './values.ts'

/**
 * How answers differ: the engine's process ended; it computes what we refuse; it refuses what we compute; the result's
 * type, shape or elements differ; or it gives our shape and leaves out the condition under which it holds.
 */
export type Nature = 'crash' | 'accepts' | 'refuses' | 'dtype' | 'shape' | 'value' | 'condition'

export interface Difference {
  readonly ours: unknown
  readonly theirs: unknown
  /** The elements that met, when the operator is element-wise. */
  readonly operands: readonly unknown[] | undefined
  /** Units in the last place, for finite floats. */
  readonly ulps: bigint | undefined
  /** The specification gives another value than bcast: a defect of bcast, whatever the engine says. */
  readonly defect: boolean
}

export interface Disagreement {
  readonly engine: string
  readonly question: Case
  readonly ours: Answer
  readonly theirs: Answer
  readonly nature: Nature
  /** The one element that differs, where elements do. */
  readonly difference?: Difference
}

const FUNCTIONS: ReadonlySet<string> = new Set(['Exp', 'Log', 'Tanh', 'Sigmoid', 'Pow'])
const ALLOWED_ULPS = 4n

const EPSILON = { float16: 2 ** -10, bfloat16: 2 ** -7, float32: 2 ** -23, float64: 2 ** -52 } as const

/** For each element of a Gemm the sum of magnitudes that its rounding errors are relative to. */
function gemmMagnitudes({ inputs, attrs }: ComputeCase, shape: readonly number[]): number[] {
  const [a, b, c] = inputs.map((input) => elementsOf(input).map(Number))
  const { alpha = 1, beta = 1, transA = false, transB = false } = attrs
  const [m, n] = shape as [number, number]
  const k = inputs[0]!.shape[transA ? 0 : 1]!
  const [rows, columns] = [inputs[2]?.shape.at(-2) ?? 1, inputs[2]?.shape.at(-1) ?? 1]
  return Array.from({ length: m * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n]
    let sum = 0
    for (let p = 0; p < k; p++) {
      sum += Math.abs(a![transA ? p * m + i : i * k + p]! * b![transB ? j * k + p : p * n + j]!)
    }
    const added = c === undefined ? 0 : c[(rows === 1 ? 0 : i) * columns + (columns === 1 ? 0 : j)]!
    return (k + 4) * (Math.abs(alpha) * sum + Math.abs(beta * added))
  })
}

function valueDifferences(question: ComputeCase, ours: TensorData, theirs: TensorData): Difference[] {
  const [x, y] = [elementsOf(ours), elementsOf(theirs)]
  if (x.every((element, i) => sameElement(element, y[i]))) return []
  const { dtype } = ours
  const float = isFloatType(dtype)
  const [p, q] = float ? [ordinals(ours), ordinals(theirs)] : [[], []]
  const bounds = question.op === 'Gemm' && float ? gemmMagnitudes(question, ours.shape) : undefined
  const operands = operandsAt(question)
  return x.flatMap((element, i): Difference[] => {
    const other = y[i]
    if (sameElement(element, other)) return []
    const distance = float ? ulps(p[i]!, q[i]!, element, other) : undefined
    if (FUNCTIONS.has(question.op) && distance !== undefined && distance <= ALLOWED_ULPS) return []
    if (bounds !== undefined && isFloatType(dtype)) {
      if (Math.abs(Number(element) - Number(other)) <= bounds[i]! * EPSILON[dtype]) return []
    }
    const met = operands?.(i)
    const defect = met !== undefined && !oursIsRight(question, met, element)
    return [{ ours: element, theirs: other, operands: met, ulps: distance, defect }]
  })
}

const bounds = (dim: Dim): readonly [number, number] => {
  if (typeof dim === 'number') return [dim, dim]
  if (dim === null || typeof dim === 'string') return [0, Number.POSITIVE_INFINITY]
  return [dim.min, dim.max ?? Number.POSITIVE_INFINITY]
}

/** Whether what an engine knows of a size says nothing that we do not; it may know less. */
function dimAgrees(ours: Dim, theirs: Dim): boolean {
  if (theirs === null || ours === theirs) return true
  if (typeof theirs === 'string') return false
  const [[low, high], [from, to]] = [bounds(ours), bounds(theirs)]
  return from <= low && high <= to
}

export function shapeAgrees(ours: SymbolicShape, theirs: SymbolicShape): boolean {
  if (theirs === null) return true
  return ours !== null && ours.length === theirs.length && ours.every((dim, axis) => dimAgrees(dim, theirs[axis]!))
}

const sameShape = (x: readonly number[], y: readonly number[]): boolean =>
  x.length === y.length && x.every((size, axis) => size === y[axis])

/** Where an engine and bcast part on one case: nothing, one disagreement, or one for each element that differs. */
export function compare(engine: string, question: Case, ours: Answer, theirs: Answer): Disagreement[] {
  const differ = (nature: Nature, difference?: Difference): Disagreement => ({
    engine,
    question,
    ours,
    theirs,
    nature,
    ...(difference === undefined ? {} : { difference }),
  })
  if (theirs.kind === 'unsupported') return []
  if (theirs.kind === 'crash') return [differ('crash')]
  if (ours.kind === 'error') return theirs.kind === 'error' ? [] : [differ('accepts')]
  if (theirs.kind === 'error') return [differ('refuses')]
  if (ours.kind === 'shape' && theirs.kind === 'shape') {
    if (!shapeAgrees(ours.shape, theirs.shape)) return [differ('shape')]
    return ours.conditional === true ? [differ('condition')] : []
  }
  if (ours.kind !== 'tensor' || theirs.kind !== 'tensor' || question.kind !== 'compute') {
    throw new Error(`${engine} answers case ${question.id} with a ${theirs.kind}`)
  }
  if (!sameShape(ours.tensor.shape, theirs.tensor.shape)) return [differ('shape')]
  if (ours.tensor.dtype !== theirs.tensor.dtype) return [differ('dtype')]
  return valueDifferences(question, ours.tensor, theirs.tensor).map((difference) => differ('value', difference))
}
