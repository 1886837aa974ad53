// Random reductions, as plans of machine code: programs over operands that lie along the run or across it, with gaps
// between their rows, or the same in every row.
import { bitsOf, type Combining, type DType, type Instruction, type Program } from 'bcast/kernels'
import fc from 'fast-check'
import { planMachineReduce, type Vectors } from '../../bcast/src/plan/machine-reduce.ts'
import type { ReducePlan } from '../../bcast/src/plan/reduce.ts'

const INPUTS: readonly DType[] = [
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'int8',
  'uint16',
  'int32',
  'int64',
  'bool',
]
const RESULTS: readonly DType[] = [
  'float32',
  'float64',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
]

export interface ReductionCase {
  readonly inputs: readonly DType[]
  readonly result: DType
  readonly combine: Combining
  readonly length: number
  readonly outer: number
  readonly run: number
  readonly columns: number
  /** Which axis comes last in memory: the run, or the columns. */
  readonly isAlong: boolean
  /** Elements between rows. */
  readonly gap: number
  /** Which operands but the first are the same in every row. */
  readonly splats: readonly boolean[]
  /** Which operands, the result last, end where memory does; the others begin there. */
  readonly ends: readonly boolean[]
}

/** The first input in the result's type, and the second added where there is one; `length` says how much more is done. */
function programOf({ inputs, result, length }: ReductionCase): Program {
  const code: Instruction[] = inputs.map((dtype, value) => ({ op: 'input', dtype, args: [], value }))
  const push = (instruction: Instruction): number => code.push(instruction) - 1
  const own = inputs.map((dtype, i) => (dtype === result ? i : push({ op: 'cast', dtype: result, args: [i] })))
  let value = own[0]!
  for (const other of own.slice(1)) value = push({ op: 'add', dtype: result, args: [value, other] })
  for (let i = 0; i < length; i++) value = push({ op: 'max', dtype: result, args: [value, own[0]!] })
  return { inputs, code }
}

export const reductionCases: fc.Arbitrary<ReductionCase> = fc.record({
  inputs: fc.array(fc.constantFrom(...INPUTS), { minLength: 1, maxLength: 2 }),
  result: fc.constantFrom(...RESULTS),
  combine: fc.constantFrom<Combining>('add', 'mul', 'min', 'max'),
  length: fc.constantFrom(0, 0, 1, 9),
  outer: fc.integer({ min: 1, max: 3 }),
  run: fc.oneof(fc.integer({ min: 9, max: 70 }), fc.integer({ min: 9, max: 700 })),
  columns: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 80 }), fc.constantFrom(16, 32, 64)),
  isAlong: fc.boolean(),
  gap: fc.constantFrom(0, 0, 1, 5),
  splats: fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }),
  ends: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
})

/** An operand of a reduction, the result too. */
export interface Lying {
  readonly dtype: DType
  readonly width: number
  /** In elements: from one outer row to the next, along the run, across it. */
  readonly strides: readonly [number, number, number]
  /** Bytes from its first element to behind its last. */
  readonly extent: number
}

export interface PlannedReduction {
  readonly program: Program
  readonly shape: readonly [number, number, number]
  readonly operands: readonly Lying[]
  readonly plan: ReducePlan
}

/** Undefined where machine code leaves it to others. */
export function plannedReduction(
  given: ReductionCase,
  vectors: Vectors,
  program: Program = programOf(given),
): PlannedReduction | undefined {
  const { combine, outer, run, columns, isAlong, gap, splats } = given
  const { inputs, code } = program
  const result = code.at(-1)!.dtype
  const lines = isAlong ? columns : run
  const pitch = (isAlong ? run : columns) + gap
  const stridesOf = (i: number): Lying['strides'] => {
    if (i === inputs.length) return [columns, 0, 1]
    if (i > 0 && splats[i]) return isAlong ? [0, 0, pitch] : [0, pitch, 0]
    return isAlong ? [lines * pitch, 1, pitch] : [lines * pitch, pitch, 1]
  }
  const operands = [...inputs, result].map((dtype, i): Lying => {
    const strides = stridesOf(i)
    const [a, b, c] = strides
    const width = bitsOf(dtype) / 8
    return { dtype, width, strides, extent: ((outer - 1) * a + (run - 1) * b + (columns - 1) * c + 1) * width }
  })
  const shape = [outer, run, columns] as const
  const resident = operands.map(({ strides, width }) => ({ strides, width, resident: true }))
  const plan = planMachineReduce({ program, combine, shape, run: [1, 2], operands: resident }, 1, vectors)
  return plan && { program, shape, operands, plan }
}

/** What tells ways of kernels apart. */
export const wayOf = ({ signature: { way, joined } }: ReducePlan): string => (joined ? `${way}, joined` : way)
export const WAYS: readonly string[] = ['along', 'across', 'across, joined', 'flat']
