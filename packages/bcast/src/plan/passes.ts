// A program too large for one kernel, as several that each fit: engines bound the locals and the operands of a
// function, and compile long ones slowly. What one pass leaves for another goes through memory in the type that it has
// inside the program, so that no bit changes.
import { bitsOf, type DType } from '../dtype/dtype.ts'
import { type Instruction, instructionKey, type Program } from '../expr/ir.ts'
import { inOrder } from '../expr/order.ts'
import { fits, MAX_OPERANDS, MAX_WEIGHT, weightOf } from './fits.ts'

/** Where a pass reads from: an operand of the whole program, or the result of an earlier pass. */
export type Source = { readonly operand: number } | { readonly pass: number }

export interface Pass {
  readonly program: Program
  readonly sources: readonly Source[]
  /** The last pass that reads the result; its own number for the last pass of all. */
  readonly lastReader: number
}

const isLeaf = ({ op }: Instruction): boolean => op === 'input' || op === 'constant'

/** Programs of passes, so that passes that do the same share a kernel; the oldest go when there are many. */
const shared = new Map<string, Program>()
const MAX_SHARED = 256

function intern(program: Program): Program {
  const key = `${program.inputs.join()};${program.code.map(instructionKey).join(';')}`
  const known = shared.get(key)
  if (known !== undefined) return known
  if (shared.size >= MAX_SHARED) shared.delete(shared.keys().next().value!)
  shared.set(key, program)
  return program
}

/** A cut of the order into windows: where each ends. A window is as long as fits, ending where the fewest values wait. */
function cut(code: readonly Instruction[], order: readonly number[], lastUse: Int32Array): number[] {
  const position = new Int32Array(code.length).fill(-1)
  order.forEach((at, i) => {
    position[at] = i
  })
  const ends: number[] = []
  for (let begin = 0; begin < order.length; ) {
    const read = new Set<number>()
    let weight = 0
    let waiting = 0
    /** How many values of the window have had their last use, by where that is. */
    const ending = new Map<number, number>()
    let best = begin + 1
    let fewest = Number.POSITIVE_INFINITY
    let end = begin
    for (; end < order.length; end++) {
      const at = order[end]!
      const instruction = code[at]!
      weight += weightOf(instruction)
      if (instruction.op === 'input') read.add(at)
      for (const arg of instruction.args) {
        if (position[arg]! < begin && code[arg]!.op !== 'constant') read.add(arg)
      }
      if (end > begin && (weight > MAX_WEIGHT || read.size > MAX_OPERANDS)) break
      if (!isLeaf(instruction)) {
        waiting++
        ending.set(lastUse[at]!, (ending.get(lastUse[at]!) ?? 0) + 1)
      }
      waiting -= ending.get(end) ?? 0
      // Later is better, so that passes are few, but not by half of what fits when more values wait there.
      if (waiting <= fewest || weight < MAX_WEIGHT / 2) {
        best = end + 1
        fewest = waiting
      }
    }
    begin = end === order.length ? end : best
    ends.push(begin)
  }
  return ends
}

function split(code: readonly Instruction[]): Pass[] {
  // Each instruction stands close behind its operands then, so that few values wait for their use.
  const order = inOrder(code.length - 1, (at) => code[at]!.args)
  /** The position in the order of the last instruction that reads a value. */
  const lastUse = new Int32Array(code.length)
  order.forEach((at, i) => {
    for (const arg of code[at]!.args) lastUse[arg] = i
  })
  const root = order.at(-1)!
  lastUse[root] = order.length
  const passes: { program: Program; sources: Source[]; lastReader: number }[] = []
  /** The pass that leaves a value in memory. */
  const passOf = new Map<number, number>()
  let begin = 0
  for (const end of cut(code, order, lastUse)) {
    /** What earlier windows leave, which is no more than a kernel reads. */
    const before = new Map(passOf)
    for (const at of order.slice(begin, end)) {
      if (isLeaf(code[at]!) && at !== root) continue
      if (lastUse[at]! < end) continue
      const shortest = slice(code, at, passOf)
      const { inputs, own, sources } = shortest.inputs.length > MAX_OPERANDS ? slice(code, at, before) : shortest
      const program = intern({ inputs, code: own })
      for (const source of sources) if ('pass' in source) passes[source.pass]!.lastReader = passes.length
      passOf.set(at, passes.push({ program, sources, lastReader: passes.length }) - 1)
    }
    begin = end
  }
  return passes
}

/** The program of one value, from operands and values that are in memory. */
function slice(
  code: readonly Instruction[],
  result: number,
  passOf: ReadonlyMap<number, number>,
): { inputs: DType[]; own: Instruction[]; sources: Source[] } {
  const sources: Source[] = []
  const inputs: DType[] = []
  const own: Instruction[] = []
  const positions = new Map<number, number>()
  const read = (dtype: DType, source: Source): Instruction => ({
    op: 'input',
    dtype,
    args: [],
    value: inputs.push(dtype) && sources.push(source) - 1,
  })
  for (const at of inOrder(result, (from) => (passOf.has(from) ? [] : code[from]!.args))) {
    const instruction = code[at]!
    const pass = passOf.get(at)
    const made =
      pass !== undefined
        ? read(instruction.dtype, { pass })
        : instruction.op === 'input'
          ? read(instruction.dtype, { operand: instruction.value as number })
          : { ...instruction, args: instruction.args.map((from) => positions.get(from)!) }
    positions.set(at, own.push(made) - 1)
  }
  return { inputs, own, sources }
}

const known = new WeakMap<Program, readonly Pass[] | undefined>()

/** The passes of a program that no kernel can hold; undefined for one that a kernel can, or that none computes. */
export function passesOf(program: Program): readonly Pass[] | undefined {
  if (known.has(program)) return known.get(program)
  // Strings and rationals are computed without kernels, by what has no such bounds.
  const whole = fits(program) || program.code.some(({ dtype }) => bitsOf(dtype) === 0)
  const passes = whole ? undefined : split(program.code)
  known.set(program, passes)
  return passes
}
