// Every error of the library is one of these classes, each with a code that does not change and fields to program
// against; the texts name operands, shapes or types and say what to do.
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
  tensor,
  type ValueError,
} from 'bcast'
import { describe, expect, it } from 'vitest'
import * as classModule from '../../src/errors/index.ts'
import { EngineError } from '../../src/errors/index.ts'
import { loosely } from '../support/operators.ts'
import { thrownBy } from '../support/thrown.ts'

const classes: Readonly<Record<string, unknown>> = { ...classModule }
const row = tensor([1, 2, 3])
const gone = tensor([1])
gone.dispose()

/** One call for each class, and what its text must name. */
const CALLS: Readonly<Record<keyof typeof errorCodes, { call: () => unknown; names: readonly string[] }>> = {
  BCAST_SHAPE: {
    call: () => tensor([1], { shape: [-1] as never }),
    names: ['[-1]', 'position 0', 'is negative', 'from 0'],
  },
  BCAST_RULE: { call: () => pdpd({ axis: -2 }), names: ['pdpd', 'axis', '-2'] },
  BCAST_BROADCAST: { call: () => loosely('add')(row, tensor([1, 2])), names: ['(3)', '(2)', 'axis -1', 'numpy'] },
  BCAST_DTYPE: { call: () => loosely('sqrt')(tensor([1n])), names: ['Sqrt', 'int64', 'A', 'float32', 'cast('] },
  BCAST_VALUE: { call: () => tensor([[1, 300]], { dtype: 'uint8' }), names: ['300', '[0, 1]', 'uint8', '0 to 255'] },
  BCAST_INDEX: { call: () => row.get(3), names: ['3', 'axis 0', 'size 3', '-3 to 2'] },
  BCAST_OPERAND: { call: () => loosely('add')(row, [1]), names: ['Add', 'B', 'an array', 'tensor('] },
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
    expect(thrownBy(CALLS.BCAST_DTYPE.call)).toMatchObject({
      dtype: 'int64',
      allowed: ['float16', 'bfloat16', 'float32', 'float64'],
    } satisfies Partial<DTypeError>)
    expect(thrownBy(CALLS.BCAST_VALUE.call)).toMatchObject({ value: 300, path: [0, 1] } satisfies Partial<ValueError>)
    expect(thrownBy(CALLS.BCAST_DIVISION_BY_ZERO.call)).toMatchObject({
      operator: 'Div',
      index: [0],
    } satisfies Partial<DivisionByZeroError>)
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
