// Reductions across the run on AArch64: which registers loops take, and how rows are read.
import type { Combining, Program, ReduceSignature } from 'bcast/kernels'
import { writeAcross } from '../../machine/reduce/across.ts'
import type { AcrossRegisters } from '../../machine/reduce/across-stretches.ts'
import { bytesOf } from '../../machine/types.ts'
import { StackFrame } from '../frame.ts'
import { X9 } from '../registers.ts'
import { Combiner } from './combining.ts'
import { bodyOf } from './elements.ts'
import { ReduceLoops } from './loops.ts'

const REGISTERS: AcrossRegisters = {
  scratch: X9,
  at: 20,
  lane: 19,
  last: 21,
  low: 2,
  high: 3,
  lanes: [4, 5, 6, 7, 8, 22, 23, 24],
}
const POINTERS = [REGISTERS.low, REGISTERS.high, ...REGISTERS.lanes, 25, 26, 27, 28, 1]

export function compileAcross(
  program: Program,
  combining: Combining,
  signature: ReduceSignature,
  base: bigint,
): Uint8Array {
  const { lanes, rounds } = signature
  const stack = new StackFrame()
  const body = bodyOf(program, signature, rounds, { registers: POINTERS, at: REGISTERS.at }, stack)
  return writeAcross(
    {
      signature,
      combiner: new Combiner(body.w, program.code.at(-1)!.dtype, combining, lanes),
      w: body.w,
      widths: program.inputs.map(bytesOf),
      registers: REGISTERS,
      results: (i, pass, rows) => body.results(i, pass, rows),
      room: (bytes) => stack.room(bytes),
      loops: (stretches) => new ReduceLoops(body, stack, stretches, program.inputs.length + 2, []),
    },
    base,
  )
}
