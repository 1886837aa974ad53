// What kernels that reduce have in common: the neutral element, vectors that a loop carries along, vectors in scratch
// memory, and the elements of a program one vector after the other.
import { type DType, isFloat, isWide } from '../../../dtype/dtype.ts'
import { integerRange } from '../../../dtype/element.ts'
import type { Program } from '../../../expr/ir.ts'
import type { Combining } from '../../../expr/reductions.ts'
import { without } from '../../../expr/without.ts'
import type { Motion } from '../../../plan/signature.ts'
import type { Local } from './assembler.ts'
import type { EmitterOf } from './emitters.ts'
import { emitInstruction } from './kernel.ts'
import { type Cursor, loadVector } from './memory.ts'
import * as wasm from './opcodes.ts'
import type { Vector, Writer } from './vector.ts'

/** The element that changes no other when they are combined; for sums -0, since +0 would change -0. */
export function neutral(combine: Combining, dtype: DType): number | bigint {
  if (isFloat(dtype)) return { add: -0, mul: 1, min: Infinity, max: -Infinity }[combine]
  const { min, max } = integerRange(dtype)
  const value = { add: 0n, mul: 1n, min: max, max: min }[combine]
  return isWide(dtype) ? value : Number(value)
}

/** Makes one vector of two. */
export type Combine = (a: Vector, b: Vector) => Vector

/** A vector of its own locals, so that a loop can carry it from turn to turn. */
export interface Carried {
  readonly vector: Vector
  set(value: Vector): void
}

const partCount = ({ lanes }: Writer, width: number): number => Math.max(1, (lanes * width) / 16)

export function carried(w: Writer, width: number): Carried {
  const parts = Array.from({ length: partCount(w, width) }, () => w.asm.local('v128'))
  return {
    vector: { width, parts, uniform: false },
    set: ({ parts: given, uniform }) =>
      parts.forEach((part, i) => {
        w.asm.get(given[uniform ? 0 : i]!).set(part)
      }),
  }
}

/** Whole vectors from and to scratch memory, where nothing is at its end. */
export function loadWhole(w: Writer, width: number, at: Local, offset = 0): Vector {
  const parts = Array.from({ length: partCount(w, width) }, (_, i) => {
    const part = w.asm.local('v128')
    w.asm
      .get(at)
      .memory(wasm.v128_load, offset + 16 * i)
      .set(part)
    return part
  })
  return { width, parts, uniform: false }
}

export function storeWhole(w: Writer, { width, parts, uniform }: Vector, at: Local, offset = 0): void {
  for (let i = 0; i < partCount(w, width); i++) {
    w.asm
      .get(at)
      .get(parts[uniform ? 0 : i]!)
      .memory(wasm.v128_store, offset + 16 * i)
  }
}

/** The elements of a program in rows; what does not change on the inner axis is computed before, by `prepare`. */
export function elementsOf(
  w: Writer,
  { code }: Program,
  motions: readonly Motion[],
  emitterOf: EmitterOf,
  cursors: readonly Cursor[],
): { prepare(rows: number): void; next(row: number): Vector } {
  const uniform = without(code, (input) => motions[input] !== 'splat')
  const emit = (i: number, values: readonly Vector[], row: number): Vector =>
    emitInstruction(w, emitterOf, code, i, values, (input) => loadVector(w, cursors[input]!, row))
  const fill = (values: Vector[], row: number, isUniform: boolean): Vector[] => {
    for (let i = 0; i < code.length; i++) if (uniform[i] === isUniform) values[i] = emit(i, values, row)
    return values
  }
  let known: readonly Vector[][] = []
  return {
    prepare: (rows) => {
      known = Array.from({ length: rows }, (_, row) => fill([], row, true))
    },
    // Rows that were not prepared do not differ in it from the first.
    next: (row) => fill([...(known[row] ?? known[0]!)], row, false)[code.length - 1]!,
  }
}
