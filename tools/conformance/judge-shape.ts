// Judges a case about shapes alone: what the library says of its shapes against what the file expects.

import { BcastError, broadcastShapes, type Dim, type Explanation, explain, none, type SymbolicShape } from 'bcast'
import type { Case, Expect } from './case.ts'
import { shapeFits } from './fits.ts'
import { gemmShapes, OperatorError } from './operator-checks.ts'
import { failed, type Outcome, passed } from './outcome.ts'
import { elementwiseRule, type Meeting, meetingOf } from './rules.ts'
import { showError, showShape } from './show.ts'

/** What became of the shapes: they meet (perhaps on conditions), or why they do not. */
type Answer =
  | { readonly error: string }
  | {
      readonly shape: SymbolicShape
      /** For each operand its own stretched shape; Gemm and unknown ranks have none. */
      readonly shapes?: readonly SymbolicShape[]
      readonly broadcastAxes?: readonly number[]
    }

const isConcrete = (shape: SymbolicShape): shape is readonly number[] =>
  shape?.every((dim) => typeof dim === 'number') ?? false

/** `broadcastShapes` must say of concrete shapes what `explain` says; undefined when it does. */
function disagreement({ shapes, rule, onto }: Meeting, { verdict, shape }: Explanation): string | undefined {
  // Concrete shapes meet on a condition where the rule itself is not known; no plain shape can be had then.
  if (verdict === 'conditional' || !shapes.every(isConcrete)) return undefined
  // It keeps the first operand under one-way rules.
  const ordered = [shapes[onto]!, ...shapes.filter((_, i) => i !== onto)] as (readonly number[])[]
  let plain: readonly number[] | undefined
  try {
    plain = broadcastShapes(shapes.length === 0 ? [] : ordered, { broadcast: rule })
  } catch (error) {
    if (!(error instanceof BcastError)) throw error
  }
  const agree = JSON.stringify(plain) === JSON.stringify(shape)
  const said = (sizes: SymbolicShape | undefined): string => (sizes === undefined ? 'an error' : showShape(sizes))
  return agree ? undefined : `explain says ${said(shape)}, broadcastShapes says ${said(plain)}`
}

function meet(meeting: Meeting): Answer {
  const { shapes, rule, onto, data } = meeting
  const explanation = explain(shapes, { broadcast: rule, onto })
  const differs = disagreement(meeting, explanation)
  if (differs !== undefined) throw new Error(differs)
  if (explanation.verdict === 'error') return { error: explanation.failure!.sentence }
  const { shape, axes } = explanation as { shape: SymbolicShape; axes: typeof explanation.axes }
  if (rule.name === 'matmulBatch' && shape !== null) {
    return { shape, shapes: shapes.map((own) => own && [...shape, ...own.slice(-2)]) }
  }
  if (data === undefined) return { shape }
  const broadcastAxes = axes.flatMap(({ operands }, axis) =>
    operands[data]!.role === 'padded' || operands[data]!.role === 'stretched' ? [axis] : [],
  )
  return { shape, broadcastAxes }
}

/** Gemm: the inner sizes must be equal, and C goes onto the product under the case's rule. */
function meetGemm(read: Case): Answer {
  const [a = null, b = null, c] = read.inputs.map(({ shape }) => shape)
  const { product, inner } = gemmShapes(a, b, read.attrs)
  const summed = meet({ shapes: inner.map((size): readonly Dim[] => [size]), rule: none, onto: 0 })
  if ('error' in summed) return summed
  return c === undefined ? { shape: product } : meet({ shapes: [product, c], rule: elementwiseRule(read), onto: 0 })
}

function answerOf(read: Case): Answer {
  try {
    return read.op === 'Gemm' ? meetGemm(read) : meet(meetingOf(read))
  } catch (error) {
    // Rules with impossible options and shapes that are none are errors of the case, not of the runner.
    if (error instanceof BcastError || error instanceof OperatorError) return { error: showError(error) }
    throw error
  }
}

const showAnswer = (answer: Answer): string => {
  if ('error' in answer) return `error (${answer.error})`
  const axes = answer.broadcastAxes === undefined ? '' : `, broadcast axes {${answer.broadcastAxes.join(',')}}`
  return showShape(answer.shape) + axes
}

const showAll = (shapes: readonly SymbolicShape[]): string => shapes.map(showShape).join(' and ')

function compare(answer: Answer, expect: Expect): Outcome {
  if (expect.type === 'error') {
    const why = expect.message === undefined ? 'error' : `error (${expect.message})`
    return 'error' in answer ? passed : failed(why, showAnswer(answer))
  }
  if (expect.type !== 'shape' && expect.type !== 'shapes') throw new Error('a case of shapes expects shapes')
  if (expect.type === 'shapes') {
    const wanted = showAll(expect.shapes)
    if ('error' in answer || answer.shapes === undefined) return failed(wanted, showAnswer(answer))
    const fit =
      answer.shapes.length === expect.shapes.length &&
      answer.shapes.every((own, i) => shapeFits(own, expect.shapes[i]!))
    return fit ? passed : failed(wanted, showAll(answer.shapes))
  }
  const wanted = showAnswer({
    shape: expect.shape,
    ...(expect.broadcastAxes && { broadcastAxes: expect.broadcastAxes }),
  })
  if ('error' in answer || !shapeFits(answer.shape, expect.shape)) return failed(wanted, showAnswer(answer))
  if (expect.broadcastAxes === undefined) return passed
  const sameAxes = JSON.stringify(answer.broadcastAxes) === JSON.stringify(expect.broadcastAxes)
  return sameAxes ? passed : failed(wanted, showAnswer(answer))
}

export function judgeShape(read: Case): Outcome {
  return compare(answerOf(read), read.expect)
}
