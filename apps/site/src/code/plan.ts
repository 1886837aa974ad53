// A broadcast as steps that every framework has: reshapes and transposes of operands, after which numpy's rule gives the
// result. Each language prints these steps, and what it prints is read back and compared.
import { broadcastShapes, type Fix, type Rule, RuleError, type Shape, toNumpy } from 'bcast'

export type CodeStep =
  | { readonly kind: 'reshape'; readonly shape: Shape }
  | { readonly kind: 'transpose'; readonly order: readonly number[] }

export interface CodeOperand {
  /** `a`, `b`, … */
  readonly variable: string
  readonly shape: Shape
  /** What a fix does to it. */
  readonly fix: readonly CodeStep[]
  /** What numpy's rule needs besides, where the rule is another one. */
  readonly respelling: readonly CodeStep[]
}

export interface CodePlan {
  readonly operands: readonly CodeOperand[]
  readonly rule: Rule
  readonly onto: number
  readonly result: Shape
  readonly operator: CodeOperator
}

/** Operators that every framework writes between its operands. */
export const codeOperators = {
  add: { sign: '+', onnx: 'Add', openvino: 'add' },
  sub: { sign: '-', onnx: 'Sub', openvino: 'subtract' },
  mul: { sign: '*', onnx: 'Mul', openvino: 'multiply' },
  div: { sign: '/', onnx: 'Div', openvino: 'divide' },
} as const

export type CodeOperator = keyof typeof codeOperators

/** A step that its operand cannot take. */
export class StepError extends Error {}

/** The shape after a step; throws where a reshape would lose elements. */
export function applyStep(shape: Shape, step: CodeStep): Shape {
  if (step.kind === 'transpose') {
    const order = [...step.order]
    if (order.toSorted((a, b) => a - b).some((axis, i) => axis !== i) || order.length !== shape.length) {
      throw new StepError(`the order ${order} is none of ${shape.length} axes`)
    }
    return order.map((axis) => shape[axis]!)
  }
  const count = (sizes: Shape): number => sizes.reduce((product, size) => product * size, 1)
  if (count(step.shape) !== count(shape))
    throw new StepError(`a reshape from (${shape}) to (${step.shape}) loses elements`)
  return step.shape
}

const applied = (shape: Shape, steps: readonly CodeStep[]): Shape => steps.reduce(applyStep, shape)

/** The steps of a fix on one operand; ones that come and go are one reshape. */
function fixSteps(shape: Shape, edits: Fix['edits'], operand: number): CodeStep[] {
  const steps: CodeStep[] = []
  let now: Shape = shape
  for (const edit of edits) {
    if (edit.operand !== operand) continue
    const axes = [...now.keys()]
    let step: CodeStep
    if (edit.kind === 'transpose') step = { kind: 'transpose', order: edit.order }
    else if (edit.kind === 'move') {
      step = { kind: 'transpose', order: axes.toSpliced(edit.from, 1).toSpliced(edit.to, 0, edit.from) }
    } else {
      const sizes = edit.kind === 'insert' ? now.toSpliced(edit.at, 0, 1) : now.toSpliced(edit.at, 1)
      step = { kind: 'reshape', shape: sizes }
    }
    if (step.kind === 'reshape' && steps.at(-1)?.kind === 'reshape') steps.pop()
    steps.push(step)
    now = applyStep(now, step)
  }
  return steps
}

export interface CodeRequest {
  /** As given, before any fix. */
  readonly shapes: readonly Shape[]
  readonly rule: Rule
  readonly onto: number
  readonly edits: Fix['edits']
  readonly operator: string
}

/** The plan of a broadcast that holds; a text where there is none. */
export function planOf({ shapes, rule, onto, edits, operator }: CodeRequest): CodePlan | string {
  const fixes = shapes.map((shape, operand) => fixSteps(shape, edits, operand))
  const fixed = shapes.map((shape, operand) => applied(shape, fixes[operand]!))
  let respelled: ReturnType<typeof toNumpy>
  try {
    respelled = toNumpy(rule, fixed, onto)
  } catch (error) {
    if (error instanceof RuleError) return error.message
    throw error
  }
  if ('sentence' in respelled) return `${respelled.sentence}.`
  const { shapes: spelled, reshaped } = respelled as { shapes: readonly Shape[]; reshaped: readonly boolean[] }
  const known = Object.hasOwn(codeOperators, operator) ? (operator as CodeOperator) : 'add'
  return {
    ...{ rule, onto, result: broadcastShapes(...(spelled as Shape[])) as Shape },
    // Of more than two only a sum is the same whatever it is called.
    operator: shapes.length === 2 ? known : 'add',
    operands: shapes.map((shape, operand) => ({
      ...{ variable: String.fromCharCode(97 + operand), shape, fix: fixes[operand]! },
      respelling: reshaped[operand] === true ? [{ kind: 'reshape', shape: spelled[operand]! }] : [],
    })),
  }
}

/** The shapes with the fix applied, under the rule itself. */
export const fixedShapes = ({ operands }: CodePlan): Shape[] =>
  operands.map(({ shape, fix }) => [...applied(shape, fix)])

/** All steps of an operand, a reshape behind a reshape being one. */
export function stepsOf({ fix, respelling }: CodeOperand): CodeStep[] {
  const last = fix.at(-1)
  return last?.kind === 'reshape' && respelling.length > 0
    ? [...fix.slice(0, -1), ...respelling]
    : [...fix, ...respelling]
}
