// One node on its way to a newer operator set: its inputs and attributes, and ways to change them.
import { create } from '@bufbuild/protobuf'
import type { Broadcast } from '../../infer/context.ts'
import { type Known, numberOfScalar } from '../../infer/known.ts'
import { intAttribute, intsAttribute } from '../../model/build.ts'
import type { Node } from '../../model/scope.ts'
import {
  type AttributeProto,
  AttributeProtoSchema,
  AttributeProto_AttributeType as AttributeType,
} from '../../proto/onnx_pb.ts'
import type { Additions } from '../additions.ts'

/** Ends a change: the node has no counterpart in the newer set. */
export class Refused extends Error {}

export class Draft {
  readonly node: Node
  /** The version of the operator set that the node means. */
  readonly opset: number
  /** How its operands meet, in every walk; none where it never runs. */
  readonly meetings: readonly Broadcast[]
  /** What was done, in words. */
  readonly changes: string[] = []
  inputs: readonly string[]
  attributes: readonly AttributeProto[]
  readonly #additions: Additions
  readonly #known: (name: string) => Known

  constructor(
    node: Node,
    opset: number,
    meetings: readonly Broadcast[],
    additions: Additions,
    known: (name: string) => Known,
  ) {
    this.node = node
    this.opset = opset
    this.meetings = meetings
    this.inputs = node.inputs
    this.attributes = node.proto.attribute
    this.#additions = additions
    this.#known = known
  }

  refuse(reason: string): never {
    throw new Refused(reason)
  }

  /** What is known of a value wherever the node runs. */
  known(name: string): Known {
    return this.#known(name)
  }

  /** The only element of an input, where it is a constant. */
  scalar(input: number): number | undefined {
    const known = this.known(this.inputs[input]!)
    return known.kind === 'tensor' && known.values?.length === 1 ? numberOfScalar(known.values[0]!) : undefined
  }

  rank(input: number): number | undefined {
    const known = this.known(this.inputs[input]!)
    return known.kind === 'tensor' ? known.shape?.length : undefined
  }

  /** Takes attributes away; says so unless they meant nothing. */
  drop(names: readonly string[], remark?: string): void {
    const left = this.attributes.filter(({ name }) => !names.includes(name))
    if (left.length < this.attributes.length && remark !== undefined) this.changes.push(remark)
    this.attributes = left
  }

  #set(attribute: AttributeProto): void {
    this.attributes = [...this.attributes.filter(({ name }) => name !== attribute.name), attribute]
  }

  setInt(name: string, value: number): void {
    this.#set(intAttribute(name, value))
    this.changes.push(`${name}=${value}`)
  }

  setInts(name: string, values: readonly number[]): void {
    this.#set(intsAttribute(name, values))
    this.changes.push(`${name}=[${values.join(',')}]`)
  }

  setFloat(name: string, value: number): void {
    this.#set(create(AttributeProtoSchema, { name, type: AttributeType.FLOAT, f: value }))
    this.changes.push(`${name}=${value}`)
  }

  setFloats(name: string, values: readonly number[]): void {
    this.#set(create(AttributeProtoSchema, { name, type: AttributeType.FLOATS, floats: [...values] }))
    this.changes.push(`${name}=[${values.join(',')}]`)
  }

  setString(name: string, value: string): void {
    this.#set(create(AttributeProtoSchema, { name, type: AttributeType.STRING, s: new TextEncoder().encode(value) }))
    this.changes.push(`${name}=${value}`)
  }

  /** Gives the node a vector as an input, behind those it has. */
  addInput(values: readonly number[], what: string): void {
    this.inputs = [...this.inputs, this.#additions.vector(values)]
    this.changes.push(`${what} [${values.join(',')}] as an input`)
  }

  /** Puts Unsqueeze or Squeeze before an input; from opset 13 on axes are an input. */
  reshape(operator: 'Unsqueeze' | 'Squeeze', input: number, axes: readonly number[], newest: number): void {
    const name = this.inputs[input]!
    const byInput = newest >= 13
    const value = this.#additions.value(
      {
        operator,
        inputs: byInput ? [name, this.#additions.vector(axes)] : [name],
        attributes: byInput ? [] : [intsAttribute('axes', axes)],
      },
      `${this.node.name || this.node.outputs[0]}.${operator.toLowerCase()}`,
    )
    this.inputs = this.inputs.with(input, value)
    this.changes.push(`${operator} (axes=[${axes.join(',')}]) before ${JSON.stringify(name)}`)
  }
}
