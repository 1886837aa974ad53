// The one path of every element-wise operator: check types, bring shapes together, place the result, compute.
// No operator has broadcasting code of its own.
import { asIntegers, bitsOf, type DType, type Storage } from '../dtype/dtype.ts'
import { EngineError, OperandError } from '../errors/index.ts'
import { attributesKey } from '../expr/attributes.ts'
import { canFault, type Program } from '../expr/ir.ts'
import { lower, lowerMove } from '../expr/lower.ts'
import { type Attributes, type Computed, keptBy, literalType, type Row, resultType, typeBeside } from '../expr/row.ts'
import { type Allocation, allocate } from '../runtime/backend.ts'
import { faultingAt, type Operand as Placed } from '../runtime/interpreter/execute.ts'
import { checkShape, elementCount, formatShape, type Shape } from '../shape/dim.ts'
import type { Rule } from '../shape/rule.ts'
import { ruleOf } from '../shape/rule-option.ts'
import { numpy } from '../shape/rules/index.ts'
import { tensor } from '../tensor/create.ts'
import { type Layout, rowMajorStrides, spread } from '../tensor/layout.ts'
import { resolveElements } from '../tensor/resolve.ts'
import { Tensor } from '../tensor/tensor.ts'
import { argumentsOf, checkLiteral } from './arguments.ts'
import { checkGiven, checkOut, checkTypes } from './checks.ts'
import { type Computation, computeLater, computeNow, type Work } from './computation.ts'
import type { ElementwiseOptions } from './options.ts'
import { wouldClobber } from './overlap.ts'
import { holdsOutAlone, outBehind, RepeatedCalls } from './repeated.ts'
import { TracedOperand } from './traced.ts'
import { workOf } from './work.ts'

/** Programs by signature. Signatures are few; the bounds are for callers that vary the number of operands. */
const programs = new Map<string, Program>()
const MAX_PROGRAMS = 512
const MAX_KEPT_OPERANDS = 256

