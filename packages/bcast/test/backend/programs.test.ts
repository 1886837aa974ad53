// Programs of many instructions, as fused expressions will be: every instruction rounds or wraps as an operator of its
// own would, whatever register it is handed. Random programs, element by element against the specification.
import { isInteger, type Operator, scalar } from '@bcast/spec'
import { type DType, dtypes } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { element, make, sameElement, show, type Value } from '../../../../testing/elements.ts'
import { all, instructionsOf as codeFor } from '../../src/backend/instructions.ts'
import { execute } from '../../src/backend/interpreter/execute.ts'
import { Builder, type Value as Position, type Primitive, type Program } from '../../src/expr/ir.ts'
import { settings } from '../support/oracle.ts'

const code = codeFor(...all)

const TYPES: readonly DType[] = [
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

/** Instructions of one type, and the operators that they are. */
const ANY: readonly [Primitive, string, number][] = [
  ['add', 'Add', 2],
  ['sub', 'Sub', 2],
  ['mul', 'Mul', 2],
  ['min', 'Min', 2],
  ['max', 'Max', 2],
  ['neg', 'Neg', 1],
  ['abs', 'Abs', 1],
  ['sign', 'Sign', 1],
]
const BITS: readonly [Primitive, string, number][] = [
  ['and', 'BitwiseAnd', 2],
  ['or', 'BitwiseOr', 2],
  ['xor', 'BitwiseXor', 2],
  ['not', 'BitwiseNot', 1],
]
const FLOAT: readonly [Primitive, string, number][] = [
  ['div', 'Div', 2],
  ['sqrt', 'Sqrt', 1],
  ['floor', 'Floor', 1],
  ['ceil', 'Ceil', 1],
  ['round', 'Round', 1],
]
const COMPARE = [
  ['equal', 'Equal'],
  ['less', 'Less'],
  ['lessEqual', 'LessOrEqual'],
] as const

const instructionsOf = (dtype: DType): readonly [Primitive, string, number][] => {
  if (dtype === 'bool') return BITS
  return isInteger(dtype) ? [...ANY, ...BITS] : [...ANY, ...FLOAT]
}

interface Node {
  readonly position: Position
  readonly dtype: DType
  readonly evaluate: (inputs: readonly Value[]) => Value
}

/** Picks from a list by a number; the numbers are what the generator makes. */
const pick = <T>(list: readonly T[], by: number): T => list[by % list.length]!

const INPUTS = dtypes.filter((dtype) => dtype !== 'string' && dtype !== 'real')

/** A program by a list of choices, with what each instruction means. */
function build(
  inputs: readonly DType[],
  choices: readonly (readonly [number, number, number, number])[],
): { program: Program; node: Node } {
  const b = new Builder(inputs)
  const nodes: Node[] = inputs.map((dtype, i): Node => {
    const position = b.input(i)
    if (dtype !== 'float16' && dtype !== 'bfloat16') return { position, dtype, evaluate: (values) => values[i]! }
    return { position: b.cast(position, 'float32'), dtype: 'float32', evaluate: (values) => values[i]! }
  })
  const push = (position: Position, dtype: DType, operator: Operator, args: readonly Node[]): void => {
    nodes.push({ position, dtype, evaluate: (values) => operator(...args.map((arg) => arg.evaluate(values))) })
  }
  for (const [kind, first, second, third] of choices) {
    const a = pick(nodes, first)
    const partners = nodes.filter(({ dtype }) => dtype === a.dtype)
    const c = pick(partners, second)
    const conditions = nodes.filter(({ dtype }) => dtype === 'bool')
    if (kind % 5 === 0) {
      const to = pick(TYPES, third)
      if (to !== a.dtype) push(b.cast(a.position, to), to, scalar('Cast', a.dtype, { to }), [a])
    } else if (kind % 5 === 1 && a.dtype !== 'bool') {
      const [op, name] = pick(COMPARE, third)
      push(b.compare(op, a.position, c.position), 'bool', scalar(name, a.dtype), [a, c])
    } else if (kind % 5 === 2 && conditions.length > 0) {
      const condition = pick(conditions, third)
      push(b.select(condition.position, a.position, c.position), a.dtype, scalar('Where', a.dtype), [condition, a, c])
    } else {
      const [op, name, count] = pick(instructionsOf(a.dtype), third)
      const args = count === 1 ? [a] : [a, c]
      push(b.op(op, ...args.map(({ position }) => position)), a.dtype, scalar(name, a.dtype), args)
    }
  }
  const node = nodes.at(-1)!
  return { program: b.program(node.position), node }
}

describe('random programs', () => {
  const choice = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99), fc.nat(99))

  it('give what their instructions give one by one', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom(...INPUTS), { minLength: 1, maxLength: 3 })
          .chain((inputs) =>
            fc.tuple(
              fc.constant(inputs),
              fc.array(choice, { minLength: 1, maxLength: 14 }),
              fc.tuple(...inputs.map((dtype) => fc.array(element(dtype), { minLength: 20, maxLength: 20 }))),
            ),
          ),
        ([inputs, choices, values]) => {
          const { program, node } = build(inputs, choices)
          const operands = inputs.map((dtype, i) => ({
            storage: make(dtype, values[i]!).storage,
            offset: 0,
            strides: [1],
          }))
          const out = make(
            node.dtype,
            new Array<Value>(20).fill(node.dtype === 'bool' ? false : node.dtype.endsWith('int64') ? 0n : 0),
          )
          operands.push({ storage: out.storage, offset: 0, strides: [1] })
          expect(execute(program, code, [20], operands)).toBe(-1)
          const got = out.toArray() as Value[]
          const complaints = got.flatMap((value, i) => {
            const wanted = node.evaluate(values.map((own) => own[i]!))
            return sameElement(value, wanted) ? [] : [`element ${i}: ${show(wanted)}, got ${show(value)}`]
          })
          expect(complaints).toEqual([])
        },
      ),
      settings(750),
    )
  })
})

describe('constants', () => {
  it('fill every element of every block', () => {
    const b = new Builder(['int32'])
    const program = b.program(b.op('add', b.input(0), b.constant('int32', 5)))
    const n = 2500
    const out = new Int32Array(n)
    execute(
      program,
      code,
      [n],
      [new Int32Array(n).fill(2), out].map((storage) => ({ storage, offset: 0, strides: [1] })),
    )
    expect(out.every((value) => value === 7)).toBe(true)
  })

  it('that are equal are one, that differ only by the sign of zero are two', () => {
    const b = new Builder([])
    expect(b.constant('float64', 0)).toBe(b.constant('float64', 0))
    expect(b.constant('float64', -0)).not.toBe(b.constant('float64', 0))
    expect(b.constant('float32', 0)).not.toBe(b.constant('float64', 0))
  })
})
