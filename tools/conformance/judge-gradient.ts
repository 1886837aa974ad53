// Judges a case about gradients: the axes they are summed over, broadcasting backwards, and operators backwards.

import { BcastError, broadcastBackprop, reduceAxes, sumTo, type Tensor, vjp } from 'bcast'
import type { Case, ExpectedTensor, Input } from './case.ts'
import { compare, concrete, operandsOf, settingsOf } from './judge-value.ts'
import { operatorNamed, runOperator } from './operators.ts'
import { failed, type Outcome, passed } from './outcome.ts'
import { broadcastToRule, meetingOf } from './rules.ts'
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

const tensorOf = ({ shape, values = [] }: Input, dtype: string): Tensor =>
  makeTensor([...values], dtype, concrete({ shape }))

/** The first of several tensors that is not the expected one. */
function compareAll(got: readonly Tensor[], wanted: readonly ExpectedTensor[], approximate: boolean): Outcome {
  const outcomes = got.map((tensor, i) => compare(tensor, wanted[i]!, wanted[i]!.dtype ?? tensor.dtype, approximate))
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

type Call = (...operands: readonly unknown[]) => unknown

/** What `op` names: an operator, or operators of operators over the inputs, which are a, b, … there. */
function callOf(op: string, read: Case): Call {
  const [, name, inner] = /^(\w+)(?:\((.*)\))?$/.exec(op) ?? []
  if (inner === undefined) {
    const operator = operatorNamed(name)
    if (operator === undefined) throw new Error(`no operator is known as ${op}`)
    return (...operands) => runOperator(name!, operands as readonly Tensor[], settingsOf(read))
  }
  const outer = callOf(name!, read)
  const parts = argumentsOf(inner).map((part): Call => {
    const at = part.length === 1 ? part.charCodeAt(0) - 'a'.charCodeAt(0) : -1
    return at < 0 ? callOf(part, read) : (...inputs) => inputs[at]
  })
  return (...inputs) => outer(...parts.map((part) => part(...inputs)))
}

/** What stands between the commas that lie in no parentheses. */
function argumentsOf(text: string): readonly string[] {
  let depth = 0
  const parts = ['']
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}

/** Gradients of what is known at run time alone. */
const backwards = vjp as unknown as (
  call: Call,
  options: { readonly operands: number },
) => (...operands: readonly Tensor[]) => { value: Tensor; pullback: (delta: Tensor) => readonly Tensor[] }

/** The output of an operator, and the gradients of its operands behind it. */
function operatorGradients(read: Case): readonly Tensor[] {
  const operands = operandsOf(read, undefined)
  const { value, pullback } = backwards(callOf(read.op ?? '', read), { operands: operands.length })(...operands)
  // Where no gradient of the output is given, it is one.
  const { gradOutput = { shape: value.shape, values: new Array<number>(value.size).fill(1) } } = read.attrs
  return [value, ...pullback(tensorOf(gradOutput, value.dtype))]
}

function judged(read: Case): Outcome {
  const { expect } = read
  if (read.form === 'broadcast_to') {
    const gradients = broadcastGradients(read)
    if (expect.type !== 'shape') return failed('error', 'a gradient')
    const wanted = gradients.map(() => expect)
    return compareAll(gradients, wanted, false)
  }
  const made = operatorGradients(read)
  if (expect.type !== 'gradients') return failed('error', 'gradients')
  // What is expected was measured by differences.
  return compareAll(made, [...expect.outputs, ...expect.grads], true)
}

export function judgeGradient(read: Case): Outcome {
  try {
    return judged(read)
  } catch (error) {
    if (!(error instanceof BcastError)) throw error
    return read.expect.type === 'error' ? passed : failed('gradients', showError(error))
  }
}
