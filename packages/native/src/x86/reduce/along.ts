// A reduction whose elements lie along the run, or whose results are so few that whole rows of them lie one behind the
// other: vectors hold lanes of the tree. Blocks are reduced in registers, some of them together; what they leave is kept
// on a stack in memory and meets in pairs.
import {
  BLOCK,
  type Combining,
  LANES,
  WIDE_PARAMETERS as PARAMETERS,
  type Program,
  type ReduceSignature,
} from 'bcast/kernels'
import { writeSteps } from '../allocation.ts'
import type { Label } from '../assembler.ts'
import { AT, Body } from '../body.ts'
import { frameOf, LEFT, TOLD } from '../context.ts'
import { StackFrame } from '../frame.ts'
import { writeOdometer } from '../nest.ts'
import { type Memory, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBX, RCX, RDI, RSI } from '../registers.ts'
import type { Step, Virtual } from '../steps.ts'
import { bytesOf, type Level, Unsupported, type Vector } from '../vectors.ts'
import { Combiner } from './combining.ts'
import { ReduceLoops } from './loops.ts'
import { copyRest, countLanes } from './row-parts.ts'

/** Blocks that are reduced together at most: a power of two. */
const MOST_BLOCKS = 8
/** Steps of a stretch at most. */
const MOST_STEPS = 640
/** Instructions from which on a program is worth wider vectors than the tree has lanes. */
const COSTLY = 6
/** Registers that may be carried through loops. */
export const MOST_CARRIED: Readonly<Record<Level, number>> = { avx2: 7, avx512: 16 }

/** How far ahead memory is asked for. */
export const AHEAD = 8192

const POINTERS = [RBX, RSI, R8, R9, R10, R11, R12]
/** The stack's top, how many blocks it holds, and rounds that are left. */
const [TOP, DONE, ROUNDS] = [R13, R14, R15] as const

const STORES = { 1: 'vpextrb', 2: 'vpextrw', 4: 'vmovdStore', 8: 'vmovqStore' } as const

export interface ReduceOptions {
  readonly level: Level
  /** The address that the parameters' own counts from. */
  readonly base: bigint
}

/** What a kernel along the run is made of. */
interface Stretches {
  /** Blocks that are reduced together, the most first; none where a program is long. */
  readonly together: readonly { readonly blocks: number; readonly steps: readonly Step[] }[]
  /** For each vector of a round, in its place. */
  readonly whole: readonly (readonly Step[])[]
  /** The same where the vector is the next one: all of it, or as much as counts. */
  readonly single: readonly (readonly Step[])[]
  readonly partial: readonly (readonly Step[])[]
  /** Begins, meets what is below on the stack, takes it from there, goes to the stack. */
  readonly begin: readonly Step[]
  readonly merge: readonly Step[]
  readonly meet: readonly Step[]
  readonly take: readonly Step[]
  readonly push: readonly Step[]
  /** Leaves the result. */
  readonly finish: readonly (readonly Step[])[]
}

export function compileAlong(
  program: Program,
  combining: Combining,
  signature: ReduceSignature,
  options: ReduceOptions,
): Uint8Array {
  return new AlongWriter(program, combining, signature, options).write(options.base)
}

class AlongWriter {
  readonly #loops: ReduceLoops
  readonly #combiner: Combiner
  readonly #elements: Body
  readonly #signature: ReduceSignature
  /** Vectors of a round, which lie one behind the other. */
  readonly #columns: number
  /** Vectors of the tree in one of the program. */
  readonly #ratio: number
  /** Vectors that follow each other and are combined side by side, where the order makes no difference. */
  readonly #chains: number
  readonly #carried: readonly (readonly Virtual[])[]
  readonly #stretches: Stretches
  readonly #result: Memory

