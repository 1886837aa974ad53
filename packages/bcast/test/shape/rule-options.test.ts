// Rules are refused when they are made, not when shapes first meet them; and a caller names a rule in few ways.
import { describe, expect, it } from 'vitest'
import { OperandError, RuleError } from '../../src/errors/index.ts'
import { explain } from '../../src/shape/explain.ts'
import { resolve } from '../../src/shape/resolve.ts'
import { type RuleOption, ruleOf } from '../../src/shape/rule-option.ts'
import { explicit, none, numpy, onnxLegacy, paddle, pdpd, unidirectional } from '../../src/shape/rules/index.ts'

/** Options as JavaScript may pass them. */
const loose = (make: unknown) => make as (options?: unknown) => unknown

describe('options that no rule has', () => {
  it.each([
    ['pdpd', { axis: -2 }, /^pdpd: axis is -2; it is an integer from 0 on/, pdpd],
    ['pdpd', { axis: 1.5 }, /axis is 1\.5/, pdpd],
    ['pdpd', { axis: '1' }, /axis is "1"/, pdpd],
    ['pdpd', { axis: Number.NaN }, /axis is NaN/, pdpd],
    ['pdpd', { axis: null }, /axis is null/, pdpd],
    ['pdpd', { innerOnes: 'no' }, /innerOnes is "no"; it is 'stretch' or 'error'/, pdpd],
    ['pdpd', { untrimmed: 1 }, /untrimmed is 1; it is true or false/, pdpd],
    ['pdpd', { axes: 1 }, /there is no option "axes"; the options are axis, untrimmed, innerOnes/, pdpd],
    ['pdpd', 1, /options are 1; they are an object/, pdpd],
    ['pdpd', [1], /options are 1; they are an object/, pdpd],
    ['paddle', { axis: -2 }, /^paddle: axis is -2/, paddle],
    ['pdpd', null, /options are null/, pdpd],
    ['paddle', null, /options are null/, paddle],
    ['paddle', { untrimmed: true }, /there is no option "untrimmed"/, paddle],
    ['onnxLegacy', { axis: -1 }, /^onnxLegacy: axis is -1; .* or absent for the end/, onnxLegacy],
    ['onnxLegacy', { broadcast: 1 }, /broadcast is 1; it is true or false/, onnxLegacy],
    ['explicit', {}, /give axesMapping or broadcastAxes/, explicit],
    ['explicit', undefined, /options are undefined/, explicit],
    ['explicit', { axesMapping: 1 }, /give axesMapping or broadcastAxes/, explicit],
    ['explicit', { axesMapping: [0, -1] }, /axesMapping\[1\] is -1; axes of the result are integers from 0/, explicit],
    ['explicit', { axesMapping: [1, 0] }, /axesMapping \[1,0\] is not ascending at position 1.*transpose/, explicit],
    ['explicit', { axesMapping: [1, 1] }, /is not ascending at position 1/, explicit],
    ['explicit', { axesMapping: [1, null, 0] }, /is not ascending at position 2/, explicit],
    ['explicit', { axesMapping: [0], strict: 'yes' }, /strict is "yes"/, explicit],
    ['explicit', { broadcastAxes: 1 }, /broadcastAxes is not an array/, explicit],
    ['explicit', { broadcastAxes: [0.5] }, /broadcastAxes\[0\] is 0\.5/, explicit],
    ['explicit', { broadcastAxes: [2, 0, 2] }, /broadcastAxes names axis 2 twice; it is a set/, explicit],
    ['explicit', { broadcastAxes: [0], axesMapping: [0] }, /two ways; give one/, explicit],
    ['explicit', { broadcastAxes: [0], strict: true }, /two ways; give one/, explicit],
  ])('%s refuses %o', (_, options, message, make) => {
    expect(() => loose(make)(options)).toThrow(RuleError)
    expect(() => loose(make)(options)).toThrow(message)
  })

  it('holes in a list of axes are refused like other values', () => {
    const holes = [0, 1, 2]
    delete holes[1]
    expect(() => explicit({ axesMapping: holes })).toThrow('axesMapping[1] is undefined')
    expect(() => explicit({ broadcastAxes: holes })).toThrow('broadcastAxes[1] is undefined')
  })
})

describe('a rule once made', () => {
  it('does not change with the options it was made from', () => {
    const mapping = [0]
    const options: { axesMapping: readonly number[] } = { axesMapping: mapping }
    const rule = explicit(options)
    mapping[0] = 1
    expect(resolve(rule, [[2, 3], [2]])).toMatchObject({ axes: [[0, 1], [0]] })
    const start = { axis: 0 }
    const onto = pdpd(start)
    start.axis = 1
    expect(resolve(onto, [[2, 3], [2]])).toMatchObject({ axes: [[0, 1], [0]] })
  })

  it('prints its options', () => {
    const labels = [
      pdpd(),
      pdpd({ axis: 1, untrimmed: true, innerOnes: 'error' }),
      paddle({ axis: 2 }),
      onnxLegacy(),
      onnxLegacy({ broadcast: true, axis: 1 }),
      explicit({ axesMapping: [0, 2] }),
      explicit({ axesMapping: [0, null], strict: true }),
      explicit({ axesMapping: null }),
      explicit({ broadcastAxes: [2, 0] }),
    ].map(({ label }) => label)
    expect(labels).toEqual([
      'pdpd(axis=-1)',
      'pdpd(axis=1, untrimmed, innerOnes=error)',
      'paddle(axis=2)',
      'onnxLegacy(broadcast=0)',
      'onnxLegacy(broadcast=1, axis=1)',
      'explicit(axesMapping=[0,2])',
      'explicit(axesMapping=[0,?], strict)',
      'explicit(axesMapping=[?])',
      'explicit(broadcastAxes={2,0})',
    ])
  })
})

describe('naming a rule', () => {
  it('by itself, by the name of one without options, or not at all', () => {
    const rule = pdpd({ axis: 1 })
    expect(ruleOf(rule, numpy)).toBe(rule)
    expect(ruleOf('none', numpy)).toBe(none)
    expect(ruleOf('unidirectional', numpy)).toBe(unidirectional)
    expect(ruleOf(undefined, none)).toBe(none)
  })

  it.each([
    ['pdpd', /broadcast is "pdpd"\. It is a rule, such as/],
    ['toString', /broadcast is "toString"/],
    [pdpd, /broadcast is a function; call it to make a rule, as in pdpd\(\{ axis: 1 \}\)/],
    [null, /broadcast is null/],
    [1, /broadcast is 1/],
    [{}, /broadcast is an object that is no rule/],
    [{ axis: 1 }, /one of the names numpy, unidirectional, bidirectional, sonnx, none/],
  ])('refuses %o', (option, message) => {
    expect(() => ruleOf(option as unknown as RuleOption, numpy)).toThrow(RuleError)
    expect(() => ruleOf(option as unknown as RuleOption, numpy)).toThrow(message)
  })

  it('the operand to go onto must be one of them', () => {
    for (const onto of [-1, 2, 0.5, Number.NaN]) {
      expect(() => explain([[2], [3]], { onto })).toThrow(OperandError)
    }
    expect(() => explain([[2], [3]], { onto: 2 })).toThrow('onto is 2; it is the number of an operand, from 0 to 1.')
  })
})
