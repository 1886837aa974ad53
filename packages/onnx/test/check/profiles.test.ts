// Profiles: what the built-in ones demand, and what a user's own may say.
import { describe, expect, it } from 'vitest'
import { ints, modelOf, node } from '../../../../testing/models/infer.ts'
import { checkModel, type FindingId, ProfileError, type ProfileName, profiles, readProfile } from '../../src/index.ts'
import { thrown } from '../support/thrown.ts'

const idsOf = (profile: ProfileName, operator: string, a: string, b: string): FindingId[] =>
  checkModel(modelOf({ inputs: { a, b }, nodes: [node(operator, 'a b', 'y')] }), { profile }).findings.map(
    ({ id }) => id,
  )

describe('built-in profiles', () => {
  it.each<[string, string, string, FindingId[], FindingId[], FindingId[]]>([
    // operator, A, B, onnx, sonnx-broadcast, sonnx-strict
    ['Add', '2, 3', '2, 3', [], [], []],
    ['Add', '2, 3', '3', [], [], ['implicit-broadcast']],
    ['Sub', '2, 3', '', [], [], ['implicit-broadcast']],
    ['Max', '2, 3', '1, 3', [], [], ['implicit-broadcast']],
    ['Div', '2, 3', '3', [], ['implicit-broadcast'], ['implicit-broadcast']],
    ['Pow', '2, 3', '', [], ['implicit-broadcast'], ['implicit-broadcast']],
    ['Less', '2, 3', '2, 1', [], ['implicit-broadcast'], ['implicit-broadcast']],
    ['Div', '2, 3', '2, 3', [], [], []],
    ['Min', '2, 3', '3', [], ['no-specification'], ['implicit-broadcast']],
    ['MatMul', '5, 2, 3', '3, 4', [], [], []],
    ['Add', 'N', '4', ['broadcast-conditional'], ['broadcast-conditional'], ['broadcast-conditional']],
    ['Add', '*', '4', ['broadcast-unknown'], ['broadcast-unknown'], ['broadcast-unknown']],
    ['Add', 'N, 3', '3', [], [], ['implicit-broadcast']],
    ['Div', 'N', 'N', [], [], []],
  ])('%s of (%s) and (%s)', (operator, a, b, ...expected) => {
    const names = ['onnx', 'sonnx-broadcast', 'sonnx-strict'] as const
    expect(names.map((name) => idsOf(name, operator, a, b))).toEqual(expected)
  })

  it('demand equal shapes of C of Gemm', () => {
    const model = modelOf({ inputs: { a: '2, 4', b: '4, 3', c: '3' }, nodes: [node('Gemm', 'a b c', 'y')] })
    const [finding] = checkModel(model, { profile: 'sonnx-broadcast' }).findings
    expect(finding).toMatchObject({ id: 'implicit-broadcast', clause: 'SONNX Gemm, C of the shape of the product' })
  })

  it('allow Expand, which is the explicit broadcast', () => {
    const model = modelOf({ inputs: { x: '3', s: ints(2, 3) }, nodes: [node('Expand', 'x s', 'y')] })
    expect(checkModel(model, { profile: 'sonnx-strict' })).toMatchObject({ findings: [], passes: true })
  })

  it('say under which sizes shapes are equal, and not only when they meet', () => {
    const model = modelOf({ inputs: { a: 'N', b: '4' }, nodes: [node('Add', 'a b', 'y')] })
    const messages = (profile: ProfileName) => checkModel(model, { profile }).findings.map(({ message }) => message)
    expect(messages('onnx')).toEqual(['node 0 (Add): it holds if N = 1 or N = 4.'])
    expect(messages('sonnx-strict')).toEqual(['node 0 (Add): the shapes are equal only if N = 4.'])
  })

  it('say when data decides a size', () => {
    const nodes = [node('NonZero', 'x', 'i'), node('Add', 'i z', 'y')]
    const model = modelOf({ inputs: { x: '5', z: 'int64: 1, 3' }, nodes })
    const [finding] = checkModel(model).findings
    expect(finding!.id).toBe('broadcast-conditional')
    expect(finding!.message).toMatch(/; data decides \S+\.$/)
  })

  it('pass only what has no error', () => {
    const model = modelOf({ inputs: { a: 'N', b: '4' }, nodes: [node('Add', 'a b', 'y')] })
    expect(checkModel(model).passes).toBe(true)
    expect(checkModel(model, { profile: 'sonnx-broadcast' }).passes).toBe(false)
  })

  it('are known by name', () => {
    const error = thrown(() => checkModel(modelOf({ inputs: {}, nodes: [] }), { profile: 'sonnx' as ProfileName }))
    expect(error).toBeInstanceOf(ProfileError)
    expect((error as Error).message).toContain('"sonnx" is not known')
  })
})

