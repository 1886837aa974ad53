// Kernels of AArch64 give what WebAssembly gives and touch nothing but their operands: every operator with every type,
// every conversion, random programs, over operands that move in every way and end where memory does.
import type { DType, Program } from 'bcast/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { Builder } from '../../../bcast/src/expr/ir.ts'
import { lower } from '../../../bcast/src/expr/lower.ts'
import { operators } from '../../../bcast/test/support/operators.ts'
import { Unsupported } from '../../src/arm64/vectors.ts'
import { type Case, type Prepared, prepare } from './cases.ts'
import { CallFailed, canRun, runAll } from './emulator.ts'
import { hasGnuAs } from './gnu-as.ts'

const TYPES: readonly DType[] = [
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'bool',
]

/** How a case lies, from a number. */
function laidOut(title: string, program: Program, seed: number): Case {
  const operands = program.inputs.length
  const digit = (i: number, base: number): number => Math.floor(seed / 7 ** i + i * 3) % base
  const rows = seed % 3 === 0 ? 4 : 1
  return {
    title,
    program,
    signature: {
      motions: Array.from(
        { length: operands },
        (_, i) => (['unit', 'unit', 'strided', 'splat'] as const)[digit(i, 4)]!,
      ),
      rows,
      still: Array.from({ length: operands }, (_, i) => rows > 1 && digit(i + 2, 3) === 0),
    },
    blocks: 1 + (seed % 2),
    columns: [1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 33, 64, 67, 100][digit(1, 14)]!,
    outer: [[], [2], [2, 2]][digit(2, 3)]!,
    gap: digit(3, 4),
    stride: [2, 3, -1, -2][digit(4, 4)]!,
    streams: seed % 5 < 2,
    atStart: seed % 7 < 3,
    seed,
  }
}

/** One row that is read element by element. */
const PLAIN: Pick<Case, 'signature' | 'blocks' | 'outer'> = {
  signature: { motions: ['unit'], rows: 1, still: [false] },
  blocks: 1,
  outer: [],
}

interface Told {
  readonly ran: number
  readonly unsupported: ReadonlySet<string>
}

/** Runs all cases in one process, and says which did not answer as WebAssembly does. */
function expectAgreement(cases: readonly Case[]): Told {
  const unsupported = new Set<string>()
  const prepared: (Prepared & { readonly given: Case })[] = []
  for (const given of cases) {
    try {
      prepared.push({ ...prepare(given), given })
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error
      unsupported.add(error.message)
    }
  }
  const describeCase = ({ given }: { readonly given: Case }): string =>
    `${given.title} ${JSON.stringify({ ...given, title: undefined, program: given.program })}`
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
  return { ran: prepared.length, unsupported }
}

describe('kernels of AArch64', needs('gnu-as-arm64', hasGnuAs), () => {
  describe('run', needs('qemu-arm64', canRun), () => {
    it('every operator with every type', () => {
      let seed = 0
      const cases = operators.flatMap(({ title, row, attributes, operands, types }) =>
        types
          .filter((dtype) => TYPES.includes(dtype))
          .flatMap((dtype) => {
            const program = lower(row, new Array<DType>(operands).fill(dtype), attributes as never)
            return [
              laidOut(`${title} of ${dtype}`, program, seed++ * 13),
              laidOut(`${title} of ${dtype}`, program, seed++ * 13),
            ]
          }),
      )
      const { ran, unsupported } = expectAgreement(cases)
      expect(ran).toBeGreaterThan(500)
      expect([...unsupported]).toEqual(['remainders of floats'])
    })

    it('every conversion', () => {
      let seed = 0
      const cases = TYPES.flatMap((from) =>
        TYPES.filter((to) => to !== from).flatMap((to) => {
          const b = new Builder([from])
          const program = b.program(b.cast(b.input(0), to))
          const title = `${from} as ${to}`
          const laid = [0, 1].map(() => laidOut(title, program, seed++ * 13))
          return [...laid, { ...laidOut(title, program, seed), ...PLAIN, columns: 3001 }]
        }),
      )
      const { ran, unsupported } = expectAgreement(cases)
      expect(ran).toBe(3 * 13 * 12)
      expect(unsupported.size).toBe(0)
    })
  })
})
void fc
