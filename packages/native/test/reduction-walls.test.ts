// Kernels of reductions read and write nothing beyond their operands: random reductions over operands each of which ends, or
// begins, at a wall. One byte beyond ends the process, and the test with it. Between results nothing changes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { walls } from '../../../testing/kernels/walls.ts'
import { writeWideParameters } from '../../bcast/src/backend/webassembly/machine/parameters.ts'
import { compileReduction, vectorsOf } from '../src/compile.ts'
import { Unsupported } from '../src/machine/unsupported.ts'
import { found } from './found.ts'
import { plannedReduction, reductionCases, WAYS, wayOf } from './reduction-cases.ts'

const SIZE = 1 << 21

describe.each(found)('kernels of reductions of %s', (level) => {
  it('touch nothing beyond their operands', () => {
    const { address, bytes, at, size, put } = walls(5, SIZE)
    const ways = new Map<string, number>()
    fc.assert(
      fc.property(reductionCases, (given) => {
        const planned = plannedReduction(given, vectorsOf(level))
        if (planned === undefined) return
        const { program, operands, plan } = planned
        const begins = operands.map(({ extent }, i) => at(i + 1) + (given.ends[i] ? size - extent : 0))
        for (const [i, { dtype, extent }] of operands.entries()) {
          bytes.fill(dtype === 'bool' ? 1 : 0x3c, begins[i]!, begins[i]! + extent)
        }
        expect(plan.scratch).toBeLessThan(SIZE)
        const placed = operands.map(({ width }, i) => ({
          address: Number(address) + begins[i]!,
          width,
          strides: plan.strides[i]!,
        }))
        // Scratch ends at a wall, too.
        placed.push({
          address: Number(address) + at(4) + size - plan.scratch,
          width: placed.at(-1)!.width,
          strides: plan.sizes.map(() => 0),
        })
        writeWideParameters(new Int32Array(bytes.buffer, bytes.byteOffset + at(0), 1024), plan.sizes, placed, 1)
        const block = at(operands.length)
        const guarded = bytes.subarray(block, block + size)
        const before = begins.at(-1)! - block
        const { extent } = operands.at(-1)!
        guarded.fill(0x5a)
        let code: Uint8Array
        try {
          code = compileReduction(program, given.combine, plan.signature, { level, base: address + BigInt(at(0)) })
        } catch (error) {
          if (error instanceof Unsupported) return
          throw error
        }
        expect(put(code)(0)).toBe(0)
        const isKept = (part: Uint8Array): boolean => part.every((byte) => byte === 0x5a)
        expect(isKept(guarded.subarray(Math.max(0, before - 256), before))).toBe(true)
        expect(isKept(guarded.subarray(before + extent, before + extent + 256))).toBe(true)
        const way = wayOf(plan)
        ways.set(way, (ways.get(way) ?? 0) + 1)
      }),
      { numRuns: 1500 },
    )
    for (const way of WAYS) expect(`${way}: ${(ways.get(way) ?? 0) > 20}`).toBe(`${way}: true`)
  })
})
