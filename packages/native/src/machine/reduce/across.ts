// A reduction whose results lie side by side: vectors hold elements of different results, and the lanes of the tree are
// rows of scratch memory. Columns are taken in strips; of rows, those of one lane that follow each other are taken
// together. The last vector of a strip may reach back over the one before it, so that none is less than whole.
import { BLOCK, LANE_GAP, LANES, WIDE_PARAMETERS as PARAMETERS } from 'bcast/kernels'
import { type AcrossStretches, type AcrossWriting, AT_ONCE, stretchesOf } from './across-stretches.ts'
import type { Control, Loops, Place, RowPlace } from './writing.ts'

/** Elements across the run, and loops over them, as a processor has them. */
export interface Across<Step, Label> extends AcrossWriting<Step> {
  /** Bytes of an element of each operand that is read. */
  readonly widths: readonly number[]
  loops(stretches: readonly (readonly Step[])[]): Loops<Step, Label>
}

export const writeAcross = <Step, Label>(across: Across<Step, Label>, base: bigint): Uint8Array =>
  new AcrossWriter(across).write(base)

class AcrossWriter<Step, Label> {
  readonly #across: Across<Step, Label>
  readonly #stretches: AcrossStretches<Step>
  readonly #loops: Loops<Step, Label>
  readonly #asm: Control<Label>
  /** Where the rows of a lane begin, and how far apart they are. */
  readonly #rows: readonly RowPlace[]
  readonly #scratch: RowPlace
  readonly #result: RowPlace
  /** Elements of the strip, and of those before it; of rows, and rounds, those that are left. */
  readonly #strip: Place
  readonly #before: Place
  readonly #left: Place
  readonly #rounds: Place
  readonly #lanesLeft: Place
  /** The block that is filled, the first, and how many there are; a lane of it. */
  readonly #top: Place
  readonly #bottom: Place
  readonly #done: Place
  readonly #carry: Place
  readonly #lane: Place
  readonly #last: Place
  /** Bytes of a lane, and of all of them. */
  readonly #laneBytes: Place
  readonly #size: Place

