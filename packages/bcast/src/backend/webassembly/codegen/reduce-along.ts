// A reduction whose elements lie along the run: vectors of it are the lanes of the tree. What blocks leave is kept on a
// stack and meets in pairs. One block at a time: several at once are no faster in the cache, and read memory in an order
// that it does not foresee, at a third of its speed.
import type { Program } from '../../../expr/ir.ts'
import type { Combining } from '../../../expr/reductions.ts'
import { PARAMETERS } from '../../../plan/parameters.ts'
import type { ReduceSignature } from '../../../plan/reduce.ts'
import { BLOCK } from '../../../plan/tree.ts'
import { Assembler, type Local } from './assembler.ts'
import type { EmitterOf } from './emitters.ts'
import { advance, constantVector, eachRow, readCursor, writeNest } from './kernel.ts'
import type { Cursor } from './memory.ts'
import { type MemoryLimits, wasmModule } from './module.ts'
import * as wasm from './opcodes.ts'
import { type Combine, carried, elementsOf, loadWhole, neutral, storeWhole } from './reduce-parts.ts'
import { bytesOf, integerLanes, splat, type Vector, type Writer } from './vector.ts'

/** Lanes moved to the front by so many; those that come in from behind do not count. */
function shifted({ asm }: Writer, { width, parts }: Vector, lanes: number): Vector {
  const bytes = lanes * width
  const from = Math.floor(bytes / 16)
  const order = Array.from({ length: 16 }, (_, i) => (bytes % 16) + i)
  const moved = parts.map((_, i) => {
    const [low, high] = [parts[from + i] ?? parts.at(-1)!, parts[from + i + 1] ?? parts.at(-1)!]
    if (bytes % 16 === 0) return low
    const local = asm.local('v128')
    asm.get(low).get(high).shuffle(order).set(local)
    return local
  })
  return { width, parts: moved, uniform: false }
}

/** Combines the lanes in pairs; the first lane is the result. */
function combineLanes(w: Writer, vector: Vector, combine: Combine): Vector {
  let result = vector
  for (let lanes = 1; lanes < w.lanes; lanes *= 2) result = combine(result, shifted(w, result, lanes))
  return result
}

/** The numbers of the lanes, as elements of a width. */
function numbered(w: Writer, width: number): readonly Local[] {
  const perPart = 16 / width
  return Array.from({ length: Math.max(1, (w.lanes * width) / 16) }, (_, part) => {
    const bytes = new Uint8Array(16)
    for (let i = 0; i < perPart; i++) bytes[i * width] = part * perPart + i
    return w.asm.constant(bytes)
  })
}

/** The vector with the neutral element in the lanes beyond those that are left. */
function withinLeft(w: Writer, vector: Vector, none: Local): Vector {
  const { asm, left } = w
  const { width } = vector
  const lanes = integerLanes(width)
  const limit = asm.local('v128')
  // More than all lanes fits no byte.
  const count = asm.local('i32')
  asm.get(left).i32(w.lanes).get(left).i32(w.lanes).op(wasm.i32_lt_s).select().set(count)
  asm.get(count)
  if (width === 8) asm.op(wasm.i64_extend_i32_s)
  asm.op(wasm.splat[lanes]).set(limit)
  const parts = numbered(w, width).map((number, i) => {
    const local = asm.local('v128')
    asm.get(vector.parts[vector.uniform ? 0 : i]!).get(none)
    asm.get(number).get(limit).op(wasm.lt_s[lanes]).op(wasm.v128_bitselect).set(local)
    return local
  })
  return { width, parts, uniform: false }
}

/**
 * Compiles `run(parameters) -> i32`. The inner axis is the run, rows are results; operands are those of the program, the
 * result, and scratch for the stack. An open kernel leaves all lanes, a closed one their combination.
 */
