// General instructions as loops of reductions speak of them: what they change comes first, and one of two operands may
// lie in memory, where instructions of AArch64 have registers alone. X16 and X17 belong to single instructions.
import type { Condition, Control as ControlOf, Place } from '../../machine/reduce/writing.ts'
import type { Assembler, Label } from '../assembler.ts'
import { type Memory, X16, X17, ZERO } from '../registers.ts'

/** Numbers from here on have no place in an instruction. */
const BEYOND = 4096

/** A place without an index, of which a multiple of `bytes` is far enough from the base for a load; may take X16. */
export function reach(asm: Assembler, { base, index, scale = 1, displacement = 0 }: Place, bytes: number): Memory {
  if (index !== undefined) {
    asm.addShifted(X16, base, index, Math.log2(scale))
    return reach(asm, { base: X16, displacement }, bytes)
  }
  const steps = displacement / bytes
  if (Number.isInteger(steps) && steps >= 0 && steps < BEYOND) return { base, displacement }
  if (displacement < 0) asm.constant(X17, BigInt(-displacement)).subtract(X16, base, X17)
  else asm.address(X16, { base, displacement })
  return { base: X16, displacement: 0 }
}

export class Control implements ControlOf<Label> {
  readonly #asm: Assembler

  constructor(asm: Assembler) {
    this.#asm = asm
  }

  /** The register of an operand; one that lies in memory is loaded. */
  #value(operand: number | Place): number {
    if (typeof operand === 'number') return operand
    this.#asm.load(X16, reach(this.#asm, operand, 8))
    return X16
  }

  #constant(value: number): number {
    this.#asm.constant(X17, BigInt.asUintN(64, BigInt(value)))
    return X17
  }

  /** Changes an operand, wherever it lies. */
  #change(operand: number | Place, change: (register: number) => void): this {
    if (typeof operand === 'number') change(operand)
    else {
      change(this.#value(operand))
      this.#asm.store(this.#near(operand), X16)
    }
    return this
  }

  /** A place that is changed where X16 holds what it becomes: those of the stack and of parameters need no other register. */
  #near({ base, index, displacement = 0 }: Place): Memory {
    if (index !== undefined || displacement < 0) throw new RangeError('such a place is read alone')
    return { base, displacement }
  }

  label(): Label {
    return this.#asm.label()
  }

  set(label: Label): this {
    this.#asm.set(label)
    return this
  }

  jump(label: Label): this {
    this.#asm.jump(label)
    return this
  }

  jumpIf(condition: Condition, label: Label): this {
    this.#asm.jumpIf(condition, label)
    return this
  }

  halve(register: number, even: Label): this {
    this.#asm.jumpIfClear(register, 0, even)
    return this.shiftRight(register, 1)
  }

  move(to: number, from: number | Place): this {
    if (typeof from !== 'number') this.#asm.load(to, reach(this.#asm, from, 8))
    else if (to !== from) this.#asm.move(to, from)
    return this
  }

  moveIf(condition: Condition, to: number, from: number): this {
    this.#asm.choose(condition, to, from, to)
    return this
  }

  store(to: Place, from: number): this {
    this.#asm.store(this.#near(to), from)
    return this
  }

  number(to: number, value: number): this {
    this.#asm.constant(to, BigInt(value))
    return this
  }

  clear(register: number): this {
    this.#asm.move(register, ZERO)
    return this
  }

  add(to: number, operand: number | Place): this {
    this.#asm.add(to, to, this.#value(operand))
    return this
  }

  addTo(to: Place, from: number): this {
    return this.#change(to, (register) => this.#asm.add(register, register, from))
  }

  subtract(to: number, operand: number | Place): this {
    this.#asm.subtract(to, to, this.#value(operand))
    return this
  }

  addConstant(operand: number | Place, value: number): this {
    return this.#change(operand, (register) => {
      if (value < BEYOND) this.#asm.addConstant(register, register, value)
      else this.#asm.add(register, register, this.#constant(value))
    })
  }

  subtractConstant(operand: number | Place, value: number): this {
    return this.#change(operand, (register) => {
      if (value < BEYOND) this.#asm.countDown(register, register, value)
      else this.#asm.subtract(register, register, this.#constant(value)).compareConstant(register, 0)
    })
  }

  andConstant(register: number, value: number): this {
    this.#asm.and(register, register, this.#constant(value))
    return this
  }

  shiftRight(register: number, count: number): this {
    this.#asm.bits(register, register, count, 64 - count, true)
    return this
  }

  times(to: number, operand: number | Place, factor: number): this {
    this.#asm.multiply(to, this.#value(operand), this.#constant(factor))
    return this
  }

  multiply(to: number, operand: number | Place): this {
    this.#asm.multiply(to, to, this.#value(operand))
    return this
  }

  compare(a: number, b: number | Place): this {
    this.#asm.compare(a, this.#value(b))
    return this
  }

  compareConstant(operand: number | Place, value: number): this {
    const register = this.#value(operand)
    if (value < BEYOND) this.#asm.compareConstant(register, value)
    else this.#asm.compare(register, this.#constant(value))
    return this
  }
}
