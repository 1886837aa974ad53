// `fuse`: a TypeScript function over operands becomes one kernel that passes over memory once, or a few where something
// is reduced and used again. It is recorded once for each signature of element types, with shapes if it asks for them;
// what follows from shapes is worked out for each call and remembered.
import { dtypeOf } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import { type Prepared, prepare, type Stage } from '../expr/stages.ts'
import { describePasses, type MemoryPasses } from '../plan/passes-text.ts'
import { checkShape } from '../shape/dim.ts'
import { spread } from '../tensor/layout.ts'
import { Tensor } from '../tensor/tensor.ts'
import { checkOptions, counted, described, plural } from './arguments.ts'
import { COMPUTATION, type Computation, computeAsync, computeNow } from './computation.ts'
import { computation, type Request } from './compute.ts'
import { faultAt } from './fault.ts'
import type { Fused, FusedOfMany, FusedParameters, FuseOptions, Inferred, Traced } from './fuse-types.ts'
import { withHeld } from './held.ts'
import { computeRepeated } from './kept-stages.ts'
import { outBehind, RecentCalls } from './recent-calls.ts'
import { checkOpen, inline, isRecording, OuterOperand, type Recorded, record, ShapesNeeded } from './record.ts'
import { computeStages } from './staged.ts'
import { TracedOperand } from './traced.ts'
import { means, preparing } from './traced-methods.ts'

/** Shapes seen by one fused function; the bound is for callers whose shapes never repeat. */
const MAX_PREPARED = 256

/** What a call is settled by. */
type Known = Pick<Tensor, 'dtype' | 'shape'>

function countOf(fn: unknown, options: FuseOptions | undefined): number {
  if (typeof fn !== 'function') throw new OperandError('fuse takes a function, such as (x, m, s) => x.sub(m).div(s).')
  checkOptions('fuse', options, { operands: undefined })
  const count = options?.operands ?? fn.length
  if (Number.isInteger(count) && count >= 0) return count
  throw new OperandError(`fuse: operands is ${described(count)}; it is how many the function takes.`)
}

/** Names the property of a fused function that gives the function it was made of. */
export const FUSED: unique symbol = Symbol('fused')

/** A call that is ready to be computed, and to be learnt where it may repeat. */
interface Settled {
  readonly computation: Computation
  readonly learnt?: Request | undefined
}

/** Whether a program over elements is all there is to compute: no reduction, and no product of matrices. */
const isOneCall = ({ stages: [first, ...others] }: Prepared): boolean =>
  others.length === 0 && first!.reduction === undefined && first!.call === undefined

function* only(computing: Computation<Tensor[]>): Computation {
  const [result] = yield* computing
  return result!
}

/**
 * A function over tensors that computes the whole expression at once: in one pass over memory, or where it reduces and
 * uses the result again, in as few as that allows; `{ out }` may follow the operands.
 *
 * @example
 * ```ts
 * fuse((x, mean, std) => x.sub(mean).div(std))(tensor([[1, 2], [5, 6]]), tensor([3, 4]), tensor(2)).toArray() // [[-1, -1], [1, 1]]
 * ```
 */
