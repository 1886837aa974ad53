// Real models: what is in them that cannot be run is listed in full, and nothing else is.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Model, prepareModel, scopesOf, supportedOperators, UnsupportedOperatorsError } from '../../src/index.ts'
import { readModelFile } from '../../src/node.ts'
import { packaged } from '../support/models.ts'
import { thrown } from '../support/thrown.ts'

const supported = new Set(supportedOperators.map(({ name }) => name))

/** Operators of ONNX that the model holds and the list does not. */
function missing(model: Model): string[] {
  const names = [...scopesOf(model)].flatMap(({ nodes }) => nodes.map(({ opType }) => opType))
  return [...new Set(names.filter((name) => !supported.has(name)))].sort()
}

describe.each(packaged.map((file) => [path.basename(file), file] as const))('%s', (_, file) => {
  it('says all that cannot be run', () => {
    const { model, files } = readModelFile(file)
    const error = thrown(() => prepareModel(model, { files })) as UnsupportedOperatorsError
    expect(error).toBeInstanceOf(UnsupportedOperatorsError)
    expect([...new Set(error.operators.map(({ name }) => name))].sort()).toEqual(missing(model))
    const count = [...scopesOf(model)].flatMap(({ nodes }) =>
      nodes.filter(({ opType }) => !supported.has(opType)),
    ).length
    expect(error.operators.reduce((sum, each) => sum + each.count, 0)).toBe(count)
  })
})
