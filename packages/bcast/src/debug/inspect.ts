// What becomes of a fused expression before anything is computed: its passes over memory, the loops of each step before
// and after axes are joined, how each operand moves, the plan, and the kernels that would run.
import { codeOf } from '../backend/instructions.ts'
import { compileKernel } from '../backend/webassembly/codegen/kernel.ts'
import { bitsOf, type DType, dtypeOf } from '../dtype/dtype.ts'
import { OperandError } from '../errors/index.ts'
import type { Primitive, Program } from '../expr/ir.ts'
import { prepare, type Stage } from '../expr/stages.ts'
import { described } from '../ops/arguments.ts'
import { FUSED } from '../ops/fuse.ts'
import { record } from '../ops/record.ts'
import { means, preparing } from '../ops/traced-methods.ts'
import type { Call } from '../plan/call.ts'
import { formatPlan } from '../plan/format.ts'
import { planLoops } from '../plan/loops.ts'
import { planWithPasses } from '../plan/multipass.ts'
import { describePasses, type MemoryPasses } from '../plan/passes-text.ts'
import type { Plan } from '../plan/plan.ts'
import { formatSignature, type Motion, type Signature } from '../plan/signature.ts'
import { checkShape, type Shape } from '../shape/dim.ts'
import { rowMajor, spread } from '../tensor/layout.ts'
import { kernelText } from './wat.ts'

/** An operand of a step, in the step's axes. */
export interface InspectedOperand {
  /** Which operand of the function it is; undefined for the result of an earlier step. */
  readonly operand: number | undefined
  /** Elements from one to the next on each axis; 0 where it is repeated. */
  readonly strides: readonly number[]
  /** The same in each loop. */
  readonly steps: readonly number[]
  /** How it moves in the innermost loop. */
  readonly motion: Motion
}

/** A kernel of a step. */
export interface InspectedKernel {
  /** The rows at once and how operands move: kernels of one program differ in nothing else. */
  readonly signature: string
  /** Elements that one turn of its inner loop computes. */
  readonly lanes: number
  readonly bytes: number
  /** Its module as WebAssembly's text. */
  readonly text: string
}

/** What is computed over the elements of one shape. */
export interface InspectedStep {
  /** The axes as they are given. */
  readonly shape: Shape
  /** The sizes of the loops after axes are joined. */
  readonly loops: readonly number[]
  readonly operands: readonly InspectedOperand[]
  /** The plan as text. */
  readonly plan: string
  readonly kernels: readonly InspectedKernel[]
}

/** What `inspect` gives. */
export interface Inspection {
  readonly dtype: DType
  readonly shape: Shape
  readonly passes: MemoryPasses
  /** Steps over elements; those that reduce or multiply matrices are in `passes` alone. */
  readonly steps: readonly InspectedStep[]
}

/** What is given in place of operands. */
export interface InspectedInput {
  readonly dtype: DType
  readonly shape: Shape
}

/** The limits of a memory that belongs to nobody. */
const MEMORY = { shared: false, maximum: 0 }

const emitterOf = (op: Primitive) => codeOf(means.instructions, op).webassembly

function kernelOf(program: Program, signature: Signature): InspectedKernel {
  const bytes = compileKernel(program, signature, emitterOf, MEMORY)
  return {
    signature: formatSignature(signature),
    lanes: signature.lanes,
    bytes: bytes.length,
    text: kernelText(bytes),
  }
}

/** Every kernel of a plan once. */
function kernelsOf({ chunks }: Plan): InspectedKernel[] {
  const seen = new Map<Program, Map<string, InspectedKernel>>()
  for (const { program, pieces } of chunks.flatMap(({ passes }) => passes)) {
    const own = seen.get(program) ?? new Map<string, InspectedKernel>()
    seen.set(program, own)
    for (const { kernels, tile } of pieces) {
      for (const signature of [...kernels.map((kernel) => kernel.signature), ...(tile === undefined ? [] : [tile])]) {
        const key = formatSignature(signature)
        if (!own.has(key)) own.set(key, kernelOf(program, signature))
      }
    }
  }
  return [...seen.values()].flatMap((own) => [...own.values()])
}

const motionOf = (step: number): Motion => (step === 0 ? 'splat' : step === 1 ? 'unit' : 'strided')

function stepOf(
  { program, shape, inputs, dtype }: Stage,
  shapes: readonly Shape[],
  count: number,
  threads: number,
): InspectedStep {
  const width = (of: DType): number => bitsOf(of) / 8
  const read = inputs.map(({ operand, axes }, i) => ({
    ...{ operand, strides: spread(rowMajor(shapes[operand]!), shape, axes).strides },
    ...{ width: width(program.inputs[i]!), resident: true },
  }))
  const result = { strides: rowMajor(shape).strides, width: width(dtype), resident: true }
  const call: Call = { program, shape, operands: [...read, result] }
  const plan = planWithPasses(call, { threads, now: true, unshared: false })
  const loops = planLoops(
    shape,
    call.operands.map(({ strides }) => strides),
  )
  return {
    ...{ shape, loops: loops.sizes, plan: formatPlan(plan), kernels: kernelsOf(plan) },
    operands: read.map(({ operand, strides }, i) => ({
      ...{ operand: operand < count ? operand : undefined, strides, steps: loops.strides[i]! },
      motion: motionOf(loops.strides[i]!.at(-1)!),
    })),
  }
}

/**
 * What a function of `fuse` would do with operands of these types and shapes, in so many threads: nothing is computed.
 * Operands are taken to lie in the engine's memory, row by row, as `tensor` puts them there.
 */
export function inspect(
  fused: (...operands: never[]) => unknown,
  inputs: readonly InspectedInput[],
  { threads = 1 }: { readonly threads?: number } = {},
): Inspection {
  const made = (fused as { [FUSED]?: { readonly body: (...operands: unknown[]) => unknown; readonly count: number } })[
    FUSED
  ]
  if (made === undefined) throw new OperandError('inspect takes a function that fuse made.')
  if (!Array.isArray(inputs)) {
    throw new OperandError(
      "inspect takes operands as an array behind the function, such as [{ dtype: 'float32', shape: [2, 3] }].",
    )
  }
  if (inputs.length !== made.count) {
    throw new OperandError(`inspect: this fused function takes ${made.count} operands, not ${inputs.length}.`)
  }
  inputs.forEach((input: unknown, i) => {
    if (typeof input !== 'object' || input === null) {
      throw new OperandError(`inspect: operand ${i} is ${described(input)}; it is a tensor, or { dtype, shape }.`)
    }
    const { dtype, shape } = input as InspectedInput
    dtypeOf(dtype)
    checkShape(shape)
  })
  const given = inputs.map(({ shape }) => shape)
  const { root, captured } = record(
    made.body,
    inputs.map(({ dtype }) => dtypeOf(dtype)),
    given,
  )
  const operands = [...given, ...captured.map(({ shape }) => shape)]
  const prepared = prepare([root], operands, preparing)
  const shapes = [...operands, ...prepared.stages.map(({ result }) => result)]
  const last = prepared.stages[prepared.results[0]!]!
  const computed = prepared.stages.filter(({ reduction, call }) => reduction === undefined && call === undefined)
  return {
    ...{ dtype: last.dtype, shape: last.result, passes: describePasses(prepared, operands.length) },
    steps: computed.map((stage) => stepOf(stage, shapes, operands.length, threads)),
  }
}
