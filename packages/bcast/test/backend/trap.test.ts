// What a trap of WebAssembly becomes: a kernel that is told of a place beyond its memory.
import { EngineError } from 'bcast'
import { afterAll, describe, expect, it } from 'vitest'
import { anyBackend, everyBackend } from '../../../../testing/backends.ts'
import { compiling } from '../../src/backend/backends.ts'
import { add, instructionsOf } from '../../src/backend/instructions.ts'
import { lower } from '../../src/expr/lower.ts'
import * as rows from '../../src/expr/rows/index.ts'

afterAll(anyBackend)

describe('a kernel that leaves the memory', () => {
  it('surfaces as an error, and the next call is well', () => {
    everyBackend[0]!.use(1)
    const engine = compiling()!
    const program = lower(rows.add, ['float32', 'float32'], {})
    const inside = new Float32Array(engine.arena.buffer as ArrayBuffer, engine.arena.allocate(64)!, 3)
    const far = { storage: inside, offset: 2 ** 29, strides: [1] }
    const here = { storage: inside, offset: 0, strides: [1] }
    const planned = engine.plan({
      program,
      instructions: instructionsOf(add),
      shape: [3],
      operands: [here, here, here],
    })
    expect(() => planned.run([far, here, here])).toThrow(EngineError)
    expect(planned.run([here, here, here])).toBe('done')
  })
})
