// Initializers that are listed among the inputs, as files before IR version 4 have to and exporters after it may. To
// list them must change nothing but what a run may replace, in every part that looks at a model.
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import { type Tensor, tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { declared, ints, modelOf, node, text } from '../../../../testing/models/infer.ts'
import { packaged } from '../../../../testing/models/packaged.ts'
import {
  census,
  checkModel,
  dimSymbols,
  explicitText,
  type Inference,
  inferShapes,
  type Model,
  makeExplicit,
  type Node,
  prepareModel,
  runModel,
  viewModel,
} from '../../src/index.ts'
import { readModelFile } from '../../src/node.ts'
import { ModelProtoSchema } from '../../src/proto/onnx_pb.ts'

/** The model with the constants of its graph as initializers. */
function stored({ proto, graph }: Model): Model {
  const isConstant = ({ opType, attributes }: Node): boolean =>
    opType === 'Constant' && attributes.kind('value') === 'tensor'
  const { input, output, initializer, valueInfo } = proto.graph!
  const constants = graph.nodes.filter(isConstant).map(({ attributes, outputs }) => {
    const { dims, dataType, rawData, floatData, int32Data, int64Data } = attributes.tensor('value')
    return { name: outputs[0]!, dims, dataType, rawData, floatData, int32Data, int64Data }
  })
  const nodes = graph.nodes.filter((each) => !isConstant(each)).map((each) => each.proto)
  const { irVersion, opsetImport, functions } = proto
  const whole = { node: nodes, input, output, initializer: [...initializer, ...constants], valueInfo }
  return viewModel(create(ModelProtoSchema, { irVersion, opsetImport, functions, graph: whole }))
}

/** The model with its initializers among the inputs, in a file of that version. */
function listed({ proto, graph }: Model, irVersion: bigint): Model {
  const inputs = [...graph.initializers.values()].map(({ name, type }) =>
    type.kind === 'tensor' ? declared(name, `${type.element}:${type.shape!.join(', ')}`) : { name },
  )
  const { node: nodes, input, output, initializer, valueInfo } = proto.graph!
  return viewModel(
    create(ModelProtoSchema, {
      ...{ irVersion, opsetImport: proto.opsetImport, functions: proto.functions },
      graph: { node: nodes, input: [...input, ...inputs], output, initializer, valueInfo },
    }),
  )
}

/** Everything that inference says, as text. */
const textsOf = (inference: Inference): readonly string[] =>
  [...inference.values()].map(({ frame, name, known }) => `${frame.scope.path}/${name}: ${text(known)}`).sort()

/** Sizes of values that only data decides. */
const openSizes = (inference: Inference): number =>
  [...inference.values()].reduce((sum, { known }) => {
    const dims = (known.kind === 'tensor' && known.shape) || []
    return sum + dims.filter((dim) => [...dimSymbols(dim).keys()].some((name) => name.includes('.'))).length
  }, 0)

const versions = [3n, 4n, 10n]

describe.each(packaged.map((file) => [path.basename(file), file] as const))('%s with its weights listed', (_, file) => {
  const model = stored(readModelFile(file).model)
  const plain = inferShapes(model)
  const counted = (each: Model) => census([{ name: 'm', model: each }]).totals
  const wanted = {
    texts: textsOf(plain),
    open: openSizes(plain),
    verdicts: checkModel(model, { fixes: false }).verdicts,
    counts: counted(model),
  }

  it('has some, and sizes that are open where nothing is assumed of them', () => {
    expect(model.graph.initializers.size).toBeGreaterThan(0)
    expect(openSizes(inferShapes(listed(model, 10n), { defaults: 'open' }))).toBeGreaterThanOrEqual(wanted.open)
  })

  it.each(versions)('is the same to inference, checks and the census in IR version %i', (version) => {
    const other = listed(model, version)
    const inference = inferShapes(other)
    expect(textsOf(inference)).toEqual(wanted.texts)
    expect(openSizes(inference)).toBe(wanted.open)
    expect(checkModel(other, { fixes: false }).verdicts).toEqual(wanted.verdicts)
    expect(counted(other)).toEqual(wanted.counts)
  })

  it('is the same to the rewrite where its defaults are fixed, or constants', () => {
    const { report, model: explicit } = makeExplicit(model)
    const nodes = explicit.graph.nodes.map(({ proto }) => proto)
    for (const version of [4n, 10n]) {
      const fixed = makeExplicit(listed(model, version), { defaults: 'fixed' })
      expect(fixed.report.totals).toEqual(report.totals)
      expect(fixed.report.unproven).toEqual(report.unproven)
      expect(fixed.model.graph.nodes.map(({ proto }) => proto)).toEqual(nodes)
      expect(fixed.model.graph.inputs.map(({ name }) => name)).toEqual(model.graph.inputs.map(({ name }) => name))
    }
    expect(makeExplicit(listed(model, 3n)).report.kept.length).toBe(report.kept.length)
  })
})

describe('a shape that is the default of an input', () => {
  const plain = modelOf({
    inputs: { x: '2, 6', s: ints(3, 4), b: tensor([1, 2, 3, 4]) as Tensor },
    nodes: [node('Reshape', 'x s', 'r'), node('Add', 'r b', 'y')],
    outputs: ['y'],
  })
  const file = (version: bigint) => listed(plain, version)
  const x = tensor([
    [1, 2, 3, 4, 5, 6],
    [7, 8, 9, 10, 11, 12],
  ]) as Tensor

  it('is assumed by a check, which says so, unless the caller names it', () => {
    const ids = (version: bigint, inputs = {}) => {
      const { findings, verdicts } = checkModel(file(version), { inputs, profile: 'sonnx-strict' })
      return [findings.map(({ id, severity }) => `${severity} ${id}`), verdicts.broadcast, verdicts.conditional]
    }
    expect(ids(3n)).toEqual([['error implicit-broadcast'], 1, 0])
    expect(ids(10n)).toEqual([['error implicit-broadcast', 'warning default-assumed'], 1, 0])
    expect(ids(10n, { s: [2] })[2]).toBe(1)
    expect(checkModel(file(10n)).findings.map(({ message }) => message)).toEqual([
      '2 inputs are taken to be their defaults, which a run may replace: "s", "b".',
    ])
  })

  it('is what a run has where none is given; in old files nobody can', () => {
    expect(runModel(file(3n), { x })['y']!.shape).toEqual([3, 4])
    expect(prepareModel(file(3n)).inputs.map(({ name }) => name)).toEqual(['x'])
    expect(() => runModel(file(3n), { x, s: ints(2, 6) })).toThrow('"s" is not an input of the model; it has "x".')
    const program = prepareModel(file(10n))
    expect([...program.optional]).toEqual(['s', 'b'])
    expect(program.run({ x })['y']!.shape).toEqual([3, 4])
    const given = { x, s: ints(3, 4), b: tensor([0, 0, 0, 0]) as Tensor }
    expect(program.run(given)['y']!.get(0, 3)).toBe(4)
  })

  it('is not assumed by a rewrite, which serves every caller', () => {
    const one = modelOf({
      inputs: { x: '2, 6', s: ints(3, 4), b: tensor([1]) as Tensor },
      nodes: plain.proto.graph!.node,
      outputs: ['y'],
    })
    const { model, report } = makeExplicit(listed(one, 10n))
    expect(report.defaults).toEqual({ fixed: [], open: ['s', 'b'] })
    for (const s of [ints(3, 4), ints(2, 6), ints(12, 1)]) {
      const given = { x, s, b: tensor([5]) as Tensor }
      expect(runModel(model, given)['y']!.toArray()).toEqual(runModel(listed(one, 10n), given)['y']!.toArray())
    }
    expect(explicitText(report)).toContain('of which nothing is assumed, for a run may replace it:\n  "s", "b"')
  })

  it('becomes a constant of the rewrite where that is asked for', () => {
    const { model, report } = makeExplicit(file(10n), { defaults: 'fixed' })
    expect(report.defaults).toEqual({ fixed: ['s', 'b'], open: [] })
    expect(report.unproven).toEqual([])
    expect(model.graph.inputs.map(({ name }) => name)).toEqual(['x'])
    expect(runModel(model, { x })['y']!.toArray()).toEqual(runModel(plain, { x })['y']!.toArray())
    const named = makeExplicit(file(10n), { defaults: 'fixed', inputs: { b: [4] } })
    expect(named.report.defaults).toEqual({ fixed: ['s'], open: ['b'] })
  })

  it('goes with the inputs whose names its declared sizes have', () => {
    const state = modelOf({ inputs: { x: 'N, 3' }, nodes: [node('Add', 'x h', 'y')], outputs: ['y'] })
    state.proto.graph!.input.push(...modelOf({ inputs: { h: 'N, 3' }, nodes: [] }).proto.graph!.input)
    state.proto.graph!.initializer.push(
      ...modelOf({ inputs: { h: tensor([[1, 2, 3]]) as Tensor }, nodes: [] }).proto.graph!.initializer,
    )
    const inference = inferShapes(viewModel(state.proto))
    expect([...inference.assumed]).toEqual([])
    expect(inference.broadcasts[0]!.meeting.verdict).toBe('ok')
  })
})
