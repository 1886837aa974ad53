// Attributes of a node in a function's body that stand for attributes of the function: each call has its own.
import { Attributes } from '../model/attributes.ts'
import { type FunctionBody, type Graph, type Node, nodeLabel } from '../model/scope.ts'
import type { AttributeProto } from '../proto/onnx_pb.ts'

const isReference = ({ refAttrName }: AttributeProto): boolean => refAttrName !== ''

/** The attribute under another name. Fields that are not set come from the prototype, so it is kept. */
const renamed = (proto: AttributeProto, name: string): AttributeProto =>
  Object.assign(Object.create(Object.getPrototypeOf(proto)), proto, { name })

/**
 * The node's attributes as they are in a call that gives these; those that the call leaves out are left out. Undefined
 * where that cannot be said: a reference outside functions, or to a graph, which sees other names than the body.
 */
export function boundAttributes(node: Node, given: Attributes<Graph> | undefined): Attributes<Graph> | undefined {
  if (!node.proto.attribute.some(isReference)) return node.attributes
  if (given === undefined) return undefined
  const protos: AttributeProto[] = []
  for (const proto of node.proto.attribute) {
    const value = isReference(proto) ? given.proto(proto.refAttrName) : proto
    if (value === undefined) continue
    if (isReference(proto) && (value.g !== undefined || value.graphs.length > 0)) return undefined
    protos.push(isReference(proto) ? renamed(value, proto.name) : proto)
  }
  return new Attributes(() => nodeLabel(node), protos, node.subgraphs)
}

/** What a call gives to a function: its attributes, and the function's defaults for the others. */
export function givenAttributes(node: Node, attributes: Attributes<Graph>, body: FunctionBody): Attributes<Graph> {
  const defaults = body.defaults.names.filter((name) => !attributes.has(name)).map((name) => body.defaults.proto(name)!)
  const own = attributes.names.map((name) => attributes.proto(name)!)
  return new Attributes(() => nodeLabel(node), [...own, ...defaults], node.subgraphs)
}
