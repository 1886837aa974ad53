import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Case, type Malformed, readCases, type Written } from './case.ts'
import { judgeCase } from './judge.ts'

/** The cases of a text in which every entry is one. */
const sound = (text: string): Case[] =>
  readCases(text, 'f.json').map((read) => {
    if ('fault' in read) throw new Error(`${read.id}: ${read.fault}`)
    return read
  })

/** The verdict on a case given as a file would write it, with the usual fields filled in. */
function verdict(fields: Record<string, unknown>): string {
  const whole = { id: 'c', kind: 'shape', form: 'elementwise', rule: 'numpy', ...fields }
  return judgeCase(sound(JSON.stringify([whole]))[0]!).status
}

const shapes = (...list: unknown[]): { inputs: { shape: unknown }[] } => ({ inputs: list.map((shape) => ({ shape })) })

/** A broadcast_to case: data to target. */
const to = (data: unknown, target_shape: unknown, attrs: object = {}): object => ({
  form: 'broadcast_to',
  ...shapes(data),
  attrs: { target_shape, ...attrs },
})

const gives = (shape: unknown): object => ({ expect: { shape } })
const fails = { expect: { error: true } }

describe('the judge of shapes', () => {
  it.each<[string, object, object]>([
    ['numpy goes both ways', { ...shapes([2, 1], [3]) }, gives([2, 3])],
    ['numpy with a target goes one way', { ...to([3], [1]) }, fails],
    ['unidirectional', { rule: 'unidirectional', ...shapes([3], [2, 3]) }, fails],
    ['bidirectional', { rule: 'bidirectional', ...to([3], [2, 1]) }, gives([2, 3])],
    ['explicit', { rule: 'explicit', ...to([3, 1], [2, 3, 3], { axes_mapping: [1, 2] }) }, gives([2, 3, 3])],
    [
      'explicit, strict',
      { rule: 'explicit', tags: ['ngraph-vs-openvino'], ...to([3, 1], [2, 3, 3], { axes_mapping: [1, 2] }) },
      fails,
    ],
    ['explicit, mapping unknown', { rule: 'explicit', ...to([3], [2, 3], { axes_mapping: null }) }, gives([2, 3])],
    [
      'explicit, mapping of known length',
      { rule: 'explicit', ...to([3], [2, 3], { axes_mapping: { tensor_shape: [2] } }) },
      fails,
    ],
    ['explicit without a mapping', { rule: 'explicit', ...to([3], [2, 3]) }, fails],
    ['a mapping without explicit', to([3], [2, 3], { axes_mapping: [1] }), fails],
    ['nGraph axes', { rule: 'ngraph_axes', ...to([3], [3, 2], { broadcast_axes: [1] }) }, gives([3, 2])],
    ['pdpd keeps A', { rule: 'pdpd', ...shapes([2, 1], [3]), attrs: { axis: 1 } }, fails],
    ['pdpd with a target grows it', { rule: 'pdpd', ...to([3], [2, 1], { axis: 1 }) }, gives([2, 3])],
    ['pdpd with a target of smaller rank', { rule: 'pdpd', ...to([2, 3], [3], { axis: -1 }) }, fails],
    ['pdpd, impossible axis', { rule: 'pdpd', ...shapes([2, 3], [3]), attrs: { axis: -2 } }, fails],
    ['pdpd of Select keeps `then`', { rule: 'pdpd', op: 'Select', ...shapes([4], [2, 4], [1]) }, gives([2, 4])],
    ['paddle', { rule: 'paddle', ...shapes([2], [2, 3]), attrs: { axis: 0 } }, gives([2, 3])],
    ['legacy off', { rule: 'onnx_legacy', ...shapes([2, 3], [3]) }, fails],
    ['legacy on', { rule: 'onnx_legacy', ...shapes([2, 3], [2]), attrs: { broadcast: 1, axis: 0 } }, gives([2, 3])],
    ['none', { rule: 'none', ...shapes([2, 1], [2, 3]) }, fails],
    ['sonnx', { rule: 'sonnx', ...shapes([0], [1]) }, fails],
    ['sonnx_none', { rule: 'sonnx_none', ...shapes([2], [1]) }, fails],
    ['no operand at all', { inputs: [] }, gives([])],
    ['a target of rank 2', to([3], { tensor_shape: [2, 3] }), fails],
    ['a target of known length', to([3], { tensor_shape: [2] }), gives([null, null])],
    ['a target that is unknown', to([3], null), gives(null)],
    ['Gemm', { rule: 'unidirectional', op: 'Gemm', ...shapes([3, 5], [5, 4], [4]) }, gives([3, 4])],
    [
      'Gemm, transposed',
      { rule: 'unidirectional', op: 'Gemm', ...shapes([5, 3], [4, 5], [3, 1]), attrs: { transA: 1, transB: 1 } },
      gives([3, 4]),
    ],
    ['Gemm without C', { rule: 'unidirectional', op: 'Gemm', ...shapes([3, 5], [5, 4]) }, gives([3, 4])],
    ['Gemm, inner sizes', { rule: 'unidirectional', op: 'Gemm', ...shapes([3, 5], [6, 4], [4]) }, fails],
    ['Gemm, rank', { rule: 'unidirectional', op: 'Gemm', ...shapes([3], [3, 4], [4]) }, fails],
    ['Gemm, C too large', { rule: 'unidirectional', op: 'Gemm', ...shapes([3, 5], [5, 4], [2, 4]) }, fails],
    [
      'MatMul',
      { rule: 'matmul_batch', op: 'MatMul', ...shapes([3, 1, 4, 6], [2, 6, 5]) },
      {
        expect: {
          shapes: [
            [3, 2, 4, 6],
            [3, 2, 6, 5],
          ],
        },
      },
    ],
    [
      'broadcast axes',
      { rule: 'bidirectional', ...to([16, 1, 1], [1, 1, 5, 5]) },
      { expect: { shape: [1, 16, 5, 5], broadcast_axes: [0, 2, 3] } },
    ],
    ['conditional', shapes(['N', 3], [4, 1]), gives([4, 3])],
  ])('%s', (_, given, expected) => {
    expect(verdict({ ...given, ...expected })).toBe('passed')
    const opposite = 'error' in (expected as { expect: object }).expect ? gives(null) : fails
    expect(verdict({ ...given, ...opposite })).toBe('failed')
  })

  it('looks at every part of what is expected', () => {
    const axes = { rule: 'bidirectional', ...to([1, 3], [2, 1]) }
    expect(verdict({ ...axes, expect: { shape: [2, 3], broadcast_axes: [0] } })).toBe('passed')
    expect(verdict({ ...axes, expect: { shape: [2, 3], broadcast_axes: [0, 1] } })).toBe('failed')
    const matmul = { rule: 'matmul_batch', ...shapes([2, 4, 6], [6, 5]) }
    expect(
      verdict({
        ...matmul,
        expect: {
          shapes: [
            [2, 4, 6],
            [1, 6, 5],
          ],
        },
      }),
    ).toBe('failed')
    expect(verdict({ ...matmul, expect: { shapes: [[2, 4, 6]] } })).toBe('failed')
  })
})

