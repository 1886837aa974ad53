// `fuse`: a TypeScript function over operands becomes one kernel that passes over memory once. It is recorded once for
// each signature of element types; shapes are worked out for each call and remembered.

import { all, instructionsOf } from '../backend/instructions.ts'
import { BroadcastError, OperandError } from '../errors/index.ts'
import { faultOf } from '../expr/fault.ts'
import type { Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import { type Prepared, prepare } from '../expr/trace.ts'
import { planWithPasses } from '../plan/multipass.ts'
import type { Shape } from '../shape/dim.ts'
import type { Resolution } from '../shape/resolve.ts'
import type { Rule } from '../shape/rule.ts'
import { spread } from '../tensor/layout.ts'
import { resolveElements } from '../tensor/resolve.ts'
import { Tensor } from '../tensor/tensor.ts'
import { checkOptions, counted, described, plural } from './arguments.ts'
import { cast } from './cast.ts'
import { checkGiven, checkTypes } from './checks.ts'
import { COMPUTATION, type Computation, computeAsync, computeNow } from './computation.ts'
import { computation, type Request } from './compute.ts'
import { apply, recordWith, resultType } from './elementwise.ts'
import type { Fused, FusedParameters, Traced } from './fuse-types.ts'
import { outBehind, RecentCalls } from './recent-calls.ts'
import { CAPTURED, checkOpen, inline, isRecording, OuterOperand, type Recorded, record, recordApply } from './record.ts'
import { TracedOperand } from './traced.ts'

/** What any program may need. */
const means = { instructions: /* @__PURE__ */ instructionsOf(all), planWith: planWithPasses }

recordWith({
  record: (row, operands, attributes, rule, out) => {
    if (!operands.some((operand) => operand instanceof TracedOperand)) return undefined
    if (out !== undefined) {
      throw new OperandError(`${row.name}: inside fuse there is no out; pass it to the fused function.`)
    }
    checkGiven(
      row,
      operands.map((operand) => (operand instanceof TracedOperand || operand instanceof Tensor ? operand : undefined)),
    )
    return recordApply(row, operands, attributes, rule, (typed) => {
      checkTypes(row, typed, attributes)
      return resultType(
        row,
        typed.map(({ dtype }) => dtype),
      )
    })
  },
})

// Methods are added here and not in the class, so that programs that do not fuse carry no table of operators. They are
// the element-wise rows, under the names of the public functions.
for (const [name, row] of Object.entries(rows)) {
  if (!('build' in row)) continue
  Object.defineProperty(TracedOperand.prototype, name, {
    value(this: TracedOperand, ...others: unknown[]): unknown {
      return apply({ row: row as Row, ...means }, [this, ...others])
    },
  })
}
Object.defineProperty(TracedOperand.prototype, 'cast', {
  value(this: TracedOperand, ...args: unknown[]): unknown {
    return (cast as (...all: unknown[]) => unknown)(this, ...args)
  },
})

/** Shapes seen by one fused function; the bound is for callers whose shapes never repeat. */
const MAX_PREPARED = 256

/** Brings the operands of one operator together; where they do not go together, the error names it. */
function resolveWithin(row: Row, rule: Rule, shapes: readonly Shape[], onto: number): Resolution {
  try {
    return resolveElements(rule, shapes, onto)
  } catch (error) {
    if (!(error instanceof BroadcastError)) throw error
    throw new BroadcastError(`${row.name} inside fuse: ${error.message}`, error)
  }
}

/** A function over tensors that computes the whole expression in one pass; `{ out }` may follow the operands. */
export function fuse<F extends (...operands: FusedParameters) => Traced<unknown>>(fn: F): Fused<F> {
  if (typeof fn !== 'function') throw new OperandError('fuse takes a function, such as (x, m, s) => x.sub(m).div(s).')
  const body = fn as unknown as (...operands: unknown[]) => unknown
  const count = fn.length
  const recorded = new Map<string, Recorded>()
  const prepared = new Map<string, Prepared>()
  const recent = new RecentCalls()
  const parse = (args: readonly unknown[]): { operands: (Tensor | TracedOperand)[]; out: Tensor | undefined } => {
    const next = args[count]
    if (next instanceof Tensor || next instanceof TracedOperand) {
      throw new OperandError(
        `this fused function takes ${plural(count)} and was given more. Parameters with a default, and rest parameters, are no operands: name each.`,
      )
    }
    const { operands, options } = counted('this fused function', count, args)
    checkOptions('a fused function', options, { out: undefined })
    operands.forEach((operand, i) => {
      if (operand instanceof TracedOperand) checkOpen(operand)
      else if (!(operand instanceof Tensor)) {
        throw new OperandError(
          `fuse: operand ${i} is ${described(operand)}; wrap it with tensor(…), or write a number inside the function.`,
        )
      }
    })
    return {
      operands: operands as (Tensor | TracedOperand)[],
      out: (options as { out?: Tensor } | undefined)?.out,
    }
  }
  /** Everything about a call that is known before it is computed. */
  const settle = (tensors: readonly Tensor[], out: Tensor | undefined) => {
    const types = tensors.map(({ dtype }) => dtype)
    const signature = types.join()
    let expression = recorded.get(signature)
    if (expression === undefined) {
      expression = record(body, types)
      recorded.set(signature, expression)
    }
    const { root, captured } = expression
    const operandAt = (operand: number): Tensor =>
      operand >= CAPTURED ? captured[operand - CAPTURED]! : tensors[operand]!
    const key = `${signature} ${tensors.map(({ shape }) => shape.join()).join(' ')}`
    let ready = prepared.get(key)
    if (ready === undefined) {
      const shapes = new Proxy([], { get: (_, operand) => operandAt(Number(operand)).shape })
      ready = prepare(root, shapes as never, resolveWithin)
      if (prepared.size >= MAX_PREPARED) prepared.delete(prepared.keys().next().value!)
      prepared.set(key, ready)
    }
    const { shape, program, inputs } = ready
    const placed = inputs.map(({ operand, axes }) => {
      const tensor = operandAt(operand)
      return { tensor, seen: spread(tensor.layout, shape, axes) }
    })
    const asGiven = inputs.length === tensors.length && inputs.every(({ operand }, i) => operand === i)
    const request: Request = {
      name: 'fuse',
      computable: { ...means, program },
      fault: faultOf,
      dtype: root.dtype,
      shape,
      inputs: placed,
      out,
    }
    return { request, asGiven }
  }
  /** The call as part of the expression that is being recorded around it. */
  const within = (operands: readonly (Tensor | TracedOperand)[], out: unknown): Tensor => {
    if (out !== undefined) throw new OperandError('fuse: inside fuse there is no out; pass it to the outer function.')
    return inline(body, operands) as unknown as Tensor
  }
  const compute = (tensors: readonly Tensor[], out: Tensor | undefined): Tensor => {
    const { request, asGiven } = settle(tensors, out)
    const made = computeNow(computation(request))
    // Calls are remembered by their operands, so those must be what the program reads, in that order; tensors that
    // happen to be the same in this call say nothing of the next.
    if (asGiven) recent.learn({ request, given: tensors, literals: false, made })
    return made
  }
  const now = (...args: unknown[]): Tensor => {
    const behind = outBehind(args, count)
    const repeated = behind && recent.repeat(args, count, behind.out)
    if (repeated !== undefined) return repeated
    const { operands, out } = parse(args)
    if (!operands.every((operand) => operand instanceof Tensor)) return within(operands, out)
    try {
      return compute(operands, out)
    } catch (error) {
      // The function uses operands of the one around it, so that there is nothing to compute yet.
      if (!(error instanceof OuterOperand) || !isRecording()) throw error
      return within(operands, out)
    }
  }
  const computing = (args: readonly unknown[]): Computation => {
    const { operands, out } = parse(args)
    return computation(settle(operands as Tensor[], out).request)
  }
  const later = (...args: unknown[]): Promise<Tensor> => {
    // A function that uses operands of the one around it would reject a promise that nobody waits for.
    if (isRecording())
      throw new OperandError('a fused function: inside fuse there is no async; the fused function has it.')
    return (async () => computeAsync(computing(args)))()
  }
  return Object.assign(now, { async: later, [COMPUTATION]: computing }) as unknown as Fused<F>
}
