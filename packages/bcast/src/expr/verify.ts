// Checks that a program is well formed: every instruction names earlier ones and their types fit. Backends rely on it,
// so that a mistake in a row or in a pass stops here and not as a wrong number. Fused programs are checked when they
// are made; those of single operators are few, and all of them are checked by the tests.
import { type DType, isFloat, isHalf, isInteger, isWide } from '../dtype/dtype.ts'
import type { Instruction, Primitive, Program } from './ir.ts'

class ProgramError extends Error {
  override name = 'ProgramError'
}

const isNumber = (dtype: DType): boolean => (isFloat(dtype) && !isHalf(dtype)) || isInteger(dtype) || dtype === 'real'
const isBits = (dtype: DType): boolean => isInteger(dtype) || dtype === 'bool'
const isWholeFloat = (dtype: DType): boolean => dtype === 'float32' || dtype === 'float64' || dtype === 'real'

/** Number of operands, and the types an instruction computes in; its result has the same type. */
const SAME: Partial<Record<Primitive, readonly [operands: number, takes: (dtype: DType) => boolean]>> = {
  add: [2, isNumber],
  sub: [2, isNumber],
  mul: [2, isNumber],
  div: [2, isNumber],
  floorDiv: [2, isInteger],
  mod: [2, isNumber],
  rem: [2, isNumber],
  min: [2, isNumber],
  max: [2, isNumber],
  and: [2, isBits],
  or: [2, isBits],
  xor: [2, isBits],
  not: [1, isBits],
  shl: [2, isInteger],
  shr: [2, isInteger],
  neg: [1, isNumber],
  abs: [1, isNumber],
  sign: [1, isNumber],
  sqrt: [1, isWholeFloat],
  floor: [1, isWholeFloat],
  ceil: [1, isWholeFloat],
  round: [1, isWholeFloat],
  withSign: [2, (dtype) => dtype === 'float64'],
  power2: [1, isWholeFloat],
  exponent: [1, (dtype) => dtype === 'float64'],
  mantissa: [1, (dtype) => dtype === 'float64'],
  high: [1, (dtype) => dtype === 'float64'],
}

/** Whether a constant is an element of its type to the bit, so that no backend has to round it. */
function holds(dtype: DType, value: number | bigint | undefined): boolean {
  if (dtype === 'real') return value !== undefined
  if (isWide(dtype)) return typeof value === 'bigint'
  if (typeof value !== 'number') return false
  if (dtype === 'bool') return value === 0 || value === 1
  if (isInteger(dtype)) return Number.isInteger(value)
  return dtype === 'float64' || (dtype === 'float32' && Object.is(Math.fround(value), value))
}

/** What is wrong with an instruction whose operands have these types; undefined when nothing is. */
function problem(
  { op, dtype, value }: Instruction,
  args: readonly DType[],
  inputs: readonly DType[],
): string | undefined {
  const [first, second, third] = args
  switch (op) {
    case 'input':
      return inputs[value as number] === dtype ? undefined : `is ${dtype} and the operand is ${inputs[value as number]}`
    case 'constant':
      return holds(dtype, value) ? undefined : `is no element of ${dtype}: ${String(value)}`
    case 'cast':
      return args.length === 1 ? undefined : 'takes one operand'
    case 'select':
      return args.length === 3 && first === 'bool' && second === dtype && third === dtype
        ? undefined
        : `takes bool, ${dtype}, ${dtype}`
    case 'equal':
    case 'less':
    case 'lessEqual':
      return args.length === 2 && first === second && !isHalf(first!) && dtype === 'bool'
        ? undefined
        : 'compares two of one type'
    case 'power': {
      const integers = first === dtype && isInteger(dtype) && second !== undefined && isInteger(second)
      return integers || (first === 'real' && second === 'real') ? undefined : 'raises integers to integers'
    }
    default: {
      const [operands, takes] = SAME[op]!
      const fits = args.length === operands && args.every((arg) => arg === dtype) && takes(dtype)
      return fits ? undefined : `does not compute ${dtype} from ${args.join(', ')}`
    }
  }
}

/** Throws unless the program is well formed; gives it back. */
export function verify(program: Program): Program {
  const { code, inputs } = program
  if (code.length === 0) throw new ProgramError('a program computes something')
  code.forEach((instruction, i) => {
    const late = instruction.args.find((arg) => arg < 0 || arg >= i)
    const wrong =
      late === undefined
        ? problem(
            instruction,
            instruction.args.map((arg) => code[arg]!.dtype),
            inputs,
          )
        : `names instruction ${late}`
    if (wrong !== undefined) throw new ProgramError(`instruction ${i}, ${instruction.op}, ${wrong}`)
  })
  return program
}
