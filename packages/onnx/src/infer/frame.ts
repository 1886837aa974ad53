// One walk through a scope: the model's graph once, a subgraph once per node that has it, a function once per call.
import type { Attributes } from '../model/attributes.ts'
import type { Graph, Node, Scope } from '../model/scope.ts'
import type { Known } from './known.ts'

/** A walk through a scope: where it was entered from, and what is known of its values. */
export interface Frame {
  readonly scope: Scope
  /** The frame around it, whose names it sees; none for the model's graph and for functions. */
  readonly outer: Frame | undefined
  /** The node that entered it, and where that node is; undefined for the model's graph. */
  readonly caller: { readonly frame: Frame; readonly node: Node } | undefined
  /** Values by name, filled as nodes are met. */
  readonly values: ReadonlyMap<string, Known>
  /** Whether its nodes run whenever the model does: not so in a branch, or in a loop that may have no rounds. */
  readonly certain: boolean
  /** Frames that its nodes entered: a graph of an attribute, or the function that a node calls. */
  readonly entered: ReadonlyMap<Graph | Node, Frame>
}

/** A frame while it is filled. */
export interface OpenFrame extends Frame {
  readonly outer: OpenFrame | undefined
  readonly values: Map<string, Known>
  readonly entered: Map<Graph | Node, OpenFrame>
  /** In a function, what the call gives for the attributes that its nodes refer to. */
  readonly given: Attributes<Graph> | undefined
  /** How many frames are around it. */
  readonly depth: number
}
