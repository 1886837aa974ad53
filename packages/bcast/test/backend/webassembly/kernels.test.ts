// The cache of kernels: the same one for the same program and signature, and a bound on how many there are.
import { describe, expect, it } from 'vitest'
import { all, provide } from '../../../src/backend/instructions.ts'
import { wasm } from '../../../src/backend/platform.ts'
import { Kernels } from '../../../src/backend/webassembly/kernels.ts'
import { Arena } from '../../../src/backend/webassembly/memory/arena.ts'
import { lower } from '../../../src/expr/lower.ts'
import * as rows from '../../../src/expr/rows/index.ts'
import type { Motion, Signature } from '../../../src/plan/signature.ts'

provide(all)

const MOTIONS: readonly Motion[] = ['unit', 'splat', 'strided']
const moving = (...motions: Motion[]): Signature => ({ motions, rows: 1, still: [] })
const kernels = (): Kernels => new Kernels(wasm!, new Arena(wasm!, { limit: 2 ** 22, shared: true }))

describe('kernels', () => {
  it('are compiled once for a program and how its operands move', () => {
    const cache = kernels()
    const add = lower(rows.add, ['float32', 'float32'], {})
    const first = cache.get(add, moving('unit', 'splat'))
    expect(cache.get(add, moving('unit', 'splat'))).toBe(first)
    expect(cache.get(add, moving('unit', 'unit'))).not.toBe(first)
    expect(cache.get(add, { ...moving('unit', 'splat'), rows: 4 })).not.toBe(first)
    expect(cache.get(lower(rows.add, ['float32', 'float32'], {}), moving('unit', 'splat'))).not.toBe(first)
  })

  it('are forgotten, oldest first, when there are many', () => {
    const cache = kernels()
    const program = lower(rows.max, new Array(7).fill('int8'), {})
    const motions = (i: number): Signature =>
      moving(...Array.from({ length: 7 }, (_, k) => MOTIONS[Math.floor(i / 3 ** k) % 3]!))
    const [first, second] = [cache.get(program, motions(0)), cache.get(program, motions(1))]
    for (let i = 2; i < 1024; i++) cache.get(program, motions(i))
    expect(cache.get(program, motions(0))).toBe(first)
    cache.get(program, motions(1024))
    expect(cache.get(program, motions(1))).toBe(second)
    expect(cache.get(program, motions(0))).not.toBe(first)
  })

  it('are not for programs with very many operands', () => {
    const cache = kernels()
    expect(cache.supports(lower(rows.max, new Array(32).fill('int8'), {}))).toBe(true)
    expect(cache.supports(lower(rows.max, new Array(33).fill('int8'), {}))).toBe(false)
    expect(cache.supports(lower(rows.add, ['real', 'real'], {}))).toBe(false)
  })
})
