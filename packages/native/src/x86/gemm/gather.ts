// The kernel that packs lines into strips wherever each of them begins and each of their elements lies, by tables of
// offsets: vectors whose lines lie side by side are moved, others element by element.
import { GATHERING } from 'bcast/kernels'
import type { Gathering } from '../../machine/product.ts'
import type { Assembler } from '../assembler.ts'
import { R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDX, RSI } from '../registers.ts'
import type { Level } from '../vectors.ts'
import { tileOf } from './tile.ts'
import { kernelOf, told, whileAtLeast } from './writer.ts'

/** Tables: of lines, of vectors, of elements; the strip, lines and vectors that are left, where elements count from. */
const [ACROSS, UNIT, ALONG, TARGET, LINES, VECTORS, SOURCE] = [R15, R14, R13, R12, RBX, RBP, R8] as const
/** In a vector: the next element's place in its table, where it goes, how many are left, where the element counts from. */
const [AT, TO, LEFT, HERE] = [R9, R11, RCX, RDX] as const

export function compileGather({ type }: Gathering, level: Level, base: bigint): Uint8Array {
  const { isWide, width, bits, bytes, lanes, vectors, names } = tileOf(level, type)
  const step = vectors * bytes
  return kernelOf(isWide, base, 1, (asm) => {
    /** Goes along the lines of a vector, whose elements `load` moves to where they go. */
    const eachElement = (load: () => void): void => {
      asm.move(AT, ALONG).move(LEFT, told(GATHERING.length)).move(TO, R10)
      whileAtLeast(asm, LEFT, 1, () => {
        asm.moveSigned(HERE, { base: AT }).add(HERE, SOURCE)
        load()
        asm.addConstant(AT, 4).addConstant(TO, step)
      })
    }
    const again = asm.label()
    asm.move(SOURCE, told(GATHERING.source)).move(ACROSS, told(GATHERING.across)).move(UNIT, told(GATHERING.unit))
    asm.move(ALONG, told(GATHERING.along)).move(TARGET, told(GATHERING.target)).move(LINES, told(GATHERING.lines))
    asm.set(again).move(R10, TARGET).number(VECTORS, vectors)
    whileAtLeast(asm, VECTORS, 1, () => {
      const [apart, done] = [asm.label(), asm.label()]
      asm.moveWord(RAX, { base: UNIT }).compareConstant(RAX, 0).jumpIf('equal', apart)
      asm.moveSigned(RSI, { base: ACROSS })
      eachElement(() => {
        asm.vector(names.load, { bits, to: 0, operand: { base: HERE, index: RSI } })
        asm.vector(names.store, { bits, to: 0, operand: { base: TO } })
      })
      asm.jump(done).set(apart)
      eachElement(() => gatherVector(asm, lanes, width))
      asm
        .set(done)
        .addConstant(ACROSS, 4 * lanes)
        .addConstant(UNIT, 4)
        .addConstant(R10, bytes)
    })
    asm.add(TARGET, told(GATHERING.targetStrip))
    asm
      .subtractConstant(LINES, vectors * lanes)
      .compareConstant(LINES, 0)
      .jumpIf('greater', again)
  })
}

/** The lanes of a vector one by one. */
function gatherVector(asm: Assembler, lanes: number, width: 4 | 8): void {
  for (let lane = 0; lane < lanes; lane++) {
    const [from, to] = [
      { base: HERE, index: RSI },
      { base: TO, displacement: lane * width },
    ]
    asm.moveSigned(RSI, { base: ACROSS, displacement: 4 * lane })
    if (width === 4) asm.moveWord(RAX, from).storeWord(to, RAX)
    else asm.move(RAX, from).store(to, RAX)
  }
}