describe('the judge of gradients', () => {
  const input = (shape: number[], ...flat: number[]): object => ({ shape, dtype: 'float64', values: flat })
  const backwards = {
    kind: 'grad',
    form: 'broadcast_to',
    rule: 'ngraph_axes',
    op: 'Broadcast',
    inputs: [input([3], 1, 2, 3)],
    attrs: { target_shape: [2, 3], broadcast_axes: [0], grad_output: { shape: [2, 3], values: [1, 2, 3, 4, 5, 6] } },
  }
  const product = {
    kind: 'grad',
    op: 'Mul',
    inputs: [input([2, 1], 2, 3), input([2], 5, 7)],
    attrs: { grad_output: { shape: [2, 2], values: [1, 0, 2, 1] } },
  }
  const gradients = (second: number): object => ({
    expect: {
      outputs: [input([2, 2], 10, 14, 15, 21)],
      grads: [input([2, 1], 5, 17), input([2], 8, second)],
    },
  })

  it('compares axes', () => {
    const axes = { kind: 'grad_axes', rule: 'paddle', ...shapes([2, 3, 4], [3]), attrs: { axis: 1 } }
    expect(verdict({ ...axes, expect: { reduce_axes: [[], [0, 2]] } })).toBe('passed')
    expect(verdict({ ...axes, expect: { reduce_axes: [[], [0]] } })).toBe('failed')
    expect(verdict({ ...axes, ...shapes([2, 3], [2]), expect: { reduce_axes: [[], [0]] } })).toBe('failed')
  })

  it('compares what Broadcast gives back', () => {
    expect(verdict({ ...backwards, expect: input([3], 5, 7, 9) })).toBe('passed')
    expect(verdict({ ...backwards, expect: input([3], 5, 7, 8) })).toBe('failed')
    const other = { ...backwards, rule: 'numpy', attrs: { ...backwards.attrs, broadcast_axes: undefined } }
    expect(verdict({ ...other, expect: input([3], 5, 7, 9) })).toBe('passed')
    const refused = { ...other, inputs: [input([2], 1, 2)] }
    expect(verdict({ ...refused, expect: input([2], 5, 7) })).toBe('failed')
    expect(verdict({ ...refused, ...fails })).toBe('passed')
    expect(verdict({ ...backwards, ...fails })).toBe('failed')
  })

  it('compares the output and the gradients of an operator', () => {
    expect(verdict({ ...product, ...gradients(3) })).toBe('passed')
    expect(verdict({ ...product, ...gradients(4) })).toBe('failed')
    expect(verdict({ ...product, op: 'Add', ...gradients(3) })).toBe('failed')
    expect(verdict({ ...product, ...fails })).toBe('failed')
    expect(verdict({ ...product, inputs: [input([2], 1, 2), input([3], 1, 2, 3)], ...fails })).toBe('passed')
  })

  it('takes operators of operators', () => {
    const both = (values: number[], ...grads: number[][]): object => ({
      kind: 'grad',
      op: 'Mul(Sub(b,Neg(a)),a)',
      inputs: [input([2], 1, 2), input([], 3)],
      expect: { outputs: [input([2], ...values)], grads: [input([2], ...grads[0]!), input([], ...grads[1]!)] },
    })
    expect(verdict(both([4, 10] as number[], [5, 7], [3]) as Record<string, unknown>)).toBe('passed')
    expect(verdict(both([4, 10] as number[], [5, 7], [2]) as Record<string, unknown>)).toBe('failed')
  })

  it('wants a whole case', () => {
    const fault = (fields: object): string =>
      (
        readCases(
          JSON.stringify([{ id: 'c', form: 'elementwise', rule: 'numpy', ...fields }]),
          'f.json',
        )[0] as Malformed
      ).fault
    expect(fault({ ...product, expect: { grads: [] } })).toContain('expects its output, and grads')
    expect(fault({ ...product, expect: { reduce_axes: [] } })).toContain('reduce_axes are for a grad_axes case')
    expect(fault({ ...product, kind: 'shape', ...gradients(3) })).toContain('grads are for a grad case')
    expect(fault({ ...backwards, attrs: { target_shape: [2, 3] }, expect: { shape: [3] } })).toContain('grad_output')
    expect(fault({ ...backwards, expect: { shape: [3] } })).toContain('expects a tensor')
  })
})

