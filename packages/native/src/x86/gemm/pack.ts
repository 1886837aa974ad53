// Kernels that pack lines into strips for the one that multiplies: a strip holds the first elements of its lines side by
// side, then the second ones, and so on; 16-bit floats become float32. Lanes without a line are zero. Nothing is read
// beyond the last element of a line, nor beyond the last line.
import { PACKING } from 'bcast/kernels'
import { type Packing, widthsOf } from '../../machine/product.ts'
import type { Assembler } from '../assembler.ts'
import type { Bits } from '../registers.ts'
import { R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI } from '../registers.ts'
import type { Level } from '../vectors.ts'
import { linesAtOnce, multiply, turn, widen } from './turn.ts'
import { kernelOf, slot, told, whileAtLeast } from './writer.ts'

/** From line to line, odd multiples of that, and from element to element. */
const [ACROSS, ALONG] = [R8, R10] as const
const ACROSS_TIMES = { 1: ACROSS, 3: R9, 5: RSI, 7: RDI } as const
/** The strip: its first line, where it goes, lines from there on. */
const [SOURCE, TARGET, LINES] = [R15, R12, R14] as const
/** Lines of a strip: the next one, its lane, how many are left. */
const [LINE, LANE, COUNT] = [RDX, RBX, R13] as const
/** Along lines: where they are, where they go, elements that are left. */
const [AT, TO, LEFT] = [R11, RBP, RCX] as const

/** On the stack, because arguments are out of reach once their register is taken: the length of a line, from strip to strip. */
const [LENGTH, STRIP] = [slot(4), slot(5)]

export const compilePack = (kernel: Packing, level: Level, base: bigint): Uint8Array =>
  kernelOf(level === 'avx512', base, 6, (asm) => new PackWriter(asm, kernel, level).write())

class PackWriter {
  readonly #asm: Assembler
  readonly #kernel: Packing
  readonly #isWide: boolean
  readonly #from: 2 | 4 | 8
  readonly #to: 4 | 8

  constructor(asm: Assembler, kernel: Packing, level: Level) {
    this.#asm = asm
    this.#kernel = kernel
    this.#isWide = level === 'avx512'
    ;[this.#from, this.#to] = widthsOf(kernel.dtype)
  }

  /** Bytes from one element of a line to the next in a strip. */
  get #step(): number {
    return this.#kernel.lanes * this.#to
  }

  write(): void {
    const asm = this.#asm
    const { advance, motion } = this.#kernel
    asm.move(SOURCE, told(PACKING.source)).move(TARGET, told(PACKING.target)).move(LINES, told(PACKING.lines))
    asm.move(ACROSS, told(PACKING.across)).move(ALONG, told(PACKING.along))
    asm.move(RAX, told(PACKING.length)).store(LENGTH, RAX).move(RAX, told(PACKING.targetStrip)).store(STRIP, RAX)
    multiply(asm, ACROSS_TIMES)
    const again = asm.label()
    asm.set(again)
    if (motion === 'unit') this.#sideBySide()
    else this.#lines()
    asm.times(RAX, ACROSS, advance).add(SOURCE, RAX).add(TARGET, STRIP)
    asm.subtractConstant(LINES, advance).compareConstant(LINES, 0).jumpIf('greater', again)
  }