  constructor(program: Program, combining: Combining, signature: ReduceSignature, { level }: ReduceOptions) {
    const { lanes, columns } = signature
    const stack = new StackFrame()
    this.#signature = signature
    this.#columns = columns
    const { dtype } = program.code.at(-1)!
    this.#chains = columns === 1 && (combining === 'min' || combining === 'max') ? 4 : 1
    const isHalf = program.inputs.length === 1 && bytesOf(program.inputs[0]!) === 2
    const isCostly = level === 'avx512' && columns === 1 && lanes === LANES && (program.code.length > COSTLY || isHalf)
    this.#ratio = isCostly ? 2 : 1
    const reading = { rows: 1, motions: signature.motions, still: signature.motions.map(() => false), lanes }
    const options = { level, lanes: lanes * this.#ratio, streams: false, registers: POINTERS }
    this.#elements = new Body(program, reading, options, stack)
    const { w } = this.#elements
    this.#combiner = new Combiner(w, dtype, combining, lanes)
    const { parts } = this.#combiner
    if (columns * parts > MOST_CARRIED[level]) throw new Unsupported('so many columns')
    this.#carried = Array.from({ length: columns }, () => Array.from({ length: parts }, () => w.virtual()))
    this.#stretches = this.#write()
    const { together, whole, single, partial, finish, ...others } = this.#stretches
    const all = [
      ...together.map(({ steps }) => steps),
      ...whole,
      ...single,
      ...partial,
      ...finish,
      others.begin,
      others.merge,
      others.meet,
    ]
    // The result and scratch come behind those that are read.
    const operands = program.inputs.length + 2
    this.#loops = new ReduceLoops(this.#elements, stack, [...all, others.take, others.push], {
      operands,
      carried: columns * parts,
    })
    this.#result = this.#loops.cursors.at(-2)!.address
    const last = (w.isWide ? 32 : 16) - 1
    const pinned = this.#loops.pinning.pinned as Map<number, number | Memory>
    for (const [i, { virtual }] of this.#carried.flat().entries()) pinned.set(virtual, last - i)
  }