export function compileReduceAlong(
  program: Program,
  combining: Combining,
  { motions, lanes, open }: ReduceSignature,
  emitterOf: EmitterOf,
  memory: MemoryLimits,
): Uint8Array {
  const asm = new Assembler()
  const w: Writer = { asm, lanes, left: asm.local('i32'), fault: asm.local('i32') }
  const { dtype } = program.code.at(-1)!
  const width = bytesOf(dtype)
  const combine: Combine = (a, b) => emitterOf(combining)(w, [a, b], dtype, [dtype, dtype])
  const none = splat(w, dtype, neutral(combining, dtype))
  const nothing = constantVector(w, dtype, neutral(combining, dtype))
  const signature = { motions, rows: 1, still: motions.map(() => false), lanes }
  const cursors = [...program.inputs, dtype, dtype].map((type, i) => readCursor(w, signature, type, i))
  const inputs = cursors.slice(0, -2)
  const [result, scratch] = cursors.slice(-2) as [Cursor, Cursor]
  const elements = elementsOf(w, program, motions, emitterOf, inputs)
  const top = asm.local('i32')
  const done = asm.local('i32')
  const turns = asm.local('i32')
  const carry = asm.local('i32')
  const current = carried(w, width)
  const size = Math.max(16, lanes * width)

  /** Puts the current vector on the stack, together with those it makes a pair with. */
  const push = (): void => {
    asm.block(() =>
      asm.loop(() => {
        asm.get(carry).i32(1).op(wasm.i32_and).op(wasm.i32_eqz).brIf(1)
        asm.get(top).i32(size).op(wasm.i32_sub).set(top)
        current.set(combine(loadWhole(w, width, top), current.vector))
        asm.get(carry).i32(1).op(wasm.shr_u.i32).set(carry).br(0)
      }),
    )
    storeWhole(w, current.vector, top)
    asm.get(top).i32(size).op(wasm.i32_add).set(top)
  }
  /** Takes a vector, and moves on. */
  const take = (vector: Vector): void => {
    current.set(combine(current.vector, vector))
    for (const cursor of inputs) advance(w, cursor)
  }
  const pushBlock = (): void => {
    asm.get(done).set(carry)
    push()
    asm.get(done).i32(1).op(wasm.i32_add).set(done)
  }

  /** Whole blocks, as long as there are any. */
  const wholeBlocks = (): void => {
    const count = BLOCK * lanes
    asm.block(() =>
      asm.loop(() => {
        asm.get(w.left).i32(count).op(wasm.i32_lt_s).brIf(1)
        current.set(nothing)
        asm.i32(BLOCK).set(turns)
        asm.loop(() => {
          take(elements.next(0))
          asm.get(turns).i32(1).op(wasm.i32_sub).tee(turns).brIf(0)
        })
        pushBlock()
        asm.get(w.left).i32(count).op(wasm.i32_sub).set(w.left).br(0)
      }),
    )
  }

  /** The rest; lanes beyond the end hold the neutral element. */
  const rest = (): void => {
    asm
      .get(w.left)
      .i32(0)
      .op(wasm.i32_gt_s)
      .if(() => {
        current.set(nothing)
        asm.loop(() => {
          take(withinLeft(w, elements.next(0), none))
          asm.get(w.left).i32(lanes).op(wasm.i32_sub).tee(w.left).i32(0).op(wasm.i32_gt_s).brIf(0)
        })
        pushBlock()
      })
  }

  writeNest(w, cursors, () =>
    eachRow(w, cursors, 1, () => {
      for (const { address, at } of inputs) asm.get(address).set(at[0]!)
      asm.get(asm.parameter).memory(wasm.i32_load, PARAMETERS.inner).set(w.left)
      asm.get(scratch.address).set(top).i32(0).set(done)
      elements.prepare(1)
      wholeBlocks()
      rest()
      asm.get(top).i32(size).op(wasm.i32_sub).set(top)
      current.set(loadWhole(w, width, top))
      asm.block(() =>
        asm.loop(() => {
          asm.get(top).get(scratch.address).op(wasm.i32_eq).brIf(1)
          asm.get(top).i32(size).op(wasm.i32_sub).set(top)
          current.set(combine(loadWhole(w, width, top), current.vector))
          asm.br(0)
        }),
      )
      if (open) storeWhole(w, current.vector, result.address)
      else
        asm
          .get(result.address)
          .get(combineLanes(w, current.vector, combine).parts[0]!)
          .laneMemory(wasm.store_lane[width * 8]!, 0)
    }),
  )
  return wasmModule(asm.get(w.fault).finish(), memory)
}
