// The loops of a reduction whose elements lie along the run, or whose results are so few that whole rows of them lie one
// behind the other: vectors hold lanes of the tree. Blocks are reduced in registers, some of them together; what they
// leave is kept on a stack in memory and meets in pairs.
import { BLOCK, WIDE_PARAMETERS as PARAMETERS } from 'bcast/kernels'
import type { Virtual } from '../homes.ts'
import { Unsupported } from '../unsupported.ts'
import { type AlongWriting, gapOf, type Stretches, stretchesOf } from './along-stretches.ts'
import type { Control, Loops, Place } from './writing.ts'

/** The general registers that these loops take, of which stretches change `scratch` alone. */
export interface AlongRegisters {
  readonly scratch: number
  /** Changes whenever pointers move on. */
  readonly count: number
  /** Elements that are left, and where the parameters lie. */
  readonly left: number
  readonly told: number
  /** The stack's top, how many blocks it holds, and rounds that are left. */
  readonly top: number
  readonly done: number
  readonly rounds: number
}

export interface AlongLoops<Step, Label> extends Loops<Step, Label> {
  /** Moves pointers that have begun at rows on by so many elements. */
  forward(elements: number): void
  /** Makes the elements that are left, less than a vector, ready for a partial pass. */
  countRest(): void
  /** Copies so many bytes; only the top of the stack stays in a register. */
  copy(to: Place, from: number, bytes: number): void
}

/** Elements along the run, and loops over them, as a processor has them. */
export interface Along<Step, Label> extends AlongWriting<Step> {
  readonly registers: AlongRegisters
  /** Registers that loops can carry. */
  readonly mostCarried: number
  /** Elements of a vector of the program. */
  readonly lanes: number
  loops(stretches: readonly (readonly Step[])[], carried: readonly Virtual[]): AlongLoops<Step, Label>
}

export const writeAlong = <Step, Label>(along: Along<Step, Label>, base: bigint): Uint8Array =>
  new AlongWriter(along).write(base)

class AlongWriter<Step, Label> {
  readonly #along: Along<Step, Label>
  readonly #stretches: Stretches<Step>
  readonly #loops: AlongLoops<Step, Label>
  readonly #asm: Control<Label>
  readonly #columns: number
  /** Where the result lies. */
  readonly #result: Place
  /** Bytes of all that a block leaves. */
  readonly #size: number
  /** Elements of a round, and of a block. */
  readonly #round: number
  readonly #block: number

  constructor(along: Along<Step, Label>) {
    const { signature, combiner, w, mostCarried, ratio } = along
    const { columns } = signature
    this.#along = along
    this.#columns = columns
    if (columns * combiner.parts > mostCarried) throw new Unsupported('so many columns')
    const carried = Array.from({ length: columns }, () => Array.from({ length: combiner.parts }, () => w.virtual()))
    const stretches = stretchesOf(along, carried)
    const { together, whole, single, partial, finish, begin, merge, meet, take, push } = stretches
    const all = [...together.map(({ steps }) => steps), ...whole, ...single, ...partial, ...finish, begin, merge, meet]
    this.#stretches = stretches
    this.#loops = along.loops([...all, take, push], carried.flat())
    this.#asm = this.#loops.asm
    this.#result = this.#loops.cursors.at(-2)!.address
    this.#size = gapOf(along) * columns
    this.#round = columns * combiner.lanes * ratio
    this.#block = BLOCK * columns * combiner.lanes
  }

  write(base: bigint): Uint8Array {
    const loops = this.#loops
    const asm = this.#asm
    const { cursors, rowsLeft } = loops
    const { told, count, scratch } = this.#along.registers
    const rows: Place = { base: told, displacement: PARAMETERS.rows }
    return loops.function(base, () => {
      const again = asm.label()
      asm.set(again)
      if (this.#along.signature.way === 'flat') {
        this.#run(true)
        asm.move(count, rows)
        loops.advance(cursors, cursors, count)
      } else {
        const row = asm.label()
        asm.move(scratch, rows).store(rowsLeft, scratch).set(row)
        this.#run(false)
        for (const { address, rowStep } of cursors) asm.move(scratch, rowStep).addTo(address, scratch)
        asm.subtractConstant(rowsLeft, 1).jumpIf('notEqual', row)
      }
      loops.odometer(again)
    })
  }

