// The first inputs of the seed; `npm run fuzz -- onnx` runs as many as wanted.

import { ModelProtoSchema } from '@bcast/onnx/proto'
import { describe, expect, it } from 'vitest'
import { onDefaultSeed, seed } from '../../../testing/seed.ts'
import { exercise } from './exercise.ts'
import { parse, print } from './fields.ts'
import { makeInput } from './input.ts'
import { byteMutations, treeMutations } from './mutations.ts'
import { everything, type Seeds } from './seeds.ts'

const CODES = ['ONNX_DAMAGED', 'ONNX_LIMIT', 'ONNX_VERSION', 'read']

const seeds: Seeds = { small: [everything()], large: [] }

describe('damaged models', () => {
  it('starts from a model that is sound, and writes a tree as it was read', () => {
    expect(exercise(everything())).toEqual({ read: true, code: 'read' })
    expect(print(parse(everything(), ModelProtoSchema))).toEqual(everything())
  })

  it('are read or refused with a typed error, by every kind of damage', () => {
    const outcomes: Record<string, number> = {}
    const used = new Set<string>()
    for (let index = 0; index < 500; index++) {
      const { bytes, mutations } = makeInput(seed, index, seeds)
      for (const name of mutations) used.add(name)
      const { code } = exercise(bytes)
      outcomes[code] = (outcomes[code] ?? 0) + 1
    }
    for (const code of Object.keys(outcomes)) expect(CODES).toContain(code)
    onDefaultSeed(() => {
      expect([...used].sort()).toEqual(
        [...Object.keys(byteMutations), ...Object.keys(treeMutations), 'multiply'].sort(),
      )
      expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(['ONNX_DAMAGED', 'ONNX_LIMIT', 'read']))
      expect(outcomes['read']).toBeGreaterThan(100)
    })
  })
})
