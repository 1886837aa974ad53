// One run of a program: values by slot, filled step by step and given back as soon as nobody needs them. What the caller
// gave, and the constants of the program, are never disposed; whatever the run made goes when it fails.
import { BcastError, identity, type Tensor } from 'bcast'
import { NodeError, OnnxError } from '../errors/index.ts'
import type { ExternalFiles } from '../model/external.ts'
import { type Node, nodeLabel, nodePath } from '../model/scope.ts'
import { Call } from './call.ts'
import { type Computation, pending } from './computation.ts'
import { computeNode } from './fuse.ts'
import type { Block, FlatNode, FusedStep, KernelStep, Slot } from './program.ts'
import { checkTypes } from './types.ts'

/** The error of a node, which names it; one from further inside has its name already. */
function errorOf(node: Node, error: unknown): unknown {
  const isKnown = error instanceof BcastError || error instanceof OnnxError
  if (!isKnown || error instanceof NodeError) return error
  const { index, opType } = node
  return new NodeError({ node: nodeLabel(node), path: nodePath(node), index, opType }, error)
}

export class Run {
  readonly #values: (Tensor | undefined)[]
  /** Slots whose values the run made and has to give back. */
  readonly #owned = new Set<Slot>()
  readonly #files: ExternalFiles | undefined

  /** `given` are the constants and inputs by slot. */
  constructor(slots: number, given: Iterable<readonly [Slot, Tensor]>, files: ExternalFiles | undefined) {
    this.#values = new Array<Tensor | undefined>(slots)
    for (const [slot, value] of given) this.#values[slot] = value
    this.#files = files
  }

  /** The outputs of the model's graph, each a tensor of its own that shares memory with nothing the caller has. */
  *outputs(block: Block): Computation<readonly Tensor[]> {
    const outputs: Tensor[] = []
    try {
      yield* this.#steps(block)
      for (const slot of block.outputs) outputs.push(yield* this.#separate(slot, block))
      return outputs
    } catch (error) {
      for (const output of outputs) output.dispose()
      throw error
    } finally {
      for (const slot of this.#owned) this.#values[slot]?.dispose()
    }
  }

  /** The values of the outputs as they are; what the run made is left to whoever took note of its calls. */
  *values(block: Block): Computation<readonly Tensor[]> {
    yield* this.#steps(block)
    return block.outputs.map((slot) => this.#value(slot))
  }

  /** A value to give away: itself if the run made it and nothing else is made of its elements, else a copy. */
  *#separate(slot: Slot, block: Block): Computation<Tensor> {
    if (block.separate.has(slot) && this.#owned.delete(slot)) return this.#value(slot)
    return yield pending(identity, [this.#value(slot)])
  }

  #value(slot: Slot): Tensor {
    return this.#values[slot]!
  }

  #take(slot: Slot): Tensor {
    const value = this.#value(slot)
    this.#owned.delete(slot)
    this.#values[slot] = undefined
    return value
  }

  #set(slot: Slot | undefined, value: Tensor | undefined): void {
    if (slot === undefined) value?.dispose()
    else {
      this.#values[slot] = value
      this.#owned.add(slot)
    }
  }

  *#steps({ steps }: Block): Computation<void> {
    for (const step of steps) {
      if (step.kind === 'kernel') yield* this.#kernel(step)
      else this.#set(step.output, yield* this.#fused(step))
      for (const slot of step.released) this.#take(slot).dispose()
    }
  }

  *#kernel({ node: flat }: KernelStep): Computation<void> {
    const inputs = flat.inputs.map((slot) => (slot === undefined ? undefined : this.#value(slot)))
    const call = new Call(flat, inputs, (attribute, given) => this.#enter(flat, attribute, given), this.#files)
    try {
      checkTypes(flat.row, flat, inputs)
      const results = yield* call.results(flat.row.compute)
      for (const [i, result] of results.entries()) this.#set(flat.outputs[i], result)
      const missing = flat.outputs.findIndex((slot, i) => slot !== undefined && results[i] === undefined)
      if (missing >= 0) call.fail(`it makes ${results.length} results, and output ${missing} is asked for.`)
    } catch (error) {
      throw errorOf(flat.node, error)
    }
  }

  /** Runs a graph of an attribute. The given tensors stay the caller's; the outputs are the caller's to dispose. */
  *#enter(flat: FlatNode, attribute: string, given: readonly Tensor[]): Computation<readonly Tensor[]> {
    const block = flat.blocks.get(attribute)!
    for (const [i, slot] of block.inputs.entries()) this.#values[slot] = given[i]
    yield* this.#steps(block)
    const outputs = block.outputs.map((slot, i) =>
      block.made.has(slot) && block.outputs.lastIndexOf(slot) === i ? this.#take(slot) : this.#value(slot).view(),
    )
    for (const slot of block.inputs) this.#values[slot] = undefined
    return outputs
  }

  *#fused(step: FusedStep): Computation<Tensor> {
    const given = step.inputs.map((slot) => this.#value(slot))
    const [first, ...others] = step.nodes
    try {
      const arrange = first!.row.arrange?.(first!)
      if (arrange !== undefined) return yield* this.#arranged(step, given, arrange)
      // An empty result computes nothing, though a node on the way may divide by zero: those go one by one.
      if (others.length > 0 && given.some(({ size }) => size === 0)) return oneByOne(step, given)
      return yield pending(step.kernel, given)
    } catch (error) {
      throw error instanceof NodeError ? error : this.#explained(step, given, error)
    }
  }

  /** Brings operands into place, in the order of the node's inputs, and computes. */
  *#arranged(
    { nodes, inputs, kernel }: FusedStep,
    given: readonly Tensor[],
    arrange: (operands: readonly Tensor[]) => readonly Tensor[],
  ): Computation<Tensor> {
    const places = nodes[0]!.inputs.map((slot) => inputs.indexOf(slot!))
    const operands = arrange(places.map((place) => given[place]!))
    // Where both operands are one value, they are so before and behind.
    const placed = inputs.map((_, i) => operands[places.indexOf(i)]!)
    try {
      return yield pending(kernel, placed)
    } finally {
      for (const operand of operands) if (!given.includes(operand)) operand.dispose()
    }
  }

  /** The node of a kernel that fails, found by computing them one by one. */
  #explained(step: FusedStep, given: readonly Tensor[], error: unknown): unknown {
    if (step.nodes[0]!.row.arrange?.(step.nodes[0]!) === undefined) {
      try {
        oneByOne(step, given).dispose()
      } catch (found) {
        if (found instanceof NodeError) return found
      }
    }
    return errorOf(step.nodes.at(-1)!.node, error)
  }
}

/** The nodes of a kernel, each by itself; the first that fails is named. */
function oneByOne({ nodes, inputs }: FusedStep, given: readonly Tensor[]): Tensor {
  const values = new Map(inputs.map((slot, i) => [slot, given[i]!]))
  const made = nodes.map((flat) => {
    try {
      return computeNode(flat, values)
    } catch (error) {
      throw errorOf(flat.node, error)
    }
  })
  for (const value of made.slice(0, -1)) value.dispose()
  return made.at(-1)!
}