const values = (dtype: string, ...list: Written[][]): object => ({
  kind: 'value',
  inputs: list.map((flat) => ({ shape: [flat.length], dtype, values: flat })),
})
const elements = (dtype: string, ...flat: Written[]): object => ({
  expect: { shape: [flat.length], dtype, values: flat },
})

describe('the judge of values', () => {
  it.each<[string, object, object]>([
    ['Divide floors', { op: 'Divide', ...values('int32', [-7], [2]) }, elements('int32', -4)],
    ['Div truncates', { op: 'Div', ...values('int32', [-7], [2]) }, elements('int32', -3)],
    [
      'Divide, pythondiv off',
      { op: 'Divide', attrs: { pythondiv: false }, ...values('int32', [-7], [2]) },
      elements('int32', -3),
    ],
    ['Mod of OpenVINO', { op: 'Mod', ...values('int32', [-57], [13]) }, elements('int32', -5)],
    ['Mod of ONNX', { op: 'Mod', attrs: { opset: 13 }, ...values('int32', [-57], [13]) }, elements('int32', 8)],
    ['FloorMod', { op: 'FloorMod', ...values('int32', [-57], [13]) }, elements('int32', 8)],
    ['a comparison', { op: 'GreaterEqual', ...values('float32', [1, 2], [2]) }, elements('bool', 0, 1)],
    ['64 bits', { op: 'Add', ...values('uint64', ['18446744073709551615'], [2]) }, elements('uint64', 1)],
    [
      'what is not finite',
      { op: 'Divide', ...values('float32', [1, 0, -1], [0]) },
      elements('float32', 'Infinity', 'NaN', '-Infinity'),
    ],
  ])('%s', (_, given, expected) => {
    expect(verdict({ ...given, ...expected })).toBe('passed')
  })

  it('runs once for each type, and skips booleans that are none', () => {
    const squares = { op: 'Multiply', attrs: { dtypes: ['float32', 'float16', 'int64', 'bfloat16'] } }
    expect(verdict({ ...squares, ...values('float32', [368, 2], [368]), ...elements('float32', 135424, 736) })).toBe(
      'passed',
    )
    expect(
      verdict({
        op: 'Equal',
        attrs: { dtypes: ['int8', 'bool'] },
        ...values('float32', [2, 1], [2]),
        ...elements('bool', 1, 0),
      }),
    ).toBe('passed')
    expect(
      verdict({ op: 'Equal', attrs: { dtypes: ['bool'] }, ...values('float32', [2], [2]), ...elements('bool', 1) }),
    ).toBe('failed')
    expect(
      verdict({
        op: 'Add',
        attrs: { dtypes: ['float32', 'int8'] },
        ...values('float32', [100], [100]),
        ...elements('float32', 201),
      }),
    ).toBe('failed')
  })

  it('leaves the condition of Select boolean whatever the type', () => {
    const select = {
      kind: 'value',
      op: 'Select',
      inputs: [
        { shape: [2], dtype: 'bool', values: [1, 0] },
        { shape: [2], dtype: 'float32', values: [1, 2] },
        { shape: [1], dtype: 'float32', values: [9] },
      ],
      attrs: { dtypes: ['float32', 'int32'] },
    }
    expect(verdict({ ...select, ...elements('float32', 1, 9) })).toBe('passed')
    expect(verdict({ ...select, ...elements('float32', 9, 2) })).toBe('failed')
  })

  it('demands an error about types of a case that is about types', () => {
    const typed = (op: string, ...dtypes: string[]): string =>
      verdict({ op, tags: ['dtype-error'], inputs: dtypes.map((dtype) => ({ shape: [2], dtype })), ...fails })
    expect(typed('Add', 'float32', 'int32')).toBe('passed')
    expect(typed('Add', 'string', 'string')).toBe('passed')
    expect(typed('Select', 'float32', 'float32', 'float32')).toBe('passed')
    expect(typed('Add', 'float32', 'float32')).toBe('failed')
  })

  it('takes no mistake of the runner for the error that was expected', () => {
    expect(verdict({ op: 'Frobnicate', ...values('float32', [1], [2]), ...fails })).toBe('failed')
    expect(verdict({ op: 'Add', ...values('float32', [1, 2], [1, 2, 3]), ...fails })).toBe('passed')
  })
})

