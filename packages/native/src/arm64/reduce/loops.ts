// What kernels of reductions share around their own loops: the function, its operands, the beginning of a row.
import type { Virtual } from '../../machine/homes.ts'
import type { Loops } from '../../machine/reduce/writing.ts'
import { writeSteps } from '../allocation.ts'
import { Assembler, type Label } from '../assembler.ts'
import type { Body } from '../body.ts'
import { fill, frameOf, PLACE, type RowPlace, toldOf, type Writing } from '../context.ts'
import type { StackFrame } from '../frame.ts'
import { writeFunction } from '../function.ts'
import { writeOdometer } from '../nest.ts'
import { pin, REGISTERS } from '../pinning.ts'
import { type Literal, type Memory, X0, X9, X10, ZERO } from '../registers.ts'
import { beginRows } from '../row.ts'
import type { Step } from '../steps.ts'
import { Control } from './control.ts'

export class ReduceLoops implements Loops<Step, Label> {
  readonly asm: Control
  readonly cursors: readonly RowPlace[]
  readonly rowsLeft: Memory
  readonly told: number = PLACE
  protected readonly writing: Writing

  /** Carried values have the last registers. */
  constructor(
    body: Body,
    stack: StackFrame,
    stretches: readonly (readonly Step[])[],
    operands: number,
    carried: readonly Virtual[],
  ) {
    const asm = new Assembler()
    const pinning = pin(asm, body, stretches, stack, carried.length)
    const pinned = pinning.pinned as Map<number, number | Memory | Literal>
    for (const [i, { virtual }] of carried.entries()) pinned.set(virtual, REGISTERS - 1 - i)
    this.writing = { asm, stack, body, pinning }
    this.asm = new Control(asm)
    this.cursors = this.places(operands)
    this.rowsLeft = stack.room(8)
  }

  places(operands: number): readonly RowPlace[] {
    const { stack } = this.writing
    return Array.from({ length: operands }, () => ({ address: stack.room(8), rowStep: stack.room(8) }))
  }

  function(base: bigint, code: () => void): Uint8Array {
    const { asm, pinning } = this.writing
    return writeFunction(asm, base, () => {
      for (const [i, { address, rowStep }] of this.cursors.entries()) {
        asm.load(X9, toldOf(i, 0)).store(address, X9).load(X9, toldOf(i, 2)).store(rowStep, X9)
      }
      fill(this.writing, pinning.constants)
      code()
      asm.move(X0, ZERO)
    })
  }

  beginRows(places: readonly RowPlace[]): void {
    beginRows(this.writing, places)
  }

  advance(places: readonly RowPlace[], steps: readonly RowPlace[], rows: number): void {
    const { asm } = this.writing
    for (const [i, { address }] of places.entries()) {
      asm.load(X9, steps[i]!.rowStep).multiply(X9, X9, rows).load(X10, address).add(X9, X9, X10).store(address, X9)
    }
  }

  odometer(again: Label): void {
    const addresses = this.cursors.map(({ address }) => address)
    writeOdometer(this.writing.asm, addresses, again)
  }

  emit(steps: readonly Step[]): void {
    const { asm, pinning } = this.writing
    writeSteps(asm, steps, frameOf(this.writing, pinning.pinned))
  }
}
