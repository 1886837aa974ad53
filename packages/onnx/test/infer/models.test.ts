// Real models, run in onnxruntime with every value inside exposed: what inference says is true of each of them, for
// inputs of fixed sizes, and for those that the file leaves open.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { inferShapes, type Model } from '../../src/index.ts'
import { readModelFile } from '../../src/node.ts'
import { type Bindings, faultOf, newTally, type Tally } from '../support/agree.ts'
import { type Exposed, exposeValues } from '../support/expose.ts'
import { packaged } from '../support/models.ts'
import { type Feeds, runs } from '../support/runs.ts'

/** The symbols of the inputs, with what a run gives them. */
function inputBindings(model: Model, feeds: Feeds): Bindings {
  const bindings: Bindings = new Map()
  for (const { name, type } of model.graph.inputs) {
    const feed = feeds[name]
    if (feed === undefined || type.kind !== 'tensor') continue
    for (const [axis, size] of (type.shape ?? []).entries()) {
      if (typeof size !== 'number')
        bindings.set(size === null ? `${name}.${axis}` : (size as string), BigInt(feed.shape[axis]!))
    }
    if (feed.element === 'int64') bindings.set(`${name}.value`, feed.elements[0] as bigint)
  }
  return bindings
}

function compare(exposed: readonly Exposed[], inference: ReturnType<typeof inferShapes>, bindings: Bindings): Tally {
  const tally = newTally()
  const faults = exposed.flatMap(
    ({ scope, name, actual }) =>
      faultOf(`${scope.path}/${name}`, inference.valueOf(scope, name), actual, bindings, tally) ?? [],
  )
  expect(faults).toEqual([])
  return tally
}

describe.each(runs)('%s', (file, feedsOfRuns) => {
  const { model } = readModelFile(packaged.find((each) => path.basename(each) === file)!)
  const open = inferShapes(model)

  it('cannot be faulted', () => {
    expect(open.findings).toEqual([])
    expect(open.complete).toBe(true)
  })

  it.each(feedsOfRuns)('agrees with a run, $#', async (feeds) => {
    const exposed = await exposeValues(model, feeds)
    const shapes = Object.fromEntries(Object.entries(feeds).map(([name, { shape }]) => [name, shape]))
    const fixed = compare(exposed, inferShapes(model, { inputs: shapes }), inputBindings(model, feeds))
    const symbolic = compare(exposed, open, inputBindings(model, feeds))
    expect([fixed, symbolic].map((tally) => tally.fixed + tally.symbolic + tally.unknown.length)).toEqual([
      exposed.length,
      exposed.length,
    ])
  })
})