export function programFor(row: Row, dtypes: readonly DType[], attributes: Attributes): Program {
  if (dtypes.length > MAX_KEPT_OPERANDS) return lower(row, dtypes, attributes)
  const key = `${row.name} ${dtypes.join(' ')} ${attributesKey(attributes)}`
  let program = programs.get(key)
  if (program === undefined) {
    program = lower(row, dtypes, attributes)
    if (programs.size >= MAX_PROGRAMS) programs.delete(programs.keys().next().value!)
    programs.set(key, program)
  }
  return program
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

const placed = (storage: Storage, { offset, strides }: Layout): Placed => ({ storage, offset, strides })

/** An operand as it is seen in the result's shape. */
interface Input {
  readonly tensor: Tensor
  readonly seen: Layout
}

/** Computes `program` over operands seen in the result's shape; `moves` treats elements as bits. */
export function* computation(
  computed: Computed,
  program: Program,
  dtype: DType,
  shape: Shape,
  inputs: readonly Input[],
  out: Tensor | undefined,
): Computation {
  if (out !== undefined) checkOut(computed.name, out, dtype, shape)
  // Finding the first element without a value may need the operands again, so they must not be written over.
  const rereads = canFault(program)
  const aside = out !== undefined && inputs.some(({ tensor, seen }) => wouldClobber(out, tensor, seen, rereads))
  const target = out === undefined || aside ? freshTensor(dtype, shape) : out
  const bits = (storage: Storage) => (computed.moves === true ? asIntegers(storage) : storage)
  const operands = inputs.map(({ tensor, seen }) => placed(bits(tensor.storage), seen))
  const arrays = [...inputs.map(({ tensor }) => tensor.storage), target.storage]
  const place = out?.storage
  if (place !== undefined) arrays.push(place)
  let made: Tensor | undefined
  try {
    const fault = yield* workOf(program, shape, operands, placed(bits(target.storage), target.layout), arrays)
    if (fault >= 0) throw computed.fault!.error(faultingAt(program, shape, operands, fault)!, fault, shape)
    if (aside) yield* moving(target, placed(asIntegers(place!), out.layout))
    made = aside ? out : target
    return made
  } finally {
    // Nobody else has a result that was moved, or that was never finished.
    if (target !== made && target !== out) target.dispose()
  }
}

const moves = new Map<DType, Program>()

/** Moves a result that was computed beside its place there. */
export const moving = ({ dtype, layout, storage }: Tensor, place: Placed): Generator<Work, number, number> => {
  let move = moves.get(dtype)
  if (move === undefined) moves.set(dtype, (move = lowerMove(dtype)))
  return workOf(move, layout.shape, [placed(asIntegers(storage), layout)], place, [])
}

/** A tensor for a result, its elements not yet written. */
export function freshTensor(dtype: DType, shape: Shape): Tensor {
  checkShape(shape, 'shape of the result')
  const { storage, offset, release } = roomFor(dtype, shape)
  return new Tensor(dtype, { shape, strides: rowMajorStrides(shape), offset }, storage, release)
}

function roomFor(dtype: DType, shape: Shape): Allocation {
  try {
    return allocate(dtype, elementCount(shape))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const size = elementCount(shape) * Math.max(1, bitsOf(dtype) / 8)
    throw new EngineError(
      `there is no memory for a ${dtype} result of shape ${formatShape(shape)}, ${size} bytes. Compute it in parts, or keep the broadcast as a view.`,
    )
  }
}

const recents = new WeakMap<Row, RepeatedCalls>()

function recentCalls(row: Row): RepeatedCalls {
  let recent = recents.get(row)
  if (recent === undefined) recents.set(row, (recent = new RepeatedCalls()))
  return recent
}

/** Applies an operator to the arguments of a call; inside `fuse` it is recorded instead. */
export function apply(row: Row, args: readonly unknown[]): Tensor {
  const recent = recentCalls(row)
  if (row.variadic !== true) {
    // Small calls that repeat are over before their arguments would be told apart.
    const behind = outBehind(args, row.operands.length)
    const repeated = behind && recent.repeat(args, row.operands.length, behind.out)
    if (repeated !== undefined) return repeated
  }
  const { operands, options } = argumentsOf(row, args)
  const plain = holdsOutAlone(options)
  if (plain && row.variadic === true) {
    const repeated = recent.repeat(operands, operands.length, options.out)
    if (repeated !== undefined) return repeated
  }
  const { broadcast, out, ...attributes } = options as ElementwiseOptions & Attributes
  const rule = ruleOf(broadcast, row.rule ?? numpy)
  const traced = operands.find((operand) => operand instanceof TracedOperand)
  if (traced !== undefined) return traced.recording.call(row, operands, attributes, rule, out) as unknown as Tensor
  const { program, dtype, shape, inputs } = settled(row, operands, attributes, rule)
  const made = computeNow(computation(row, program, dtype, shape, inputs, out))
  if (plain) {
    recent.learn({
      program,
      given: operands,
      literals: row.own === undefined,
      operands: inputs.map(({ tensor }) => tensor),
      seen: inputs.map(({ seen }) => seen),
      made,
      into: out !== undefined,
    })
  }
  return made
}

/** Applies an operator on the workers. Inside `fuse` there is nothing to wait for, which is said at once. */
export function applyLater(row: Row, args: readonly unknown[]): Promise<Tensor> {
  refuseAsync(row.name, args)
  return (async () => {
    const { operands, options } = argumentsOf(row, args)
    const { broadcast, out, ...attributes } = options as ElementwiseOptions & Attributes
    const rule = ruleOf(broadcast, row.rule ?? numpy)
    const { program, dtype, shape, inputs } = settled(row, operands, attributes, rule)
    return computeLater(computation(row, program, dtype, shape, inputs, out))
  })()
}

/** Throws inside `fuse`; a promise that nobody waits for would end the process instead. */
export function refuseAsync(name: string, args: readonly unknown[]): void {
  if (args.flat().some((arg) => arg instanceof TracedOperand)) {
    throw new OperandError(`${name}: inside fuse there is no async; the fused function has it.`)
  }
}

/** A function made from the computation of its arguments, with its asynchronous form beside it. */
export const bothWays = <F>(name: string, computation: (...args: readonly unknown[]) => Computation): F =>
  Object.assign((...args: readonly unknown[]) => computeNow(computation(...args)), {
    async: (...args: readonly unknown[]): Promise<Tensor> => {
      refuseAsync(name, args)
      return (async () => computeLater(computation(...args)))()
    },
  }) as F

/** Everything about a call over tensors that is known before it is computed; throws where it cannot be. */
function settled(row: Row, given: readonly unknown[], attributes: Attributes, rule: Rule) {
  checkGiven(
    row,
    given.map((operand) => (operand instanceof Tensor ? operand : undefined)),
  )
  const tensors = toTensors(row, given)
  checkTypes(row, tensors, attributes)
  const shapes = tensors.map((operand) => operand.shape)
  const { shape, axes } = resolveElements(rule, shapes, keptBy(row, rule))
  const dtypes = tensors.map((operand) => operand.dtype)
  const inputs = tensors.map((operand, i) => ({ tensor: operand, seen: spread(operand.layout, shape, axes[i]!) }))
  return { program: programFor(row, dtypes, attributes), dtype: resultType(row, dtypes), shape, inputs }
}
