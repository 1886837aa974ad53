// Reductions along the run on AArch64: which registers loops take, how pointers move on, what of a vector counts.
import type { Combining, Program, ReduceSignature } from 'bcast/kernels'
import { type AlongLoops, type AlongRegisters, writeAlong } from '../../machine/reduce/along.ts'
import { bytesOf } from '../../machine/types.ts'
import type { Label } from '../assembler.ts'
import { LEFT, PLACE } from '../context.ts'
import { StackFrame } from '../frame.ts'
import { type Memory, X9, X10, X11, X12 } from '../registers.ts'
import { copyRest } from '../row.ts'
import type { Step } from '../steps.ts'
import { Combiner } from './combining.ts'
import { bodyOf } from './elements.ts'
import { ReduceLoops } from './loops.ts'

/** Vector registers that may be carried through loops. */
export const MOST_CARRIED = 16

const POINTERS = [2, 3, 4, 5, 6, 7, 8, 19, 20, 21, 22, 23, 27, 28]
const REGISTERS: AlongRegisters = { scratch: X9, count: X11, left: LEFT, told: PLACE, top: 24, done: 25, rounds: 26 }

export function compileAlong(
  program: Program,
  combining: Combining,
  signature: ReduceSignature,
  base: bigint,
): Uint8Array {
  const { lanes, columns } = signature
  const stack = new StackFrame()
  const body = bodyOf(program, signature, 1, { registers: POINTERS }, stack)
  const { dtype } = program.code.at(-1)!
  return writeAlong(
    {
      signature,
      combiner: new Combiner(body.w, dtype, combining, lanes),
      w: body.w,
      lanes,
      ratio: 1,
      chains: columns === 1 && (combining === 'min' || combining === 'max') ? 4 : 1,
      mostCarried: MOST_CARRIED,
      registers: REGISTERS,
      top: REGISTERS.top,
      scratch: REGISTERS.scratch,
      split: (vector) => [vector],
      results: (i, pass, rows) => body.results(i, pass, rows),
      room: (bytes) => stack.room(bytes),
      // The result and scratch come behind those that are read.
      loops: (stretches, carried) => new Loops(body, stack, stretches, program.inputs.length + 2, carried),
    },
    base,
  )
}

class Loops extends ReduceLoops implements AlongLoops<Step, Label> {
  forward(elements: number): void {
    this.writing.body.advance(this.writing.asm, elements)
  }

  countRest(): void {
    copyRest(this.writing, 'in', false)
  }

  copy(to: Memory, from: number, bytes: number): void {
    const { asm, body } = this.writing
    const width = bytesOf(body.dtypes.at(-1)!)
    const [target, source, count, value] = [X9, X10, X11, X12]
    const again = asm.label()
    asm
      .load(target, to)
      .move(source, from)
      .constant(count, BigInt(bytes / width))
    asm.set(again).loadNext(value, source, width, width).storeNext(target, value, width)
    asm.subtractConstant(count, count, 1).jumpUnlessZero(count, again)
  }
}
