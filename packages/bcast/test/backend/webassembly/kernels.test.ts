// The cache of kernels: the same one for the same program and signature, and a bound on how many there are.
import { describe, expect, it } from 'vitest'
import { all, instructionsOf } from '../../../src/backend/instructions.ts'
import { wasm } from '../../../src/backend/platform.ts'
import { WebAssemblyBackend } from '../../../src/backend/webassembly/backend.ts'
import { Kernels } from '../../../src/backend/webassembly/kernels.ts'
import { Arena } from '../../../src/backend/webassembly/memory/arena.ts'
import { EngineError } from '../../../src/errors/index.ts'
import type { Program } from '../../../src/expr/ir.ts'
import { lower } from '../../../src/expr/lower.ts'
import * as rows from '../../../src/expr/rows/index.ts'
import { planWithPasses } from '../../../src/plan/multipass.ts'
import type { Motion, Signature } from '../../../src/plan/signature.ts'

const instructions = instructionsOf(...all)

const MOTIONS: readonly Motion[] = ['unit', 'splat', 'strided']
const moving = (...motions: Motion[]): Signature => ({ motions, rows: 1, still: [], lanes: 16 })
const kernels = (): Kernels => new Kernels(wasm!, new Arena(wasm!, { limit: 2 ** 22, shared: true }))

describe('kernels', () => {
  it('are compiled once for a program and how its operands move', () => {
    const cache = kernels()
    const add = lower(rows.add, ['float32', 'float32'], {})
    const first = cache.get(add, moving('unit', 'splat'), instructions)
    expect(cache.get(add, moving('unit', 'splat'), instructions)).toBe(first)
    expect(cache.get(add, moving('unit', 'unit'), instructions)).not.toBe(first)
    expect(cache.get(add, { ...moving('unit', 'splat'), rows: 4 }, instructions)).not.toBe(first)
    expect(cache.get(lower(rows.add, ['float32', 'float32'], {}), moving('unit', 'splat'), instructions)).not.toBe(
      first,
    )
  })

  it('are forgotten, oldest first, when there are many', () => {
    const cache = kernels()
    const program = lower(rows.max, new Array(7).fill('int8'), {})
    const motions = (i: number): Signature =>
      moving(...Array.from({ length: 7 }, (_, k) => MOTIONS[Math.floor(i / 3 ** k) % 3]!))
    const [first, second] = [cache.get(program, motions(0), instructions), cache.get(program, motions(1), instructions)]
    for (let i = 2; i < 1024; i++) cache.get(program, motions(i), instructions)
    expect(cache.get(program, motions(0), instructions)).toBe(first)
    cache.get(program, motions(1024), instructions)
    expect(cache.get(program, motions(1), instructions)).toBe(second)
    expect(cache.get(program, motions(0), instructions)).not.toBe(first)
  })

  it('are for programs without strings and rationals that one kernel can hold, or that are cut', () => {
    const backend = new WebAssemblyBackend(wasm!, new Arena(wasm!, { limit: 2 ** 22, shared: true }))
    const takes = (program: Program, more = {}): boolean => backend.takes({ program, instructions, ...more })
    expect(takes(lower(rows.max, new Array(32).fill('int8'), {}))).toBe(true)
    expect(takes(lower(rows.max, new Array(33).fill('int8'), {}))).toBe(false)
    expect(takes(lower(rows.max, new Array(33).fill('int8'), {}), { planWith: planWithPasses })).toBe(true)
    expect(takes(lower(rows.add, ['real', 'real'], {}), { planWith: planWithPasses })).toBe(false)
  })

  it('need the code of every instruction', () => {
    const add = lower(rows.add, ['float32', 'float32'], {})
    expect(() => kernels().get(add, moving('unit', 'unit'), instructionsOf())).toThrow(EngineError)
  })
})
