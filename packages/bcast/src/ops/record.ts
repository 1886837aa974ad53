// What a function over operands of `fuse` does, written down while it runs. Recordings nest: a fused function that is
// called inside another and needs the other's operands becomes part of the other's expression.
import { type DType, kindOf, makeStorage } from '../dtype/dtype.ts'
import { fromStored, toStored } from '../dtype/element.ts'
import { OperandError } from '../errors/index.ts'
import type { ReductionRow } from '../expr/reductions.ts'
import { type Attributes, literalType, type Row, resultType, typeBeside } from '../expr/row.ts'
import type { Node, Operation } from '../expr/trace.ts'
import type { Shape } from '../shape/dim.ts'
import type { Rule } from '../shape/rule.ts'
import { tensor } from '../tensor/create.ts'
import { Tensor } from '../tensor/tensor.ts'
import { checkLiteral, described } from './arguments.ts'
import { checkGiven, checkTypes } from './checks.ts'
import { checkReducedType, reductionArguments } from './reduce.ts'
import { type Recording, TracedOperand } from './traced.ts'

/** Recordings under way, the innermost last. */
const running: Recording[] = []

/** Thrown where a recording meets an operand of one around it; whoever began the inner one takes it into the outer. */
export class OuterOperand extends OperandError {
  constructor() {
    super('fuse: an operand of another fused function is used where it cannot be.')
  }
}

/** Thrown where something inside a function needs the shapes of its operands; whoever records can do so with them. */
export class ShapesNeeded extends OperandError {
  constructor(name: string) {
    super(`${name}: the shapes of operands are not known here.`, { operator: name })
  }
}

export interface Recorded {
  readonly root: Node
  readonly captured: readonly Tensor[]
}

type Recordable = (...operands: unknown[]) => unknown

/** Runs a function over operands of the given types and, if it needs them, shapes. */
export function record(fn: Recordable, dtypes: readonly DType[], shapes?: readonly Shape[]): Recorded {
  const { roots, captured } = recordAll((...operands) => [checkResult(fn(...operands))], dtypes, shapes)
  return { root: roots[0]!, captured }
}

/** What a function with several results recorded. */
export interface RecordedAll {
  readonly roots: readonly Node[]
  readonly captured: readonly Tensor[]
}

/** Runs a function that gives several results, over operands of the given types and, if it needs them, shapes. */
export function recordAll(
  fn: (...operands: TracedOperand[]) => readonly TracedOperand[],
  dtypes: readonly DType[],
  shapes?: readonly Shape[],
): RecordedAll {
  const recording: Recording = {
    count: dtypes.length,
    shapes,
    captured: [],
    open: true,
    call: recordCall,
    operation: recordOperation,
    reduce: recordReduce,
  }
  running.push(recording)
  try {
    const operands = dtypes.map((dtype, operand) => new TracedOperand({ kind: 'operand', operand, dtype }, recording))
    const results = fn(...operands)
    if (results.some((result) => result.recording !== recording)) throw new OuterOperand()
    return { roots: results.map(({ node }) => node), captured: recording.captured }
  } finally {
    recording.open = false
    running.pop()
  }
}

/** Operands of the recording under way: tensors among them are captured. */
export function captureAll(operands: readonly unknown[]): TracedOperand[] {
  const recording = running.at(-1)!
  return operands.map((operand) =>
    operand instanceof Tensor ? new TracedOperand(captured(operand, recording), recording) : (operand as TracedOperand),
  )
}

/** Runs a function as part of the recording under way; tensors among its operands are captured. */
export const inline = (fn: Recordable, operands: readonly (Tensor | TracedOperand)[]): TracedOperand =>
  checkResult(fn(...captureAll(operands)))

/** Whether a call inside a recording may become part of it. */
export const isRecording = (): boolean => running.length > 0

export function checkResult(result: unknown): TracedOperand {
  if (result instanceof TracedOperand) {
    checkOpen(result)
    return result
  }
  if (result instanceof Promise) {
    // Its operands stand for nothing by the time it goes on; that it fails then is said here already.
    result.catch(() => undefined)
    throw new OperandError('fuse: the function is asynchronous; it has to return its expression at once. Await before.')
  }
  throw new OperandError(
    `fuse: the function returned ${described(result)}; it has to return what it computes from its operands, one expression.`,
  )
}

