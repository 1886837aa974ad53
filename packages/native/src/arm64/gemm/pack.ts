// Kernels that pack lines into strips for the one that multiplies: a strip holds the first elements of its lines side by
// side, then the second ones, and so on; 16-bit floats become float32. Lanes without a line are zero. Nothing is read
// beyond the last element of a line, nor beyond the last line.
import { PACKING } from 'bcast/kernels'
import { type Packing, widthsOf } from '../../machine/product.ts'
import type { Assembler } from '../assembler.ts'
import { X16, ZERO } from '../registers.ts'
import { BYTES } from '../vectors.ts'
import { loadLines, setSteps, turn } from './turn.ts'
import { at, kernelOf, read, whileAtLeast } from './writer.ts'

/** The strip: its first line, where it goes, lines from there on; from strip to strip of lines, and where they go. */
const [SOURCE, TARGET, LINES, ADVANCE, STRIP] = [1, 2, 3, 4, 5] as const
/** Along a line, and its elements; how far lines lie behind the first. */
const [ALONG, LENGTH] = [6, 7] as const
const ACROSS = [8, 9, 10] as const
/** Lines of a strip: the next one, its lane, how many are left, and lanes without one, which come last. */
const [LINE, LANE, COUNT, EMPTY] = [11, 12, 13, 23] as const
/** Along lines: where they are, where they go, elements that are left. */
const [AT, TO, LEFT] = [14, 15, 17] as const
/** What is left of lines that were turned: where it is and goes, elements of each, lines. */
const [REST_AT, REST_TO, REST, REST_LINES] = [19, 20, 21, 22] as const

export const compilePack = (kernel: Packing, base: bigint): Uint8Array =>
  kernelOf(base, (asm) => new PackWriter(asm, kernel).write())

class PackWriter {
  readonly #asm: Assembler
  readonly #kernel: Packing
  readonly #from: 2 | 4 | 8
  readonly #to: 4 | 8
  /** Lanes of a vector; so many lines are turned at once. */
  readonly #perVector: number

  constructor(asm: Assembler, kernel: Packing) {
    this.#asm = asm
    this.#kernel = kernel
    ;[this.#from, this.#to] = widthsOf(kernel.dtype)
    this.#perVector = BYTES / this.#to
  }

  /** Bytes from one element of a line to the next in a strip. */
  get #step(): number {
    return this.#kernel.lanes * this.#to
  }

  write(): void {
    const asm = this.#asm
    const { advance, motion } = this.#kernel
    read(asm, [
      [SOURCE, PACKING.source],
      [ACROSS[0], PACKING.across],
      [ALONG, PACKING.along],
      [LINES, PACKING.lines],
      [LENGTH, PACKING.length],
      [TARGET, PACKING.target],
      [STRIP, PACKING.targetStrip],
    ])
    setSteps(asm, ACROSS)
    asm.constant(X16, BigInt(advance)).multiply(ADVANCE, ACROSS[0], X16)
    const again = asm.label()
    asm.set(again)
    if (motion === 'unit') this.#sideBySide()
    else this.#lines()
    asm.add(SOURCE, SOURCE, ADVANCE).add(TARGET, TARGET, STRIP)
    asm.subtractConstant(LINES, LINES, advance).compareConstant(LINES, 0).jumpIf('greater', again)
  }

  /** A strip whose lines lie side by side: vectors of them are moved. One that is not full goes line by line. */
  #sideBySide(): void {
    const asm = this.#asm
    const { lanes } = this.#kernel
    const [whole, done, again] = [asm.label(), asm.label(), asm.label()]
    asm.compareConstant(LINES, lanes).jumpIf('greaterEqual', whole)
    this.#lines()
    asm.jump(done).set(whole).move(AT, SOURCE).move(TO, TARGET).move(LEFT, LENGTH)
    const bytes = this.#perVector * this.#from
    asm.set(again)
    for (let v = 0; v < lanes / this.#perVector; v++) {
      asm.loadVector(v, at(AT, v * bytes), bytes)
      this.#widen(v)
      asm.storeVector(at(TO, v * BYTES), v)
    }
    asm.add(AT, AT, ALONG).addConstant(TO, TO, this.#step)
    asm.subtractConstant(LEFT, LEFT, 1).jumpUnlessZero(LEFT, again).set(done)
  }

