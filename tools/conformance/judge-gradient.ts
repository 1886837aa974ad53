// Judges a case about gradients: the axes they are summed over, broadcasting backwards, and an operator backwards by the
// derivative of its row.

import { BcastError, broadcast, broadcastBackprop, fuse, reduceAxes, sumTo, sumToEach, type Tensor } from 'bcast'
import type { Term } from '../../packages/bcast/src/expr/derivative.ts'
import { differentiate } from '../../packages/bcast/src/expr/differentiate.ts'
import type { Row } from '../../packages/bcast/src/expr/row.ts'
import * as rows from '../../packages/bcast/src/expr/rows/index.ts'
import type { Case, ExpectedTensor, Input } from './case.ts'
import { compare, concrete, operandsOf, settingsOf } from './judge-value.ts'
import { operatorNamed, runOperator } from './operators.ts'
import { failed, type Outcome, passed } from './outcome.ts'
import { broadcastToRule, elementwiseRule, meetingOf } from './rules.ts'
import { showError } from './show.ts'
import { makeTensor } from './tensors.ts'

const showAxes = (axes: readonly unknown[]): string => JSON.stringify(axes)

/** Which axes of the result the gradient of each input is summed over. */
export function judgeAxes(read: Case): Outcome {
  if (read.expect.type !== 'axes') throw new Error('a grad_axes case expects axes')
  const { shapes, rule, onto } = meetingOf(read)
  const wanted = showAxes(read.expect.axes)
  try {
    const got = showAxes(reduceAxes(shapes, { broadcast: rule, onto }))
    return got === wanted ? passed : failed(wanted, got)
  } catch (error) {
    return failed(wanted, showError(error))
  }
}

/** The gradient of each operand of an operator, all in the shape of the result. */
function elementGradients(name: string, views: readonly Tensor[], delta: Tensor): readonly Tensor[] {
  const operator = operatorNamed(name)!
  const row = Object.values<Row>({ ...rows }).find(({ call }) => call === operator.name)!
  return views.map((_, i) => {
    const gradient = (...terms: Term[]): unknown => {
      const operands = terms.slice(0, -1)
      const result = operator.call(...operands) as unknown as Term
      return differentiate(row, { operands, result, delta: terms.at(-1)!, attributes: {} })?.[i]
    }
    return fuse(gradient as (...operands: never[]) => unknown, { operands: views.length + 1 })(...views, delta)
  })
}

const tensorOf = ({ shape, values = [] }: Input, dtype: string): Tensor =>
  makeTensor([...values], dtype, concrete({ shape }))

/** The first of several tensors that is not the expected one. */
function compareAll(got: readonly Tensor[], wanted: readonly ExpectedTensor[], approximate: boolean): Outcome {
  const outcomes = got.map((tensor, i) =>
    compare(tensor, wanted[i]!, wanted[i]!.dtype ?? tensor.dtype, approximate),
  )
  return outcomes.find(({ status }) => status === 'failed') ?? passed
}

/** Broadcasting backwards; nGraph's by the names of its document too. */
function broadcastGradients(read: Case): readonly Tensor[] {
  const [input] = read.inputs as [Input]
  const { gradOutput, broadcastAxes } = read.attrs
  const delta = tensorOf(gradOutput!, input.dtype ?? 'float32')
  const gradient: Tensor = sumTo(delta, concrete(input), { broadcast: broadcastToRule(read) })
  if (read.rule !== 'ngraph_axes') return [gradient]
  return [gradient, broadcastBackprop(delta, { broadcastAxes: broadcastAxes ?? [] })]
}

/** The output of an operator and the gradients of its operands; undefined where there is no such operator. */
function operatorGradients(read: Case): { output: Tensor; gradients: readonly Tensor[] } | undefined {
  const { op } = read
  if (op === undefined || operatorNamed(op) === undefined) return undefined
  const operands = operandsOf(read, undefined)
  const output = runOperator(op, operands, settingsOf(read))
  // Where no gradient of the output is given, it is one.
  const { gradOutput = { shape: output.shape, values: new Array<number>(output.size).fill(1) } } = read.attrs
  const options = { broadcast: elementwiseRule(read) }
  const gradients = elementGradients(op, broadcast(operands, options), tensorOf(gradOutput, output.dtype))
  const shapes = operands.map(({ shape }) => shape)
  return { output, gradients: sumToEach(gradients, shapes, options) }
}

function judged(read: Case): Outcome {
  const { expect, op } = read
  if (read.form === 'broadcast_to') {
    const gradients = broadcastGradients(read)
    if (expect.type !== 'shape') return failed('error', 'a gradient')
    const wanted = gradients.map(() => expect)
    return compareAll(gradients, wanted, false)
  }
  const made = operatorGradients(read)
  if (made === undefined) return { status: 'deferred', why: `the gradient of ${op}` }
  if (expect.type !== 'gradients') return failed('error', 'gradients')
  // What is expected was measured by differences.
  return compareAll([made.output, ...made.gradients], [...expect.outputs, ...expect.grads], true)
}

export function judgeGradient(read: Case): Outcome {
  try {
    return judged(read)
  } catch (error) {
    if (!(error instanceof BcastError)) throw error
    return read.expect.type === 'error' ? passed : failed('gradients', showError(error))
  }
}
