// What writes an instruction of a program into a kernel.
import type { DType } from '../../../dtype/dtype.ts'
import type { Primitive } from '../../../expr/ir.ts'
import type { Vector, Writer } from './vector.ts'

/** Writes an instruction of type `dtype`; `dtypes` are the operands' types. */
export type Emit = (w: Writer, operands: readonly Vector[], dtype: DType, dtypes: readonly DType[]) => Vector

/** The writer of an instruction; throws where whoever wants the kernel did not bring it. */
export type EmitterOf = (op: Primitive) => Emit