  /** 16-bit floats in the lower half of a register as float32. */
  #widen(register: number): void {
    const { dtype } = this.#kernel
    if (dtype === 'float16') this.#asm.vector('fcvtl', 2, register, [register])
    else if (dtype === 'bfloat16') this.#asm.vector('shll', 2, register, [register])
  }

  /** A strip line by line, or several lines turned at once where their elements lie side by side. */
  #lines(): void {
    const asm = this.#asm
    const { lanes, motion } = this.#kernel
    const turned = this.#perVector
    asm.move(LINE, SOURCE).move(LANE, TARGET)
    asm.constant(X16, BigInt(lanes)).compare(LINES, X16).choose('less', COUNT, LINES, X16)
    asm.subtract(EMPTY, X16, COUNT)
    if (motion === 'turned') {
      whileAtLeast(asm, COUNT, turned, () => {
        this.#turned(turned)
        asm
          .add(LINE, LINE, ACROSS[turned - 2]!)
          .add(LINE, LINE, ACROSS[0])
          .addConstant(LANE, LANE, turned * this.#to)
      })
    }
    whileAtLeast(asm, COUNT, 1, () => {
      asm.move(AT, LINE).move(TO, LANE).move(LEFT, LENGTH)
      this.#elements()
      asm.add(LINE, LINE, ACROSS[0]).addConstant(LANE, LANE, this.#to)
    })
    whileAtLeast(asm, EMPTY, 1, () => {
      asm.move(TO, LANE).move(LEFT, LENGTH)
      whileAtLeast(asm, LEFT, 1, () => {
        asm.store(at(TO), ZERO, this.#to).addConstant(TO, TO, this.#step)
      })
      asm.addConstant(LANE, LANE, this.#to)
    })
  }

  /** Several lines at once; the last elements of each go one by one. */
  #turned(count: number): void {
    const asm = this.#asm
    const bytes = (count * this.#from) as 8 | 16
    asm.move(AT, LINE).move(TO, LANE).move(LEFT, LENGTH)
    whileAtLeast(asm, LEFT, count, () => {
      loadLines(asm, { first: AT, steps: ACROSS }, count, bytes)
      for (let line = 0; line < count; line++) this.#widen(line)
      for (const [i, register] of turn(asm, this.#to).entries()) asm.storeVector(at(TO, i * this.#step), register)
      asm.addConstant(AT, AT, bytes).addConstant(TO, TO, count * this.#step)
    })
    const [done, again] = [asm.label(), asm.label()]
    asm.jumpIfZero(LEFT, done).move(REST, LEFT).move(REST_AT, AT).move(REST_TO, TO).constant(REST_LINES, BigInt(count))
    asm.set(again).move(AT, REST_AT).move(TO, REST_TO).move(LEFT, REST)
    this.#elements()
    asm.add(REST_AT, REST_AT, ACROSS[0]).addConstant(REST_TO, REST_TO, this.#to)
    asm.subtractConstant(REST_LINES, REST_LINES, 1).jumpUnlessZero(REST_LINES, again).set(done)
  }

  /** Elements of one line, as many as are left: at least one. */
  #elements(): void {
    const asm = this.#asm
    const again = asm.label()
    asm.set(again).loadVector(0, at(AT), this.#from)
    this.#widen(0)
    asm.storeVector(at(TO), 0, this.#to).add(AT, AT, ALONG).addConstant(TO, TO, this.#step)
    asm.subtractConstant(LEFT, LEFT, 1).jumpUnlessZero(LEFT, again)
  }
}
