// A model made ready to run: values are numbered slots, functions are in the place of their calls, and every graph is a
// block of steps that say what to compute, from which slots, and which values nobody needs afterwards.
import type { Tensor } from 'bcast'
import type { Operation } from './computation.ts'
import type { ElementwiseRow, KernelRow, Row } from './row.ts'
import type { NodeUse } from './use.ts'

/** The number of a value; each is computed by one node, or given. */
export type Slot = number

/** A node with its names resolved. */
export interface FlatNode<R extends Row = Row> extends NodeUse {
  readonly row: R
  /** Undefined where an optional input is left out. */
  readonly inputs: readonly (Slot | undefined)[]
  /** Undefined where an output has no name. */
  readonly outputs: readonly (Slot | undefined)[]
  /** The graphs in its attributes, by attribute. */
  readonly blocks: ReadonlyMap<string, Block>
  /** Slots from outside that its blocks read. */
  readonly captured: readonly Slot[]
}

/** A node that is no element-wise operator. */
export interface KernelStep {
  readonly kind: 'kernel'
  readonly node: FlatNode<KernelRow>
  readonly released: readonly Slot[]
}

/** One element-wise node, or several that are computed in one pass. */
export interface FusedStep {
  readonly kind: 'fused'
  /** In their order; the last one makes the result. */
  readonly nodes: readonly FlatNode<ElementwiseRow>[]
  readonly inputs: readonly Slot[]
  readonly output: Slot
  readonly kernel: Operation
  readonly released: readonly Slot[]
}

export type Step = KernelStep | FusedStep

/** A graph: the model's, or one in an attribute. */
export interface Block {
  readonly inputs: readonly Slot[]
  readonly outputs: readonly Slot[]
  readonly steps: readonly Step[]
  /** Slots that its own steps fill. */
  readonly made: ReadonlySet<Slot>
  /** Of those, the ones whose memory nothing else may lie in. */
  readonly separate: ReadonlySet<Slot>
}

/** Values that are the same in every run. */
export type Constants = ReadonlyMap<Slot, Tensor>
