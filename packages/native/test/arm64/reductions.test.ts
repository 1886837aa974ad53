// Reductions of AArch64 give what the interpreter gives and touch nothing but their operands: random ones of every type,
// along the run and across it, over operands that begin or end where memory does; and those that leave their lanes apart.
import { bitsOf, type Combining, type DType, type Program } from 'bcast/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import { lower } from '../../../bcast/src/expr/lower.ts'
import { exp, log, sigmoid, sqrt, tanh } from '../../../bcast/src/expr/rows/index.ts'
import { vectorsOf } from '../../src/compile.ts'
import {
  type PlannedReduction,
  plannedReduction,
  type ReductionCase,
  reductionCases,
  WAYS,
  wayOf,
} from '../reduction-cases.ts'
import { BLOCK, CallFailed, canRun, runAll } from './emulator.ts'
import { hasGnuAs } from './gnu-as.ts'
import { type ReductionCall, reductionCall } from './reduction-calls.ts'

/** Bytes of columns that are taken together. */
const STRIP = 16_384

interface Prepared extends ReductionCall {
  readonly given: ReductionCase
  readonly planned: PlannedReduction
}

const fits = ({ operands, plan }: PlannedReduction): boolean =>
  plan.scratch <= BLOCK && operands.every(({ extent }) => extent <= BLOCK)

interface Drawing {
  readonly open?: boolean
  readonly programOf?: (given: ReductionCase) => Program
}

/** Those of so many random cases that machine code takes and memory has room for. */
function drawn(
  cases: fc.Arbitrary<ReductionCase>,
  count: number,
  { open = false, programOf }: Drawing = {},
): readonly Prepared[] {
  const prepared: Prepared[] = []
  const taken = fc.property(cases, fc.nat(1_000_000), (given, seed) => {
    const closed = plannedReduction(given, vectorsOf('neon'), programOf?.(given))
    if (closed === undefined || !fits(closed)) return
    const { plan } = closed
    const planned = { ...closed, plan: { ...plan, signature: { ...plan.signature, open } } }
    prepared.push({ ...reductionCall(given, planned, seed), given, planned })
  })
  fc.assert(taken, { numRuns: count })
  return prepared
}

/** Runs all cases in one process, and says which did not answer as the interpreter does. */
function expectAgreement(prepared: readonly Prepared[]): void {
  const describeCase = ({ given, planned: { plan } }: Prepared): string => JSON.stringify({ ...given, plan })
  try {
    const answers = runAll(prepared.map(({ call }) => call))
    const wrong = prepared.flatMap((each, i) => {
      const why = each.judge(answers[i]!)
      return why === undefined ? [] : [`${describeCase(each)}: ${why}`]
    })
    expect(wrong.slice(0, 5), `${wrong.length} of ${prepared.length}`).toEqual([])
  } catch (error) {
    if (error instanceof CallFailed) expect.fail(`${error.message}: ${describeCase(prepared[error.call]!)}`)
    throw error
  }
}

/** Each way of kernels was taken often enough. */
function expectAllWays(prepared: readonly Prepared[], least: number): void {
  onDefaultSeed(() => {
    for (const way of WAYS) {
      const count = prepared.filter(({ planned: { plan } }) => wayOf(plan) === way).length
      expect(`${way}: ${count > least}`).toBe(`${way}: true`)
    }
  })
}

/** Sums and products of floats, whose order shows. */
const floats: fc.Arbitrary<ReductionCase> = fc
  .tuple(reductionCases, fc.constantFrom<DType>('float32', 'float64'), fc.constantFrom<Combining>('add', 'add', 'mul'))
  .map(([given, result, combine]) => ({ ...given, result, combine }))

/** Rows of more columns than are taken together, of which the last are fewer than a vector, or more. */
const wide: fc.Arbitrary<ReductionCase> = fc
  .tuple(
    fc.oneof(reductionCases, floats),
    fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 900 })),
    fc.integer({ min: 9, max: 18 }),
  )
  .map(([given, more, run]) => {
    const columns = STRIP / (bitsOf(given.result) / 8) + more
    return { ...given, outer: 1, run, columns, isAlong: false }
  })

/** Long runs, whose blocks meet in many pairs. */
const long: fc.Arbitrary<ReductionCase> = fc
  .tuple(floats, fc.integer({ min: 1000, max: 20_000 }), fc.integer({ min: 1, max: 8 }))
  .map(([given, run, columns]) => ({ ...given, outer: 1, run, columns: run > 5000 ? Math.ceil(columns / 4) : columns }))

describe('reductions of AArch64', needs('gnu-as-arm64', hasGnuAs), () => {
  describe('run', needs('qemu-arm64', canRun), () => {
    it('of random types and layouts', () => {
      const prepared = drawn(fc.oneof(reductionCases, floats), 900)
      expectAllWays(prepared, 20)
      expectAgreement(prepared)
    })

    it('over rows of many columns', () => {
      const prepared = drawn(wide, 60)
      onDefaultSeed(() => expect(prepared.length).toBeGreaterThan(15))
      expectAgreement(prepared)
    })

    it('over long runs', () => {
      const prepared = drawn(long, 80)
      onDefaultSeed(() => expect(prepared.length).toBeGreaterThan(40))
      expectAgreement(prepared)
    })

    it('of functions', () => {
      const functions = [exp, log, tanh, sigmoid, sqrt]
      const programOf = ({ result, length, columns }: ReductionCase): Program =>
        lower(functions[(length + columns) % functions.length]!, [result], {})
      const prepared = drawn(floats, 300, { programOf })
      expectAllWays(prepared, 5)
      expectAgreement(prepared)
    })

    it('that leave lanes apart', () => {
      const prepared = drawn(fc.oneof(reductionCases, floats), 300, { open: true })
      expectAllWays(prepared, 5)
      expectAgreement(prepared)
    })
  })
})
