// Reductions across the run on x86-64: which registers loops take, and how rows are read.
import type { Combining, Program, ReduceSignature } from 'bcast/kernels'
import { writeAcross } from '../../machine/reduce/across.ts'
import type { AcrossRegisters } from '../../machine/reduce/across-stretches.ts'
import { AT, Body } from '../body.ts'
import { StackFrame } from '../frame.ts'
import { R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBX, RDI, RDX, RSI } from '../registers.ts'
import { bytesOf } from '../vectors.ts'
import type { ReduceOptions } from './along.ts'
import { Combiner } from './combining.ts'
import { ReduceLoops, resultsOf } from './loops.ts'

const LANES_AT = [R8, R9, R10, R11, R12, R13, R14, R15]
const POINTERS = [RBX, RSI, ...LANES_AT]
const REGISTERS: AcrossRegisters = {
  scratch: RAX,
  at: AT,
  lane: RDX,
  last: RDI,
  low: RBX,
  high: RSI,
  lanes: LANES_AT,
}

export function compileAcross(
  program: Program,
  combining: Combining,
  signature: ReduceSignature,
  { level, base }: ReduceOptions,
): Uint8Array {
  const { motions, lanes, rounds, still } = signature
  const stack = new StackFrame()
  const { dtype } = program.code.at(-1)!
  const reading = { rows: rounds, motions, still, lanes }
  const body = new Body(program, reading, { level, lanes, streams: false, registers: POINTERS }, stack)
  const operands = program.inputs.length + 2
  return writeAcross(
    {
      signature,
      combiner: new Combiner(body.w, dtype, combining, lanes),
      w: body.w,
      widths: program.inputs.map(bytesOf),
      registers: REGISTERS,
      results: resultsOf(body),
      room: (bytes) => stack.room(bytes),
      loops: (stretches) => new ReduceLoops(body, stack, stretches, { operands, carried: 0 }),
    },
    base,
  )
}
