// Every operator on every pair of special values of every type it takes, against the specification. All pairs come from
// one broadcast: a column of the values against a row of them.
import { fromFlat, isFloat, numpy as specNumpy } from '@bcast/spec'
import { type DType, numpy } from 'bcast'
import { describe, it } from 'vitest'
import { make, specials, type Value } from '../../../../testing/elements.ts'
import { type Operator, operators } from '../support/operators.ts'
import { expectAnswer } from '../support/oracle.ts'

const isZero = (value: Value): boolean => value === 0 || value === 0n || (typeof value === 'object' && value.n === 0n)

/** The values of one operand: fewer where three meet; no zero divisor where that has no value (errors are tested apart). */
function valuesOf({ row, operands }: Operator, dtype: DType, position: number): readonly Value[] {
  const all = specials(dtype)
  const few = operands < 3 ? all : all.filter((_, i) => i % Math.ceil(all.length / 12) === 0 || i === all.length - 1)
  const divisor = row.fault?.operand === position && !isFloat(dtype)
  return divisor ? few.filter((value) => !isZero(value)) : few
}

describe.each(operators)('$title of special values', (operator) => {
  it.each(operator.types)('%s', (dtype) => {
    const operands = Array.from({ length: operator.operands }, (_, position) => {
      const values = valuesOf(operator, dtype, position)
      // Operand i lies along axis i of the result.
      const shape = [values.length, ...new Array<number>(operator.operands - 1 - position).fill(1)]
      return { values, shape }
    })
    const shapes = operands.map(({ shape }) => shape)
    expectAnswer(
      {
        operator: operator.name,
        dtype,
        attributes: operator.attributes,
        met: specNumpy(shapes),
        operands: operands.map(({ values, shape }) => fromFlat(shape, values)),
      },
      () =>
        operator.call(
          operands.map(({ values, shape }) => make(dtype, values, shape)),
          { broadcast: numpy },
        ),
    )
  })
})
