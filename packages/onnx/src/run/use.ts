// A node and what it means where it stands, known before anything runs.
import type { Known } from '../infer/known.ts'
import type { Attributes } from '../model/attributes.ts'
import type { Graph, Node } from '../model/scope.ts'

export interface NodeUse {
  readonly node: Node
  /** The version of the operator set that it means. */
  readonly opset: number
  /** With references to attributes of a function resolved. */
  readonly attributes: Attributes<Graph>
  /** What inference knows of its outputs; undefined for those without a name, and where it did not come. */
  readonly results: readonly (Known | undefined)[]
}
