// Nodes whose inputs never change are computed once, when a model is made ready. One that fails is left for the run,
// which may never come to it; so is one with a large result, which would be kept for good.
import { BcastError, type Tensor } from 'bcast'
import { OnnxError } from '../errors/index.ts'
import { type Known, sizesOf } from '../infer/known.ts'
import type { ExternalFiles } from '../model/external.ts'
import { countOf } from '../model/row-major.ts'
import { Call } from './call.ts'
import { computeNow } from './computation.ts'
import { computeNode, isElementwise } from './fuse.ts'
import type { Constants, FlatNode } from './program.ts'
import type { KernelRow } from './row.ts'
import { checkTypes } from './types.ts'

/** Elements of results that are kept. */
const MOST_ELEMENTS = 1 << 16

const isSmall = (known: Known | undefined): boolean => {
  const sizes = known?.kind === 'tensor' ? sizesOf(known.shape) : undefined
  return sizes !== undefined && countOf(sizes) <= MOST_ELEMENTS
}

/** The results of a node whose inputs are constants; undefined where it has to run. `known` is what inference says. */
export function constantResults(
  flat: FlatNode,
  constants: Constants,
  known: readonly (Known | undefined)[],
  files: ExternalFiles | undefined,
): readonly Tensor[] | undefined {
  const read = flat.inputs.filter((slot) => slot !== undefined)
  if (flat.blocks.size > 0 || !read.every((slot) => constants.has(slot))) return undefined
  // Constants of the file are there already, however large.
  const isStored = flat.node.opType === 'Constant'
  if (!isStored && !flat.outputs.every((slot, i) => slot === undefined || isSmall(known[i]))) return undefined
  try {
    if (isElementwise(flat)) {
      if (flat.row.arrange?.(flat) !== undefined) return undefined
      return [computeNode(flat, new Map(read.map((slot) => [slot, constants.get(slot)!])))]
    }
    const inputs = flat.inputs.map((slot) => (slot === undefined ? undefined : constants.get(slot)!))
    checkTypes(flat.row, flat, inputs)
    const { row } = flat as FlatNode<KernelRow>
    const call = new Call(flat, inputs, () => call.fail('a constant has no graphs.'), files)
    return computeNow(call.results(row.compute))
  } catch (error) {
    if (error instanceof BcastError || error instanceof OnnxError) return undefined
    throw error
  }
}
