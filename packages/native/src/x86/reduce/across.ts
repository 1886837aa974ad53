// A reduction whose results lie side by side: vectors hold elements of different results, and the lanes of the tree are
// rows of scratch memory. Columns are taken in strips; of rows, those of one lane that follow each other are taken
// together. The last vector of a strip may reach back over the one before it, so that none is less than whole.
import {
  BLOCK,
  type Combining,
  LANE_GAP,
  LANES,
  WIDE_PARAMETERS as PARAMETERS,
  type Program,
  type ReduceSignature,
} from 'bcast/kernels'
import { writeSteps } from '../allocation.ts'
import { AT, Body } from '../body.ts'
import { frameOf, type RowPlace, TOLD } from '../context.ts'
import { StackFrame } from '../frame.ts'
import { writeOdometer } from '../nest.ts'
import { type Memory, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBX, RCX, RDI, RDX, RSI } from '../registers.ts'
import type { Step } from '../steps.ts'
import { bytesOf } from '../vectors.ts'
import type { ReduceOptions } from './along.ts'
import { Combiner } from './combining.ts'
import { cursorsOn } from './function.ts'
import { ReduceLoops } from './loops.ts'

/** Vectors of scratch that are filled and merged at once: lanes and gaps are as many of them. */
const AT_ONCE = 8

/** How far ahead memory is asked for. */
const AHEAD = 2048

const POINTERS = [RBX, RSI, R8, R9, R10, R11, R12, R13, R14, R15]
/** Where the lane of the tree lies, and where the last vector of a strip begins. */
const LANE: number = RDX
const LAST: number = RDI

export function compileAcross(
  program: Program,
  combining: Combining,
  signature: ReduceSignature,
  options: ReduceOptions,
): Uint8Array {
  return new AcrossWriter(program, combining, signature, options).write(options.base)
}

class AcrossWriter {
  readonly #loops: ReduceLoops
  readonly #combiner: Combiner
  readonly #elements: Body
  readonly #signature: ReduceSignature
  /** Rows that begin a block, rows of one that has some, one row. */
  readonly #first: readonly Step[]
  readonly #many: readonly Step[]
  readonly #one: readonly Step[]
  readonly #fill: readonly Step[]
  readonly #merge: readonly Step[]
  readonly #finish: readonly Step[]
  /** Where the rows of a lane begin, and how far apart they are. */
  readonly #rows: readonly RowPlace[]
  readonly #scratch: RowPlace
  readonly #result: RowPlace
  /** Elements of the strip, and of those before it; of rows, and rounds, those that are left. */
  readonly #strip: Memory
  readonly #before: Memory
  readonly #left: Memory
  readonly #rounds: Memory
  readonly #lanesLeft: Memory
  /** The block that is filled, the first, and how many there are; a lane of it. */
  readonly #top: Memory
  readonly #bottom: Memory
  readonly #done: Memory
  readonly #carry: Memory
  readonly #lane: Memory
  readonly #last: Memory
  /** Bytes of a lane, and of all of them. */
  readonly #laneBytes: Memory
  readonly #size: Memory

