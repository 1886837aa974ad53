// From a row and operand types to a program. 16-bit floats are widened to float32 on the way in and rounded once on
// the way out; operators that only move elements see them as integers, so that no bit of a NaN is lost.
import { type DType, isHalf } from '../dtype/dtype.ts'
import { type Attributes, withDefaults } from './attributes.ts'
import { Builder, type Program, type Value } from './ir.ts'
import type { Row } from './row.ts'

/** The integer type of the same width, for moving elements. */
const CARRIER: Partial<Record<DType, DType>> = {
  float16: 'uint16',
  bfloat16: 'uint16',
  float32: 'uint32',
  float64: 'uint64',
}

export const carrierOf = (dtype: DType): DType => CARRIER[dtype] ?? dtype

/** Appends an operator applied to values: computes in float32 for 16-bit floats and rounds the result once. */
export function lowerInto(b: Builder, row: Row, args: readonly Value[], attributes: Attributes): Value {
  const shared = b.dtype(args[row.own?.operand === 0 ? 1 : 0]!)
  const widened = row.moves === true ? args : args.map((arg) => (isHalf(b.dtype(arg)) ? b.cast(arg, 'float32') : arg))
  b.blamed = row.fault && { operator: row.name, operand: row.fault.operand }
  const result = row.build(b, widened, withDefaults(row.attributes, attributes))
  return row.result === 'same' ? b.cast(result, shared) : result
}

/** The program of an operator for operands of the given types. */
export function lower(row: Row, dtypes: readonly DType[], attributes: Attributes): Program {
  const inputs = row.moves === true ? dtypes.map(carrierOf) : dtypes
  const b = new Builder(inputs)
  const args = inputs.map((_, i) => b.input(i))
  return b.program(lowerInto(b, row, args, attributes))
}

/** A copy of elements of a type, bit by bit. */
export function lowerMove(dtype: DType): Program {
  const b = new Builder([carrierOf(dtype)])
  return b.program(b.input(0))
}

/** A conversion, rounded once from the exact element. */
export function lowerCast(from: DType, to: DType): Program {
  const b = new Builder([from])
  return b.program(b.cast(b.input(0), to))
}
