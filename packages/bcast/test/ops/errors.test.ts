// Every error of the library is one of these classes, each with a code that does not change and fields to program
// against; the texts name operands, shapes or types and say what to do.
import { readFileSync } from 'node:fs'
import * as library from 'bcast'
import {
  add,
  BcastError,
  type BroadcastError,
  broadcastShapes,
  type DivisionByZeroError,
  type DTypeError,
  errorCodes,
  explicit,
  fromData,
  IndexError,
  matmulBatch,
  OperandError,
  pdpd,
  prelu,
  ReadOnlyError,
  RuleError,
  type ShapeError,
  type Tensor,
  tensor,
  type ValueError,
} from 'bcast'
import { readNpy } from 'bcast/npy'
import { describe, expect, it } from 'vitest'
import * as classModule from '../../src/errors/index.ts'
import { EngineError } from '../../src/errors/index.ts'
import { loosely } from '../support/operators.ts'
import { thrownBy } from '../support/thrown.ts'

const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
const classes: Readonly<Record<string, unknown>> = { ...classModule }
const row = tensor([1, 2, 3])
const gone = tensor([1])
gone.dispose()

/** One call for each class, what its text must name, and a call for fields that do not apply to the first. */
const CALLS: Readonly<
  Record<keyof typeof errorCodes, { call: () => unknown; names: readonly string[]; other?: () => unknown }>
> = {
  BCAST_SHAPE: {
    call: () => tensor([1], { shape: [-1] as never }),
    names: ['[-1]', 'position 0', 'is negative', 'from 0'],
  },
  BCAST_RULE: { call: () => pdpd({ axis: -2 }), names: ['pdpd', 'axis', '-2'] },
  BCAST_BROADCAST: { call: () => loosely('add')(row, tensor([1, 2])), names: ['(3)', '(2)', 'axis -1', 'numpy'] },
  BCAST_DTYPE: {
    call: () => loosely('sqrt')(tensor([1n])),
    names: ['Sqrt', 'int64', 'A', 'float32', 'cast('],
    other: () => loosely('add')(row, tensor([1n])),
  },
  BCAST_VALUE: { call: () => tensor([[1, 300]], { dtype: 'uint8' }), names: ['300', '[0, 1]', 'uint8', '0 to 255'] },
  // @ts-expect-error the compiler sees it, too
  BCAST_INDEX: { call: () => row.get(3), names: ['3', 'axis 0', 'size 3', '-3 to 2'] },
  BCAST_OPERAND: {
    call: () => loosely('add')(row, [1]),
    names: ['Add', 'B', 'an array', 'tensor('],
    other: () => loosely('add')(row, row, { outt: row }),
  },
  BCAST_DIVISION_BY_ZERO: { call: () => loosely('div')(tensor([1n]), 0), names: ['Div', 'index [0]', 'where('] },
  BCAST_READ_ONLY: {
    call: () => add(row, row, { out: tensor([1]).broadcastTo([3]) }),
    names: ['Add', 'out', '(3)', 'read-only'],
  },
  BCAST_DISPOSED: { call: () => gone.data, names: ['float32', '(1)', 'disposed', 'make a new one'] },
  // No call can bring this about in a sound engine, so only its class is looked at.
  BCAST_ENGINE: {
    call: () => {
      throw new EngineError('a thread stopped')
    },
    names: [],
  },
  BCAST_FORMAT: { call: () => readNpy(new Uint8Array(8)), names: ['0000', 'npy'] },
}

describe.each(Object.entries(errorCodes))('%s', (code, name) => {
  const { call, names } = CALLS[code as keyof typeof errorCodes]

  it(`is the code of ${name}`, () => {
    const error = thrownBy(call)
    const Class = classes[name] as new () => Error
    expect(error).toBeInstanceOf(Class)
    expect(error).toBeInstanceOf(BcastError)
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe(name)
    expect((error as BcastError).code).toBe(code)
    expect(String(error)).toBe(`${name}: ${error.message}`)
  })

  if (names.length === 0) return

  it('has a text that names what is wrong and a fix', () => {
    const { message } = thrownBy(call)
    for (const part of names) expect(message).toContain(part)
    expect(message).toMatch(/[.…)]$|\n/)
  })
})

