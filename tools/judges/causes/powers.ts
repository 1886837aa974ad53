// Pow: integers, mixed types, and exponents that a float cannot hold.
import { isFloatType, isIntegerType } from '../values.ts'
import {
  accepts,
  all,
  type Cause,
  compute,
  dividesByZero,
  dtypeOf,
  either,
  isFloat,
  isInteger,
  leavesRange,
  natureIs,
  operandsOf,
  opIs,
  refuses,
  type Test,
  textHas,
  value,
} from './cause.ts'

const POW = opIs('Pow')
const exponentType =
  (test: (dtype: string) => boolean): Test =>
  (disagreement) => {
    const dtype = compute(disagreement)?.inputs[1]?.dtype
    return dtype !== undefined && test(dtype)
  }

/** The exact power, as a float sees it, lies outside of the base's type or is no number. */
const leavesTheType: Test = (disagreement) => {
  const [x, y] = operandsOf(disagreement).map(Number)
  return x !== undefined && y !== undefined && leavesRange(x ** y, dtypeOf(disagreement) ?? 'int32')
}

const WIDE = 2 ** 53

/** A power or an operand that a double cannot hold to the unit. */
const wide: Test = (disagreement) => {
  const [x, y] = operandsOf(disagreement).map(Number)
  return x !== undefined && y !== undefined && (Math.abs(x) >= WIDE || Math.abs(y) >= WIDE || Math.abs(x ** y) >= WIDE)
}

/** An exponent so large that a float of the base's type does not hold its parity. */
const largeExponent: Test = (disagreement) => Math.abs(Number(operandsOf(disagreement)[1])) > 2 ** 8

export const powers: readonly Cause[] = [
  {
    id: 'zero-to-a-negative-power',
    engines: ['onnxruntime', 'openvino', 'openvino-cpu', 'torch', 'paddle'],
    what: 'An integer 0 to a negative power gives MIN (a float infinity cast back) or 0.',
    decides: 'Decision: an error that names the first index.',
    explains: all(accepts, POW, dividesByZero),
  },
  {
    id: 'negative-powers-of-integers-refused',
    engines: ['numpy', 'onnx-reference'],
    what: 'Integers to negative powers are refused.',
    decides: 'Decision: 0 or ±1, the exact power truncated; only base 0 is an error.',
    explains: all(refuses, POW, textHas('negative integer powers')),
  },
  {
    id: 'integer-powers-through-double',
    engines: ['onnxruntime', 'onnx-reference', 'openvino', 'openvino-cpu', 'paddle'],
    what: 'Powers of integers go through floats: what overflows becomes MIN or 0, large ones lose low bits.',
    decides: 'Decision: integers wrap; ONNX Pow says nothing of overflow.',
    explains: all(
      value,
      POW,
      isInteger,
      exponentType(isIntegerType),
      either(leavesTheType, wide, ({ engine }) => engine === 'openvino-cpu'),
    ),
  },
  {
    id: 'integer-base-float-exponent',
    engines: ['onnxruntime', 'onnx-reference'],
    what: 'An integer base with a float exponent: a power that is NaN or outside of the type becomes MIN.',
    decides: 'Decision: a float becomes an integer by truncation and saturation, NaN becomes 0.',
    explains: all(value, POW, isInteger, exponentType(isFloatType), either(leavesTheType, wide)),
  },
  {
    id: 'parity-of-a-large-exponent',
    engines: ['torch', 'onnx-reference', 'numpy', 'onnxruntime', 'paddle'],
    what: 'A large integer exponent is rounded to a float first, so that odd becomes even.',
    decides: 'Decision: an integer exponent is taken exactly.',
    explains: all(value, POW, isFloat, exponentType(isIntegerType), largeExponent),
  },
  {
    id: 'scalar-exponent-rounded',
    engines: ['torch', 'paddle'],
    what: 'An exponent of rank 0 is rounded to the base’s type first.',
    decides: 'Decision: the exponent is taken exactly, whatever its type.',
    explains: all(value, POW, isFloat, exponentType(isFloatType), (disagreement) => {
      const [base, exponent] = compute(disagreement)?.inputs ?? []
      return exponent?.shape.length === 0 && exponent.dtype !== base?.dtype
    }),
  },
  {
    id: 'power-promotes',
    engines: ['numpy', 'torch', 'paddle'],
    what: 'The result of Pow has the type that both operands promote to.',
    decides: 'ONNX Pow: the result has the base’s type.',
    explains: all(natureIs('dtype'), POW),
  },
]
