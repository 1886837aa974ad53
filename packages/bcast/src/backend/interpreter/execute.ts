// Runs a program over strided operands: blocks of the two innermost loops through the registers, the rest by an
// odometer of carried positions. Stretched operands are read in place, over and over; nothing is materialised.
import { realArithmetic } from '../../dtype/real.ts'
import { indexOf } from '../../expr/fault.ts'
import type { Instruction, Program } from '../../expr/ir.ts'
import { rowMajorLoops } from '../../plan/loops.ts'
import type { Shape } from '../../shape/dim.ts'
import type { Placed } from '../../tensor/placed.ts'
import type { Instructions } from '../instructions.ts'
import { type BlockProgram, compile } from './compile.ts'
import type { Stretch } from './memory.ts'
import { BLOCK } from './registers.ts'

const compiled = new WeakMap<Program, BlockProgram>()

function blockOf(program: Program, instructions: Instructions): BlockProgram {
  let block = compiled.get(program)
  if (block === undefined) {
    block = compile(program, instructions, (value) => realArithmetic().from(value))
    compiled.set(program, block)
  }
  return block
}

/**
 * Computes every element of `shape` into the last of the operands. Gives the lowest row-major position without a value
 * (a division by zero), or -1; elements from there on are unspecified.
 */
export function execute(
  program: Program,
  instructions: Instructions,
  shape: Shape,
  operands: readonly Placed[],
): number {
  if (shape.includes(0)) return -1
  const result = operands.length - 1
  const out = operands[result]!.storage
  const { sizes, strides } = rowMajorLoops(
    shape,
    operands.map((operand) => operand.strides),
  )
  const rank = sizes.length
  const count = sizes[rank - 1]!
  const rows = rank > 1 ? sizes[rank - 2]! : 1
  const outerRank = Math.max(0, rank - 2)
  const block = blockOf(program, instructions)
  const columnsAtOnce = Math.min(count, BLOCK)
  const rowsAtOnce = Math.max(1, Math.min(rows, Math.floor(BLOCK / columnsAtOnce)))
  const stretches: Stretch[] = operands.map((operand, i) => ({
    start: operand.offset,
    rows: rowsAtOnce,
    rowStep: rank > 1 ? strides[i]![rank - 2]! : 0,
    count: columnsAtOnce,
    step: strides[i]![rank - 1]!,
  }))
  const base = operands.map((operand) => operand.offset)
  const index = new Array<number>(outerRank).fill(0)

  for (let done = 0; ; done += rows * count) {
    for (let row = 0; row < rows; row += rowsAtOnce) {
      const height = Math.min(rowsAtOnce, rows - row)
      for (let column = 0; column < count; column += columnsAtOnce) {
        const width = Math.min(columnsAtOnce, count - column)
        for (let i = 0; i < operands.length; i++) {
          const stretch = stretches[i]!
          stretch.start = base[i]! + row * stretch.rowStep + column * stretch.step
          stretch.rows = height
          stretch.count = width
          if (i < result) block.load(i, operands[i]!.storage, stretch)
        }
        const fault = block.run(height * width)
        // A register of rationals may hold nothing from there on, which no tensor may.
        if (fault < 0 || !Array.isArray(out)) block.store(out, stretches[result]!)
        if (fault >= 0) return done + row * count + column + fault
      }
    }
    let axis = outerRank - 1
    for (; axis >= 0; axis--) {
      for (let i = 0; i < operands.length; i++) base[i] = base[i]! + strides[i]![axis]!
      if (++index[axis]! < sizes[axis]!) break
      for (let i = 0; i < operands.length; i++) base[i] = base[i]! - strides[i]![axis]! * sizes[axis]!
      index[axis] = 0
    }
    if (axis < 0) return -1
  }
}

/** The first instruction that has no value for the element at a row-major position. */
export function faultingAt(
  program: Program,
  instructions: Instructions,
  shape: Shape,
  operands: readonly Placed[],
  position: number,
): Instruction | undefined {
  const index = indexOf(position, shape)
  const block = blockOf(program, instructions)
  operands.slice(0, -1).forEach(({ storage, offset, strides }, i) => {
    const start = strides.reduce((sum, stride, axis) => sum + stride * index[axis]!, offset)
    block.load(i, storage, { start, rows: 1, rowStep: 0, count: 1, step: 0 })
  })
  return block.faulting()
}
