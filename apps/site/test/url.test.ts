// The state and its address: every state comes back, and no address breaks the page.
import { ruleNames } from '@bcast/cli/shapes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { steps } from '../src/picture/panel.ts'
import { initial, type State, viewIds } from '../src/state/state.ts'
import { fromUrl, toUrl } from '../src/state/url.ts'

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined })
const index = fc.array(fc.nat(99), { maxLength: 4 })
const without = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T

const states: fc.Arbitrary<State> = fc.record({
  text: fc.string({ maxLength: 200, unit: 'binary' }),
  view: fc.constantFrom(...viewIds),
  rule: fc
    .record({
      rule: optional(fc.constantFrom(...ruleNames)),
      axis: optional(fc.integer({ min: -1, max: 9 })),
      axes: optional(index),
      newAxes: optional(index),
      strict: optional(fc.constant(true)),
      untrimmed: optional(fc.constant(true)),
      innerOnes: optional(fc.constantFrom('stretch' as const, 'error' as const)),
      broadcast: optional(fc.constantFrom('0' as const, '1' as const)),
    })
    .map((rule) => without(rule) as State['rule']),
  onto: fc.nat(5),
  fix: optional(fc.nat(3)),
  sizes: fc.dictionary(fc.stringMatching(/^([A-Za-z_]\w{0,9}|\?[0-5]\.\d)$/), fc.nat(99), { noNullPrototype: true }),
  step: fc.constantFrom(...steps),
  cell: optional(index),
  finding: fc.nat(9),
  operator: fc.constantFrom('add', 'where'),
  dtype: fc.constantFrom('float32', 'int8'),
  values: fc.dictionary(
    fc.tuple(fc.nat(5), index).map(([operand, at]) => `${operand}:${at.join(',')}`),
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll(';', '')),
    { noNullPrototype: true },
  ),
  node: optional(fc.nat(9999)),
  find: fc.string({ maxLength: 50 }),
  verdict: fc.constantFrom('', 'error', 'conditional'),
  about: fc.constantFrom('', 'row', 'broadcast-error'),
  profile: fc.constantFrom('onnx', 'sonnx-strict'),
})

describe('an address', () => {
  it('holds the whole state', () => {
    fc.assert(
      fc.property(states, (state) => {
        // Addresses hold text; halves of characters are no text.
        fc.pre(!/\p{Surrogate}/u.test(state.text))
        const { state: back, problems } = fromUrl(toUrl(state))
        expect(problems).toEqual([])
        expect(back).toEqual(state)
      }),
    )
  })

  it('of the first state is empty', () => {
    expect(toUrl(initial)).toBe('#')
    expect(fromUrl('')).toEqual({ state: initial, problems: [] })
    expect(fromUrl('#')).toEqual({ state: initial, problems: [] })
  })

  it('can be read by people', () => {
    expect(toUrl({ ...initial, text: '2,3,4  3', rule: { rule: 'pdpd', axis: 1 }, cell: [0, 1, 2] })).toBe(
      '#text=2,3,4++3&cell=0,1,2&rule=pdpd&axis=1',
    )
  })

  it.each([
    ['#view=<script>alert(1)</script>', 'view=<script>alert(1)</script>'],
    ['#rule=__proto__', 'rule=__proto__'],
    ['#__proto__=1', '__proto__'],
    ['#constructor=1', 'constructor'],
    ['#cell=1,-2', 'cell=1,-2'],
    ['#cell=99999999999', 'cell'],
    ['#sizes=__proto__x', 'sizes'],
    ['#values=9', 'values'],
    ['#step=never', 'step=never'],
    ['#axis=1e9', 'axis=1e9'],
    ['#onto=-1', 'onto=-1'],
    [`#text=${'x'.repeat(40_000)}`, 'characters long'],
    [`#sizes=${'a=1;'.repeat(1000)}`, 'sizes'],
    ['#%E0%A4%A', '%'],
  ])('%s gives the defaults and says so', (hash, said) => {
    const { state, problems } = fromUrl(hash)
    expect(state).toEqual(initial)
    expect(problems.join()).toContain(said)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { state } = fromUrl(`#${text}`)
        expect(viewIds).toContain(state.view)
      }),
    )
  })
})
