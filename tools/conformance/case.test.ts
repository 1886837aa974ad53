import { describe, expect, it } from 'vitest'
import { readCases } from './case.ts'
import { BadCallError } from './outcome.ts'

const good = {
  id: 'x/y#0',
  kind: 'shape',
  form: 'elementwise',
  rule: 'numpy',
  inputs: [{ shape: [2, 'N', null, { min: 1, max: null }] }, { shape: null }],
  expect: { shape: [2] },
}

const value = { ...good, kind: 'value', inputs: [] }

const read = (...cases: unknown[]): unknown => readCases(JSON.stringify(cases), 'f.json')

describe('a case file', () => {
  it('is read as written', () => {
    expect(read(good)).toEqual([
      {
        id: 'x/y#0',
        kind: 'shape',
        form: 'elementwise',
        rule: 'numpy',
        op: undefined,
        inputs: [{ shape: [2, 'N', null, { min: 1, max: null }] }, { shape: null }],
        attrs: {},
        expect: { type: 'shape', shape: [2] },
        tags: [],
        source: '',
      },
    ])
    const target = { ...good, form: 'broadcast_to', inputs: [{ shape: [] }] }
    expect(read({ ...target, attrs: { target_shape: { tensor_shape: [2, 1] }, axes_mapping: null } })).toMatchObject([
      { attrs: { targetShape: { tensorShape: [2, 1] }, axesMapping: null } },
    ])
  })

  it.each<[string, unknown[]]>([
    ['x/y#0: rule is "nunpy"', [{ ...good, rule: 'nunpy' }]],
    ['x/y#0: kind is undefined', [{ ...good, kind: undefined }]],
    ['x/y#0: inputs is not a list', [{ ...good, inputs: 3 }]],
    ['x/y#0: inputs[0] has no shape', [{ ...good, inputs: [{}] }]],
    ['x/y#0: inputs[0].shape[0].min is not a number', [{ ...good, inputs: [{ shape: [{ max: 3 }] }] }]],
    ['x/y#0: attrs.axis is not a number', [{ ...good, attrs: { axis: '1' } }]],
    ['x/y#0: expect has no', [{ ...good, expect: {} }]],
    ['x/y#0: broadcast_to needs attrs.target_shape', [{ ...good, form: 'broadcast_to', inputs: [{ shape: [] }] }]],
    ['x/y#0: broadcast_to takes one input', [{ ...good, form: 'broadcast_to', attrs: { target_shape: [] } }]],
    ['x/y#0: a value case has an input without values', [{ ...good, kind: 'value' }]],
    ['x/y#0: a value case expects no values', [{ ...good, kind: 'value', inputs: [] }]],
    ['x/y#0: a value case expects no values', [{ ...value, expect: { outputs: [{ shape: [2] }] } }]],
    ['x/y#0: expect.outputs is not a list', [{ ...value, expect: { outputs: {} } }]],
    ['x/y#0: expect.outputs[0] has no shape', [{ ...value, expect: { outputs: [{}] } }]],
    ['x/y#0: a value case expects tensors or an error', [{ ...value, expect: { shapes: [] } }]],
    ['x/y#0: outputs are for a value case', [{ ...good, expect: { outputs: [] } }]],
    ['f.json, entry 0: the case is not an object', [3]],
    ['f.json, entry 0: id is not a string', [{ ...good, id: 7 }]],
  ])('has an entry that is no case: %s', (message, cases) => {
    const [first, ...others] = readCases(JSON.stringify([...cases, { ...good, id: 'behind' }]), 'f.json')
    expect(`${first!.id}: ${'fault' in first! ? first.fault : 'no fault'}`).toContain(message)
    expect(others).toMatchObject([{ id: 'behind', kind: 'shape' }])
  })

  it('that is no JSON or no list is named', () => {
    expect(() => readCases(JSON.stringify(good), 'g.json')).toThrow('g.json is not a list of cases')
    expect(() => readCases('[{', 'g.json')).toThrow(BadCallError)
    expect(() => readCases('[{', 'g.json')).toThrow(/^g\.json is not JSON/)
  })
})
