// Judges a case about elements: runs the operator itself, once for each element type the case names.

import { BcastError, broadcast, broadcastTo, DTypeError, type Tensor } from 'bcast'
import { type Case, type Expect, type ExpectedTensor, expectedTensors, type Input, type Written } from './case.ts'
import { castWritten, isApproximate, shapeFits, writtenFits } from './fits.ts'
import { OperatorError, targetOf } from './operator-checks.ts'
import { operatorNamed, runGemm, runOperator, type Settings } from './operators.ts'
import { failed, type Outcome, passed } from './outcome.ts'
import { broadcastToRule, elementwiseRule } from './rules.ts'
import { showElements, showError, showShape } from './show.ts'
import { elementsOf, makeTensor } from './tensors.ts'

/** The type that `attrs.dtypes` varies: not that of a first input that has its own, as a condition does. */
function variedType({ op, inputs }: Case): string | undefined {
  return inputs[operatorNamed(op)?.types.own?.operand === 0 ? 1 : 0]?.dtype
}

/** A shape of known sizes. */
export function concrete({ shape }: Pick<Input, 'shape'>): readonly number[] {
  if (shape?.every((dim): dim is number => typeof dim === 'number')) return shape
  throw new Error(`${showShape(shape)} is not concrete`)
}

/** What an operator is told besides its operands. */
export function settingsOf(read: Case): Settings {
  const { attrs, source } = read
  return {
    rule: elementwiseRule(read),
    onnx: source === 'onnx/onnx' || attrs.opset !== undefined || attrs.fmod !== undefined,
    attributes: {
      fmod: attrs.fmod === undefined ? undefined : attrs.fmod !== 0,
      pythondiv: attrs.pythondiv,
      direction: attrs.direction,
    },
  }
}

/** The outputs: one of an operator, and without an operator the operands themselves, broadcast. */
function compute(read: Case, operands: readonly Tensor[]): readonly Tensor[] {
  if (read.form === 'broadcast_to') {
    const target = concrete({ shape: targetOf(read) })
    return [broadcastTo(operands[0]!, target, { broadcast: broadcastToRule(read) })]
  }
  if (read.op === undefined || read.op === 'Broadcast') {
    return broadcast(operands, { broadcast: elementwiseRule(read) })
  }
  if (read.op === 'Gemm') {
    const { alpha, beta, transA = 0, transB = 0 } = read.attrs
    return [runGemm(operands, { alpha, beta, transA: transA !== 0, transB: transB !== 0, rule: elementwiseRule(read) })]
  }
  return [runOperator(read.op, operands, settingsOf(read))]
}

/** The inputs as tensors, of another type where one is given. */
export function operandsOf(read: Case, dtype: string | undefined): Tensor[] {
  const varied = variedType(read)
  return read.inputs.map((input) => {
    const own = input.dtype ?? 'float32'
    const type = dtype !== undefined && own === varied ? dtype : own
    return makeTensor(
      input.values!.map((value) => castWritten(value, type)),
      type,
      concrete(input),
    )
  })
}

/** Whether a tensor is the expected one, of this type. */
export function compare(got: Tensor, expect: ExpectedTensor, dtype: string, approximate: boolean): Outcome {
  if (got.dtype !== dtype) return failed(`${dtype} elements`, `${got.dtype} elements`)
  if (!shapeFits(got.shape, expect.shape)) return failed(showShape(expect.shape), showShape(got.shape))
  const wanted = expect.values ?? []
  const elements = elementsOf(got)
  if (elements.length !== wanted.length) return failed(`${wanted.length} elements`, `${elements.length} elements`)
  const wrong = elements.findIndex((element, i) => !writtenFits(element, wanted[i]!, dtype, approximate))
  if (wrong < 0) return passed
  return failed(
    `${showElements(wanted)} (${dtype})`,
    `${showElements(elements)}, which differs at position ${wrong}: ${String(elements[wrong])} for ${wanted[wrong]}`,
  )
}

const showExpected = (expect: Expect): string =>
  expect.type === 'error'
    ? 'an error of the library'
    : expectedTensors(expect)
        .map(({ values = [], shape }) => `${showElements(values)} in ${showShape(shape)}`)
        .join(' and ')

function judgeType(read: Case, expect: Expect, dtype: string | undefined): Outcome {
  let got: readonly Tensor[]
  try {
    got = compute(read, operandsOf(read, dtype))
  } catch (error) {
    const refused = error instanceof BcastError || error instanceof OperatorError
    if (expect.type === 'error' && refused) return passed
    return failed(showExpected(expect), showError(error))
  }
  if (expect.type === 'error') return failed('error', got.map(({ shape }) => showShape(shape)).join(' and '))
  const wanted = expectedTensors(expect)
  if (got.length !== wanted.length) return failed(`${wanted.length} outputs`, `${got.length} outputs`)
  for (const [i, output] of got.entries()) {
    const { dtype: own = output.dtype } = wanted[i]!
    const type = dtype !== undefined && own === variedType(read) ? dtype : own
    const outcome = compare(output, wanted[i]!, type, isApproximate(read.op))
    if (outcome.status !== 'failed') continue
    return got.length === 1 ? outcome : failed(outcome.expected, `output ${i}: ${outcome.got}`)
  }
  return passed
}

const isBit = (value: Written): boolean => Number(value) === 0 || Number(value) === 1

/** A boolean variant of numbers other than 0 and 1 means nothing. */
function meaningful({ inputs, expect }: Case, dtype: string): boolean {
  if (dtype !== 'bool') return true
  return [...inputs, ...expectedTensors(expect)].flatMap(({ values = [] }) => values).every(isBit)
}

export function judgeValue(read: Case): Outcome {
  const { dtypes } = read.attrs
  if (dtypes === undefined) return judgeType(read, read.expect, undefined)
  const ran = dtypes.filter((dtype) => meaningful(read, dtype))
  if (ran.length === 0) return failed('a type to run', `none of ${dtypes.join(', ')} holds these numbers`)
  for (const dtype of ran) {
    const outcome = judgeType(read, read.expect, dtype)
    if (outcome.status === 'failed') return failed(outcome.expected, `as ${dtype}: ${outcome.got}`)
  }
  return passed
}

/** A case whose error is about element types: the operator itself must refuse them. */
export function judgeTypeError(read: Case): Outcome {
  const zero = (dtype: string, count: number): Written[] => new Array(count).fill(dtype === 'string' ? '' : 0)
  const inputs = read.inputs.map((input): Input => {
    const { dtype = 'float32' } = input
    const count = concrete(input).reduce((product, size) => product * size, 1)
    return { shape: input.shape, dtype, values: zero(dtype, count) }
  })
  try {
    const got = compute(read, operandsOf({ ...read, inputs }, undefined))
    const made = got.map(({ dtype, shape }) => `${dtype} elements in ${showShape(shape)}`)
    return failed('an error about element types', made.join(' and '))
  } catch (error) {
    return error instanceof DTypeError ? passed : failed('an error about element types', showError(error))
  }
}
