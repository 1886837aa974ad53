// Conversions: implicit ones, and Cast where the target cannot hold the value.
import { isFloatType, isIntegerType } from '../values.ts'
import {
  ALL,
  accepts,
  all,
  type Cause,
  compute,
  dtypeOf,
  isNaNElement,
  leavesRange,
  operandsOf,
  opIs,
  ourCodeIs,
  someOperand,
  type Test,
  value,
} from './cause.ts'

const CAST = opIs('Cast')
const from =
  (test: (dtype: string) => boolean): Test =>
  (disagreement) =>
    test(dtypeOf(disagreement) ?? '')
const to =
  (test: (dtype: string) => boolean): Test =>
  ({ question }) =>
    test(question.attrs.to ?? '')

export const types: readonly Cause[] = [
  {
    id: 'mixed-types-promote',
    engines: ['numpy', 'torch', 'paddle'],
    what: 'Operands of different types are converted to a common one.',
    decides: 'Decision: nothing is converted by itself; ONNX: one type T.',
    explains: all(accepts, ourCodeIs('BCAST_DTYPE'), (disagreement) => {
      const inputs = compute(disagreement)?.inputs ?? []
      return inputs.some(({ dtype }) => dtype !== inputs[0]!.dtype)
    }),
  },
  {
    id: 'float-to-integer-out-of-range',
    engines: ALL,
    what: 'Cast of a float that the integer type cannot hold, NaN included, gives what the processor gives.',
    decides: 'Decision: truncate and saturate, NaN gives 0; ONNX Cast leaves it undefined.',
    explains: all(value, CAST, from(isFloatType), to(isIntegerType), (disagreement) =>
      leavesRange(operandsOf(disagreement)[0], disagreement.question.attrs.to ?? 'int32'),
    ),
  },
  {
    id: 'cast-to-sixteen-bits-truncates',
    engines: ['openvino'],
    what: 'Cast to bfloat16 cuts bits off instead of rounding; Cast of integers to float16 stops at 65504.',
    decides: 'IEEE: round to nearest even, overflow to infinity.',
    explains: all(
      value,
      CAST,
      to((dtype) => dtype === 'bfloat16' || dtype === 'float16'),
    ),
  },
  {
    id: 'cast-to-float16-underflows-wrongly',
    engines: ['paddle'],
    what: 'Numbers too small for float16 become arbitrary small numbers.',
    decides: 'IEEE: they round to 0.',
    explains: all(
      value,
      CAST,
      from(isFloatType),
      to((dtype) => dtype === 'float16'),
      ({ difference }) => difference?.ours === 0,
    ),
  },
  {
    id: 'nan-to-bool',
    engines: ['openvino-cpu'],
    what: 'Cast of NaN to bool is false.',
    decides: 'ONNX Cast: every value but 0 is true.',
    explains: all(
      value,
      CAST,
      from(isFloatType),
      to((dtype) => dtype === 'bool'),
      someOperand(isNaNElement),
    ),
  },
  {
    id: 'integer-to-bool-through-float',
    engines: ['openvino-cpu'],
    what: 'Cast of int32 to bool loses large negative values.',
    decides: 'ONNX Cast: every value but 0 is true.',
    explains: all(
      value,
      CAST,
      from(isIntegerType),
      to((dtype) => dtype === 'bool'),
    ),
  },
]
