// Kernels of a row times a matrix, which read the matrix where it lies: every element is read once, so that packing it would
// take longer than multiplying. The sum of a column has one lane that takes its products in ascending order, from zero,
// multiplied and added with two roundings, as in the product of matrices.
import { type ProductKernel, ROW } from 'bcast/kernels'
import type { Assembler } from '../assembler.ts'
import { type Memory, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDX, RSI } from '../registers.ts'
import { type Level, Unsupported } from '../vectors.ts'
import { type Tile, tileOf } from './tile.ts'
import { linesAtOnce, multiply, placeOf, turn } from './turn.ts'
import { kernelOf, LAST, maskLanes, maskRegister, slot, told, whileAtLeast } from './writer.ts'

type Row = Extract<ProductKernel, { kind: 'across' | 'along' }>

export function compileRow({ kind, type }: Row, level: Level, base: bigint): Uint8Array {
  const tile = tileOf(level, type)
  if (tile.multiply === undefined) throw new Unsupported('a row times a matrix of 64-bit integers')
  const write = kind === 'across' ? writeAcross : writeAlong
  return kernelOf(tile.isWide, base, 12, (asm) => write(asm, tile))
}

/** Rows of the matrix that are added at once: so many places in memory are read side by side. */
const ROWS = [8, 4, 2, 1]
/** Vectors of columns whose sums go on together. */
const GROUP = 4

/** A matrix whose columns lie side by side: the sums of all columns go on a few rows at a time. */
function writeAcross(asm: Assembler, tile: Tile): void {
  const { bits, bytes, lanes, names, width, isWide } = tile
  const [ROW_AT, ALONG, MATRIX, STEP, THRICE] = [R8, R9, R10, RSI, R11] as const
  const [ABOVE, BELOW, SUMS, LEFT, LENGTH] = [RBX, RBP, R12, R13, R14] as const
  // Registers behind those of factors: of sums, of a product, of a mask.
  const [sums, product, mask] = [8, 8 + GROUP, 9 + GROUP]
  const store = { bits, from: mask }
  const add = (rows: number, v: number): void => {
    const sum = sums + v
    for (let row = 0; row < rows; row++) {
      const displacement = v * bytes
      const base = row < 4 ? ABOVE : BELOW
      const operand: Memory = [
        { base, displacement },
        { base, index: STEP, displacement },
        { base, index: STEP, scale: 2 as const, displacement },
        { base, index: THRICE, displacement },
      ][row % 4]!
      asm.vector(tile.multiply!, { bits, to: product, from: row, operand })
      asm.vector(names.add, { bits, to: sum, from: sum, operand: product })
    }
  }
  /** The last columns, fewer than a vector. */
  const addLast = (rows: number): void => {
    const sum = sums
    const [loadMasked, storeMasked] = isWide
      ? [names.load, names.store]
      : width === 4
        ? (['vpmaskmovd', 'vpmaskmovdStore'] as const)
        : (['vpmaskmovq', 'vpmaskmovqStore'] as const)
    const masked = isWide ? { bits, mask: LAST } : store
    asm.move(RAX, LEFT)
    if (isWide) maskLanes(asm, tile, LAST)
    else maskRegister(asm, tile, mask)
    asm.vector(loadMasked, { ...masked, to: sum, operand: { base: SUMS } })
    for (let row = 0; row < rows; row++) {
      const base = row < 4 ? ABOVE : BELOW
      const operand: Memory = [
        { base },
        { base, index: STEP },
        { base, index: STEP, scale: 2 as const },
        { base, index: THRICE },
      ][row % 4]!
      asm.vector(loadMasked, { ...masked, to: product, operand })
      asm.vector(tile.multiply!, { bits, to: product, from: row, operand: product })
      asm.vector(names.add, { bits, to: sum, from: sum, operand: product })
    }
    asm.vector(storeMasked, { ...masked, to: sum, operand: { base: SUMS } })
  }
  asm.move(ROW_AT, told(ROW.row)).move(ALONG, told(ROW.rowStep)).move(MATRIX, told(ROW.matrix))
  asm.move(STEP, told(ROW.step)).times(THRICE, STEP, 3).move(LENGTH, told(ROW.length))
  // From zero.
  asm.move(RDX, told(ROW.sums)).move(LEFT, told(ROW.columns)).clear(RAX)
  asm.vector(names.clear, { bits, to: product, from: product, operand: product })
  whileAtLeast(asm, LEFT, lanes, () => {
    asm.vector(names.store, { bits, to: product, operand: { base: RDX } }).addConstant(RDX, bytes)
  })
  whileAtLeast(asm, LEFT, 1, () => {
    if (width === 8) asm.store({ base: RDX }, RAX)
    else asm.storeWord({ base: RDX }, RAX)
    asm.addConstant(RDX, width)
  })
  for (const rows of ROWS) {
    whileAtLeast(asm, LENGTH, rows, () => {
      for (let row = 0; row < rows; row++) {
        asm.vector(names.broadcast, { bits, to: row, operand: { base: ROW_AT } }).add(ROW_AT, ALONG)
      }
      asm.move(ABOVE, MATRIX).address(BELOW, { base: ABOVE, index: STEP, scale: 4 })
      asm.move(SUMS, told(ROW.sums)).move(LEFT, told(ROW.columns))
      for (const vectors of [GROUP, 1]) {
        whileAtLeast(asm, LEFT, vectors * lanes, () => {
          for (let v = 0; v < vectors; v++) {
            asm.vector(names.load, { bits, to: sums + v, operand: { base: SUMS, displacement: v * bytes } })
          }
          for (let v = 0; v < vectors; v++) add(rows, v)
          for (let v = 0; v < vectors; v++) {
            asm.vector(names.store, { bits, to: sums + v, operand: { base: SUMS, displacement: v * bytes } })
          }
          for (const register of [SUMS, ABOVE, ...(rows > 4 ? [BELOW] : [])]) {
            asm.addConstant(register, vectors * bytes)
          }
        })
      }
      const none = asm.label()
      asm.compareConstant(LEFT, 0).jumpIf('equal', none)
      addLast(rows)
      asm.set(none).times(RAX, STEP, rows).add(MATRIX, RAX)
    })
  }
}