  /** The lesser of how many lines a strip has and how many are left. */
  #linesOfStrip(register: number): void {
    this.#asm.number(register, this.#kernel.lanes).compare(LINES, register).moveIf('less', register, LINES)
  }

  /** A strip whose lines lie side by side: vectors of them are moved. */
  #sideBySide(): void {
    const asm = this.#asm
    const { dtype, lanes } = this.#kernel
    const most = this.#isWide ? 512 : 256
    const bits = Math.min(most, lanes * this.#to * 8) as Bits
    const vectors = (lanes * this.#to * 8) / bits
    const perVector = lanes / vectors
    const done = asm.label()
    if (this.#isWide) {
      this.#linesOfStrip(RAX)
      asm.constant(RCX, -1n).lowBits(RCX, RCX, RAX).mask(1, RCX)
      for (let v = 1; v < vectors; v++) asm.shiftMask(v + 1, 1, v * perVector)
    } else {
      // Without masks, strips that are not full go line by line.
      const whole = asm.label()
      asm.compareConstant(LINES, lanes).jumpIf('greaterEqual', whole)
      this.#lines()
      asm.jump(done).set(whole)
    }
    asm.move(AT, SOURCE).move(TO, TARGET).move(LEFT, LENGTH)
    const again = asm.label()
    asm.set(again)
    for (let v = 0; v < vectors; v++) {
      const mask = this.#isWide ? { mask: v + 1 } : {}
      const operand = { base: AT, displacement: v * perVector * this.#from }
      if (dtype === 'float16') asm.vector('vcvtph2ps', { bits, to: v, operand, ...mask })
      else if (dtype === 'bfloat16') {
        asm.vector('vpmovzxwd', { bits, to: v, operand, ...mask })
        asm.vector('vpslld', { bits, to: v, operand: v, immediate: 16 })
      } else {
        const name = this.#isWide ? (this.#to === 4 ? 'vmovdqu32' : 'vmovdqu64') : 'vmovdqu'
        asm.vector(name, { bits, to: v, operand, ...mask })
      }
    }
    const store = this.#isWide ? 'vmovdqu32Store' : 'vmovdquStore'
    for (let v = 0; v < vectors; v++) {
      asm.vector(store, { bits, to: v, operand: { base: TO, displacement: (v * bits) / 8 } })
    }
    asm.add(AT, ALONG).addConstant(TO, this.#step).subtractConstant(LEFT, 1).jumpIf('notEqual', again)
    asm.set(done)
  }

  /** A strip line by line, or several lines turned at once where their elements lie side by side. */
  #lines(): void {
    const asm = this.#asm
    const { dtype, lanes, motion } = this.#kernel
    asm.move(LINE, SOURCE).move(LANE, TARGET)
    this.#linesOfStrip(COUNT)
    if (motion === 'turned') {
      const count = linesAtOnce(dtype)
      whileAtLeast(asm, COUNT, count, () => {
        this.#turned(count)
        asm
          .times(RAX, ACROSS, count)
          .add(LINE, RAX)
          .addConstant(LANE, count * this.#to)
      })
    }
    whileAtLeast(asm, COUNT, 1, () => {
      asm.move(AT, LINE).move(TO, LANE).move(LEFT, LENGTH)
      this.#elements()
      asm.add(LINE, ACROSS).addConstant(LANE, this.#to)
    })
    this.#linesOfStrip(RAX)
    asm.number(COUNT, lanes).subtract(COUNT, RAX).clear(RAX)
    whileAtLeast(asm, COUNT, 1, () => {
      asm.move(TO, LANE).move(LEFT, LENGTH)
      whileAtLeast(asm, LEFT, 1, () => {
        if (this.#to === 8) asm.store({ base: TO }, RAX)
        else asm.storeWord({ base: TO }, RAX)
        asm.addConstant(TO, this.#step)
      })
      asm.addConstant(LANE, this.#to)
    })
  }

  /** Several lines at once; the last elements of each go one by one. */
  #turned(count: 4 | 8): void {
    const asm = this.#asm
    const { dtype } = this.#kernel
    const lines = { first: AT, steps: ACROSS_TIMES }
    asm.move(AT, LINE).move(TO, LANE).move(LEFT, LENGTH)
    whileAtLeast(asm, LEFT, count, () => {
      turn(asm, dtype, lines, (register, i) => {
        asm.vector('vmovdquStore', { bits: 256, to: register, operand: { base: TO, displacement: i * this.#step } })
      })
      asm.addConstant(AT, count * this.#from).addConstant(TO, count * this.#step)
    })
    const [done, again] = [asm.label(), asm.label()]
    const [rest, lines_, at, to] = [slot(0), slot(1), slot(2), slot(3)]
    asm.compareConstant(LEFT, 0).jumpIf('equal', done)
    asm.store(rest, LEFT).store(at, AT).store(to, TO).number(RAX, count).store(lines_, RAX)
    asm.set(again).move(AT, at).move(TO, to).move(LEFT, rest)
    this.#elements()
    asm.addTo(at, ACROSS).addConstant(to, this.#to).subtractConstant(lines_, 1).jumpIf('notEqual', again)
    asm.set(done)
  }

  /** Elements of one line, as many as are left: at least one. */
  #elements(): void {
    const asm = this.#asm
    const { dtype } = this.#kernel
    const again = asm.label()
    asm.set(again)
    if (this.#from === 2) {
      asm.vector('vpbroadcastw', { bits: 128, to: 0, operand: { base: AT } })
      if (dtype === 'float16') widen(asm, dtype, 128, 0)
      else asm.vector('vpslld', { bits: 128, to: 0, operand: 0, immediate: 16 })
      asm.vector('vmovdStore', { bits: 128, to: 0, operand: { base: TO } })
    } else if (this.#from === 4) asm.moveWord(RAX, { base: AT }).storeWord({ base: TO }, RAX)
    else asm.move(RAX, { base: AT }).store({ base: TO }, RAX)
    asm.add(AT, ALONG).addConstant(TO, this.#step).subtractConstant(LEFT, 1).jumpIf('notEqual', again)
  }
}
