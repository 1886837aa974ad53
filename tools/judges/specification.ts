// The executable specification as the referee of elements: where an engine and bcast part, it says whether bcast is
// right. A cause may excuse an engine; nothing excuses bcast.
import { type Attributes, correctlyRounded, functionCall, isFloat, numberToBits, scalar, type Value } from '@bcast/spec'
import { namedOperators, ownAttributes } from '../../testing/named-operators.ts'
import type { ComputeCase } from './case.ts'
import { sameElement } from './elements.ts'

/** What the functions that nobody rounds correctly may be off, in units in the last place. */
const ALLOWED = { float16: 1n, bfloat16: 1n, float32: 1n, float64: 2n } as const

function distance(dtype: keyof typeof ALLOWED, x: number, y: number): bigint {
  const width = dtype === 'bfloat16' ? 16n : BigInt(dtype.slice(5))
  const sign = 1n << (width - 1n)
  const ordinal = (value: number): bigint => {
    const bits = BigInt(numberToBits(dtype, value))
    return (bits & sign) === 0n ? bits : -(bits & (sign - 1n))
  }
  const gap = ordinal(x) - ordinal(y)
  return gap < 0n ? -gap : gap
}

/** What the specification is told beside the operands. */
function settingsOf({ op, attrs, inputs }: ComputeCase): Attributes {
  const operator = namedOperators.get(op)
  const shift = op === 'BitwiseLeftShift' ? 'LEFT' : op === 'BitwiseRightShift' ? 'RIGHT' : undefined
  return {
    ...(operator === undefined ? {} : ownAttributes(operator, attrs)),
    ...(op === 'FloorDiv' ? { pythondiv: true } : {}),
    ...(shift === undefined ? {} : { direction: shift }),
    ...(attrs.to === undefined ? {} : { to: attrs.to }),
    ...(op === 'Pow' ? { exponentType: inputs[1]!.dtype } : {}),
  }
}

/** Whether the specification gives `ours` for these operands. */
export function oursIsRight(question: ComputeCase, operands: readonly unknown[], ours: unknown): boolean {
  const { op, inputs } = question
  const dtype = inputs[namedOperators.get(op)?.types.own?.operand === 0 ? 1 : 0]!.dtype
  const values = operands as Value[]
  const settings = settingsOf(question)
  const called = isFloat(dtype) ? functionCall(op, dtype, settings, values) : undefined
  if (called !== undefined && isFloat(dtype)) {
    const right = correctlyRounded(called.fn, called.args, dtype)
    if (sameElement(right, ours)) return true
    return typeof ours === 'number' && !Number.isNaN(ours) && !Number.isNaN(right)
      ? distance(dtype, right, ours) <= ALLOWED[dtype]
      : false
  }
  const name = op === 'FloorDiv' ? 'Div' : op.endsWith('Shift') ? 'BitShift' : op
  const right = scalar(name, dtype, settings)(...values)
  if (sameElement(right, ours)) return true
  // An integer base with a float exponent goes through the float64 function: exact where float64 holds integers.
  const roundedPower = op === 'Pow' && isFloat(inputs[1]!.dtype)
  return roundedPower && Math.abs(Number(right) - Number(ours)) <= 2 ** -51 * Math.abs(Number(right))
}