  constructor(program: Program, combining: Combining, signature: ReduceSignature, { level }: ReduceOptions) {
    const { motions, lanes, rounds, still, open } = signature
    const stack = new StackFrame()
    this.#signature = signature
    const { dtype } = program.code.at(-1)!
    const reading = { rows: rounds, motions, still, lanes }
    this.#elements = new Body(program, reading, { level, lanes, streams: false, registers: POINTERS }, stack)
    const { w } = this.#elements
    const combiner = new Combiner(w, dtype, combining, lanes)
    this.#combiner = combiner
    const stretch = (emit: () => void): readonly Step[] => {
      w.steps = []
      emit()
      return w.steps
    }
    const own: Memory = { base: LANE }
    const taking = (rows: number, isFirst: boolean) => (): void => {
      const vectors = this.#elements.results(0, 'whole', rows)
      const all = isFirst ? vectors : [combiner.load(own), ...vectors]
      combiner.store(
        all.reduce((sum, vector) => combiner.pair(sum, vector)),
        own,
      )
    }
    // Many streams at once are foreseen without help.
    this.#elements.ahead = rounds < 4 ? AHEAD : 0
    this.#first = stretch(taking(rounds, true))
    this.#many = stretch(taking(rounds, false))
    this.#elements.ahead = 0
    this.#one = stretch(taking(1, false))
    const none = { width: combiner.width, parts: [combiner.none], uniform: true }
    const atOnce = Array.from({ length: AT_ONCE }, (_, i) => i * combiner.bytes)
    this.#fill = stretch(() => {
      for (const displacement of atOnce) combiner.store(none, { base: RBX, index: RCX, displacement })
    })
    this.#merge = stretch(() => {
      for (const displacement of atOnce) {
        const low: Memory = { base: RBX, index: RCX, displacement }
        combiner.store(combiner.pair(combiner.load(low), combiner.load({ base: RSI, index: RCX, displacement })), low)
      }
    })
    this.#finish = stretch(() => {
      const vectors = Array.from({ length: LANES }, (_, lane) =>
        combiner.load(lane < 6 ? { base: R8 + lane, index: RSI } : { base: R14 + lane - 6, index: RSI }),
      )
      const scale = combiner.width
      if (!open) combiner.store(combiner.pairs(vectors), { base: RBX, index: RCX, scale })
    })
    const operands = program.inputs.length + 2
    const stretches = [this.#first, this.#many, this.#one, this.#fill, this.#merge, this.#finish]
    this.#loops = new ReduceLoops(this.#elements, stack, stretches, { operands, carried: 0 })
    this.#rows = cursorsOn(stack, program.inputs.length)
    ;[this.#result, this.#scratch] = this.#loops.cursors.slice(-2) as [RowPlace, RowPlace]
    const place = (): Memory => stack.room(8)
    ;[this.#strip, this.#before, this.#left, this.#rounds, this.#lanesLeft] = [
      place(),
      place(),
      place(),
      place(),
      place(),
    ]
    ;[this.#top, this.#bottom, this.#done, this.#carry, this.#lane] = [place(), place(), place(), place(), place()]
    ;[this.#last, this.#laneBytes, this.#size] = [place(), place(), place()]
  }

  write(base: bigint): Uint8Array {
    const loops = this.#loops
    const { asm, cursors, told } = loops
    return loops.function(base, () => {
      const again = asm.label()
      asm.set(again)
      this.#strips()
      asm.move(TOLD, told).move(RCX, { base: TOLD, displacement: PARAMETERS.rows })
      loops.advance(cursors, cursors, RCX)
      writeOdometer(loops, again)
    })
  }

  #emit(steps: readonly Step[]): void {
    writeSteps(this.#loops.asm, steps, frameOf(this.#loops, this.#loops.pinning.pinned))
  }

  #strips(): void {
    const { asm, cursors, told } = this.#loops
    const { lanes, strip, motions, joined } = this.#signature
    const { dtypes } = this.#elements
    const { width, bytes } = this.#combiner
    const [again, blocks, merges, end] = [asm.label(), asm.label(), asm.label(), asm.label()]
    asm.clear(RAX).store(this.#before, RAX)
    asm.set(again).move(RDI, told).move(RCX, { base: RDI, displacement: PARAMETERS.inner })
    // A strip is at least a vector, and may reach back for it.
    asm.move(RAX, RCX).subtractConstant(RAX, lanes).move(RDX, this.#before)
    asm.compare(RDX, RAX).moveIf('greater', RDX, RAX).store(this.#before, RDX)
    asm.subtract(RCX, RDX).number(RAX, strip).compare(RCX, RAX).moveIf('greater', RCX, RAX)
    asm.store(this.#strip, RCX).move(RAX, RCX).subtractConstant(RAX, lanes).store(this.#last, RAX)
    asm
      .addConstant(RCX, lanes - 1)
      .andConstant(RCX, -lanes)
      .times(RCX, RCX, width)
    if (!joined) asm.addConstant(RCX, Math.ceil(LANE_GAP / bytes) * bytes)
    asm
    asm.store(this.#laneBytes, RCX).times(RCX, RCX, LANES).store(this.#size, RCX)
    for (const [i, { address }] of this.#rows.entries()) {
      asm.move(RAX, cursors[i]!.address)
      if (motions[i] !== 'splat') asm.times(RCX, RDX, bytesOf(dtypes[i]!)).add(RAX, RCX)
      asm.store(address, RAX)
    }
    asm.move(RAX, { base: RDI, displacement: PARAMETERS.rows }).store(this.#left, RAX)
    // Lanes keep their distance from the rows, and begin at whole lines.
    asm.move(RAX, this.#rows[0]!.address).addConstant(RAX, 1024).move(RCX, this.#scratch.address)
    asm.addConstant(RCX, 63).andConstant(RCX, -64).subtract(RAX, RCX).andConstant(RAX, 4032).add(RAX, RCX)
    asm.store(this.#bottom, RAX).store(this.#top, RAX).clear(RAX).store(this.#done, RAX)
    asm.set(blocks)
    this.#block()
    this.#carried()
    asm.addConstant(this.#done, 1).compareConstant(this.#left, 0).jumpIf('equal', merges)
    asm.move(RAX, this.#size).addTo(this.#top, RAX).jump(blocks)
    asm.set(merges).move(RAX, this.#top).compare(RAX, this.#bottom).jumpIf('equal', end)
    this.#merged()
    asm.jump(merges)
    asm.set(end)
    this.#finished()
    asm.move(RAX, this.#strip).addTo(this.#before, RAX).move(RAX, this.#before)
    asm.move(RDI, told).compare(RAX, { base: RDI, displacement: PARAMETERS.inner }).jumpIf('less', again)
  }

  /** Runs a stretch over all lanes of a block, of which RCX counts bytes. */
  #eachOwn(steps: readonly Step[]): void {
    const { asm } = this.#loops
    const again = asm.label()
    asm.clear(RCX).set(again)
    this.#emit(steps)
    asm.addConstant(RCX, AT_ONCE * this.#combiner.bytes)
    asm.compare(RCX, this.#size).jumpIf('less', again)
  }

  #block(): void {
    const { asm } = this.#loops
    const { rounds } = this.#signature
    const [filled, many, one, end] = [asm.label(), asm.label(), asm.label(), asm.label()]
    asm.number(RAX, BLOCK).store(this.#rounds, RAX)
    asm.compareConstant(this.#left, LANES * rounds).jumpIf('less', filled)
    this.#takeMany(this.#first)
    asm.jumpIf('notEqual', many).jump(end)
    // Lanes that have no first row begin with what changes nothing.
    asm.set(filled).move(RBX, this.#top)
    this.#eachOwn(this.#fill)
    asm.jump(one)
    asm
      .set(many)
      .compareConstant(this.#left, LANES * rounds)
      .jumpIf('less', one)
    this.#takeMany(this.#many)
    asm.jumpIf('notEqual', many).jump(end)
    asm.set(one)
    // Rows that are taken alone stand for those of the other rounds.
    for (const { rowStep } of this.#rows) asm.clear(RAX).store(rowStep, RAX)
    const again = asm.label()
    asm.set(again).compareConstant(this.#left, 0).jumpIf('equal', end)
    asm.number(RAX, LANES).move(RCX, this.#left).compare(RCX, RAX).moveIf('less', RAX, RCX)
    asm.subtract(RCX, RAX).store(this.#left, RCX)
    this.#eachLane(this.#one)
    asm.subtractConstant(this.#rounds, 1).jumpIf('notEqual', again)
    asm.set(end)
  }

  /** Takes some rows into each lane; whether rounds of the block are left is what the flags say. */
  #takeMany(steps: readonly Step[]): void {
    const { asm, cursors } = this.#loops
    const { rounds } = this.#signature
    for (const [i, { rowStep }] of this.#rows.entries()) {
      asm.times(RAX, cursors[i]!.rowStep, LANES).store(rowStep, RAX)
    }
    asm.number(RAX, LANES)
    this.#eachLane(steps)
    // All lanes have moved on by one round; the others were taken with it.
    for (const [i, { address }] of this.#rows.entries()) {
      asm.times(RAX, cursors[i]!.rowStep, (rounds - 1) * LANES).addTo(address, RAX)
    }
    asm.subtractConstant(this.#left, LANES * rounds).subtractConstant(this.#rounds, rounds)
  }

  /** Takes rows into as many lanes as RAX says, from the first of the block on. */
  #eachLane(steps: readonly Step[]): void {
    const loops = this.#loops
    const { asm, cursors } = loops
    const { joined, lanes } = this.#signature
    const [again, next, end] = [asm.label(), asm.label(), asm.label()]
    asm.store(this.#lanesLeft, RAX).move(RAX, this.#top).store(this.#lane, RAX)
    asm.set(again)
    loops.beginRows(this.#rows)
    asm.move(LANE, this.#lane).clear(AT).move(LAST, this.#last)
    if (joined) {
      // Rows lie one behind the other, and so do lanes: all of them are one.
      asm.move(LAST, this.#strip).multiply(LAST, this.#lanesLeft).subtractConstant(LAST, lanes)
    }
    asm.set(next)
    this.#emit(steps)
    asm.addConstant(LANE, this.#combiner.bytes)
    asm.compare(AT, LAST).jumpIf('equal', end)
    asm.addConstant(AT, lanes).compare(AT, LAST).moveIf('greater', AT, LAST).jump(next)
    asm.set(end)
    if (joined) {
      asm.move(RCX, this.#lanesLeft)
      loops.advance(this.#rows, cursors, RCX)
      return
    }
    for (const [i, { address }] of this.#rows.entries()) asm.move(RAX, cursors[i]!.rowStep).addTo(address, RAX)
    asm.move(RAX, this.#laneBytes).addTo(this.#lane, RAX)
    asm.subtractConstant(this.#lanesLeft, 1).jumpIf('notEqual', again)
  }

  /** Pairs of blocks meet, as many as there are. */
  #carried(): void {
    const { asm } = this.#loops
    const [again, end] = [asm.label(), asm.label()]
    asm.move(RAX, this.#done).store(this.#carry, RAX)
    asm.set(again).move(RAX, this.#carry).shiftRight(RAX, 1).jumpIf('aboveEqual', end)
    asm.store(this.#carry, RAX)
    this.#merged()
    asm.jump(again).set(end)
  }

  /** Combines the block below the top with the top. */
  #merged(): void {
    const { asm } = this.#loops
    asm.move(RSI, this.#top).move(RBX, RSI).subtract(RBX, this.#size).store(this.#top, RBX)
    this.#eachOwn(this.#merge)
  }

  /** All lanes in pairs to the result, or each of them so far from the next as scratch says. */
  #finished(): void {
    const { asm, told, cursors } = this.#loops
    const { lanes, open } = this.#signature
    const { width, bytes } = this.#combiner
    const pointers = [R8, R9, R10, R11, R12, R13, R14, R15]
    const [next, end] = [asm.label(), asm.label()]
    asm.times(RAX, this.#before, width).add(RAX, this.#result.address).move(RBX, RAX)
    asm.move(R8, this.#top)
    for (let lane = 1; lane < LANES; lane++) {
      asm.move(pointers[lane]!, pointers[lane - 1]!).add(pointers[lane]!, this.#laneBytes)
    }
    asm.clear(AT).clear(RSI).move(LAST, this.#last).move(RDX, told)
    const scratch = cursors.length - 1
    const gap: Memory = { base: RDX, displacement: PARAMETERS.operands + scratch * PARAMETERS.operandSize + 8 }
    asm.set(next)
    if (open) {
      for (const pointer of pointers) {
        this.#emit(this.#copied(pointer))
        asm.add(RBX, gap)
      }
      asm.times(RAX, gap, -LANES).add(RBX, RAX)
    } else this.#emit(this.#finish)
    asm.addConstant(RSI, bytes).compare(AT, LAST).jumpIf('equal', end)
    asm.addConstant(AT, lanes).compare(AT, LAST).moveIf('greater', AT, LAST).jump(next)
    asm.set(end)
  }

  /** A vector of a lane as it is. */
  #copied(pointer: number): readonly Step[] {
    const { w } = this.#elements
    w.steps = []
    const combiner = this.#combiner
    combiner.store(combiner.load({ base: pointer, index: RSI }), { base: RBX, index: RCX, scale: combiner.width })
    return w.steps
  }
}