describe('an option that is not known', () => {
  it('is why concrete shapes fail, and another rule is what helps', () => {
    const error = thrownBy(() =>
      loosely('add')(
        tensor([
          [1, 2, 3],
          [4, 5, 6],
        ]),
        tensor([1, 2]),
        { broadcast: explicit({ axesMapping: [null] }) },
      ),
    ) as BroadcastError<library.Explanation>
    expect(error.message.split('\n')[0]).toBe('axesMapping is not known')
    expect(error.explanation.verdict).toBe('error')
    expect(error.explanation.fixes.map(({ code }) => code)).toEqual(['{ broadcast: pdpd({ axis: 0 }) }'])
  })
})

describe('the codes', () => {
  it('are these, for ever', () => {
    expect(errorCodes).toEqual({
      BCAST_SHAPE: 'ShapeError',
      BCAST_RULE: 'RuleError',
      BCAST_BROADCAST: 'BroadcastError',
      BCAST_DTYPE: 'DTypeError',
      BCAST_VALUE: 'ValueError',
      BCAST_INDEX: 'IndexError',
      BCAST_OPERAND: 'OperandError',
      BCAST_DIVISION_BY_ZERO: 'DivisionByZeroError',
      BCAST_READ_ONLY: 'ReadOnlyError',
      BCAST_DISPOSED: 'DisposedError',
      BCAST_ENGINE: 'EngineError',
      BCAST_FORMAT: 'FormatError',
    })
  })

  it('belong to every class that is exported', () => {
    const exported = Object.keys(library).filter((name) => name.endsWith('Error') && name !== 'BcastError')
    expect(exported.sort()).toEqual(Object.values(errorCodes).sort())
  })
})

