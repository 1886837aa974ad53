// A reduction whose results lie side by side: vectors hold elements of different results, and the lanes of the tree are
// rows of scratch memory. Columns are taken in strips that stay in the cache; what blocks leave is kept on a stack there.
import type { Program } from '../../../expr/ir.ts'
import type { Combining } from '../../../expr/reductions.ts'
import { PARAMETERS } from '../../../plan/parameters.ts'
import { LANE_GAP, type ReduceSignature } from '../../../plan/reduce.ts'
import type { Motion } from '../../../plan/signature.ts'
import { BLOCK, LANES } from '../../../plan/tree.ts'
import { Assembler, type Local } from './assembler.ts'
import type { EmitterOf } from './emitters.ts'
import { advance, constantVector, readCursor, writeNest } from './kernel.ts'
import { type Cursor, storeVector } from './memory.ts'
import { type MemoryLimits, wasmModule } from './module.ts'
import * as wasm from './opcodes.ts'
import { type Combine, elementsOf, loadWhole, neutral, storeWhole } from './reduce-parts.ts'
import { bytesOf, type Vector, type Writer } from './vector.ts'

/**
 * Compiles `run(parameters) -> i32`. The inner axis are results, rows are the run; operands are those of the program,
 * the result, and scratch. An open kernel leaves the lanes, so far apart as scratch's inner stride says.
 */