describe('the judge of an N-ary broadcast', () => {
  const inputs = [
    { shape: [2, 1], dtype: 'int64', values: [1, 2] },
    { shape: [3], dtype: 'float32', values: [10, 20, 30] },
  ]
  const right = [
    { shape: [2, 3], dtype: 'int64', values: [1, 1, 1, 2, 2, 2] },
    { shape: [2, 3], dtype: 'float32', values: [10, 20, 30, 10, 20, 30] },
  ]
  const judged = (outputs: readonly object[], more: object = {}): string =>
    verdict({ kind: 'value', rule: 'sonnx', inputs, expect: { outputs }, ...more })

  it('compares every output: how many, their shapes, types and elements', () => {
    expect(judged(right)).toBe('passed')
    expect(judged(right, { op: 'Broadcast' })).toBe('passed')
    expect(judged(right.map(({ shape, values }) => ({ shape, values })))).toBe('passed')
    expect(judged(right.slice(0, 1))).toBe('failed')
    expect(judged([...right, right[0]!])).toBe('failed')
    expect(judged(right.toReversed())).toBe('failed')
    for (const wrong of [{ shape: [3, 2] }, { dtype: 'float64' }, { values: [10, 20, 30, 10, 20, 31] }])
      expect(judged([right[0]!, { ...right[1], ...wrong }])).toBe('failed')
  })

  it('follows the rule of the case', () => {
    expect(judged(right, { rule: 'unidirectional' })).toBe('failed')
    expect(judged(right, { rule: 'none' })).toBe('failed')
    expect(verdict({ kind: 'value', rule: 'none', inputs, ...fails })).toBe('passed')
    expect(verdict({ kind: 'value', rule: 'sonnx', inputs, ...fails })).toBe('failed')
  })

  it('runs once for each type', () => {
    const dtypes = ['float32', 'int8', 'float16']
    const like = { inputs: inputs.map((input) => ({ ...input, dtype: 'float32' })), attrs: { dtypes } }
    const outputs = right.map((output) => ({ ...output, dtype: 'float32' }))
    expect(judged(outputs, like)).toBe('passed')
    expect(judged([outputs[0]!, { ...outputs[1]!, values: [10, 20, 30, 10, 20, 286] }], like)).toBe('failed')
  })

  it('takes the one output of an operator as well', () => {
    expect(
      verdict({ op: 'Add', ...values('int32', [1, 2], [3]), expect: { outputs: [{ shape: [2], values: [4, 5] }] } }),
    ).toBe('passed')
    expect(
      verdict({ op: 'Add', ...values('int32', [1, 2], [3]), expect: { outputs: [{ shape: [2], values: [4, 6] }] } }),
    ).toBe('failed')
  })
})