export function fuse<F extends (...operands: FusedParameters) => Traced<unknown>>(fn: F): Fused<F>
export function fuse(fn: (...operands: readonly never[]) => unknown, options: FuseOptions): FusedOfMany
export function fuse(fn: (...operands: readonly never[]) => unknown, options?: FuseOptions): unknown {
  const count = countOf(fn, options)
  const body = fn as unknown as (...operands: unknown[]) => unknown
  const recorded = new Map<string, Recorded>()
  const prepared = new Map<string, Prepared>()
  /** Whether the function does something for which shapes have to be known. */
  let shaped = false
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
  /** The expression for operands of these types, and where it depends on them, shapes. */
  const recordedFor = (signature: string, key: string, operands: readonly Known[]): Recorded => {
    const known = recorded.get(signature) ?? recorded.get(key)
    if (known !== undefined) return known
    const types = operands.map(({ dtype }) => dtype)
    const remember = (by: string, made: Recorded): Recorded => {
      if (recorded.size >= MAX_PREPARED) recorded.delete(recorded.keys().next().value!)
      recorded.set(by, made)
      return made
    }
    try {
      if (!shaped) return remember(signature, record(body, types))
    } catch (error) {
      if (!(error instanceof ShapesNeeded)) throw error
      shaped = true
    }
    const shapes = operands.map(({ shape }) => shape)
    return remember(key, record(body, types, shapes))
  }
  /** The expression for operands of these types, and its program for operands of these shapes. */
  const preparedFor = (operands: readonly Known[]): Prepared & Pick<Recorded, 'captured'> => {
    const types = operands.map(({ dtype }) => dtype)
    const signature = types.join()
    const key = `${signature} ${operands.map(({ shape }) => shape.join()).join(' ')}`
    const expression = recordedFor(signature, key, operands)
    let ready = prepared.get(key)
    if (ready === undefined) {
      const shapes = [...operands, ...expression.captured].map(({ shape }) => shape)
      ready = prepare([expression.root], shapes, preparing)
      if (prepared.size >= MAX_PREPARED) prepared.delete(prepared.keys().next().value!)
      prepared.set(key, ready)
    }
    return { captured: expression.captured, stages: ready.stages, results: ready.results }
  }
  /** Everything about a call of one stage that is known before it is computed. */
  const requestOf = (stage: Stage, operands: readonly Tensor[], out: Tensor | undefined): Request => ({
    name: 'fuse',
    fault: faultAt,
    computable: { ...means, program: stage.program },
    dtype: stage.dtype,
    shape: stage.shape,
    inputs: stage.inputs.map(({ operand, axes }) => {
      const tensor = operands[operand]!
      return { tensor, seen: spread(tensor.layout, stage.shape, axes) }
    }),
    out,
  })
  /** A call that is known to be of tensors. */
  const settle = (tensors: readonly Tensor[], out: Tensor | undefined): Settled => {
    const { captured, stages, results } = preparedFor(tensors)
    const operands = [...tensors, ...captured]
    const [stage] = stages
    if (!isOneCall({ stages, results })) {
      return { computation: only(computeStages({ stages, results }, operands, [out], { ...means, fault: faultAt })) }
    }
    const { inputs } = stage!
    const asGiven = inputs.length === tensors.length && inputs.every(({ operand }, i) => operand === i)
    const request = requestOf(stage!, operands, out)
    // Calls are remembered by their operands, so those must be what the program reads, in that order; tensors that
    // happen to be the same in this call say nothing of the next.
    return { computation: computation(request), learnt: asGiven ? request : undefined }
  }
  /** The result of a call of several stages; undefined where it is one of one program. */
  const stagedResult = (tensors: readonly Tensor[], out: Tensor | undefined): Tensor | undefined => {
    const { captured, ...ready } = preparedFor(tensors)
    if (isOneCall(ready)) return undefined
    return computeRepeated(ready, [...tensors, ...captured], [out], { ...means, fault: faultAt })[0]
  }
  /** What is given in place of operands where nothing is computed. */
  const knownOf = (what: string, operands: readonly Known[]): Known[] => {
    if (operands.length !== count) {
      throw new OperandError(`this fused function takes ${plural(count)}, not ${operands.length}.`)
    }
    return operands.map((operand: Known | null | undefined, i) => {
      if (typeof operand !== 'object' || operand === null) {
        throw new OperandError(
          `fuse: operand ${i} is ${described(operand)}; ${what} takes tensors, or { dtype, shape }.`,
        )
      }
      const { dtype, shape } = operand
      checkShape(shape)
      return { dtype: dtypeOf(dtype), shape }
    })
  }
  const infer = (...operands: readonly Known[]): Inferred => {
    const { stages } = preparedFor(knownOf('infer', operands))
    const { dtype, result, inputs, reduction } = stages.at(-1)!
    const given = reduction === undefined ? inputs.filter(({ operand }) => operand < count) : []
    // Copies, because what is kept for later calls must not be the caller's to change.
    return { dtype, shape: [...result], operands: given.map(({ operand, axes }) => ({ operand, axes: [...axes] })) }
  }
  const plan = (...operands: readonly Known[]): MemoryPasses => {
    const { captured, ...ready } = preparedFor(knownOf('plan', operands))
    return describePasses(ready, count + captured.length)
  }
  /** The call as part of the expression that is being recorded around it. */
  const within = (operands: readonly (Tensor | TracedOperand)[], out: unknown): Tensor => {
    if (out !== undefined) throw new OperandError('fuse: inside fuse there is no out; pass it to the outer function.')
    return inline(body, operands) as unknown as Tensor
  }
  const compute = (tensors: readonly Tensor[], out: Tensor | undefined): Tensor => {
    const staged = stagedResult(tensors, out)
    if (staged !== undefined) return staged
    const { computation: computing, learnt } = settle(tensors, out)
    const made = computeNow(computing)
    if (learnt !== undefined) recent.learn({ request: learnt, given: tensors, literals: false, made })
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
    return settle(operands as Tensor[], out).computation
  }
  const promised = (...args: unknown[]): Promise<Tensor> => {
    // A function that uses operands of the one around it would reject a promise that nobody waits for.
    if (isRecording())
      throw new OperandError('a fused function: inside fuse there is no async; the fused function has it.')
    return withHeld(args, (own) => computeAsync(computing(own)))
  }
  return Object.assign(now, { async: promised, infer, plan, [COMPUTATION]: computing, [FUSED]: { body, count } })
}