export function compileReduceAcross(
  program: Program,
  combining: Combining,
  { motions, lanes, rounds, strip: mostColumns, open }: ReduceSignature,
  emitterOf: EmitterOf,
  memory: MemoryLimits,
): Uint8Array {
  const asm = new Assembler()
  const w: Writer = { asm, lanes, left: asm.local('i32'), fault: asm.local('i32') }
  const { dtype } = program.code.at(-1)!
  const width = bytesOf(dtype)
  const combine: Combine = (a, b) => emitterOf(combining)(w, [a, b], dtype, [dtype, dtype])
  const nothing = constantVector(w, dtype, neutral(combining, dtype))
  // Scratch says how far apart lanes go.
  const all: readonly Motion[] = [...motions, 'unit', 'strided']
  const signature = { motions: all, rows: rounds, still: all.map(() => false), lanes }
  const cursors = [...program.inputs, dtype, dtype].map((type, i) => readCursor(w, signature, type, i))
  const inputs = cursors.slice(0, -2)
  const [result, scratch] = cursors.slice(-2) as [Cursor, Cursor]
  const elements = elementsOf(w, program, motions, emitterOf, inputs)
  const local = (): Local => asm.local('i32')
  /** Elements of the strip, and of those before it. */
  const [strip, before] = [local(), local()]
  const [rowsLeft, roundsLeft, done, carry, lane] = [local(), local(), local(), local(), local()]
  /** The block that is filled, a place in it, and the result's. */
  const [top, bottom, at, other, target] = [local(), local(), local(), local(), local()]
  /** Where each input's row begins. */
  const rows = inputs.map(local)
  /** Bytes from one lane of the strip to the next, and of all of them. */
  const [laneBytes, size] = [local(), local()]

  /** Runs `body` for every vector of the strip; `w.left` counts down. */
  const eachVector = (body: () => void): void => {
    asm.get(strip).set(w.left)
    asm.loop(() => {
      body()
      asm.get(w.left).i32(lanes).op(wasm.i32_sub).tee(w.left).i32(0).op(wasm.i32_gt_s).brIf(0)
    })
  }
  const forward = (place: Local, bytes: number | Local): void => {
    asm.get(place)
    if (typeof bytes === 'number') asm.i32(bytes)
    else asm.get(bytes)
    asm.op(wasm.i32_add).set(place)
  }
  const vectorStep = lanes * width
  /** Runs `body` for every vector of a block, whose lanes lie one behind the other. */
  const eachOwn = (body: () => void): void => {
    asm.get(size).set(lane)
    asm.loop(() => {
      body()
      asm.get(lane).i32(vectorStep).op(wasm.i32_sub).tee(lane).brIf(0)
    })
  }

  /** Combines so many rows, `LANES` apart, into the lane at `at`. */
  const takeRows = (count: number): void => {
    inputs.forEach(({ at: places, rowStep }, i) => {
      for (let row = 0; row < count; row++) {
        if (row === 0) asm.get(rows[i]!)
        else
          asm
            .get(places[row - 1]!)
            .get(rowStep)
            .i32(LANES)
            .op(wasm.i32_mul)
            .op(wasm.i32_add)
        asm.set(places[row]!)
      }
    })
    asm.get(at).set(other)
    elements.prepare(count)
    eachVector(() => {
      let sum: Vector = loadWhole(w, width, other)
      for (let row = 0; row < count; row++) sum = combine(sum, elements.next(row))
      storeWhole(w, sum, other)
      forward(other, vectorStep)
      for (const cursor of inputs) advance(w, { ...cursor, at: cursor.at.slice(0, count) })
    })
  }
  const nextRow = (): void => {
    inputs.forEach(({ rowStep }, i) => {
      asm.get(rows[i]!).get(rowStep).op(wasm.i32_add).set(rows[i]!)
    })
    forward(at, laneBytes)
  }
  /** Lets `body` run for each of the lanes, from the first of the block on. */
  const eachLane = (body: () => void): void => {
    asm.get(top).set(at).i32(LANES).set(lane)
    asm.loop(() => {
      body()
      nextRow()
      asm.get(lane).i32(1).op(wasm.i32_sub).tee(lane).brIf(0)
    })
  }

  const fillBlock = (): void => {
    asm.get(top).set(other)
    eachOwn(() => {
      storeWhole(w, nothing, other)
      forward(other, vectorStep)
    })
    asm.i32(BLOCK).set(roundsLeft)
    if (rounds > 1) {
      asm.block(() =>
        asm.loop(() => {
          asm
            .get(rowsLeft)
            .i32(LANES * rounds)
            .op(wasm.i32_lt_s)
            .brIf(1)
          eachLane(() => takeRows(rounds))
          // All lanes have moved on by one round; the others were taken with it.
          inputs.forEach(({ rowStep }, i) => {
            asm
              .get(rows[i]!)
              .get(rowStep)
              .i32((rounds - 1) * LANES)
              .op(wasm.i32_mul)
              .op(wasm.i32_add)
              .set(rows[i]!)
          })
          asm
            .get(rowsLeft)
            .i32(LANES * rounds)
            .op(wasm.i32_sub)
            .set(rowsLeft)
          asm.get(roundsLeft).i32(rounds).op(wasm.i32_sub).tee(roundsLeft).brIf(0)
        }),
      )
    }
    // Round by round, as long as there are any left in the block and rows for them.
    asm.block(() =>
      asm.loop(() => {
        asm.get(roundsLeft).op(wasm.i32_eqz).brIf(1)
        asm.get(rowsLeft).op(wasm.i32_eqz).brIf(1)
        asm.get(top).set(at)
        asm.get(rowsLeft).i32(LANES).get(rowsLeft).i32(LANES).op(wasm.i32_lt_s).select().set(lane)
        asm.get(rowsLeft).get(lane).op(wasm.i32_sub).set(rowsLeft)
        asm.loop(() => {
          takeRows(1)
          nextRow()
          asm.get(lane).i32(1).op(wasm.i32_sub).tee(lane).brIf(0)
        })
        asm.get(roundsLeft).i32(1).op(wasm.i32_sub).set(roundsLeft).br(0)
      }),
    )
  }

  /** Combines the block below the top with the top. */
  const merge = (): void => {
    asm.get(top).tee(other).get(size).op(wasm.i32_sub).tee(top).set(at)
    eachOwn(() => {
      storeWhole(w, combine(loadWhole(w, width, at), loadWhole(w, width, other)), at)
      forward(at, vectorStep)
      forward(other, vectorStep)
    })
  }

  /** The lanes, or all of them in pairs, to the result. */
  const finish = (): void => {
    asm.get(top).set(at)
    asm.get(result.address).get(before).i32(width).op(wasm.i32_mul).op(wasm.i32_add).set(target)
    const gap = open ? scratch.step! : undefined
    eachVector(() => {
      asm.get(at).set(other)
      const loaded = Array.from({ length: LANES }, () => {
        const vector = loadWhole(w, width, other)
        forward(other, laneBytes)
        return vector
      })
      if (gap !== undefined) {
        asm.get(target).set(other)
        for (const vector of loaded) {
          storeVector(w, vector, other)
          asm.get(other).get(gap).op(wasm.i32_add).set(other)
        }
      } else {
        let vectors: readonly Vector[] = loaded
        while (vectors.length > 1)
          vectors = Array.from({ length: vectors.length / 2 }, (_, i) => combine(vectors[2 * i]!, vectors[2 * i + 1]!))
        storeVector(w, vectors[0]!, target)
      }
      forward(at, vectorStep)
      forward(target, vectorStep)
    })
  }

  const eachStrip = (): void => {
    asm.i32(0).set(before)
    asm.loop(() => {
      const inner = (): unknown => asm.get(asm.parameter).memory(wasm.i32_load, PARAMETERS.inner)
      inner()
      asm.get(before).op(wasm.i32_sub).set(strip)
      asm.get(strip).i32(mostColumns).get(strip).i32(mostColumns).op(wasm.i32_lt_s).select().tee(strip)
      // Whole vectors, and the gap.
      asm
        .i32(lanes - 1)
        .op(wasm.i32_add)
        .i32(-lanes)
        .op(wasm.i32_and)
        .i32(width)
        .op(wasm.i32_mul)
      asm.i32(LANE_GAP).op(wasm.i32_add).tee(laneBytes).i32(LANES).op(wasm.i32_mul).set(size)
      inputs.forEach(({ address, motion, step, dtype: type }, i) => {
        asm.get(address)
        if (motion !== 'splat') {
          asm.get(before)
          if (motion === 'unit') asm.i32(bytesOf(type))
          else asm.get(step!)
          asm.op(wasm.i32_mul).op(wasm.i32_add)
        }
        asm.set(rows[i]!)
      })
      asm.get(asm.parameter).memory(wasm.i32_load, PARAMETERS.rows).set(rowsLeft)
      // A load from where a store went 4096 bytes before waits for it, so lanes keep their distance from the rows.
      asm.get(scratch.address)
      asm.get(rows[0]!).i32(1024).op(wasm.i32_add).get(scratch.address).op(wasm.i32_sub).i32(4080).op(wasm.i32_and)
      asm.op(wasm.i32_add).tee(bottom).set(top).i32(0).set(done)
      asm.block(() =>
        asm.loop(() => {
          fillBlock()
          asm.get(done).set(carry)
          asm.block(() =>
            asm.loop(() => {
              asm.get(carry).i32(1).op(wasm.i32_and).op(wasm.i32_eqz).brIf(1)
              merge()
              asm.get(carry).i32(1).op(wasm.shr_u.i32).set(carry).br(0)
            }),
          )
          asm.get(done).i32(1).op(wasm.i32_add).set(done)
          asm.get(rowsLeft).op(wasm.i32_eqz).brIf(1)
          forward(top, size)
          asm.br(0)
        }),
      )
      asm.block(() =>
        asm.loop(() => {
          asm.get(top).get(bottom).op(wasm.i32_eq).brIf(1)
          merge()
          asm.br(0)
        }),
      )
      finish()
      asm.get(before).get(strip).op(wasm.i32_add).tee(before)
      inner()
      asm.op(wasm.i32_lt_s).brIf(0)
    })
    // Where the rows' loop would have left them.
    for (const { address, rowStep } of cursors) {
      asm.get(address).get(rowStep)
      asm.get(asm.parameter).memory(wasm.i32_load, PARAMETERS.rows)
      asm.op(wasm.i32_mul).op(wasm.i32_add).set(address)
    }
  }

  writeNest(w, cursors, eachStrip)
  return wasmModule(asm.get(w.fault).finish(), memory)
}