/** Groups of columns whose sums go on together, so that none waits for another. */
const GROUPS = [2, 1]

/** A matrix the elements of whose columns lie side by side: columns are turned in registers. */
function writeAlong(asm: Assembler, tile: Tile): void {
  const { type, names, width, isWide } = tile
  const count = linesAtOnce(type)
  const bits = 256
  const steps = { 1: R8, 3: R9, 5: R10, 7: R13 } as const
  const pointers = [RBX, RBP, R11, R12] as const
  const [ROW_AT, ALONG, COLUMNS, LEFT] = [RDX, R15, R14, RCX] as const
  const [matrix, target, buffer] = [slot(0), slot(1), slot(4)]
  // Registers behind those that columns are turned in; elements of the row have some of their own where there are many.
  const [sums, product, element] = [8, 12, 13]
  const ahead = isWide ? 16 : undefined
  const linesOf = (group: number) => ({ first: pointers[group]!, steps })
  const add = (sum: number, vector: number, factor: number): void => {
    asm.vector(tile.multiply!, { bits, to: product, from: factor, operand: vector })
    asm.vector(names.add, { bits, to: sum, from: sum, operand: product })
  }
  const nextElement = (to: number, at: number): void => {
    asm.vector(names.broadcast, { bits, to, operand: { base: at } }).add(at, ALONG)
  }
  /** Turns of all groups, so many behind one another in each, as whole lines of the cache. */
  const takeTurns = (groups: number, turns: number): void => {
    whileAtLeast(asm, LEFT, turns * count, () => {
      if (ahead !== undefined) for (let i = 0; i < turns * count; i++) nextElement(ahead + i, ROW_AT)
      for (let group = 0; group < groups; group++) {
        if (ahead === undefined) asm.move(RSI, ROW_AT)
        for (let t = 0; t < turns; t++) {
          const take = (vector: number, i: number): void => {
            if (ahead === undefined) nextElement(element, RSI)
            add(sums + group, vector, ahead === undefined ? element : ahead + t * count + i)
          }
          turn(asm, type, linesOf(group), take, t * count * width)
        }
        asm.addConstant(pointers[group]!, turns * count * width)
      }
      if (ahead === undefined) asm.move(ROW_AT, RSI)
    })
  }
  /** The last elements of each column one by one. */
  const takeElements = (groups: number): void => {
    whileAtLeast(asm, LEFT, 1, () => {
      nextElement(element, ROW_AT)
      for (let group = 0; group < groups; group++) {
        for (let line = 0; line < count; line++) {
          const from = placeOf(linesOf(group), line)
          const to = { ...buffer, displacement: buffer.displacement! + line * width }
          if (width === 4) asm.moveWord(RAX, from).storeWord(to, RAX)
          else asm.move(RAX, from).store(to, RAX)
        }
        asm.vector('vmovdqu', { bits, to: 0, operand: buffer })
        add(sums + group, 0, element)
        asm.addConstant(pointers[group]!, width)
      }
    })
  }
  asm.move(steps[1], told(ROW.step)).move(ALONG, told(ROW.rowStep)).move(COLUMNS, told(ROW.columns))
  multiply(asm, steps)
  asm.move(RAX, told(ROW.matrix)).store(matrix, RAX).move(RAX, told(ROW.sums)).store(target, RAX)
  const clear = (register: number): void => {
    asm.vector(names.clear, { bits, to: register, from: register, operand: register })
  }
  for (const groups of GROUPS) {
    whileAtLeast(asm, COLUMNS, groups * count, () => {
      asm.move(RAX, matrix).times(RSI, steps[1], count)
      for (let group = 0; group < groups; group++) {
        asm.move(pointers[group]!, RAX).add(RAX, RSI)
        clear(sums + group)
      }
      asm.store(matrix, RAX).move(ROW_AT, told(ROW.row)).move(LEFT, told(ROW.length))
      takeTurns(groups, 2)
      takeTurns(groups, 1)
      takeElements(groups)
      asm.move(RAX, target)
      for (let group = 0; group < groups; group++) {
        const operand = { base: RAX, displacement: group * 32 }
        asm.vector('vmovdquStore', { bits, to: sums + group, operand })
      }
      asm.addConstant(target, groups * 32)
    })
  }
  // The last columns one by one.
  const [load, keep] = width === 4 ? (['vmovd', 'vmovdStore'] as const) : (['vpbroadcastq', 'vmovqStore'] as const)
  whileAtLeast(asm, COLUMNS, 1, () => {
    asm.move(RBX, matrix).move(ROW_AT, told(ROW.row)).move(LEFT, told(ROW.length))
    clear(sums)
    whileAtLeast(asm, LEFT, 1, () => {
      nextElement(element, ROW_AT)
      asm.vector(load, { bits: 128, to: 0, operand: { base: RBX } }).addConstant(RBX, width)
      add(sums, 0, element)
    })
    asm.move(RAX, target).vector(keep, { bits: 128, to: sums, operand: { base: RAX } })
    asm.addConstant(target, width).addTo(matrix, steps[1])
  })
}
