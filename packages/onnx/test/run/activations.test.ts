// Functions made of the library's: near onnxruntime's in float32, with the special values where they belong.
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { type Attributes, modelOf, node } from '../../../../testing/models/infer.ts'
import { runModel as runInEngine } from '../../../../testing/models/onnxruntime.ts'
import { runModel } from '../../src/index.ts'
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
  ['Gelu', {}, []],
  ['Erf', {}, infinite],
  ['Sin', {}, infinite],
  ['Cos', {}, infinite],
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

/** Angles beyond this are known to fewer digits than a turn has. */
const FAR = 2 ** 53
const isAngle = new Set(['Sin', 'Cos'])

describe.each(cases)('%s %j', (op, attributes, more) => {
  it('is near what onnxruntime computes', async () => {
    const given = [...special, ...sweep, ...more]
    const values = Float32Array.from(
      isAngle.has(op) ? given.filter((x) => Math.abs(x) <= FAR || !Number.isFinite(x)) : given,
    )
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
    expect(at('Erf', 1e-40, 'float64') / 1.1283791670955126e-40).toBeCloseTo(1, 14)
    // 0.5 * erfc(6/sqrt(2)) * -6, of which 1 + erf leaves four digits.
    expect(at('Gelu', -6, 'float64') / -5.9195258702261885e-9).toBeCloseTo(1, 13)
  })

  it.each([
    // x, its sine and cosine to the last digit.
    [1, 0.8414709848078965, 0.5403023058681398],
    [Math.PI, 1.2246467991473532e-16, -1],
    [1e5, 0.03574879797201651, -0.9993608074382124],
    [123456789.125, 0.9998763854272629, 0.01572303612257408],
    [2 ** 53, -0.848925964814655, -0.5285117844130887],
  ])('turn around as often as they must: %s', (x, sine, cosine) => {
    for (const sign of [1, -1]) {
      expect(Math.abs(at('Sin', sign * x, 'float64') - sign * sine)).toBeLessThan(4e-16)
      expect(Math.abs(at('Cos', sign * x, 'float64') - cosine)).toBeLessThan(4e-16)
    }
  })
})
