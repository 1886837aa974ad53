// What tests of the rewrite share: models, their nodes as text, and that onnxruntime computes the same with them.
import { fromData, type Tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import { expect } from 'vitest'
import { differenceOf, outputsOf } from '../../../../testing/models/bits.ts'
import { type ModelInit, modelOf, node } from '../../../../testing/models/infer.ts'
import {
  checkModel,
  checkStructure,
  type Explicit,
  type ExplicitOptions,
  type Model,
  makeExplicit,
  type Scope,
  tensorOf,
} from '../../src/index.ts'

/** Elements for an input, some negative. */
export const floats = (...shape: number[]): ort.Tensor =>
  new ort.Tensor(
    'float32',
    Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => ((i * 7) % 11) - 3.25),
    shape,
  )

/** The same as a constant. */
export const weights = (...shape: number[]): Tensor => {
  const { data } = floats(...shape)
  return fromData('float32', data as Float32Array, shape) as Tensor
}

/** The nodes of a scope, one a line: `z = Add(x, b)`; small constants as their elements. */
export function linesOf(scope: Scope): string[] {
  const constants = new Map<string, string>()
  if (scope.kind === 'graph') {
    for (const { name, sparse, proto } of scope.initializers.values()) {
      if (!sparse && proto.dataType === 7) constants.set(name, `[${Array.from(tensorOf(proto).data as BigInt64Array)}]`)
    }
  }
  return scope.nodes.map(({ opType, inputs, outputs }) => {
    const read = inputs.map((name) => constants.get(name) ?? name)
    return `${outputs.join(', ')} = ${opType}(${read.join(', ')})`
  })
}

/** What a strict check finds, for every caller. */
export const strictly = (model: Model, options: ExplicitOptions): readonly string[] =>
  checkModel(model, { ...options, defaults: 'open', profile: 'sonnx-strict', fixes: false }).findings.map(
    ({ id }) => id,
  )

interface Expected {
  readonly lines: readonly string[]
  readonly feeds?: readonly Readonly<Record<string, ort.Tensor>>[]
  /** What a strict check still finds. */
  readonly findings?: readonly string[]
  readonly options?: ExplicitOptions
}

/** Rewrites a model, expects nodes and findings, and the same bits of onnxruntime. */
export async function expectExplicit(
  init: ModelInit | Model,
  { lines, feeds = [], findings = [], options = {} }: Expected,
): Promise<Explicit> {
  const model = 'graph' in init ? init : modelOf(init)
  const { model: explicit, report } = makeExplicit(model, options)
  expect(linesOf(explicit.graph)).toEqual(lines)
  expect(checkStructure(explicit)).toEqual([])
  expect(strictly(explicit, options)).toEqual(findings)
  expect(makeExplicit(explicit).model === explicit).toBe(true)
  for (const each of feeds) {
    const [before, after] = [await outputsOf(model, each), await outputsOf(explicit, each)]
    if (typeof before === 'string' || typeof after === 'string') throw new Error(`${before}\n${after}`)
    expect(differenceOf(before, after)).toBeUndefined()
  }
  return { model: explicit, report }
}

/** A model of one node over all its inputs. */
export const one = (operator: string, inputs: ModelInit['inputs'], attributes = {}): ModelInit => ({
  inputs,
  nodes: [node(operator, Object.keys(inputs).join(' '), 'y', attributes)],
  outputs: ['y'],
})
