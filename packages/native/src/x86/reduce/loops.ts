// What kernels of reductions share around their own loops: the function, its operands, the beginning of a row.

import type { Loops, Writing as WritingOf } from '../../machine/reduce/writing.ts'
import { Unsupported } from '../../machine/unsupported.ts'
import { writeSteps } from '../allocation.ts'
import { Assembler, type Label } from '../assembler.ts'
import type { Body } from '../body.ts'
import { fill, frameOf, type RowPlace, TOLD, type Writing } from '../context.ts'
import type { StackFrame } from '../frame.ts'
import { writeOdometer } from '../nest.ts'
import { type Pinning, pin } from '../pinning.ts'
import { type Memory, RAX } from '../registers.ts'
import type { Step } from '../steps.ts'
import { cursorsOn, readCursors, writeFunction } from './function.ts'
import { rowOf, writeStill } from './row-parts.ts'

export type { Label } from '../assembler.ts'

/** The results of a body, whose memory is asked for before it is read. */
export const resultsOf =
  (body: Body): WritingOf<Step>['results'] =>
  (i, pass, rows, ahead = 0) => {
    body.ahead = ahead
    return body.results(i, pass, rows)
  }

export class ReduceLoops implements Writing, Loops<Step, Label> {
  readonly asm: Assembler
  readonly stack: StackFrame
  readonly body: Body
  readonly pinning: Pinning
  readonly cursors: readonly RowPlace[]
  readonly rowsLeft: Memory
  /** Where the parameters' address and the count of elements are while their registers serve otherwise. */
  readonly told: Memory
  readonly at: Memory

  /** For stretches of code over elements, and so many operands; `carried` registers are left for what loops carry. */
  constructor(
    body: Body,
    stack: StackFrame,
    stretches: readonly (readonly Step[])[],
    { operands, carried }: { readonly operands: number; readonly carried: number },
  ) {
    if (body.signature.motions.includes('strided')) throw new Unsupported('strided operands of reductions')
    if (body.w.fault !== undefined) throw new Unsupported('reductions of elements without a value')
    this.asm = new Assembler(body.w.isWide ? 'evex' : 'vex')
    this.stack = stack
    this.body = body
    this.pinning = pin(this.asm, body, stretches, stack, carried)
    this.cursors = cursorsOn(stack, operands)
    this.rowsLeft = stack.room(8)
    this.told = stack.room(8)
    this.at = stack.room(8)
  }

  function(base: bigint, loops: () => void): Uint8Array {
    const { asm } = this
    return writeFunction(asm, this.stack, base, () => {
      asm.store(this.told, TOLD)
      readCursors(asm, this.cursors, 1)
      fill(this, this.pinning.constants)
      loops()
      asm.clearUpper().clear(RAX)
    })
  }

  beginRows(places: readonly RowPlace[]): void {
    const { asm, body } = this
    writeStill(this, places)
    for (const pointer of body.pointers) {
      // The result has places of its own.
      if (pointer.operand === body.dtypes.length - 1) continue
      const { register = RAX } = pointer
      rowOf(asm, register, places, pointer)
      asm.store(pointer.place, register)
    }
  }

  advance(places: readonly RowPlace[], steps: readonly RowPlace[], rows: number): void {
    const { asm } = this
    for (const [i, { address }] of places.entries()) {
      asm.move(RAX, steps[i]!.rowStep).multiply(RAX, rows).addTo(address, RAX)
    }
  }

  places(operands: number): readonly RowPlace[] {
    return cursorsOn(this.stack, operands)
  }

  odometer(again: Label): void {
    writeOdometer(this, again)
  }

  emit(steps: readonly Step[]): void {
    writeSteps(this.asm, steps, frameOf(this, this.pinning.pinned))
  }
}
