// `fuse`: a TypeScript function over operands becomes one kernel that passes over memory once. It is recorded once for
// each signature of element types; shapes are worked out for each call and remembered.
import type { DType } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import { type Node, type Prepared, prepare } from '../expr/trace.ts'
import { spread } from '../tensor/layout.ts'
import { resolveElements } from '../tensor/resolve.ts'
import { Tensor } from '../tensor/tensor.ts'
import { cast } from './cast.ts'
import { bothWays, type Computation } from './computation.ts'
import { apply, computation } from './elementwise.ts'
import type { Fused, FusedParameters, Traced } from './fuse-types.ts'
import type { ElementwiseOptions } from './options.ts'
import { CAPTURED, TracedOperand } from './traced.ts'
import type { Operand } from './types.ts'

/** Operator methods of operands inside `fuse`: the names of the public functions. */
const methods: Readonly<Record<string, Row>> = {
  ...{
    add: rows.add,
    sub: rows.sub,
    mul: rows.mul,
    div: rows.div,
    pow: rows.pow,
    mod: rows.mod,
    floorMod: rows.floorMod,
  },
  ...{ squaredDifference: rows.squaredDifference, max: rows.max, min: rows.min, mean: rows.mean, sum: rows.sum },
  ...{ and: rows.and, or: rows.or, xor: rows.xor, not: rows.not, equal: rows.equal, notEqual: rows.notEqual },
  ...{ greater: rows.greater, less: rows.less, greaterOrEqual: rows.greaterOrEqual, lessOrEqual: rows.lessOrEqual },
  ...{
    bitwiseAnd: rows.bitwiseAnd,
    bitwiseOr: rows.bitwiseOr,
    bitwiseXor: rows.bitwiseXor,
    bitwiseNot: rows.bitwiseNot,
  },
  ...{ leftShift: rows.leftShift, rightShift: rows.rightShift, where: rows.where, prelu: rows.prelu },
  ...{ neg: rows.neg, abs: rows.abs, sign: rows.sign, sqrt: rows.sqrt, exp: rows.exp, log: rows.log, tanh: rows.tanh },
  ...{ sigmoid: rows.sigmoid, relu: rows.relu, floor: rows.floor, ceil: rows.ceil, round: rows.round },
  ...{ reciprocal: rows.reciprocal },
}

const isOptions = (value: unknown): value is ElementwiseOptions =>
  typeof value === 'object' && value !== null && !(value instanceof Tensor) && !(value instanceof TracedOperand)

// Methods are added here and not in the class, so that programs that do not fuse carry no table of operators.
for (const [name, row] of Object.entries(methods)) {
  Object.defineProperty(TracedOperand.prototype, name, {
    value(this: TracedOperand, ...others: unknown[]): unknown {
      const options = isOptions(others.at(-1)) ? (others.pop() as ElementwiseOptions) : undefined
      return apply(row, [this, ...others] as unknown as Operand[], options)
    },
  })
}
Object.defineProperty(TracedOperand.prototype, 'cast', {
  value(this: TracedOperand, dtype: DType): unknown {
    return cast(this as unknown as Tensor, dtype)
  },
})

/** Shapes seen by one fused function; the bound is for callers whose shapes never repeat. */
const MAX_PREPARED = 256

const FUSED: Row = { name: 'fuse', operands: 'variadic', types: {}, result: 'same', build: (_, [x]) => x! }

interface Recorded {
  readonly root: Node
  readonly captured: readonly Tensor[]
}

function record(fn: (...operands: unknown[]) => unknown, dtypes: readonly DType[]): Recorded {
  const captured: Tensor[] = []
  const operands = dtypes.map((dtype, operand) => new TracedOperand({ kind: 'operand', operand, dtype }, captured))
  const result = fn(...operands)
  if (!(result instanceof TracedOperand)) {
    throw new OperandError('fuse: the function has to return what it computes from its operands, one expression.')
  }
  return { root: result.node, captured }
}

/** A function over tensors that computes the whole expression in one pass; `{ out }` may follow the operands. */
export function fuse<F extends (...operands: FusedParameters) => Traced<unknown>>(fn: F): Fused<F> {
  if (typeof fn !== 'function') throw new OperandError('fuse takes a function, such as (x, m, s) => x.sub(m).div(s).')
  const recorded = new Map<string, Recorded>()
  const prepared = new Map<string, Prepared>()
  return bothWays((...args: unknown[]): Computation => {
    const options = isOptions(args.at(-1)) ? (args.pop() as ElementwiseOptions) : {}
    if (args.length !== fn.length) {
      throw new OperandError(`this fused function takes ${fn.length} operands, not ${args.length}.`)
    }
    const tensors = args.map((operand, i): Tensor => {
      if (operand instanceof Tensor) return operand
      throw new OperandError(
        `fuse: operand ${i} is ${String(operand)}; wrap it with tensor(…), or write a number inside the function.`,
      )
    })
    const types = tensors.map(({ dtype }) => dtype)
    const signature = types.join()
    let expression = recorded.get(signature)
    if (expression === undefined) {
      expression = record(fn as unknown as (...operands: unknown[]) => unknown, types)
      recorded.set(signature, expression)
    }
    const { root, captured } = expression
    const operandAt = (operand: number): Tensor =>
      operand >= CAPTURED ? captured[operand - CAPTURED]! : tensors[operand]!
    const key = `${signature} ${tensors.map(({ shape }) => shape.join()).join(' ')}`
    let ready = prepared.get(key)
    if (ready === undefined) {
      const shapes = new Proxy([], { get: (_, operand) => operandAt(Number(operand)).shape })
      ready = prepare(root, shapes as never, resolveElements)
      if (prepared.size >= MAX_PREPARED) prepared.delete(prepared.keys().next().value!)
      prepared.set(key, ready)
    }
    const { shape, program, inputs } = ready
    const placed = inputs.map(({ operand, axes }) => {
      const tensor = operandAt(operand)
      return { tensor, seen: spread(tensor.layout, shape, axes) }
    })
    return computation(FUSED, program, root.dtype, shape, placed, options.out)
  })
}
