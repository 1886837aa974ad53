// SONNX Broadcast, X -> Y -> Z, read literally in both drafts. The size is a maximum, so 0 against 1 violates C1.
//
// Indices. The first draft and the second draft's constraints count dimensions and elements from 1; here a 1-based
// function is kept as written and only its border converts (index + 1 going in, - 1 coming out). The second draft's
// step 1 counts from 0 but pads the index with ones; an index of a dimension of size 1 can only be 0, so 0 is read.
import type { DType } from '../dtypes.ts'
import type { Index, Shape } from '../tensor.ts'
import { fail, type IndexMap, type RuleResult, show } from './result.ts'

/** The type names of the second draft and the element types they mean. @clause sonnx2.types */
export const sonnxTypes: Readonly<Record<string, DType>> = {
  real: 'real',
  float16: 'float16',
  float: 'float32',
  double: 'float64',
  int8: 'int8',
  int16: 'int16',
  int32: 'int32',
  int64: 'int64',
  uint8: 'uint8',
  uint16: 'uint16',
  uint32: 'uint32',
  uint64: 'uint64',
  string: 'string',
  boolean: 'bool',
}

/** T_i with i counted from 1. */
const component = (sequence: readonly number[], i: number): number => sequence[i - 1]!
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, k) => from + k)

const maximum = (sizes: readonly number[]): number => sizes.reduce((largest, size) => Math.max(largest, size), 0)

/** f(a,B,C) with elements counted from 1. @clause sonnx1.f @clause sonnx2.f @clause sonnx1.stretch */
export const f = (a: number, B: number, C: number): number => {
  if (B === C) return a
  if (B === 1) return 1
  throw new RangeError('f is not specified where C1 does not hold')
}

const violation = (dYm: readonly Shape[], dY: Shape, clause: string): RuleResult | undefined => {
  for (const sizes of dYm) {
    for (const i of range(1, dY.length)) {
      const size = component(sizes, i)
      if (!(size === component(dY, i) || size === 1)) {
        return fail(clause, `C1: dimension ${i} of ${show(sizes)} is ${size}, neither ${component(dY, i)} nor 1`)
      }
    }
  }
  return undefined
}

/** Z -> Y with the 1-based f; Y -> X drops the indexes of the completed dimensions. */
const relation =
  (dYm: Shape, dY: Shape, added: number): IndexMap =>
  (index: Index) =>
    range(1, dY.length)
      .map((i) => f(component(index, i) + 1, component(dYm, i), component(dY, i)) - 1)
      .slice(added)

/** The first draft. @clause sonnx1.signature @clause sonnx1.relation */
export const sonnx1 = (shapes: readonly Shape[]): RuleResult => {
  if (shapes.length === 0) return fail('sonnx1.signature', 'Broadcast needs at least one tensor')
  /** @clause sonnx1.purpose.rank */
  const nY = maximum(shapes.map((dX) => dX.length))
  /** @clause sonnx1.pad */
  const dYm = shapes.map((dX) => range(1, nY).map((i) => (i <= nY - dX.length ? 1 : component(dX, i - nY + dX.length))))
  /** @clause sonnx1.purpose.size @clause sonnx1.max */
  const dY = range(1, nY).map((i) => maximum(dYm.map((sizes) => component(sizes, i))))
  /** @clause sonnx1.c1 */
  const violated = violation(dYm, dY, 'sonnx1.c1')
  if (violated) return violated
  return { ok: true, shape: dY, maps: shapes.map((dX, m) => relation(dYm[m]!, dY, nY - dX.length)) }
}

/** dY_i = max over m of dYm_i. @clause sonnx2.max */
const maxima = (dYm: readonly Shape[], nY: number): number[] =>
  range(1, nY).map((i) => maximum(dYm.map((sizes) => component(sizes, i))))

/** Step 1, dimensions counted from 0: prepend ones up to rank nY. @clause sonnx2.step.1 @clause sonnx2.pad */
const step1 = (dX: Shape, nY: number): number[] =>
  Array.from({ length: nY }, (_, i) => (i < nY - dX.length ? 1 : dX[i - nY + dX.length]!))

/** Ym[i] = Xm[i'] with i = (0,...,0,i'). @clause sonnx2.index */
const indexOfX = (i: Index, nX: number): Index => i.slice(i.length - nX)

/** Step 2: along an increased dimension always the first element. @clause sonnx2.step.2 @clause sonnx2.relation */
const indexOfY = (i: Index, dYm: Shape, dY: Shape): Index => i.map((element, k) => f(element + 1, dYm[k]!, dY[k]!) - 1)

/**
 * The second draft. @clause sonnx2.signature @clause sonnx2.restrictions
 *
 * @example
 * ```ts
 * sonnx([[2, 3], [3]]).shape // [2, 3]
 * sonnx([[0], [1]]).ok // false
 * ```
 */
export const sonnx = (shapes: readonly Shape[]): RuleResult => {
  /** @clause sonnx2.l */
  const L = shapes.length - 1
  if (!(L >= 0 && L < 2 ** 31 - 1)) return fail('sonnx2.l', `L = ${L} is not in [0, 2^31-1[`)
  /** @clause sonnx2.ny @clause sonnx2.condition.1 */
  const nY = maximum(shapes.map((dX) => dX.length))
  const dYm = shapes.map((dX) => step1(dX, nY))
  /** @clause sonnx2.condition.2 */
  const dY = maxima(dYm, nY)
  /** @clause sonnx2.c1 */
  const violated = violation(dYm, dY, 'sonnx2.c1')
  if (violated) return violated
  return {
    ok: true,
    shape: dY,
    maps: shapes.map((dX, m) => (i) => indexOfX(indexOfY(i, dYm[m]!, dY), dX.length)),
  }
}

/** Two tensors; by commutativity the one with fewer dimensions is called X1. @clause sonnx2.binary @clause sonnx2.commutative */
const binary = (a: Shape, b: Shape): RuleResult => {
  if (a.length > b.length) {
    const swapped = binary(b, a)
    return swapped.ok ? { ...swapped, maps: [swapped.maps[1]!, swapped.maps[0]!] } : swapped
  }
  const nY = b.length
  const dY1 = step1(a, nY)
  const dY = maxima([dY1, b], nY)
  const violated = violation([dY1, b], dY, 'sonnx2.c1')
  if (violated) return violated
  return {
    ok: true,
    shape: dY,
    maps: [(i) => indexOfX(indexOfY(i, dY1, dY), a.length), (i) => indexOfY(i, b, dY)],
  }
}

/** The alternate description: Broadcast(Broadcast(X1, ..., XN-1), XN). @clause sonnx2.recursive */
export const sonnxRecursive = (shapes: readonly Shape[]): RuleResult => {
  const last = shapes.at(-1)
  if (last === undefined) return fail('sonnx2.l', 'Broadcast needs at least one tensor')
  if (shapes.length === 1) return { ok: true, shape: [...last], maps: [(index) => index] }
  const inner = sonnxRecursive(shapes.slice(0, -1))
  if (!inner.ok) return inner
  const outer = binary(inner.shape, last)
  if (!outer.ok) return outer
  const [toInner, toLast] = outer.maps
  return {
    ok: true,
    shape: outer.shape,
    maps: [
      ...inner.maps.map(
        (map): IndexMap =>
          (index) =>
            map(toInner!(index)),
      ),
      toLast!,
    ],
  }
}
