// The plan of an evaluation whose result is stored in chunks: one task for each object of the result. It is plain data,
// so that a thread, or another machine, needs nothing else to carry out a task; and its hash names all that a result
// depends on, so that two plans of one hash have the same result to the bit.
import { createHash } from 'node:crypto'
import { formatBytes } from '../arguments/memory-size.ts'
import type { RuleOptions } from '../arguments/rules.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { KeptArray } from '../files/blocks/kept-array.ts'
import { bytesPerElement, type StoredDType } from '../files/element.ts'
import type { Settled } from '../stream/settled.ts'
import { product } from '../stream/tiles.ts'
import { type CodecMemory, memoryTogether } from '../zarr/memory.ts'
import { encodingMemory, objectShape, type ZarrOutput } from '../zarr/output.ts'
import type { ZarrPlace } from '../zarr/place.ts'
import type { ChunkedOutput } from './chunked-output.ts'
import { countBlocks, gridOf } from './grid.ts'
import { publicationOf } from './publish.ts'

export interface TaskOperand {
  readonly name: string
  /** What opens it on any machine that reaches it. */
  readonly place: string
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  /** What tells it from another array at the same place, as far as that can be seen. */
  readonly identity: string
  /** Whether it is read whole and held. */
  readonly isHeld: boolean
  /** Where it could be read once only; such a plan is for threads of this process. */
  readonly kept?: KeptArray
}

export interface TaskPlan {
  /** Of bcast. */
  readonly version: string
  readonly hash: string
  readonly expression: string
  /** Empty where each operator has its own. */
  readonly rule: RuleOptions
  readonly dtype: StoredDType | null
  readonly operands: readonly TaskOperand[]
  readonly output: ChunkedOutput
  /** Whether the result's fill value is what the expression gives for those of its arrays. */
  readonly isFilled: boolean
  /** Tasks, numbered from 0. */
  readonly count: number
  /** Bytes of the largest task, without what is held. */
  readonly memory: number
  /** Bytes that a thread holds for all its tasks. */
  readonly held: number
  /** Bytes of elements that all tasks read, and write. */
  readonly reads: number
  readonly writes: number
  /** Bytes that a thread gives each array to read with. */
  readonly sourceMemory: number
}

/** What is known of an operand before it is decided how it is read. */
export interface OperandFacts extends Omit<TaskOperand, 'isHeld'> {
  /** What reading takes beside the elements, where that is more than a little. */
  readonly memory: CodecMemory | undefined
}

export interface PlanQuestion {
  readonly version: string
  readonly expression: string
  readonly rule: RuleOptions
  readonly dtype: StoredDType | undefined
  readonly settled: Settled
  readonly operands: readonly OperandFacts[]
  readonly place: ZarrPlace
  readonly array: ZarrOutput
  readonly isFilled: boolean
  readonly sourceMemory: number
  /** Bytes that one thread may take. */
  readonly memory: number
}

/** Arrays this small are held in any case: many short reads would cost more. */
const SMALL = 1 << 20
/** Of the memory of a thread, what arrays that are needed again and again may take. */
const HELD = 1 / 4

const bytesOf = ({ shape, dtype }: OperandFacts): number => product(shape) * bytesPerElement(dtype)

interface Placement {
  readonly of: OperandFacts
  readonly sizes: readonly number[]
}

const placementsOf = ({ settled, operands }: PlanQuestion): readonly Placement[] =>
  settled.arrays.map(({ sizes }, i) => ({ of: operands.find(({ name }) => name === settled.names[i])!, sizes }))

/** Whether several tasks need the same part of an array. */
const isNeededAgain = (sizes: readonly number[], grid: readonly number[]): boolean =>
  grid.some((count, axis) => count > 1 && sizes[axis] === 1)

