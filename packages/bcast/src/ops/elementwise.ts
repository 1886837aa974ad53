// The one path of every element-wise operator: check types, bring shapes together, place the result, compute.
// No operator has broadcasting code of its own.
import type { Computable } from '../backend/backend.ts'
import { OperandError } from '../errors/index.ts'
import { type Attributes, keptBy, literalType, type Row, resultType, typeBeside } from '../expr/row.ts'
import type { Rule } from '../shape/rule.ts'
import { ruleOf } from '../shape/rule-option.ts'
import { numpy } from '../shape/rules/index.ts'
import { tensor } from '../tensor/create.ts'
import { spread } from '../tensor/layout.ts'
import { resolveElements } from '../tensor/resolve.ts'
import { Tensor } from '../tensor/tensor.ts'
import { checkLiteral, type Reading } from './arguments.ts'
import { checkGiven, checkTypes } from './checks.ts'
import { COMPUTATION, type Computation, computeAsync, computeNow } from './computation.ts'
import { computation, type Request } from './compute.ts'
import type { FaultAt } from './fault.ts'
import { withHeld } from './held.ts'
import type { ElementwiseOptions } from './options.ts'
import { programFor } from './programs.ts'
import { holdsOutAlone, outBehind, RecentCalls } from './recent-calls.ts'
import type { SmallCalls } from './small-calls.ts'
import { TracedOperand } from './traced.ts'

/** A row, and what it takes to compute its programs. */
export interface Operator extends Omit<Computable, 'program'> {
  readonly row: Row
  /** How its arguments are told apart. */
  readonly read: Reading
  /** What it says of elements without a value, where there may be such. */
  readonly fault?: FaultAt
}

/** Operands as tensors: a JavaScript value takes the type that the tensors beside it share. */
function toTensors(row: Row, operands: readonly unknown[]): Tensor[] {
  const shared = typeBeside(
    row,
    operands.map((operand) => (operand instanceof Tensor ? operand.dtype : undefined)),
  )
  return operands.map((operand, i) => {
    if (operand instanceof Tensor) return operand
    checkLiteral(row.name, i, operand)
    return tensor(operand as number, { dtype: literalType(row, i, shared, operand) })
  })
}

const recents = new WeakMap<Row, RecentCalls>()

function recentCalls(row: Row): RecentCalls {
  let recent = recents.get(row)
  if (recent === undefined) recents.set(row, (recent = new RecentCalls()))
  return recent
}

/** Applies an operator to the arguments of a call; inside `fuse` it is recorded instead. */
export function apply(operator: Operator, args: readonly unknown[]): Tensor {
  const { row, read } = operator
  const recent = recentCalls(row)
  if (row.variadic !== true) {
    // Small calls that repeat are over before their arguments would be told apart.
    const behind = outBehind(args, row.operands.length)
    const repeated = behind && recent.repeat(args, row.operands.length, behind.out)
    if (repeated !== undefined) return repeated
  }
  const { operands, options } = read(row, args)
  const plain = holdsOutAlone(options)
  if (plain && row.variadic === true) {
    const repeated = recent.repeat(operands, operands.length, options.out)
    if (repeated !== undefined) return repeated
  }
  const { broadcast, out, ...attributes } = options as ElementwiseOptions & Attributes
  const rule = ruleOf(broadcast, row.rule ?? numpy)
  const traced = operands.find((operand) => operand instanceof TracedOperand)
  if (traced !== undefined) return traced.recording.call(row, operands, attributes, rule, out) as unknown as Tensor
  const request = settled(operator, operands, attributes, rule, out)
  const made = computeNow(computation(request))
  if (plain) recent.learn({ request, given: operands, literals: row.own === undefined, made })
  return made
}

/** Applies an operator on the workers. Inside `fuse` there is nothing to wait for, which is said at once. */
export function applyAsync(operator: Operator, args: readonly unknown[]): Promise<Tensor> {
  refuseAsync(operator.row.name, args)
  return (async () => computeAsync(computationOf(operator, args)))()
}

/** The computation of a call over tensors. */
export function computationOf(operator: Operator, args: readonly unknown[]): Computation {
  const { row, read } = operator
  const { operands, options } = read(row, args)
  const { broadcast, out, ...attributes } = options as ElementwiseOptions & Attributes
  const rule = ruleOf(broadcast, row.rule ?? numpy)
  return computation(settled(operator, operands, attributes, rule, out))
}

/** Throws inside `fuse`; a promise that nobody waits for would end the process instead. */
export function refuseAsync(name: string, args: readonly unknown[]): void {
  if (args.flat().some((arg) => arg instanceof TracedOperand)) {
    throw new OperandError(`${name}: inside fuse there is no async; the fused function has it.`)
  }
}

/**
 * A function made from the computation of its arguments, with its asynchronous form beside it; `recorded` is what a call
 * inside `fuse` gives of which an operand stands for a tensor, `small` what makes small calls quick that repeat.
 */
export const bothWays = <F>(
  name: string,
  computation: (...args: readonly unknown[]) => Computation,
  recorded?: (x: TracedOperand, args: readonly unknown[]) => unknown,
  small?: SmallCalls,
): F => {
  const now = (...args: readonly unknown[]): unknown => {
    const traced = recorded && args.find((arg) => arg instanceof TracedOperand)
    if (traced !== undefined) return recorded!(traced, args)
    return small?.compute(args, computation) ?? computeNow(computation(...args))
  }
  return Object.assign(now, {
    async: (...args: readonly unknown[]): Promise<Tensor> => {
      refuseAsync(name, args)
      return withHeld(args, (own) => computeAsync(computation(...own)))
    },
    [COMPUTATION]: (args: readonly unknown[]) => computation(...args),
  }) as F
}

/** Everything about a call over tensors that is known before it is computed; throws where it cannot be. */
function settled(
  { row, read: _, fault, ...means }: Operator,
  given: readonly unknown[],
  attributes: Attributes,
  rule: Rule,
  out: Tensor | undefined,
): Request {
  checkGiven(
    row,
    given.map((operand) => (operand instanceof Tensor ? operand : undefined)),
  )
  const tensors = toTensors(row, given)
  checkTypes(row, tensors, attributes)
  const shapes = tensors.map((operand) => operand.shape)
  const { shape, axes } = resolveElements(rule, shapes, keptBy(row, rule))
  const dtypes = tensors.map((operand) => operand.dtype)
  return {
    name: row.name,
    computable: { ...means, program: programFor(row, dtypes, attributes) },
    moves: row.moves,
    fault,
    dtype: resultType(row, dtypes),
    shape,
    inputs: tensors.map((operand, i) => ({ tensor: operand, seen: spread(operand.layout, shape, axes[i]!) })),
    out,
  }
}
