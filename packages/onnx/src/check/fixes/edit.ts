// Changes to a model as data, and their application to a copy. Messages that do not change are shared, so that weights
// are never copied.
import { create } from '@bufbuild/protobuf'
import { changed, constantNode, FreshNames, int64s, intAttribute, intsAttribute } from '../../model/build.ts'
import type { ExternalFiles } from '../../model/external.ts'
import { type Model, viewModel } from '../../model/model.ts'
import type { Scope } from '../../model/scope.ts'
import { type AttributeProto, type GraphProto, type NodeProto, NodeProtoSchema } from '../../proto/onnx_pb.ts'
import { scopesOf } from '../../structure/check.ts'
import { resized } from './resize.ts'

/** A node put between a value and the input that reads it. */
export interface Step {
  readonly operator: 'Unsqueeze' | 'Squeeze' | 'Transpose'
  /** The axes that come or go; of Transpose, the order of all. */
  readonly axes: readonly number[]
}

/** A change of a model that a fix makes. */
export type ModelEdit =
  /** Input `input` of the node at `path` goes through these nodes first. */
  | { readonly kind: 'insert'; readonly path: string; readonly input: number; readonly steps: readonly Step[] }
  | {
      readonly kind: 'attribute'
      readonly path: string
      readonly name: string
      readonly value: number | readonly number[]
    }
  /** A constant, the initializer `name` of the graph at `path`, gets another shape: elements are cut off, or zeros added. */
  | { readonly kind: 'resize'; readonly path: string; readonly name: string; readonly shape: readonly number[] }

/** What to change so that a node passes. */
export interface ModelFix {
  /** In words. */
  readonly text: string
  readonly edits: readonly ModelEdit[]
  /** Nodes that fail after it and did not before, because nothing reached them; most fixes leave none. */
  readonly uncovers: readonly string[]
}

/** What the parts of one application share. */
interface Application {
  readonly edits: readonly ModelEdit[]
  readonly names: FreshNames
  readonly files: ExternalFiles | undefined
}

const isWithin = (path: string, { path: at }: ModelEdit): boolean => at === path || at.startsWith(`${path}.`)

/** The nodes of one step; from opset 13 on axes are an input. */
function stepNodes(to: Application, { operator, axes }: Step, input: string, opset: number): readonly NodeProto[] {
  const output = to.names.make(`${input}_${operator.toLowerCase()}`)
  const node = (inputs: string[], attribute: AttributeProto[]): NodeProto =>
    create(NodeProtoSchema, { opType: operator, name: output, input: inputs, output: [output], attribute })
  if (operator === 'Transpose') return [node([input], [intsAttribute('perm', axes)])]
  if (opset < 13) return [node([input], [intsAttribute('axes', axes)])]
  const constant = to.names.make(`${output}_axes`)
  return [constantNode(constant, int64s(axes)), node([input, constant], [])]
}

function withAttribute(node: NodeProto, name: string, value: number | readonly number[]): NodeProto {
  const attribute = typeof value === 'number' ? intAttribute(name, value) : intsAttribute(name, value)
  return changed(node, { attribute: [...node.attribute.filter((each) => each.name !== name), attribute] })
}

/** A node with its edits made, behind the nodes they put before it. */
function editedNode(to: Application, proto: NodeProto, path: string, opset: number): readonly NodeProto[] {
  const before: NodeProto[] = []
  let node = changed(proto, {
    attribute: proto.attribute.map((attribute, i) => editedAttribute(to, attribute, `${path}.attribute[${i}]`, opset)),
  })
  for (const edit of to.edits) {
    if (edit.path !== path) continue
    if (edit.kind === 'attribute') node = withAttribute(node, edit.name, edit.value)
    if (edit.kind !== 'insert') continue
    let input = node.input[edit.input]!
    for (const step of edit.steps) {
      const made = stepNodes(to, step, input, opset)
      before.push(...made)
      input = made.at(-1)!.output[0]!
    }
    node = changed(node, { input: node.input.with(edit.input, input) })
  }
  return [...before, node]
}

function editedAttribute(to: Application, proto: AttributeProto, path: string, opset: number): AttributeProto {
  if (!to.edits.some((edit) => isWithin(path, edit))) return proto
  return changed(proto, {
    ...(proto.g === undefined ? {} : { g: editedGraph(to, proto.g, `${path}.g`, opset) }),
    graphs: proto.graphs.map((graph, i) => editedGraph(to, graph, `${path}.graphs[${i}]`, opset)),
  })
}

function editedNodes(to: Application, nodes: readonly NodeProto[], path: string, opset: number): NodeProto[] {
  return nodes.flatMap((node, i) => {
    const at = `${path}.node[${i}]`
    return to.edits.some((edit) => isWithin(at, edit)) ? editedNode(to, node, at, opset) : [node]
  })
}

function editedGraph(to: Application, proto: GraphProto, path: string, opset: number): GraphProto {
  if (!to.edits.some((edit) => isWithin(path, edit))) return proto
  const initializer = proto.initializer.map((tensor) => {
    const edit = to.edits.find((each) => each.kind === 'resize' && each.path === path && each.name === tensor.name)
    return edit?.kind === 'resize' ? resized(tensor, edit.shape, to.files) : tensor
  })
  return changed(proto, { initializer, node: editedNodes(to, proto.node, path, opset) })
}

const opsetOf = ({ opsets }: Pick<Scope, 'opsets'>): number => opsets.get('') ?? 0

/**
 * The model with a fix applied; the one that is given stays as it is.
 *
 * @example
 * ```ts
 * checkModel(applyFix(model, checkModel(model).findings[0].fixes[0])).passes // true
 * ```
 */
export function applyFix(model: Model, { edits }: Pick<ModelFix, 'edits'>, files?: ExternalFiles): Model {
  const names = [...scopesOf(model)].flatMap(({ definitions }) => [...definitions.keys()])
  const to: Application = { edits, names: new FreshNames(names), files }
  return viewModel(
    changed(model.proto, {
      graph: editedGraph(to, model.proto.graph!, 'graph', opsetOf(model)),
      functions: model.functions.map((body) =>
        to.edits.some((edit) => isWithin(body.path, edit))
          ? changed(body.proto, { node: editedNodes(to, body.proto.node, body.path, opsetOf(body)) })
          : body.proto,
      ),
    }),
  )
}