  /** Bytes between vectors on the stack, and of all that a block leaves. */
  get #gap(): number {
    return this.#columns === 1 ? Math.max(16, this.#combiner.bytes) : this.#combiner.bytes
  }
  get #size(): number {
    return this.#gap * this.#columns
  }
  /** Elements of a round, and of a block. */
  get #round(): number {
    return this.#columns * this.#combiner.lanes * this.#ratio
  }
  get #block(): number {
    return BLOCK * this.#columns * this.#combiner.lanes
  }

  #stretch(emit: () => void): readonly Step[] {
    const { w } = this.#elements
    w.steps = []
    emit()
    return w.steps
  }

  /** Vectors of the tree from vector `i` of the program. */
  #vectors(i: number): readonly Vector[] {
    const [result] = this.#elements.results(i, 'whole', 1)
    return this.#ratio === 1 ? [result!] : this.#combiner.halves(result!)
  }

  #write(): Stretches {
    const combiner = this.#combiner
    const columns = this.#columns
    const gap = this.#gap
    const carried = this.#carried.map((parts) => combiner.vector(parts))
    const each = (made: (column: number) => Vector): void => {
      for (let j = 0; j < columns; j++) combiner.carry(made(j), this.#carried[j]!)
    }
    const at = (j: number, below = 0): Memory => ({ base: TOP, displacement: gap * j - below * this.#size })
    const takeAll = (j: number, vectors: readonly Vector[]): void =>
      combiner.carry(
        vectors.reduce((sum, vector) => combiner.pair(sum, vector), carried[j]!),
        this.#carried[j]!,
      )
    this.#elements.ahead = AHEAD
    const whole = carried.map((_, j) => this.#stretch(() => takeAll(j, this.#vectors(j))))
    this.#elements.ahead = 0
    const single = carried.map((_, j) => this.#stretch(() => takeAll(j, this.#vectors(0))))
    const partial = carried.map((_, j) =>
      this.#stretch(() => {
        const [result] = this.#elements.results(0, 'partial', 1)
        const counted = combiner.counted(result!)
        takeAll(j, this.#ratio === 1 ? [counted] : combiner.halves(counted))
      }),
    )
    const steps = (BLOCK / this.#ratio) * whole.reduce((sum, { length }) => sum + length, 0)
    let blocks = MOST_BLOCKS
    while (blocks >= 1 && blocks * steps > MOST_STEPS) blocks /= 2
    const counts = blocks > 1 ? [blocks, 1] : blocks === 1 ? [1] : []
    const none = { width: combiner.width, parts: [combiner.none], uniform: true }
    return {
      together: counts.map((count) => ({ blocks: count, steps: this.#stretch(() => this.#together(count)) })),
      whole,
      single,
      partial,
      begin: this.#stretch(() => each(() => none)),
      merge: this.#stretch(() => {
        for (let j = 0; j < columns; j++) {
          combiner.store(combiner.pair(combiner.load(at(j, 1)), combiner.load(at(j))), at(j, 1))
        }
      }),
      meet: this.#stretch(() => each((j) => combiner.pair(combiner.load(at(j)), carried[j]!))),
      take: this.#stretch(() => each((j) => combiner.load(at(j)))),
      push: this.#stretch(() => {
        for (const [j, vector] of carried.entries()) combiner.store(vector, at(j))
      }),
      finish: this.#finishing(carried),
    }
  }

  /** Some blocks, each of which is reduced by itself before they meet in pairs, to the stack. */
  #together(blocks: number): void {
    const combiner = this.#combiner
    const columns = this.#columns
    this.#elements.ahead = AHEAD
    const vectors = (BLOCK * columns) / this.#ratio
    const reduced = (first: number, count: number): readonly Vector[] => {
      if (count > 1) {
        const [low, high] = [reduced(first, count / 2), reduced(first + count / 2, count / 2)]
        return low.map((vector, j) => combiner.pair(vector, high[j]!))
      }
      const own: Vector[] = []
      const chains = columns * this.#chains
      for (let i = 0; i < vectors; i++) {
        for (const vector of this.#vectors(first * vectors + i)) {
          const j = i % chains
          own[j] = own[j] === undefined ? vector : combiner.pair(own[j], vector)
        }
      }
      return this.#chains === 1 ? own : [combiner.pairs(own)]
    }
    const all = reduced(0, blocks)
    this.#elements.ahead = 0
    for (const [j, vector] of all.entries()) {
      combiner.store(vector, { base: TOP, displacement: this.#gap * j })
    }
  }

  #finishing(carried: readonly Vector[]): readonly (readonly Step[])[] {
    const combiner = this.#combiner
    const { w } = this.#elements
    const { open, lanes } = this.#signature
    const { width } = combiner
    const columns = this.#columns
    if (columns === 1) {
      // The result's address is in RAX.
      const at: Memory = { base: RAX }
      if (open) return [this.#stretch(() => combiner.store(carried[0]!, at))]
      const name = STORES[width]
      return [
        this.#stretch(() => {
          const stored = combiner.folded(carried[0]!)
          const extracted = width <= 2 ? { immediate: 0 } : {}
          w.steps.push({
            name: width === 8 && w.isWide ? 'vmovqWideStore' : name,
            bits: 128,
            stored,
            operand: at,
            ...extracted,
          })
        }),
      ]
    }
    const at = (j: number, shift = 0): Memory => ({ base: TOP, displacement: this.#gap * j + shift })
    const first = this.#stretch(() => {
      for (const [j, vector] of carried.entries()) combiner.store(vector, at(j))
    })
    if (open) return [first]
    const folds: (readonly Step[])[] = [first]
    // Lanes that lie apart by a power of two of columns meet; what comes in from behind does not count.
    for (let s = 1; s < lanes; s *= 2) {
      folds.push(
        this.#stretch(() => {
          for (let j = 0; j < columns; j++) {
            combiner.store(combiner.pair(combiner.load(at(j)), combiner.load(at(j, s * columns * width))), at(j))
          }
        }),
      )
    }
    return folds
  }

  write(base: bigint): Uint8Array {
    const loops = this.#loops
    const { asm, cursors, rowsLeft } = loops
    return loops.function(base, () => {
      const again = asm.label()
      asm.set(again)
      if (this.#signature.way === 'flat') {
        this.#run(true)
        asm.move(RCX, { base: TOLD, displacement: PARAMETERS.rows })
        loops.advance(cursors, cursors, RCX)
      } else {
        const row = asm.label()
        asm.move(RAX, { base: TOLD, displacement: PARAMETERS.rows }).store(rowsLeft, RAX).set(row)
        this.#run(false)
        for (const { address, rowStep } of cursors) asm.move(RAX, rowStep).addTo(address, RAX)
        asm.subtractConstant(rowsLeft, 1).jumpIf('notEqual', row)
      }
      writeOdometer(loops, again)
    })
  }

  #emit(steps: readonly Step[]): void {
    writeSteps(this.#loops.asm, steps, frameOf(this.#loops, this.#loops.pinning.pinned))
  }

  /** One run; of rows that lie one behind the other where it is flat. */
  #run(isFlat: boolean): void {
    const loops = this.#loops
    const { asm, cursors } = loops
    const { together, begin, meet, take, push, finish } = this.#stretches
    const scratch = cursors.at(-1)!.address
    const rounds = BLOCK / this.#ratio
    loops.beginRows(cursors)
    asm.clear(AT).move(LEFT, { base: TOLD, displacement: PARAMETERS.inner })
    if (isFlat) asm.multiply(LEFT, { base: TOLD, displacement: PARAMETERS.rows })
    asm.move(TOP, scratch).clear(DONE)
    const [block, last, final, finished] = [asm.label(), asm.label(), asm.label(), asm.label()]
    for (const { blocks, steps } of together) {
      const [again, fewer] = [asm.label(), asm.label()]
      const elements = blocks * this.#block
      asm.compareConstant(LEFT, elements).jumpIf('less', fewer)
      asm.set(again)
      this.#emit(steps)
      asm.addConstant(AT, elements).subtractConstant(LEFT, elements)
      this.#pushed(Math.log2(blocks))
      asm.compareConstant(LEFT, elements).jumpIf('greaterEqual', again)
      asm.compareConstant(LEFT, 0).jumpIf('equal', last)
      asm.set(fewer)
    }
    asm.set(block)
    this.#emit(begin)
    const [again, rest, over] = [asm.label(), asm.label(), asm.label()]
    asm.number(ROUNDS, rounds).set(again)
    asm.compareConstant(LEFT, this.#round).jumpIf('less', rest)
    for (const steps of this.#stretches.whole) this.#emit(steps)
    asm.addConstant(AT, this.#round).subtractConstant(LEFT, this.#round)
    asm.subtractConstant(ROUNDS, 1).jumpIf('notEqual', again).jump(over)
    asm.set(rest)
    this.#rest(final)
    asm.set(over).compareConstant(LEFT, 0).jumpIf('equal', final)
    this.#emit(push)
    this.#pushed(0)
    asm.jump(block)
    asm.set(last).subtractConstant(TOP, this.#size)
    this.#emit(take)
    asm.set(final).compare(TOP, scratch).jumpIf('equal', finished)
    asm.subtractConstant(TOP, this.#size)
    this.#emit(meet)
    asm.jump(final)
    asm.set(finished)
    if (this.#columns === 1) asm.move(RAX, this.#result)
    for (const steps of finish) this.#emit(steps)
    if (this.#columns > 1) {
      asm.move(RSI, TOP).move(RDI, this.#result)
      const bytes = this.#combiner.width * this.#columns * (this.#signature.open ? this.#combiner.lanes : 1)
      asm.number(RCX, bytes).copyBytes().move(TOLD, loops.told)
    }
  }

  /** What lies at the top has come onto the stack: pairs meet. A block counts as so many of `2 ** level`. */
  #pushed(level: number): void {
    const { asm } = this.#loops
    const [again, end] = [asm.label(), asm.label()]
    const carry = RAX
    asm.move(carry, DONE)
    if (level > 0) asm.shiftRight(carry, level)
    asm.addConstant(DONE, 2 ** level)
    asm.set(again).shiftRight(carry, 1).jumpIf('aboveEqual', end)
    this.#emit(this.#stretches.merge)
    asm.subtractConstant(TOP, this.#size).jump(again)
    asm.set(end).addConstant(TOP, this.#size)
  }

  /** Less than a round, after which nothing is left. */
  #rest(final: Label): void {
    const loops = this.#loops
    const { asm } = loops
    const { w } = this.#elements
    const { lanes } = w
    const ends = asm.label()
    for (const [j, steps] of this.#stretches.partial.entries()) {
      asm.compareConstant(LEFT, 0).jumpIf('lessEqual', ends)
      const whole = asm.label()
      const isLast = j === this.#columns - 1
      if (!isLast) asm.compareConstant(LEFT, lanes).jumpIf('greaterEqual', whole)
      asm.move(RAX, LEFT).store(w.counted, RAX)
      if (w.isWide) countLanes(loops)
      else copyRest(loops, loops.told, loops.at)
      this.#emit(steps)
      asm.clear(LEFT).jump(final)
      if (isLast) continue
      asm.set(whole)
      this.#emit(this.#stretches.single[j]!)
      asm.addConstant(AT, lanes).subtractConstant(LEFT, lanes)
    }
    asm.set(ends).clear(LEFT)
  }
}