  constructor(across: Across<Step, Label>) {
    this.#across = across
    const stretches = stretchesOf(across)
    this.#stretches = stretches
    const { first, many, one, fill, merge, finish } = stretches
    const loops = across.loops([first, many, one, fill, merge, finish])
    this.#loops = loops
    this.#asm = loops.asm
    this.#rows = loops.places(across.widths.length)
    ;[this.#result, this.#scratch] = loops.cursors.slice(-2) as [RowPlace, RowPlace]
    const place = (): Place => across.room(8)
    ;[this.#strip, this.#before, this.#left] = [place(), place(), place()]
    ;[this.#rounds, this.#lanesLeft, this.#top, this.#bottom] = [place(), place(), place(), place()]
    ;[this.#done, this.#carry, this.#lane, this.#last] = [place(), place(), place(), place()]
    ;[this.#laneBytes, this.#size] = [place(), place()]
  }

  write(base: bigint): Uint8Array {
    const loops = this.#loops
    const asm = this.#asm
    const { cursors, told } = loops
    const { last, at } = this.#across.registers
    return loops.function(base, () => {
      const again = asm.label()
      asm.set(again)
      this.#strips()
      asm.move(last, told).move(at, { base: last, displacement: PARAMETERS.rows })
      loops.advance(cursors, cursors, at)
      loops.odometer(again)
    })
  }

  #strips(): void {
    const asm = this.#asm
    const { cursors, told } = this.#loops
    const { signature, registers, combiner, widths } = this.#across
    const { lanes, strip, motions, joined } = signature
    const { width, bytes } = combiner
    const { scratch: a, at: c, lane: d, last: b } = registers
    const inner: Place = { base: b, displacement: PARAMETERS.inner }
    const [again, blocks, merges, end] = [asm.label(), asm.label(), asm.label(), asm.label()]
    asm.clear(a).store(this.#before, a)
    asm.set(again).move(b, told).move(c, inner)
    // A strip is at least a vector, and may reach back for it.
    asm.move(a, c).subtractConstant(a, lanes).move(d, this.#before)
    asm.compare(d, a).moveIf('greater', d, a).store(this.#before, d)
    asm.subtract(c, d).number(a, strip).compare(c, a).moveIf('greater', c, a)
    asm.store(this.#strip, c).move(a, c).subtractConstant(a, lanes).store(this.#last, a)
    asm
      .addConstant(c, lanes - 1)
      .andConstant(c, -lanes)
      .times(c, c, width)
    if (!joined) asm.addConstant(c, Math.ceil(LANE_GAP / bytes) * bytes)
    asm.store(this.#laneBytes, c).times(c, c, LANES).store(this.#size, c)
    for (const [i, { address }] of this.#rows.entries()) {
      asm.move(a, cursors[i]!.address)
      if (motions[i] !== 'splat') asm.times(c, d, widths[i]!).add(a, c)
      asm.store(address, a)
    }
    asm.move(a, { base: b, displacement: PARAMETERS.rows }).store(this.#left, a)
    // Lanes keep their distance from the rows, and begin at whole lines.
    asm.move(a, this.#rows[0]!.address).addConstant(a, 1024).move(c, this.#scratch.address)
    asm.addConstant(c, 63).andConstant(c, -64).subtract(a, c).andConstant(a, 4032).add(a, c)
    asm.store(this.#bottom, a).store(this.#top, a).clear(a).store(this.#done, a)
    asm.set(blocks)
    this.#block()
    this.#carried()
    asm.addConstant(this.#done, 1).compareConstant(this.#left, 0).jumpIf('equal', merges)
    asm.move(a, this.#size).addTo(this.#top, a).jump(blocks)
    asm.set(merges).move(a, this.#top).compare(a, this.#bottom).jumpIf('equal', end)
    this.#merged()
    asm.jump(merges)
    asm.set(end)
    this.#finished()
    asm.move(a, this.#strip).addTo(this.#before, a).move(a, this.#before)
    asm.move(b, told).compare(a, inner).jumpIf('less', again)
  }

  /** Runs a stretch over all lanes of a block, of which `at` counts bytes. */
  #eachOwn(steps: readonly Step[]): void {
    const asm = this.#asm
    const { at } = this.#across.registers
    const again = asm.label()
    asm.clear(at).set(again)
    this.#loops.emit(steps)
    asm.addConstant(at, AT_ONCE * this.#across.combiner.bytes)
    asm.compare(at, this.#size).jumpIf('less', again)
  }

  #block(): void {
    const asm = this.#asm
    const { signature, registers } = this.#across
    const { scratch: a, at: c, low } = registers
    const { rounds } = signature
    const [filled, many, one, end] = [asm.label(), asm.label(), asm.label(), asm.label()]
    asm.number(a, BLOCK).store(this.#rounds, a)
    asm.compareConstant(this.#left, LANES * rounds).jumpIf('less', filled)
    this.#takeMany(this.#stretches.first)
    asm.jumpIf('notEqual', many).jump(end)
    // Lanes that have no first row begin with what changes nothing.
    asm.set(filled).move(low, this.#top)
    this.#eachOwn(this.#stretches.fill)
    asm.jump(one)
    asm
      .set(many)
      .compareConstant(this.#left, LANES * rounds)
      .jumpIf('less', one)
    this.#takeMany(this.#stretches.many)
    asm.jumpIf('notEqual', many).jump(end)
    asm.set(one)
    // Rows that are taken alone stand for those of the other rounds.
    for (const { rowStep } of this.#rows) asm.clear(a).store(rowStep, a)
    const again = asm.label()
    asm.set(again).compareConstant(this.#left, 0).jumpIf('equal', end)
    asm.number(a, LANES).move(c, this.#left).compare(c, a).moveIf('less', a, c)
    asm.subtract(c, a).store(this.#left, c)
    this.#eachLane(this.#stretches.one)
    asm.subtractConstant(this.#rounds, 1).jumpIf('notEqual', again)
    asm.set(end)
  }

  /** Takes some rows into each lane; whether rounds of the block are left is what a jump can tell next. */
  #takeMany(steps: readonly Step[]): void {
    const asm = this.#asm
    const { cursors } = this.#loops
    const { signature, registers } = this.#across
    const { scratch: a } = registers
    const { rounds } = signature
    for (const [i, { rowStep }] of this.#rows.entries()) {
      asm.times(a, cursors[i]!.rowStep, LANES).store(rowStep, a)
    }
    asm.number(a, LANES)
    this.#eachLane(steps)
    // All lanes have moved on by one round; the others were taken with it.
    for (const [i, { address }] of this.#rows.entries()) {
      asm.times(a, cursors[i]!.rowStep, (rounds - 1) * LANES).addTo(address, a)
    }
    asm.subtractConstant(this.#left, LANES * rounds).subtractConstant(this.#rounds, rounds)
  }

  /** Takes rows into as many lanes as `scratch` says, from the first of the block on. */
  #eachLane(steps: readonly Step[]): void {
    const loops = this.#loops
    const asm = this.#asm
    const { cursors } = loops
    const { signature, registers, combiner } = this.#across
    const { joined, lanes } = signature
    const { scratch: a, at, lane, last } = registers
    const [again, next, end] = [asm.label(), asm.label(), asm.label()]
    asm.store(this.#lanesLeft, a).move(a, this.#top).store(this.#lane, a)
    asm.set(again)
    loops.beginRows(this.#rows)
    asm.move(lane, this.#lane).clear(at).move(last, this.#last)
    if (joined) {
      // Rows lie one behind the other, and so do lanes: all of them are one.
      asm.move(last, this.#strip).multiply(last, this.#lanesLeft).subtractConstant(last, lanes)
    }
    asm.set(next)
    loops.emit(steps)
    asm.addConstant(lane, combiner.bytes)
    asm.compare(at, last).jumpIf('equal', end)
    asm.addConstant(at, lanes).compare(at, last).moveIf('greater', at, last).jump(next)
    asm.set(end)
    if (joined) {
      asm.move(at, this.#lanesLeft)
      loops.advance(this.#rows, cursors, at)
      return
    }
    for (const [i, { address }] of this.#rows.entries()) asm.move(a, cursors[i]!.rowStep).addTo(address, a)
    asm.move(a, this.#laneBytes).addTo(this.#lane, a)
    asm.subtractConstant(this.#lanesLeft, 1).jumpIf('notEqual', again)
  }

  /** Pairs of blocks meet, as many as there are. */
  #carried(): void {
    const asm = this.#asm
    const { scratch: a } = this.#across.registers
    const [again, end] = [asm.label(), asm.label()]
    asm.move(a, this.#done).store(this.#carry, a)
    asm.set(again).move(a, this.#carry).halve(a, end)
    asm.store(this.#carry, a)
    this.#merged()
    asm.jump(again).set(end)
  }

  /** Combines the block below the top with the top. */
  #merged(): void {
    const asm = this.#asm
    const { low, high } = this.#across.registers
    asm.move(high, this.#top).move(low, high).subtract(low, this.#size).store(this.#top, low)
    this.#eachOwn(this.#stretches.merge)
  }

  /** All lanes in pairs to the result, or each of them so far from the next as scratch says. */
  #finished(): void {
    const loops = this.#loops
    const asm = this.#asm
    const { told, cursors } = loops
    const { signature, registers, combiner } = this.#across
    const { lanes, open } = signature
    const { width, bytes } = combiner
    const { scratch: a, at, lane: parameters, last, low: result, high: from, lanes: pointers } = registers
    const [next, end] = [asm.label(), asm.label()]
    asm.times(a, this.#before, width).add(a, this.#result.address).move(result, a)
    asm.move(pointers[0]!, this.#top)
    for (let lane = 1; lane < LANES; lane++) {
      asm.move(pointers[lane]!, pointers[lane - 1]!).add(pointers[lane]!, this.#laneBytes)
    }
    asm.clear(at).clear(from).move(last, this.#last).move(parameters, told)
    const scratch = cursors.length - 1
    const gap: Place = {
      base: parameters,
      displacement: PARAMETERS.operands + scratch * PARAMETERS.operandSize + 8,
    }
    asm.set(next)
    if (open) {
      for (const steps of this.#stretches.copies) {
        loops.emit(steps)
        asm.add(result, gap)
      }
      asm.times(a, gap, -LANES).add(result, a)
    } else loops.emit(this.#stretches.finish)
    asm.addConstant(from, bytes).compare(at, last).jumpIf('equal', end)
    asm.addConstant(at, lanes).compare(at, last).moveIf('greater', at, last).jump(next)
    asm.set(end)
  }
}
