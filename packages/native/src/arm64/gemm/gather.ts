// The kernel that packs lines into strips wherever each of them begins and each of their elements lies, by tables of
// offsets: vectors whose lines lie side by side are moved, others element by element.
import { GATHERING } from 'bcast/kernels'
import type { Gathering } from '../../machine/product.ts'
import { X16 } from '../registers.ts'
import { tileOf } from './tile.ts'
import { at, kernelOf, read, told, whileAtLeast } from './writer.ts'

/** Tables: of lines, of vectors, of elements; the strip, lines and vectors that are left, where elements count from. */
const [ACROSS, UNIT, ALONG, TARGET, LINES, VECTORS, SOURCE] = [1, 2, 3, 4, 5, 6, 7] as const
/** The vector's place in the strip; the next element's in its table, where it goes, how many are left, where it counts from. */
const [VECTOR, AT, TO, LEFT, HERE] = [8, 9, 10, 11, 12] as const
/** How far lines of a vector lie from there. */
const LINE = [19, 20, 21, 22] as const

export function compileGather({ type }: Gathering, base: bigint): Uint8Array {
  const { width, bytes, lanes, vectors } = tileOf(type)
  return kernelOf(base, (asm) => {
    /** Goes along the lines of a vector, whose elements `move` moves to where they go. */
    const eachElement = (move: () => void): void => {
      asm.move(AT, ALONG).load(LEFT, told(GATHERING.length)).move(TO, VECTOR)
      whileAtLeast(asm, LEFT, 1, () => {
        asm.loadSigned(HERE, at(AT)).add(HERE, HERE, SOURCE)
        move()
        asm.addConstant(AT, AT, 4).addConstant(TO, TO, vectors * bytes)
      })
    }
    read(asm, [
      [SOURCE, GATHERING.source],
      [ACROSS, GATHERING.across],
      [UNIT, GATHERING.unit],
      [ALONG, GATHERING.along],
      [TARGET, GATHERING.target],
      [LINES, GATHERING.lines],
    ])
    const again = asm.label()
    asm.set(again).move(VECTOR, TARGET).constant(VECTORS, BigInt(vectors))
    whileAtLeast(asm, VECTORS, 1, () => {
      const [apart, done] = [asm.label(), asm.label()]
      for (let lane = 0; lane < lanes; lane++) asm.loadSigned(LINE[lane]!, at(ACROSS, 4 * lane))
      asm.load(X16, at(UNIT), 4).jumpIfZero(X16, apart, false)
      eachElement(() => asm.loadVectorAt(0, HERE, LINE[0], 16).storeVector(at(TO), 0))
      asm.jump(done).set(apart)
      eachElement(() => {
        for (let lane = 0; lane < lanes; lane++) {
          asm.loadVectorAt(lane, HERE, LINE[lane]!, width).storeVector(at(TO, lane * width), lane, width)
        }
      })
      asm
        .set(done)
        .addConstant(ACROSS, ACROSS, 4 * lanes)
        .addConstant(UNIT, UNIT, 4)
        .addConstant(VECTOR, VECTOR, bytes)
    })
    asm.load(X16, told(GATHERING.targetStrip)).add(TARGET, TARGET, X16)
    asm
      .subtractConstant(LINES, LINES, vectors * lanes)
      .compareConstant(LINES, 0)
      .jumpIf('greater', again)
  })
}
