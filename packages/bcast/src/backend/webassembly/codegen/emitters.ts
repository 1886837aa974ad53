// What writes each instruction of a program into a kernel. Operators bring the writers that they need, so that a program
// holds no others.
import type { DType } from '../../../dtype/dtype.ts'
import type { Primitive } from '../../../expr/ir.ts'
import type { Vector, Writer } from './vector.ts'

/** Writes an instruction of type `dtype`; `dtypes` are the operands' types. */
export type Emit = (w: Writer, operands: readonly Vector[], dtype: DType, dtypes: readonly DType[]) => Vector

const known = new Map<Primitive, Emit>()

export function provideEmitter(op: Primitive, emit: Emit): void {
  known.set(op, emit)
}

export const emitterOf = (op: Primitive): Emit => known.get(op)!