const facts = path.resolve(import.meta.dirname, '../../conformance/cases')

/** Expectations that the same inputs cannot meet. */
function* wrongs({ expect: right }: Case): Generator<Case['expect']> {
  if (right.type === 'error') yield { type: 'shape', shape: null, values: [] }
  if (right.type === 'axes') yield { ...right, axes: right.axes.map((axes) => [...axes, 9]) }
  if (right.type === 'gradients') {
    for (const [i, grad] of right.grads.entries()) {
      yield {
        ...right,
        grads: right.grads.with(i, { ...grad, values: grad.values!.map((value) => 1 + Number(value)) }),
      }
    }
  }
  if (right.type !== 'shape') return
  yield { type: 'error' }
  if (right.shape !== null) yield { ...right, shape: [...right.shape, null] }
  const at = right.values?.findIndex((value) => Number.isFinite(Number(value)) && Number(value) !== 0.5) ?? -1
  if (at >= 0) yield { ...right, values: right.values!.map((value, i) => (i === at ? 1 - Number(value) : value)) }
}

describe('every case', () => {
  const files = readdirSync(facts).filter((name) => name.endsWith('.json'))
  it.each(files)('of %s fails when its expectation is made wrong', (file) => {
    const blind: string[] = []
    for (const read of sound(readFileSync(path.join(facts, file), 'utf8'))) {
      if (read.tags.includes('dtype-error')) continue
      for (const expect of wrongs(read)) {
        if (judgeCase({ ...read, expect }).status === 'passed') blind.push(`${read.id} ${JSON.stringify(expect)}`)
      }
    }
    expect(blind).toEqual([])
  })
})
