// Integer division and remainders: by zero, and MIN by -1.
import type { Disagreement } from '../compare.ts'
import {
  accepts,
  all,
  type Cause,
  crash,
  dividesByZero,
  either,
  hasEmpty,
  isFloat,
  isInfinite,
  isInteger,
  isNaNElement,
  natureIs,
  operandsOf,
  opIs,
  ourCodeIs,
  refuses,
  someOperand,
  textHas,
  theirValue,
  touchesSubnormal,
  typeIs,
  value,
  zerosDiffer,
} from './cause.ts'

const DIVISION = opIs('Div', 'FloorDiv', 'Mod', 'FloorMod')

/** The plugin's formula is off for any quotient. */
const isPlugin = ({ engine }: Disagreement): boolean => engine === 'openvino-cpu'

/** The quotient is so large that a float cannot hold it to the unit. */
const largeQuotient = (disagreement: Disagreement): boolean => {
  const [x, y] = operandsOf(disagreement).map(Number)
  return x !== undefined && y !== undefined && Math.abs(x / y) >= 2 ** 6
}

export const division: readonly Cause[] = [
  {
    id: 'min-over-minus-one',
    engines: ['onnxruntime', 'torch', 'openvino', 'paddle'],
    what: 'The process dies on MIN / -1 or MIN mod -1 of int32 and int64.',
    decides: 'Decision: integers wrap, so MIN / -1 = MIN and MIN mod -1 = 0.',
    explains: all(crash, DIVISION, typeIs('int32', 'int64'), textHas('SIGFPE'), ({ ours }) => ours.kind === 'tensor'),
  },
  {
    id: 'division-by-zero-ends-the-process',
    engines: ['openvino', 'paddle'],
    what: 'The process dies on an integer remainder by zero.',
    decides: 'Decision: an error that names the first index.',
    explains: all(crash, DIVISION, dividesByZero, textHas('SIGFPE')),
  },
  {
    id: 'zero-divisor-that-meets-nothing',
    engines: ['onnxruntime'],
    what: 'A zero among the divisors fails even when the result has no elements.',
    decides: 'Decision: only a division that takes place can fail.',
    explains: all(refuses, DIVISION, isInteger, hasEmpty, textHas('zero')),
  },
  {
    id: 'division-by-zero-gives-zero',
    engines: ['numpy', 'onnx-reference'],
    what: 'Integer division and remainder by zero give 0; NumPy also warns.',
    decides: 'Decision: an error that names the first index; ONNX says nothing.',
    explains: all(accepts, DIVISION, isInteger, dividesByZero),
  },
  {
    id: 'division-by-zero-gives-min',
    engines: ['openvino', 'openvino-cpu'],
    what: 'Integer division by zero gives whatever a float infinity or NaN becomes as an integer.',
    decides: 'Decision: an error that names the first index.',
    explains: all(accepts, DIVISION, isInteger, dividesByZero),
  },
  {
    id: 'division-of-integers-gives-floats',
    engines: ['numpy', 'torch', 'paddle'],
    what: '`/` of integers gives floats.',
    decides: 'ONNX Div: integers stay integers and truncate toward zero.',
    explains: all(natureIs('dtype'), opIs('Div'), ({ question }) => question.attrs.plain === true),
  },
  {
    id: 'remainder-of-floats-without-fmod',
    engines: ['numpy', 'torch', 'paddle', 'onnx-reference'],
    what: 'Mod of floats with fmod=0 follows the divisor.',
    decides: 'ONNX Mod: fmod=0 is for integers.',
    explains: all(accepts, opIs('Mod'), isFloat, ourCodeIs('BCAST_DTYPE')),
  },
  {
    id: 'remainder-of-wide-integers-through-double',
    engines: ['onnxruntime'],
    what: 'Mod with fmod=1 of int64 and uint64 goes through double and loses low bits.',
    decides: 'Decision: remainders of integers are exact.',
    explains: all(value, opIs('Mod'), typeIs('int64', 'uint64'), ({ question }) => question.attrs.fmod === true),
  },
  {
    id: 'floor-mod-of-integers-through-float',
    engines: ['openvino'],
    what: 'FloorMod of 32- and 64-bit integers goes through floats.',
    decides: 'Decision: remainders of integers are exact.',
    explains: all(value, opIs('FloorMod'), typeIs('int32', 'int64', 'uint32', 'uint64')),
  },
  {
    id: 'floor-mod-sign-of-zero',
    engines: ['torch', 'paddle', 'openvino', 'openvino-cpu'],
    what: 'FloorMod of floats: a remainder of zero keeps the dividend’s sign.',
    decides: 'Decision: FloorMod follows the divisor’s sign, a zero too (as Python and NumPy).',
    explains: all(value, opIs('FloorMod'), isFloat, zerosDiffer),
  },
  {
    id: 'floor-mod-as-a-formula',
    engines: ['torch', 'paddle', 'openvino', 'openvino-cpu'],
    what: 'FloorMod of floats is x - floor(x / y) * y in floats: wrong for large quotients, infinities and tiny divisors.',
    decides: 'Decision: the remainder is exact, as C’s fmod.',
    explains: all(
      value,
      opIs('FloorMod'),
      isFloat,
      either(largeQuotient, touchesSubnormal, someOperand(isInfinite), theirValue(isNaNElement), isPlugin),
    ),
  },
  {
    id: 'fmod-as-a-formula',
    engines: ['torch', 'openvino-cpu'],
    what: 'Mod of floats is x - trunc(x / y) * y in floats: wrong for large quotients, infinities and zeros.',
    decides: 'ONNX Mod, fmod=1: as C’s fmod, which is exact and keeps the dividend’s sign.',
    explains: all(
      value,
      opIs('Mod'),
      isFloat,
      either(isPlugin, largeQuotient, touchesSubnormal, someOperand(isInfinite), zerosDiffer),
    ),
  },
]
