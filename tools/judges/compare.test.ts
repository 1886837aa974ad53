// When two answers are the same: exact where the standards are, with a bound where nobody is.
import { describe, expect, it } from 'vitest'
import type { Answer, Case, ComputeCase, TensorData } from './case.ts'
import { causeOf } from './causes/index.ts'
import { compare, shapeAgrees } from './compare.ts'
import { tensorOf } from './values.ts'

const floats = (...values: number[]): TensorData => tensorOf('float32', [values.length], values)
const result = (tensor: TensorData): Answer => ({ kind: 'tensor', tensor })
const question = (op: string, ...inputs: readonly TensorData[]): ComputeCase => ({
  id: 0,
  kind: 'compute',
  op,
  attrs: {},
  rule: { name: 'numpy' },
  inputs,
})
const natures = (asked: Case, ours: Answer, theirs: Answer): string[] =>
  compare('numpy', asked, ours, theirs).map(({ nature }) => nature)

const sum = question('Add', floats(1, 2), floats(3, 4))

describe('compare', () => {
  it('takes every NaN for every other and tells the zeros apart', () => {
    const other = result({ ...floats(0), data: Buffer.from([1, 0, 0xc0, 0xff]).toString('base64') })
    expect(natures(question('Add', floats(Number.NaN), floats(1)), result(floats(Number.NaN)), other)).toEqual([])
    expect(natures(question('Max', floats(0), floats(-0)), result(floats(0)), result(floats(-0)))).toEqual(['value'])
  })

  it('gives one disagreement for each element, with what met there', () => {
    const found = compare('numpy', sum, result(floats(4, 6)), result(floats(4, 7)))
    expect(found.map(({ difference }) => difference)).toEqual([
      { ours: 6, theirs: 7, operands: [2, 4], ulps: 2097152n, defect: false },
    ])
  })

  it('says when the specification gives another value than bcast, which no cause excuses', () => {
    const [found] = compare('numpy', question('Max', floats(0), floats(-0)), result(floats(-0)), result(floats(0)))
    expect(found?.difference?.defect).toBe(true)
    expect(causeOf(found!)).toBeUndefined()
    const [excused] = compare('numpy', question('Max', floats(0), floats(-0)), result(floats(0)), result(floats(-0)))
    expect(causeOf(excused!)?.id).toBe('max-of-zeros')
  })

  it('allows four units in the last place for the functions, none for arithmetic', () => {
    const near = (ulps: number): Answer => {
      const bits = new Uint32Array(new Float32Array([Math.E]).buffer)
      bits[0] = bits[0]! + ulps
      return result(floats(new Float32Array(bits.buffer)[0]!))
    }
    expect(natures(question('Exp', floats(1)), near(0), near(4))).toEqual([])
    expect(natures(question('Exp', floats(1)), near(0), near(5))).toEqual(['value'])
    expect(natures(question('Abs', floats(Math.E)), near(0), near(1))).toEqual(['value'])
  })

  it('bounds Gemm by the magnitudes that were added', () => {
    const matrix = (...values: number[]): TensorData => tensorOf('float32', [1, values.length], values)
    const column = tensorOf('float32', [3, 1], [1, 1, 1])
    const gemm: Case = { ...question('Gemm', matrix(1e8, 1, -1e8), column), rule: { name: 'unidirectional' } }
    const answer = (value: number): Answer => result(tensorOf('float32', [1, 1], [value]))
    expect(natures(gemm, answer(0), answer(1))).toEqual([])
    expect(natures(gemm, answer(0), answer(1000))).toEqual(['value'])
  })

  it('names type, shape, refusal, acceptance and the end of the process', () => {
    const error: Answer = { kind: 'error', text: 'no' }
    expect(natures(sum, result(floats(4, 6)), result(tensorOf('float64', [2], [4, 6])))).toEqual(['dtype'])
    expect(natures(sum, result(floats(4, 6)), result(tensorOf('float32', [2, 1], [4, 6])))).toEqual(['shape'])
    expect(natures(sum, result(floats(4, 6)), error)).toEqual(['refuses'])
    expect(natures(sum, error, result(floats(4, 6)))).toEqual(['accepts'])
    expect(natures(sum, error, error)).toEqual([])
    expect(natures(sum, error, { kind: 'crash', text: 'gone' })).toEqual(['crash'])
    expect(natures(sum, error, { kind: 'unsupported', text: 'no kernel' })).toEqual([])
  })

  it('lets an engine know less about a shape, not something else', () => {
    expect(shapeAgrees([2, 'N'], [2, null])).toBe(true)
    expect(shapeAgrees([2, 'N'], null)).toBe(true)
    expect(shapeAgrees([{ min: 2, max: 3 }], [{ min: 0, max: null }])).toBe(true)
    expect(shapeAgrees([{ min: 2, max: 3 }], [{ min: 2, max: 2 }])).toBe(false)
    expect(shapeAgrees([1], ['N'])).toBe(false)
    expect(shapeAgrees([null], [3])).toBe(false)
  })

  it('counts a missing condition', () => {
    const infer: Case = {
      id: 0,
      kind: 'infer',
      op: 'Add',
      attrs: {},
      rule: { name: 'numpy' },
      dtype: 'float32',
      shapes: [['N'], [3]],
    }
    expect(natures(infer, { kind: 'shape', shape: [3], conditional: true }, { kind: 'shape', shape: [3] })).toEqual([
      'condition',
    ])
  })
})