  /** Goes on by so many elements. */
  #forward(elements: number): void {
    this.#loops.forward(elements)
    this.#asm.subtractConstant(this.#along.registers.left, elements)
  }

  /** One run; of rows that lie one behind the other where it is flat. */
  #run(isFlat: boolean): void {
    const loops = this.#loops
    const asm = this.#asm
    const { cursors } = loops
    const { together, whole, begin, meet, take, push } = this.#stretches
    const { told, left, top, done, rounds } = this.#along.registers
    const scratch = cursors.at(-1)!.address
    loops.beginRows(cursors)
    asm.move(left, { base: told, displacement: PARAMETERS.inner })
    if (isFlat) asm.multiply(left, { base: told, displacement: PARAMETERS.rows })
    asm.move(top, scratch).clear(done)
    const [block, last, final, finished] = [asm.label(), asm.label(), asm.label(), asm.label()]
    for (const { blocks, steps } of together) {
      const [again, fewer] = [asm.label(), asm.label()]
      const elements = blocks * this.#block
      asm.compareConstant(left, elements).jumpIf('less', fewer)
      asm.set(again)
      loops.emit(steps)
      this.#forward(elements)
      this.#pushed(Math.log2(blocks))
      asm.compareConstant(left, elements).jumpIf('greaterEqual', again)
      asm.compareConstant(left, 0).jumpIf('equal', last)
      asm.set(fewer)
    }
    asm.set(block)
    loops.emit(begin)
    const [again, rest, over] = [asm.label(), asm.label(), asm.label()]
    asm.number(rounds, BLOCK / this.#along.ratio).set(again)
    asm.compareConstant(left, this.#round).jumpIf('less', rest)
    for (const steps of whole) loops.emit(steps)
    this.#forward(this.#round)
    asm.subtractConstant(rounds, 1).jumpIf('notEqual', again).jump(over)
    asm.set(rest)
    this.#rest(final)
    asm.set(over).compareConstant(left, 0).jumpIf('equal', final)
    loops.emit(push)
    this.#pushed(0)
    asm.jump(block)
    asm.set(last).subtractConstant(top, this.#size)
    loops.emit(take)
    asm.set(final).compare(top, scratch).jumpIf('equal', finished)
    asm.subtractConstant(top, this.#size)
    loops.emit(meet)
    asm.jump(final)
    asm.set(finished)
    this.#finish()
  }

  #finish(): void {
    const loops = this.#loops
    const { combiner, signature, registers } = this.#along
    if (this.#columns === 1) this.#asm.move(registers.scratch, this.#result)
    for (const steps of this.#stretches.finish) loops.emit(steps)
    if (this.#columns === 1) return
    const bytes = combiner.width * this.#columns * (signature.open ? combiner.lanes : 1)
    loops.copy(this.#result, registers.top, bytes)
  }

  /** What lies at the top has come onto the stack: pairs meet. A block counts as so many of `2 ** level`. */
  #pushed(level: number): void {
    const asm = this.#asm
    const { done, top, scratch: carry } = this.#along.registers
    const [again, end] = [asm.label(), asm.label()]
    asm.move(carry, done)
    if (level > 0) asm.shiftRight(carry, level)
    asm.addConstant(done, 2 ** level)
    asm.set(again).halve(carry, end)
    this.#loops.emit(this.#stretches.merge)
    asm.subtractConstant(top, this.#size).jump(again)
    asm.set(end).addConstant(top, this.#size)
  }

  /** Less than a round, after which nothing is left. */
  #rest(final: Label): void {
    const loops = this.#loops
    const asm = this.#asm
    const { lanes, registers } = this.#along
    const { left } = registers
    const ends = asm.label()
    for (const [j, steps] of this.#stretches.partial.entries()) {
      asm.compareConstant(left, 0).jumpIf('lessEqual', ends)
      const whole = asm.label()
      const isLast = j === this.#columns - 1
      if (!isLast) asm.compareConstant(left, lanes).jumpIf('greaterEqual', whole)
      loops.countRest()
      loops.emit(steps)
      asm.clear(left).jump(final)
      if (isLast) continue
      asm.set(whole)
      loops.emit(this.#stretches.single[j]!)
      this.#forward(lanes)
    }
    asm.set(ends).clear(left)
  }
}
