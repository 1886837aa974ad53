// The executable specification as the referee of elements: where an engine and bcast part, it says whether bcast is
// right. A cause may excuse an engine; nothing excuses bcast.
import { correctlyRounded, functionCall, isFloat, numberToBits, scalar, type Value } from '@bcast/spec'
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

/** Whether the specification gives `ours` for these operands. */
export function oursIsRight({ op, attrs, inputs }: ComputeCase, operands: readonly unknown[], ours: unknown): boolean {
  const dtype = inputs[op === 'Where' ? 1 : 0]!.dtype
  const values = operands as Value[]
  const shift = op === 'BitwiseLeftShift' ? 'LEFT' : op === 'BitwiseRightShift' ? 'RIGHT' : attrs.direction
  const settings = {
    ...(op === 'FloorDiv' ? { pythondiv: true } : {}),
    ...(attrs.fmod === undefined ? {} : { fmod: attrs.fmod }),
    ...(shift === undefined ? {} : { direction: shift }),
    ...(attrs.to === undefined ? {} : { to: attrs.to }),
    ...(op === 'Pow' ? { exponentType: inputs[1]!.dtype } : {}),
  }
  const call = isFloat(dtype) ? functionCall(op, dtype, settings, values) : undefined
  if (call && isFloat(dtype)) {
    const right = correctlyRounded(call.fn, call.args, dtype)
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