describe('fields', () => {
  it('of a BroadcastError', () => {
    const error = thrownBy(() => loosely('add')(tensor([[1, 2, 3]]), tensor([1, 2]))) as BroadcastError
    expect(error).toMatchObject({
      shapes: [[1, 3], [2]],
      rule: 'numpy',
      axis: -1,
      operands: [0, 1],
    })
    expect(String(error.explanation)).toBe(error.message)
  })

  it('of the others', () => {
    expect(thrownBy(CALLS.BCAST_SHAPE.call)).toMatchObject({ value: -1, position: 0 } satisfies Partial<ShapeError>)
    expect(thrownBy(CALLS.BCAST_RULE.call)).toMatchObject({
      rule: 'pdpd',
      option: 'axis',
      value: -2,
    } satisfies Partial<RuleError>)
    expect(thrownBy(CALLS.BCAST_VALUE.call)).toMatchObject({
      value: 300,
      path: [0, 1],
      dtype: 'uint8',
      reason: 'it lies outside 0 to 255',
    } satisfies Partial<ValueError>)
    expect(thrownBy(CALLS.BCAST_INDEX.call)).toMatchObject({ value: 3, axis: 0, size: 3 } satisfies Partial<IndexError>)
    expect(thrownBy(CALLS.BCAST_OPERAND.call)).toMatchObject({
      operator: 'Add',
      operand: 1,
    } satisfies Partial<OperandError>)
    expect(thrownBy(CALLS.BCAST_OPERAND.other!)).toMatchObject({
      operator: 'Add',
      option: 'outt',
    } satisfies Partial<OperandError>)
  })

  it('of a division by zero: the operator, its divisor or exponent, and where', () => {
    const zero = { operand: 1, index: [0] }
    expect(thrownBy(CALLS.BCAST_DIVISION_BY_ZERO.call)).toMatchObject({
      ...zero,
      operator: 'Div',
      reason: 'division by zero',
    } satisfies Partial<DivisionByZeroError>)
    expect(thrownBy(() => loosely('pow')(tensor([0n]), tensor([-1n])))).toMatchObject({
      ...zero,
      operator: 'Pow',
      reason: 'zero to a negative power',
    } satisfies Partial<DivisionByZeroError>)
  })

  it('of a type that an operator does not take', () => {
    expect(thrownBy(CALLS.BCAST_DTYPE.call)).toMatchObject({
      ...{ operator: 'Sqrt', operand: 0, dtype: 'int64' },
      ...{ allowed: ['float16', 'bfloat16', 'float32', 'float64'], fixes: [{ operand: 0, dtype: 'float32' }] },
    } satisfies Partial<DTypeError>)
  })

  const [bytes, longs, floats, flags] = [
    tensor([[1]], { dtype: 'int32' }) as Tensor,
    tensor([[1]], { dtype: 'int64' }) as Tensor,
    tensor([[1.5]]) as Tensor,
    tensor([[true]]) as Tensor,
  ]

  it.each([
    ['add', [floats, bytes], 'Add: A is float32, B is int32', "cast(b, 'float32') or cast(a, 'int32')"],
    ['gemm', [bytes, floats], 'Gemm: A is int32, B is float32', "cast(b, 'int32') or cast(a, 'float32')"],
    ['where', [flags, bytes, floats], 'Where: B is int32, C is float32', "cast(c, 'int32') or cast(b, 'float32')"],
    ['max', [floats, floats, bytes], 'Max: A is float32, C is int32', "cast(c, 'float32')"],
    ['max', [bytes, floats, floats], 'Max: A is int32, B is float32', "cast(a, 'float32')"],
    ['max', [bytes, 1, floats], 'Max: A is int32, C is float32', "cast(c, 'int32') or cast(a, 'float32')"],
  ] as const)('of types that differ, %s(%s): each fix works', (name, operands, differ, casts) => {
    const error = thrownBy(() => loosely(name)(...operands)) as DTypeError
    const { operator, operand, dtype, allowed, beside, fixes, message } = error
    const nameOf = (position: number): string => 'ABC'[position]!
    expect(`${operator}: ${nameOf(beside!.operand)} is ${beside!.dtype}, ${nameOf(operand!)} is ${dtype}`).toBe(differ)
    expect(allowed).toEqual([beside!.dtype])
    expect(message).toBe(
      `${differ.replace(':', ': element types differ:')}. Nothing is converted by itself: use ${casts}.`,
    )
    expect(fixes.map((fix) => `cast(${nameOf(fix.operand).toLowerCase()}, '${fix.dtype}')`).join(' or ')).toBe(casts)
    for (const fix of fixes) {
      const changed = operands.map((each, i) => (i === fix.operand ? loosely('cast')(each, fix.dtype) : each))
      expect(loosely(name)(...changed).shape).toEqual([1, 1])
    }
  })

  it('of three types, of which no one conversion makes one', () => {
    const error = thrownBy(() => loosely('max')(bytes, floats, longs)) as DTypeError
    expect(error.fixes).toEqual([
      { operand: 1, dtype: 'int32' },
      { operand: 0, dtype: 'float32' },
    ])
  })

  it.each(Object.entries(CALLS))('of %s are those that docs/errors.md lists', (code, { call, other }) => {
    const [, column] = new RegExp(`^\\| \`${code}\` \\|.*\\| ([^|]*)\\|$`, 'm').exec(page)!
    const listed = [...column!.matchAll(/`(\w+)`/g)].map(([, field]) => field!)
    const thrown = [call, ...(other === undefined ? [] : [other])].map(thrownBy)
    const found = new Set(thrown.flatMap((error) => Object.keys(error)).filter((field) => field !== 'code'))
    expect([...found].sort()).toEqual(listed.sort())
    const name = errorCodes[code as keyof typeof errorCodes]
    for (const field of listed) expect(page).toMatch(new RegExp(`^\\| .*\`${field}\`.* \\| .*\`${name}\``, 'm'))
  })

  it('PRelu enforces one-way broadcasting, and says who keeps its shape', () => {
    const x = tensor([[1, -2]])
    const slope = tensor([[1], [2], [3]])
    const error = thrownBy(() =>
      (prelu as unknown as (x: unknown, slope: unknown) => unknown)(x, slope),
    ) as BroadcastError
    expect(error).toMatchObject({ code: 'BCAST_BROADCAST', rule: 'unidirectional' })
  })

  it('are errors of JavaScript, with a stack', () => {
    for (const Class of [RuleError, OperandError, IndexError, ReadOnlyError]) {
      const error = new Class('text')
      expect(error.message).toBe('text')
      expect(error.stack).toContain('text')
    }
  })
})

describe('rules that are no element-wise rules', () => {
  it('matmulBatch names batches, so operators on elements refuse it', () => {
    const x = fromData('float32', new Float32Array(8), [2, 2, 2])
    const message =
      'matmulBatch brings stacks of matrices together, not elements; it goes with broadcastShapes and explain.'
    expect(() => loosely('add')(x, x, { broadcast: matmulBatch })).toThrow(RuleError)
    expect(() => loosely('add')(x, x, { broadcast: matmulBatch })).toThrow(message)
    expect(() => loosely('broadcast' as never)(x, x, { broadcast: matmulBatch })).toThrow(message)
    expect(() => loosely('broadcastTo')(x, [2, 2, 2], { broadcast: matmulBatch })).toThrow(message)
    expect(broadcastShapes([2, 1, 3, 4], [5, 4, 6], { broadcast: matmulBatch })).toEqual([2, 5])
  })
})