describe('a profile of a user', () => {
  it('changes one that is built in', () => {
    const profile = readProfile({
      name: 'ours',
      extends: 'sonnx-strict',
      operators: {
        Add: { broadcasting: 'allowed', clause: 'our rule 7' },
        'com.microsoft:Gelu': { broadcasting: 'forbidden' },
      },
      severities: { 'both-stretch': 'error' },
      maxRank: 6,
    })
    expect(profile).toMatchObject({ name: 'ours', broadcasting: 'forbidden', maxRank: 6 })
    expect(profile.operators).toMatchObject({
      ...profiles['sonnx-strict'].operators,
      Add: { broadcasting: 'allowed', clause: 'our rule 7' },
      'com.microsoft:Gelu': { broadcasting: 'forbidden', clause: 'profile ours, com.microsoft:Gelu' },
    })
    const model = modelOf({ inputs: { a: '1, 4', b: '3, 1' }, nodes: [node('Add', 'a b', 'y')] })
    expect(checkModel(model, { profile }).findings.map(({ id, severity }) => [id, severity])).toEqual([
      ['both-stretch', 'error'],
    ])
  })

  it('can switch a finding off', () => {
    const model = modelOf({ inputs: { a: 'N', b: '4' }, nodes: [node('Add', 'a b', 'y')] })
    const profile = readProfile({ name: 'quiet', severities: { 'broadcast-conditional': 'off' } })
    expect(checkModel(model, { profile }).findings).toEqual([])
  })

  it.each<[unknown, string, string]>([
    [null, '', 'an object is expected, not null'],
    [[], '', 'an object is expected, not []'],
    [{}, 'name', 'there is none; a text is expected'],
    [{ name: 'x', severitys: {} }, '', 'there is no key "severitys"; did you mean "severities"?'],
    [{ name: 'x', color: 1 }, '', 'there is no key "color"; it is one of name, extends'],
    [{ name: 'x', extends: 'sonnx-strikt' }, 'extends', 'did you mean "sonnx-strict"?'],
    [{ name: 'x', broadcasting: 'no' }, 'broadcasting', 'it is one of allowed, forbidden.'],
    [{ name: 'x', broadcasting: 1 }, 'broadcasting', '1 is not known; it is one of allowed, forbidden.'],
    [{ name: 'x', severities: { 'broadcast-eror': 'off' } }, 'severities', 'did you mean "broadcast-error"?'],
    [{ name: 'x', severities: { 'both-stretch': 'warn' } }, 'severities.both-stretch', 'it is one of'],
    [{ name: 'x', severities: { 'both-stretch': 'warnin' } }, 'severities.both-stretch', 'did you mean "warning"?'],
    [{ name: 'x', operators: { Add: 'allowed' } }, 'operators.Add', 'an object is expected, not "allowed"'],
    [{ name: 'x', operators: { Add: { broadcast: 'allowed' } } }, 'operators.Add', 'did you mean "broadcasting"?'],
    [{ name: 'x', operators: { Add: {} } }, 'operators.Add.broadcasting', 'undefined is not known'],
    [
      { name: 'x', operators: { Add: { broadcasting: 'allowed', specified: 1 } } },
      'operators.Add.specified',
      'true or false',
    ],
    [{ name: 'x', maxRank: -1 }, 'maxRank', 'a number of axes or null is expected, not -1'],
    [{ name: 'x', maxRank: '8' }, 'maxRank', 'not "8"'],
    [{ name: 'x', clause: '' }, 'clause', 'a text is expected'],
  ])('%j is refused at %s', (value, path, text) => {
    const error = thrown(() => readProfile(value))
    expect(error).toBeInstanceOf(ProfileError)
    expect(error).toMatchObject({ code: 'ONNX_PROFILE', name: 'ProfileError', path })
    expect((error as Error).message).toContain(text)
  })
})
