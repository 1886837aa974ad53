// A program made ready to run on blocks: each instruction becomes a step bound to its registers, and registers are
// used again once nothing needs them. A step is one loop over a block; no call is made for an element.
import type { DType, Storage } from '../../dtype/dtype.ts'
import type { Instruction, Program } from '../../expr/ir.ts'
import { castStep, type Step } from './casts.ts'
import { floatBinary, floatCompare, floatSelect, floatUnary, rounded } from './float-loops.ts'
import { loads, type Run, stores } from './memory.ts'
import { BLOCK, classOf, makeRegister, type Register, viewOf } from './registers.ts'
import { realBinary, realCompare, realUnary, stringEqual, valueSelect } from './value-loops.ts'
import { wideBinary, wideChecked, wideCompare, wideSelect, wideUnary } from './wide-loops.ts'
import { narrowed, wordBinary, wordChecked, wordCompare, wordSelect, wordUnary } from './word-loops.ts'

/** A step that may find a position without a result: gives it, or -1. */
type FaultStep = (n: number) => number | undefined

type Anything = (...args: unknown[]) => number | undefined

export interface Block {
  /** Reads operand `input` into its register. */
  load(input: number, storage: Storage, run: Run): void
  /** Runs all steps on `n` elements; gives the lowest position without a result, or -1. */
  run(n: number): number
  store(storage: Storage, run: Run): void
}

const LOOPS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  float: { ...floatUnary, ...floatBinary },
  word: { ...wordUnary, ...wordBinary, ...wordChecked },
  wide: { ...wideUnary, ...wideBinary, ...wideChecked },
  value: { ...realUnary, ...realBinary },
}
const COMPARES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  float: floatCompare,
  word: wordCompare,
  wide: wideCompare,
}
const SELECTS: Readonly<Record<string, unknown>> = {
  float: floatSelect,
  word: wordSelect,
  wide: wideSelect,
  value: valueSelect,
}

/** Steps that can leave a value outside the type's range or precision, so that it must be wrapped or rounded. */
const INEXACT = new Set(['add', 'sub', 'mul', 'div', 'floorDiv', 'mod', 'power', 'sqrt', 'neg', 'abs', 'not', 'shl'])

function stepOf(
  instruction: Instruction,
  code: readonly Instruction[],
  registers: readonly Register[],
): FaultStep | Step {
  const { op, dtype, args } = instruction
  const out = registers[code.indexOf(instruction)]!
  const operand = (i: number): { register: Register; dtype: DType } => ({
    register: registers[args[i]!]!,
    dtype: code[args[i]!]!.dtype,
  })
  const view = (i: number) => viewOf(operand(i).register, operand(i).dtype)

  if (op === 'cast') return castStep(dtype, operand(0).dtype, out, operand(0).register)
  const target = viewOf(out, dtype)
  if (op === 'select') {
    const loop = SELECTS[classOf(dtype)] as Anything
    const [c, a, b] = [operand(0).register.unsigned, view(1), view(2)]
    return (n) => loop(target, c, a, b, n)
  }
  if (op === 'equal' || op === 'less' || op === 'lessEqual') {
    const from = operand(0).dtype
    const compare = from === 'string' ? stringEqual : from === 'real' ? realCompare[op] : COMPARES[classOf(from)]![op]
    const [a, b] = [view(0), view(1)]
    return (n) => (compare as Anything)(target, a, b, n)
  }
  const loop = LOOPS[classOf(dtype)]![op === 'not' && dtype === 'bool' ? 'notBool' : op] as Anything
  const finish = (
    INEXACT.has(op) && dtype !== 'bool' ? (dtype === 'float32' ? rounded[dtype] : narrowed[dtype]) : undefined
  ) as Anything | undefined
  const [a, b] = [view(0), args.length > 1 ? view(1) : undefined]
  const call: FaultStep = b === undefined ? (n) => loop(target, a, n) : (n) => loop(target, a, b, n)
  if (finish === undefined) return call
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

export function compile({ code }: Program, real?: (constant: number | bigint) => unknown): Block {
  const registers = assignRegisters(code)
  const inputs: { position: number; dtype: DType }[] = []
  const steps: (FaultStep | Step)[] = []
  code.forEach((instruction, i) => {
    if (instruction.op === 'input') inputs[instruction.value as number] = { position: i, dtype: instruction.dtype }
    else if (instruction.op === 'constant') {
      const value = instruction.dtype === 'real' && real !== undefined ? real(instruction.value!) : instruction.value
      fillConstant({ ...instruction, value: value as number }, registers[i]!)
    } else steps.push(stepOf(instruction, code, registers))
  })
  const last = code.length - 1
  const result = { view: viewOf(registers[last]!, code[last]!.dtype), store: stores[code[last]!.dtype] }
  return {
    load: (input, storage, run) => {
      const place = inputs[input]
      if (place !== undefined) loads[place.dtype](storage, viewOf(registers[place.position]!, place.dtype), run)
    },
    run: (n) => {
      let first = -1
      for (const step of steps) {
        const fault = step(n)
        if (fault !== undefined && fault >= 0 && (first < 0 || fault < first)) first = fault
      }
      return first
    },
    store: (storage, run) => result.store(result.view, storage, run),
  }
}
