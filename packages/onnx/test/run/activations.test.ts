// Functions made of the library's: near onnxruntime's in float32, with the special values where they belong.
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { runModel } from '../../src/index.ts'
import { type Attributes, modelOf, node } from '../support/infer.ts'
import { runModel as runInEngine } from '../support/run.ts'
import { fed } from '../support/values.ts'

const special = [0, -0, 1, -1, 1e-30, -1e-30, 1e-8, -1e-8, 88, -88, 200, -200, 1e30, -1e30]
const infinite = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]
const sweep = Array.from({ length: 400 }, (_, i) => (i - 200) / 23)

const cases: readonly (readonly [op: string, attributes: Attributes, values: readonly number[]])[] = [
  ['LeakyRelu', {}, infinite],
  ['LeakyRelu', { alpha: { float: 0.3 } }, []],
  ['ThresholdedRelu', { alpha: { float: 0.7 } }, infinite],
  ['Elu', {}, infinite],
  ['Elu', { alpha: { float: 2.5 } }, []],
  ['Selu', {}, []],
  ['Celu', { alpha: { float: 0.5 } }, []],
  ['HardSigmoid', {}, []],
  ['HardSwish', {}, []],
  ['Softplus', {}, []],
  ['Softsign', {}, []],
  ['Mish', {}, []],
  ['Gelu', { approximate: 'tanh' }, []],
  ['Shrink', { bias: { float: 0.5 }, lambd: { float: 1.5 } }, []],
  ['IsNaN', {}, infinite],
  ['IsInf', {}, infinite],
  ['IsInf', { detect_negative: 0 }, infinite],
  ['Clip', {}, infinite],
  ['Sigmoid', {}, []],
  ['Tanh', {}, []],
]

/** How far results may be from onnxruntime's, beside rounding: the sum in its Gelu cancels. */
const slack = (op: string): number => (op === 'Gelu' ? 2e-6 : 3e-7)

describe.each(cases)('%s %j', (op, attributes, more) => {
  it('is near what onnxruntime computes', async () => {
    const values = Float32Array.from([...special, ...sweep, ...more])
    const x = tensor(values, { shape: [values.length] }) as Tensor
    const model = modelOf({
      inputs: { x: `${values.length}` },
      nodes: [node(op, 'x', 'y', attributes)],
      outputs: ['y'],
      opset: 20,
    })
    const engine = await runInEngine(model, { x: fed(x) })
    const expected = engine!.get('y')!.elements!
    const got = runModel(model, { x })['y']!.data as ArrayLike<number>
    for (let i = 0; i < values.length; i++) {
      const [a, b] = [got[i]!, Number(expected[i])]
      const near = Object.is(a, b) || a === b || Math.abs(a - b) <= 1e-6 * Math.abs(b) + slack(op)
      expect(near || (Number.isNaN(a) && Number.isNaN(b)), `${op}(${values[i]}) is ${a}, not ${b}`).toBe(true)
    }
  })
})

describe('functions where naive formulas fail', () => {
  const at = (op: string, value: number, dtype: 'float32' | 'float64' = 'float32'): number => {
    const model = modelOf({ inputs: { x: `${dtype}:` }, nodes: [node(op, 'x', 'y')], outputs: ['y'] })
    return runModel(model, { x: tensor(value, { dtype }) as Tensor })['y']!.toArray() as unknown as number
  }

  it('keep what is small and do not overflow', () => {
    expect(at('Softplus', 1000)).toBe(1000)
    expect(at('Softplus', -50)).toBe(Math.fround(Math.exp(-50)))
    expect(at('Elu', -1e-12)).toBe(Math.fround(-1e-12))
    expect(at('Elu', -1e-12, 'float64')).toBe(Math.expm1(-1e-12))
    expect(at('Elu', -1000)).toBe(-1)
    expect(at('Mish', 1000)).toBe(1000)
  })
})
