// `fuse`: a TypeScript function over operands becomes one kernel that passes over memory once. It is recorded once for
// each signature of element types; shapes are worked out for each call and remembered.
import type { DType } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import { zeroDivisor } from '../expr/fault.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import { type Node, type Prepared, prepare } from '../expr/trace.ts'
import * as operations from '../runtime/operations.ts'
import { spread } from '../tensor/layout.ts'
import { resolveElements } from '../tensor/resolve.ts'
import { Tensor } from '../tensor/tensor.ts'
import { cast } from './cast.ts'
import { computeLater, computeNow } from './computation.ts'
import { apply, checkGiven, checkTypes, computation, recordWith, resultType } from './elementwise.ts'
import type { Fused, FusedParameters, Traced } from './fuse-types.ts'
import type { ElementwiseOptions } from './options.ts'
import { RepeatedCalls } from './repeated.ts'
import { CAPTURED, TracedOperand, traceApply } from './traced.ts'
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

operations.provide(operations.all)

recordWith((row, given, attributes, rule, out) => {
  if (!given.some((operand) => operand instanceof TracedOperand)) return undefined
  if (out !== undefined) {
    throw new OperandError(`${row.name}: inside fuse there is no out; pass it to the fused function.`)
  }
  checkGiven(
    row,
    given.map((operand) => (operand instanceof TracedOperand || operand instanceof Tensor ? operand : undefined)),
  )
  const traced = traceApply(row, given, attributes, rule, (operands) => {
    checkTypes(row, operands, attributes)
    return resultType(
      row,
      operands.map(({ dtype }) => dtype),
    )
  })
  return traced as unknown as Tensor
})

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

const FUSED: Row = {
  name: 'fuse',
  operands: 'variadic',
  types: {},
  result: 'same',
  fault: zeroDivisor,
  build: (_, [x]) => x!,
}

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
  const recent = new RepeatedCalls()
  const parse = (args: readonly unknown[]): { tensors: Tensor[]; out: Tensor | undefined } => {
    const last = args.at(-1)
    const { out } = isOptions(last) ? last : {}
    const operands = isOptions(last) ? args.slice(0, -1) : args
    if (operands.length !== fn.length) {
      throw new OperandError(`this fused function takes ${fn.length} operands, not ${operands.length}.`)
    }
    const tensors = operands.map((operand, i): Tensor => {
      if (operand instanceof Tensor) return operand
      throw new OperandError(
        `fuse: operand ${i} is ${String(operand)}; wrap it with tensor(…), or write a number inside the function.`,
      )
    })
    return { tensors, out }
  }
  /** Everything about a call that is known before it is computed. */
  const settle = (tensors: readonly Tensor[]) => {
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
    return { dtype: root.dtype, program, shape, placed }
  }
  const now = (...args: unknown[]): Tensor => {
    const { tensors, out } = parse(args)
    const repeated = recent.repeat(tensors, out)
    if (repeated !== undefined) return repeated
    const { dtype, program, shape, placed } = settle(tensors)
    const made = computeNow(computation(FUSED, program, dtype, shape, placed, out))
    // Calls are remembered by their operands, so those must be what the program reads.
    if (placed.length === tensors.length && placed.every(({ tensor }, i) => tensor === tensors[i])) {
      const seen = placed.map((input) => input.seen)
      recent.learn({
        program,
        given: tensors,
        literals: false,
        operands: tensors,
        seen,
        made,
        into: out !== undefined,
      })
    }
    return made
  }
  const later = async (...args: unknown[]): Promise<Tensor> => {
    const { tensors, out } = parse(args)
    const { dtype, program, shape, placed } = settle(tensors)
    return computeLater(computation(FUSED, program, dtype, shape, placed, out))
  }
  return Object.assign(now, { async: later }) as unknown as Fused<F>
}