/** Throws where an operand has left the function that it belongs to. */
export function checkOpen({ recording }: TracedOperand): void {
  if (recording.open) return
  throw new OperandError(
    'fuse: an operand has left the function it belongs to; outside it stands for nothing. Use what the fused function returns.',
  )
}

/** A tensor as an operand of a recording. */
function captured(given: Tensor, recording: Recording): Node {
  let at = recording.captured.indexOf(given)
  if (at < 0) at = recording.captured.push(given) - 1
  return { kind: 'operand', operand: recording.count + at, dtype: given.dtype }
}

/** A JavaScript value as a constant of a type: the element that a tensor would hold. */
function constantOf(value: unknown, dtype: DType, recording: Recording): Node {
  if (kindOf(dtype) === 'real' || kindOf(dtype) === 'string') {
    return captured(tensor(value as number, { dtype }), recording)
  }
  const storage = makeStorage(dtype, 1)
  ;(storage as unknown[])[0] = toStored(dtype, value)
  const element = fromStored(dtype, storage, 0)
  return { kind: 'constant', dtype, value: typeof element === 'bigint' ? element : Number(element) }
}

/** The recording that a call over these operands belongs to: theirs, which has to be one. */
function recordingOf(given: readonly unknown[]): Recording {
  const traced = given.filter((operand) => operand instanceof TracedOperand)
  traced.forEach(checkOpen)
  const { recording } = traced[0]!
  if (traced.some((operand) => operand.recording !== recording)) throw new OuterOperand()
  return recording
}

const noOut = (name: string): OperandError =>
  new OperandError(`${name}: inside fuse there is no out; pass it to the fused function.`)

/** Records an operator over operands of which at least one is traced. */
function recordCall(
  row: Row,
  given: readonly unknown[],
  attributes: Attributes,
  rule: Rule,
  out: unknown,
): TracedOperand {
  if (out !== undefined) throw noOut(row.name)
  const typed = given.map((operand) =>
    operand instanceof TracedOperand || operand instanceof Tensor ? operand : undefined,
  )
  checkGiven(row, typed)
  const recording = recordingOf(given)
  const shared = typeBeside(
    row,
    typed.map((operand) => operand?.dtype),
  )
  const args = given.map((operand, i): Node => {
    if (operand instanceof TracedOperand) return operand.node
    if (operand instanceof Tensor) return captured(operand, recording)
    checkLiteral(row.name, i, operand)
    return constantOf(operand, literalType(row, i, shared, operand), recording)
  })
  checkTypes(row, args, attributes)
  const dtype = resultType(
    row,
    args.map((arg) => arg.dtype),
  )
  return new TracedOperand({ kind: 'apply', row, args, attributes, rule, dtype }, recording)
}

/** Records an operation over tensors and operands, whose types have been checked. */
function recordOperation(operation: Operation, given: readonly unknown[]): TracedOperand {
  const recording = recordingOf(given)
  const args = given.map((operand) =>
    operand instanceof TracedOperand ? operand.node : captured(operand as Tensor, recording),
  )
  return new TracedOperand({ kind: 'call', operation, args, dtype: args[0]!.dtype }, recording)
}

/** Records a reduction of an operand. */
function recordReduce(row: ReductionRow, args: readonly unknown[]): TracedOperand {
  const { x, options } = reductionArguments(row.name, args)
  const { node, recording, dtype } = x as TracedOperand
  checkOpen(x as TracedOperand)
  const { axes, keepdims = false, out } = options
  if (out !== undefined) throw noOut(row.name)
  checkReducedType(row, dtype)
  const own = Array.isArray(axes) ? [...axes] : axes
  return new TracedOperand({ kind: 'reduce', row, arg: node, axes: own, keepdims, dtype }, recording)
}

/** Records a conversion. */
export function recordCast(x: TracedOperand, dtype: DType): TracedOperand {
  checkOpen(x)
  return x.dtype === dtype ? x : new TracedOperand({ kind: 'cast', arg: x.node, dtype }, x.recording)
}

/** Records that the axes go which a reduction left with size 1. */
export function recordSqueeze({ node, recording }: TracedOperand, row: ReductionRow, axes: unknown): TracedOperand {
  const own = Array.isArray(axes) ? [...axes] : axes
  return new TracedOperand({ kind: 'squeeze', arg: node, row, axes: own, dtype: node.dtype }, recording)
}

/** A JavaScript value as an operand of a recording. */
export const recordConstant = (value: number, dtype: DType, recording: Recording): TracedOperand =>
  new TracedOperand(constantOf(value, dtype, recording), recording)
