// A program made ready to run on blocks: each instruction becomes a step bound to its registers, and registers are
// used again once nothing needs them. A step is one loop over a block; no call is made for an element.
import { type DType, isFloat, type Storage } from '../../dtype/dtype.ts'
import type { Instruction, Program } from '../../expr/ir.ts'
import { codeOf, type Instructions } from '../instructions.ts'
import { type BlockStep, conversionOf, loopOf } from './loops.ts'
import { loads, type Stretch, stores } from './memory.ts'
import { BLOCK, makeRegister, type Register, viewOf } from './registers.ts'
import { narrowed, rounded } from './rounding.ts'

/** A program on blocks of its operands. */
export interface BlockProgram {
  /** Reads operand `input` into its register. */
  load(input: number, storage: Storage, stretch: Stretch): void
  /** Runs all steps on `n` elements; gives the lowest position without a result, or -1. */
  run(n: number): number
  /** The first instruction that has no value for the first element. */
  faulting(): Instruction | undefined
  store(storage: Storage, stretch: Stretch): void
}

type Anything = (...args: unknown[]) => unknown

const copy = (out: unknown[], a: unknown[]): BlockStep => {
  return (n) => {
    for (let i = 0; i < n; i++) out[i] = a[i]
  }
}

/** Conversions between floats round; the others are brought by the operators that need them. */
function castStep(instructions: Instructions, to: DType, from: DType, out: Register, a: Register): BlockStep {
  if (to === from) return copy(viewOf(out, to) as unknown[], viewOf(a, from) as unknown[])
  return isFloat(to) && isFloat(from)
    ? (n) => rounded[to]!(out.float, a.float, n)
    : conversionOf(() => codeOf(instructions, 'cast').interpreter, to, from)(to, from, out, a)
}

function stepOf(
  { op, dtype, args }: Instruction,
  at: number,
  code: readonly Instruction[],
  registers: readonly Register[],
  instructions: Instructions,
): BlockStep {
  const out = registers[at]!
  const [first] = args as [number]
  if (op === 'cast') return castStep(instructions, dtype, code[first]!.dtype, out, registers[first]!)
  const target = viewOf(out, dtype)
  const [a, b, c] = args.map((arg) => viewOf(registers[arg]!, code[arg]!.dtype))
  // The last operand decides: the first of a choice is the condition, and the result of a comparison is bool.
  const { loop, inexact } = loopOf(op, codeOf(instructions, op).interpreter, code[args.at(-1)!]!.dtype)
  const run = loop as Anything
  const call: BlockStep =
    b === undefined
      ? (n) => run(target, a, n)
      : c === undefined
        ? (n) => run(target, a, b, n)
        : (n) => run(target, a, b, c, n)
  const finish = (dtype === 'float32' ? rounded[dtype] : narrowed[dtype]) as Anything | undefined
  if (!inexact || finish === undefined) return call
  return (n) => {
    const fault = call(n)
    finish(target, target, n)
    return fault
  }
}

function fillConstant({ dtype, value }: Instruction, register: Register): void {
  const view = viewOf(register, dtype)
  if (Array.isArray(view)) view.length = BLOCK
  ;(view as { fill(value: unknown): unknown }).fill(value)
}

/** Registers that programs share, since only one runs at a time; a program with more operands has its own beyond them. */
const shared: Register[] = []
const MAX_SHARED = 64

/** Gives each instruction a register, handing on those whose last reader has run. */
function assignRegisters(code: readonly Instruction[]): Register[] {
  const lastUse = code.map((_, i) => i)
  code.forEach(({ args }, i) => {
    for (const arg of args) lastUse[arg] = i
  })
  lastUse[code.length - 1] = code.length
  const kept = (i: number) => code[i]!.op === 'constant' || code[i]!.op === 'input'
  let taken = 0
  const take = (): Register => {
    const position = taken++
    if (position >= MAX_SHARED) return makeRegister()
    shared[position] ??= makeRegister()
    return shared[position]
  }
  const free: Register[] = []
  const registers: Register[] = []
  code.forEach(({ op, args }, i) => {
    // Constants are filled once. A step may write over an operand only after reading it, so operands are handed on
    // after the result is placed.
    registers.push(op === 'constant' ? makeRegister() : op === 'input' ? take() : (free.pop() ?? take()))
    for (const arg of new Set(args)) if (lastUse[arg] === i && !kept(arg)) free.push(registers[arg]!)
  })
  return registers
}

export function compile(
  { code }: Program,
  instructions: Instructions,
  real?: (constant: number | bigint) => unknown,
): BlockProgram {
  const registers = assignRegisters(code)
  const inputs: { position: number; dtype: DType }[] = []
  const steps: BlockStep[] = []
  /** The instruction of each step. */
  const computed: Instruction[] = []
  code.forEach((instruction, i) => {
    if (instruction.op === 'input') inputs[instruction.value as number] = { position: i, dtype: instruction.dtype }
    else if (instruction.op === 'constant') {
      const value = instruction.dtype === 'real' && real !== undefined ? real(instruction.value!) : instruction.value
      fillConstant({ ...instruction, value: value as number }, registers[i]!)
    } else {
      steps.push(stepOf(instruction, i, code, registers, instructions))
      computed.push(instruction)
    }
  })
  const last = code.length - 1
  const result = { view: viewOf(registers[last]!, code[last]!.dtype), store: stores[code[last]!.dtype] }
  return {
    load: (input, storage, stretch) => {
      const place = inputs[input]
      if (place !== undefined) loads[place.dtype](storage, viewOf(registers[place.position]!, place.dtype), stretch)
    },
    run: (n) => {
      // From an element without a value on there is nothing to compute with, and only a lower one matters.
      let good = n
      for (const step of steps) {
        const fault = step(good)
        if (typeof fault === 'number' && fault >= 0) good = fault
      }
      return good < n ? good : -1
    },
    faulting: () => computed[steps.findIndex((step) => step(1) === 0)],
    store: (storage, stretch) => result.store(result.view, storage, stretch),
  }
}
