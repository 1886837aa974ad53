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
    const byInput = newest >= 13
    const operands = byInput ? [this.#additions.vector(axes)] : []
    this.#put(input, operator, operands, byInput ? [] : [intsAttribute('axes', axes)], `axes=[${axes.join(',')}]`)
  }

  /**
   * Puts Expand or Reshape before an input. For each of its axes, the axis of the first input whose size it gets;
   * undefined where Reshape leaves it as it is.
   */
  resize(operator: 'Expand' | 'Reshape', input: number, axes: readonly (number | undefined)[]): void {
    const [first] = this.inputs
    const shape = this.#additions.value({ operator: 'Shape', inputs: [first!] }, `${first}.shape`)
    const sizes = axes.map((axis) => {
      if (axis === undefined) return this.#additions.vector([0])
      const inputs = [shape, this.#additions.vector([axis])]
      return this.#additions.value({ operator: 'Gather', inputs }, `${first}.shape.${axis}`)
    })
    const concat = { operator: 'Concat', inputs: sizes, attributes: [intAttribute('axis', 0)] }
    const target = sizes.length === 1 ? sizes[0]! : this.#additions.value(concat, `${this.#owner}.sizes`)
    const named = axes.filter((axis) => axis !== undefined)
    this.#put(input, operator, [target], [], `sizes of ${JSON.stringify(first)} on axes [${named.join(',')}]`)
  }

  get #owner(): string {
    return this.node.name || this.node.outputs[0]!
  }

  /** Puts a node before an input, and says so. */
  #put(
    input: number,
    operator: string,
    operands: readonly string[],
    attributes: readonly AttributeProto[],
    what: string,
  ): void {
    const name = this.inputs[input]!
    const wanted = { operator, inputs: [name, ...operands], attributes }
    const value = this.#additions.value(wanted, `${this.#owner}.${operator.toLowerCase()}`)
    this.changes.push(`${operator} (${what}) before ${JSON.stringify(name)}`)
    this.inputs = this.inputs.with(input, value)
  }
}
