// What kernels of products have in common: how they begin and end, loops, products of vectors with an element, vectors that
// are not full.
import { whileHolds } from '../../machine/strips.ts'
import { Assembler } from '../assembler.ts'
import { writeFunction } from '../function.ts'
import { type Memory, X0, ZERO } from '../registers.ts'
import type { Tile } from './tile.ts'

/** The register that points to what a kernel is told. */
const TOLD = X0

/** An argument by its offset. */
export const told = (offset: number): Memory => ({ base: TOLD, displacement: offset })

/** The place that a register points to, or so many bytes behind it. */
export const at = (base: number, displacement = 0): Memory => ({ base, displacement })

/** A kernel whose arguments lie at an offset from `base`. */
export function kernelOf(base: bigint, write: (asm: Assembler) => void): Uint8Array {
  const asm = new Assembler()
  return writeFunction(asm, base, () => {
    write(asm)
    asm.move(X0, ZERO)
  })
}

/** Arguments into registers. */
export function read(asm: Assembler, places: readonly (readonly [register: number, offset: number])[]): void {
  for (const [register, offset] of places) asm.load(register, told(offset))
}

/** Repeats `body` as long as a register, of which it takes `step` each time, holds at least so much. */
export function whileAtLeast(asm: Assembler, register: number, step: number, body: () => void): void {
  whileHolds(asm, register, step, () => {
    body()
    asm.subtractConstant(register, register, step)
  })
}

/** A vector times the first lane of another. */
export function multiply(asm: Assembler, { isFloat, width }: Tile, to: number, vector: number, element: number): void {
  asm.vector(isFloat ? 'fmulLane' : 'mulLane', width, to, [vector, element])
}

/**
 * Adds products of vectors with the first lane of another to sums. Those of floats are rounded before they are added, in
 * registers that they are given, so that none waits for the one before; integers have one instruction for both.
 */
export function addProducts(
  asm: Assembler,
  tile: Tile,
  sums: readonly number[],
  vectors: readonly number[],
  element: number,
  products: readonly number[],
): void {
  const { isFloat, width } = tile
  for (const [i, vector] of vectors.entries()) {
    if (isFloat) multiply(asm, tile, products[i]!, vector, element)
    else asm.vector('mlaLane', width, sums[i]!, [vector, element])
  }
  if (!isFloat) return
  for (const [i, sum] of sums.entries()) asm.vector('fadd', width, sum, [sum, products[i]!])
}

/** A vector that is not full: where it lies, how many of its lanes there are, and a register that points into it. */
export interface End {
  readonly place: Memory
  readonly lanes: number
  readonly scratch: number
}

/** Does something for each lane that there is: at least the first, never the last. */
function eachLane(asm: Assembler, tile: Tile, lanes: number, first: number, one: (lane: number) => void): void {
  const done = asm.label()
  for (let lane = first; lane < tile.lanes - 1; lane++) {
    if (lane > 0) asm.compareConstant(lanes, lane).jumpIf('lessEqual', done)
    one(lane)
  }
  asm.set(done)
}

/** Loads the lanes that there are; the others are zero. */
export function loadEnd(asm: Assembler, tile: Tile, to: number, { place, lanes, scratch }: End): void {
  const { width } = tile
  asm.loadVector(to, place, width).address(scratch, at(place.base, place.displacement + width))
  eachLane(asm, tile, lanes, 1, (lane) => asm.loadLane(to, lane, width, scratch, ZERO))
}

export function storeEnd(asm: Assembler, tile: Tile, from: number, { place, lanes, scratch }: End): void {
  asm.address(scratch, place)
  eachLane(asm, tile, lanes, 0, (lane) => asm.storeLane(scratch, from, lane, tile.width))
}
