// What operands of fuse can do: the methods of the operators and reductions, and what follows from their shapes. They are
// added here and not in the class, so that programs that do not fuse carry no table of operators.
import type { Computable } from '../backend/backend.ts'
import { all, instructionsOf } from '../backend/instructions.ts'
import { BroadcastError, OperandError } from '../errors/index.ts'
import { canFault } from '../expr/ir.ts'
import { inOrder } from '../expr/order.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import type { Preparing } from '../expr/stages.ts'
import { argsOf, resolveAll } from '../expr/trace.ts'
import { fits } from '../plan/fits.ts'
import { planWithPasses } from '../plan/multipass.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import type { Resolution } from '../shape/resolve.ts'
import type { Rule } from '../shape/rule.ts'
import { transposed as transposedLayout } from '../tensor/layout.ts'
import { resolveElements } from '../tensor/resolve.ts'
import { argumentsOf } from './arguments.ts'
import { cast } from './cast.ts'
import { apply } from './elementwise.ts'
import { faultAt } from './fault.ts'
import { logSumExp } from './log-sum-exp.ts'
import { max, mean, min, sum } from './operators.ts'
import { checkOpen, ShapesNeeded } from './record.ts'
import { reducedAxes } from './reduce.ts'
import * as reductions from './reductions.ts'
import { TracedOperand } from './traced.ts'

/** What any program may need. */
export const means: Omit<Computable, 'program'> = {
  instructions: /* @__PURE__ */ instructionsOf(...all),
  planWith: planWithPasses,
}

/** Brings the operands of one operator together; where they do not go together, the error names it. */
function resolveWithin(row: Row, rule: Rule, shapes: readonly Shape[], onto: number): Resolution {
  try {
    return resolveElements(rule, shapes, onto)
  } catch (error) {
    if (!(error instanceof BroadcastError)) throw error
    throw new BroadcastError(`${row.name} inside fuse: ${error.message}`, error)
  }
}

/** How expressions are prepared. */
export const preparing: Preparing = {
  resolve: resolveWithin,
  reduced: (row, axes, shape) => reducedAxes(row.name, axes, shape.length),
  reducible: (program) => fits(program) && !canFault(program),
}

type Method = (x: TracedOperand, ...args: unknown[]) => unknown

// The element-wise rows, under the names of the public functions, and the reductions.
const methods: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    Object.values<Row>(rows).map((row): [string, Method] => [
      row.call,
      (...args) => apply({ row, read: argumentsOf, fault: faultAt, ...means }, args),
    ]),
  ),
  // Of one operand these reduce it.
  max,
  mean,
  min,
  sum,
  ...reductions,
  logSumExp,
  matmul: () => {
    throw new OperandError('inside fuse a product of matrices is written matmul(a, b).')
  },
  cast,
  astype: cast,
}
for (const [name, method] of Object.entries(methods)) {
  Object.defineProperty(TracedOperand.prototype, name, {
    value(this: TracedOperand, ...args: unknown[]): unknown {
      return (method as Method)(this, ...args)
    },
  })
}

/** The shape of an operand; where it is not known, whoever records does so again with shapes. */
function shapeOf({ node, recording }: TracedOperand): Shape {
  if (recording.shapes === undefined) throw new ShapesNeeded('shape')
  const shapes = [...recording.shapes, ...recording.captured.map(({ shape }) => shape)]
  return resolveAll(inOrder(node, argsOf), shapes, preparing).get(node)!.shape
}

/** An operand with its axes in another order, the other way round unless it is said. */
function transposed(x: TracedOperand, ...given: unknown[]): TracedOperand {
  checkOpen(x)
  const shape = shapeOf(x)
  const order = given.length === 0 ? shape.map((_, axis) => shape.length - 1 - axis) : (given.flat() as number[])
  // The numbers of the axes, moved as their strides would be.
  const { strides: axes } = transposedLayout({ shape, strides: [...shape.keys()], offset: 0 }, order)
  const view = { kind: 'view', arg: x.node, shape: axes.map((axis) => shape[axis]!), dtype: x.dtype } as const
  return new TracedOperand({ ...view, axes: shape.map((_, axis) => axes.indexOf(axis)) }, x.recording)
}

Object.defineProperties(TracedOperand.prototype, {
  shape: {
    get(this: TracedOperand): Shape {
      return shapeOf(this)
    },
  },
  rank: {
    get(this: TracedOperand): number {
      return shapeOf(this).length
    },
  },
  size: {
    get(this: TracedOperand): number {
      return elementCount(shapeOf(this))
    },
  },
  T: {
    get(this: TracedOperand): TracedOperand {
      return transposed(this)
    },
  },
  transpose: {
    value(this: TracedOperand, ...axes: unknown[]): TracedOperand {
      return transposed(this, ...axes)
    },
  },
})

// What tensors have and operands cannot is said in words; without a type checker it would be undefined.
const ABSENT = [
  ...['data', 'item', 'toArray', 'toJSON', 'get', 'at', 'slice', 'reshape', 'view', 'map', 'dispose'],
  ...['broadcastTo', 'expand', 'squeeze', 'unsqueeze', 'flip', 'split', 'take', 'gather', 'tile', 'pad', 'castLike'],
  ...['argMax', 'argMin', 'cumSum', 'isClose', 'allClose', 'arrayEqual'],
]
const absence = (name: string) => (): never => {
  throw new OperandError(
    `${name}: an operand of fuse stands for a tensor that is not there yet, so it has no ${name}; use it on what the fused function takes or gives.`,
  )
}
Object.defineProperties(TracedOperand.prototype, {
  ...Object.fromEntries(ABSENT.map((name) => [name, { get: absence(name) }])),
  // Whoever only asks whether there is any goes through nothing.
  [Symbol.iterator]: { value: absence('iteration') },
})
