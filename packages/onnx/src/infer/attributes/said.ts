// What a node says by attributes, decoded once: inference and runs ask the functions of this folder, so that neither
// can take a node for another one than the other does. Here is how they read: an attribute that the node's version of
// its operator does not have says nothing.
import type { Attributes } from '../../model/attributes.ts'
import type { Node } from '../../model/scope.ts'

export interface Said {
  readonly node: Pick<Node, 'domain' | 'opType' | 'outputs'>
  /** The version of the operator set that the node means. */
  readonly opset: number
  readonly attributes: Attributes<unknown>
}

/** One who can end the work on a node that cannot be. */
export interface Judging extends Said {
  fail(message: string): never
}

type Since = number | Readonly<Record<string, number>>

/** Attributes that came later than their operators: from which opset on, by operator where they differ. */
const versions: Readonly<Record<string, Since>> = {
  allowzero: 14,
  antialias: 18,
  axes: { Resize: 18 },
  axis: { QuantizeLinear: 13, DequantizeLinear: 13 },
  batch_dims: 12,
  block_size: 21,
  ceil_mode: { MaxPool: 10, AveragePool: 10, LpPool: 18 },
  count_include_pad: 7,
  dilations: { MaxPool: 10, AveragePool: 19, LpPool: 18 },
  end: 15,
  keep_aspect_ratio_policy: 18,
  largest: 11,
  layout: 14,
  mode: { DepthToSpace: 11, RoiAlign: 10 },
  noop_with_empty_axes: { ReduceSum: 13, default: 18 },
  num_outputs: 18,
  output_dtype: { QuantizeLinear: 21, DequantizeLinear: 23 },
  select_last_index: 12,
  start: 15,
}

function sinceOf(name: string, opType: string): number {
  const since = versions[name] ?? 1
  return typeof since === 'number' ? since : (since[opType] ?? since['default'] ?? 1)
}

/** Whether a node has an attribute that its version of the operator knows. Those of other domains are as old as it is. */
export const says = ({ node: { domain, opType }, opset, attributes }: Said, name: string): boolean =>
  attributes.has(name) && (domain !== '' || opset >= sinceOf(name, opType))

export const intOf = <F>(said: Said, name: string, otherwise: F): number | F =>
  says(said, name) ? said.attributes.int(name) : otherwise

export const isSet = (said: Said, name: string, otherwise = false): boolean =>
  says(said, name) ? said.attributes.int(name) !== 0 : otherwise

/** An empty list counts as left out. */
export const intsOf = (said: Said, name: string): readonly number[] | undefined => {
  const given = says(said, name) ? said.attributes.ints(name) : []
  return given.length === 0 ? undefined : given
}

export const textOf = (said: Said, name: string, otherwise: string): string =>
  says(said, name) ? said.attributes.string(name) : otherwise
