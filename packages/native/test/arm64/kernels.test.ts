// Kernels of AArch64 give what WebAssembly gives and touch nothing but their operands: every operator with every type,
// every conversion, random programs, over operands that move in every way and end where memory does.
import { type DType, isFloat, type Primitive, type Program } from 'bcast/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choicesOf } from '../../../../testing/attributes.ts'
import { needs } from '../../../../testing/needs.ts'
import { Builder } from '../../../bcast/src/expr/ir.ts'
import { lower } from '../../../bcast/src/expr/lower.ts'
import { type Attributes, allowedTypes, type Row } from '../../../bcast/src/expr/row.ts'
import * as rows from '../../../bcast/src/expr/rows/index.ts'
import { Unsupported } from '../../src/machine/unsupported.ts'
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

/** Every operator, with every choice of what it may be told. */
const operators = Object.values<Row>({ ...rows }).flatMap((row) =>
  choicesOf(row.attributes ?? {}).map((attributes) => ({
    title: [row.name, ...Object.entries(attributes).map(([name, value]) => `${name}=${String(value)}`)].join(' '),
    row,
    attributes: attributes as Attributes,
  })),
)

/** Types of an operator's operands, most of which share one. */
function operandsOf({ operands, variadic, own }: Row, shared: DType): readonly DType[] {
  const given = variadic === true ? ['a', 'b', 'c'] : operands
  const others = own === undefined ? [] : allowedTypes(own.types)
  return given.map((_, i) => (i !== own?.operand || others.includes(shared) ? shared : others[0]!))
}

const UNARY: readonly Primitive[] = ['neg', 'abs', 'sign']
const BINARY: readonly Primitive[] = ['add', 'sub', 'mul', 'min', 'max']
const OF_BITS: readonly Primitive[] = ['and', 'or', 'xor']
const OF_INTEGERS: readonly Primitive[] = [...BINARY, ...OF_BITS, 'div', 'floorDiv', 'mod', 'rem', 'power']
const OF_FLOATS: readonly Primitive[] = [...BINARY, 'div']
const UNARY_FLOATS: readonly Primitive[] = [...UNARY, 'sqrt', 'floor', 'ceil', 'round']

const pick = <T>(list: readonly T[], by: number): T => list[by % list.length]!

/** A program by a list of choices, over operands that are computed with as float32 where they are narrower floats. */
function randomProgram(
  inputs: readonly DType[],
  choices: readonly (readonly [number, number, number, number])[],
): Program {
  const b = new Builder(inputs)
  const values = inputs.map((dtype, i) => {
    const value = b.input(i)
    return dtype === 'float16' || dtype === 'bfloat16' ? b.cast(value, 'float32') : value
  })
  const wider = TYPES.filter((dtype) => dtype !== 'float16' && dtype !== 'bfloat16')
  for (const [kind, first, second, third] of choices) {
    const x = pick(values, first)
    const dtype = b.dtype(x)
    const y = pick(
      values.filter((value) => b.dtype(value) === dtype),
      second,
    )
    const conditions = values.filter((value) => b.dtype(value) === 'bool')
    if (kind % 5 === 0) values.push(b.cast(x, pick(wider, third)))
    else if (kind % 5 === 1) values.push(b.compare(pick(['equal', 'less', 'lessEqual'] as const, third), x, y))
    else if (kind % 5 === 2 && conditions.length > 0) values.push(b.select(pick(conditions, third), x, y))
    else if (kind % 5 === 3) {
      const some = dtype === 'bool' ? ['not' as const] : isFloat(dtype) ? UNARY_FLOATS : [...UNARY, 'not' as const]
      values.push(b.op(pick(some, third), x))
    } else values.push(b.op(pick(dtype === 'bool' ? OF_BITS : isFloat(dtype) ? OF_FLOATS : OF_INTEGERS, third), x, y))
  }
  const last = values.at(-1)!
  const narrow = choices.length % 3 === 0 ? b.cast(last, pick(['float16', 'bfloat16'] as const, choices.length)) : last
  return b.program(narrow)
}

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
      const cases = operators.flatMap(({ title, row, attributes }) =>
        TYPES.filter((dtype) => allowedTypes(row.types).includes(dtype))
          .filter((dtype) => row.refuse?.(dtype, dtype, attributes) === undefined)
          .flatMap((dtype) => {
            const program = lower(row, operandsOf(row, dtype), attributes)
            return [
              laidOut(`${title} of ${dtype}`, program, seed++ * 13),
              laidOut(`${title} of ${dtype}`, program, seed++ * 13),
            ]
          }),
      )
      const { ran, unsupported } = expectAgreement(cases)
      expect(ran).toBeGreaterThan(500)
      expect([...unsupported]).toEqual([])
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

    it('rests of floats', () => {
      const cases = (['float32', 'float64'] as const).flatMap((dtype) =>
        (['rem', 'mod'] as const).map((op) => {
          const b = new Builder([dtype, dtype])
          const program = b.program(b.op(op, b.input(0), b.input(1)))
          const signature: Case['signature'] = { motions: ['unit', 'unit'], rows: 1, still: [false, false] }
          return { ...laidOut(`${op} of ${dtype}`, program, 3), ...PLAIN, signature, columns: 1501 }
        }),
      )
      expect(expectAgreement(cases).ran).toBe(4)
    })

    it('random programs', () => {
      const cases: Case[] = []
      const choice = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99), fc.nat(99))
      const operands = fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 5 })
      const drawn = fc.property(
        operands,
        fc.array(choice, { maxLength: 40 }),
        fc.nat(1_000_000),
        (inputs, choices, seed) => {
          cases.push(laidOut('random', randomProgram(inputs, choices), seed))
        },
      )
      fc.assert(drawn, { numRuns: 700 })
      expect(expectAgreement(cases).ran).toBe(700)
    })
  })
})