function heldOf(question: PlanQuestion, budget: number): ReadonlySet<string> {
  const { array } = question
  const grid = gridOf(array.shape, objectShape(array))
  const placements = placementsOf(question)
  const held = new Set<string>()
  let left = budget
  for (const operand of question.operands.toSorted((a, b) => bytesOf(a) - bytesOf(b))) {
    const own = placements.filter(({ of }) => of === operand)
    const isWorthIt = bytesOf(operand) <= SMALL || own.length > 1 || own.some(({ sizes }) => isNeededAgain(sizes, grid))
    if (!isWorthIt || bytesOf(operand) > left) continue
    held.add(operand.name)
    left -= bytesOf(operand)
  }
  return held
}

/**
 * The array over whose part a part of the result may be computed: of its own type and shape, and not held. Only floats,
 * because integers may fail, and then their operands are looked at again. Negative where there is none.
 */
export function overwritten({ dtype, shape, arrays, names }: Settled, isHeld: (name: string) => boolean): number {
  if (!/float/.test(dtype)) return -1
  return arrays.findIndex(
    ({ source, sizes }, i) =>
      source.dtype === dtype &&
      source.order === 'row-major' &&
      !isHeld(names[i]!) &&
      sizes.every((size, axis) => size === shape[axis]),
  )
}

function sized(question: PlanQuestion, held: ReadonlySet<string>) {
  const { settled, array } = question
  const block = objectShape(array).map((size, axis) => Math.min(size, array.shape[axis]!))
  const grid = gridOf(array.shape, objectShape(array))
  const width = bytesPerElement(array.dtype)
  const over = overwritten(settled, (name) => held.has(name))
  const placements = placementsOf(question)
  let memory = over < 0 ? product(block) * width : 0
  const reading: CodecMemory[] = []
  let reads = 0
  for (const { of, sizes } of placements) {
    if (held.has(of.name)) continue
    const own = bytesPerElement(of.dtype)
    memory += own * product(sizes.map((size, axis) => (size === 1 ? 1 : block[axis]!)))
    if (of.memory !== undefined) reading.push(of.memory)
    reads += own * product(sizes.map((size, axis) => (size === 1 ? grid[axis]! : size)))
  }
  const bytesHeld = question.operands.reduce((sum, operand) => sum + (held.has(operand.name) ? bytesOf(operand) : 0), 0)
  memory += memoryTogether(reading, encodingMemory(array))
  return { memory, held: bytesHeld, reads: reads + bytesHeld, writes: product(array.shape) * width }
}

/** Throws where a task would take more than a thread may. */
export function planTasks(question: PlanQuestion): TaskPlan {
  const { version, expression, rule, dtype = null, place, array, isFilled, sourceMemory, memory } = question
  let held = heldOf(question, memory * HELD)
  let sizes = sized(question, held)
  if (sizes.memory + sizes.held > memory) {
    held = new Set()
    sizes = sized(question, held)
  }
  if (sizes.memory > memory) throw new TaskTooLarge(place.label, array, sizes.memory, memory)
  const operands = question.operands.map(({ memory: _, ...facts }) => facts)
  const { store, path } = place
  // Of what was read once only the elements count, not where they came from or are.
  const known = operands.map(({ kept, ...facts }) => (kept === undefined ? facts : { ...facts, place: '' }))
  const decisive = { version, expression, rule, dtype, operands: known, store, path, array }
  const hash = createHash('sha256').update(JSON.stringify(decisive)).digest('hex').slice(0, 32)
  return {
    ...{ version, hash, expression, rule, dtype, isFilled, sourceMemory },
    operands: operands.map((operand) => ({ ...operand, isHeld: held.has(operand.name) })),
    output: { place, array, ...publicationOf(place, hash).staging },
    count: countBlocks(array.shape, objectShape(array)),
    ...sizes,
  }
}

/** A task that would take more memory than there is for it. */
export class TaskTooLarge extends UsageError {
  override name = 'TaskTooLarge'

  constructor(label: string, { chunks, shards }: ZarrOutput, needed: number, memory: number) {
    const [what, flag] =
      shards === undefined ? [`chunk of (${chunks.join()})`, 'chunks'] : [`shard of (${shards.join()})`, 'shards']
    super(
      `a ${what} of ${label} takes ${formatBytes(needed)} to compute, and ${formatBytes(memory)} of memory are left for it. Give smaller ones by --${flag}, or more by --memory.`,
    )
  }
}
