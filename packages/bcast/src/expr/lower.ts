// From a row and operand types to a program. 16-bit floats are widened to float32 on the way in and rounded once on
// the way out; operators that only move elements see them as integers, so that no bit of a NaN is lost.
import type { DType } from '../dtype/dtype.ts'
import { Builder, type Program } from './ir.ts'
import type { Attributes, Row } from './row.ts'

const isHalf = (dtype: DType): boolean => dtype === 'float16' || dtype === 'bfloat16'

/** The integer type of the same width, for moving elements. */
const CARRIER: Partial<Record<DType, DType>> = {
  float16: 'uint16',
  bfloat16: 'uint16',
  float32: 'uint32',
  float64: 'uint64',
}

export const carrierOf = (dtype: DType): DType => CARRIER[dtype] ?? dtype

/** The program of an operator for operands of the given types. */
export function lower(row: Row, dtypes: readonly DType[], attributes: Attributes): Program {
  const inputs = row.moves === true ? dtypes.map(carrierOf) : dtypes
  const b = new Builder(inputs)
  const widened = inputs.map((dtype, i) => (isHalf(dtype) ? b.cast(b.input(i), 'float32') : b.input(i)))
  const shared = inputs[row.own?.operand === 0 ? 1 : 0]!
  const result = row.build(b, widened, attributes)
  return b.program(row.result === 'same' ? b.cast(result, shared) : result)
}

/** A conversion, rounded once from the exact element. */
export function lowerCast(from: DType, to: DType): Program {
  const b = new Builder([from])
  return b.program(b.cast(b.input(0), to))
}
