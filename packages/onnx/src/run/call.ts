// What a kernel row sees of the node it computes: tensors, attributes, ways to compute. What it makes on the way is
// given back when it ends, whether it succeeds or not; what belongs to others is never disposed.
import { type DType, expand, IndexError, identity, OperandError, type Tensor, tensor } from 'bcast'
import { type Argument, isInput } from '../infer/attributes/arguments.ts'
import type { KnownTensor } from '../infer/known.ts'
import type { Attributes } from '../model/attributes.ts'
import type { ExternalFiles } from '../model/external.ts'
import type { Graph, Node } from '../model/scope.ts'
import { elementsOf } from '../model/tensor-data.ts'
import { type Computation, type Operation, pending } from './computation.ts'
import type { NodeUse } from './use.ts'

/** Runs a graph of an attribute on inputs, which stay the caller's; the outputs are new, or views. */
export type Enter = (attribute: string, inputs: readonly Tensor[]) => Computation<readonly Tensor[]>

/** The results of a node; nothing has to be waited for where it only looks at tensors anew. */
export type Compute = (call: Call) => readonly Tensor[] | Computation<readonly Tensor[]>

/** Places that an operator counts one by one. More are a mistake in its inputs, and infinite ones have no end. */
const MOST_PLACES = 2 ** 27

export class Call {
  readonly node: Node
  readonly opset: number
  readonly attributes: Attributes<Graph>
  /** Undefined where an optional input is left out. */
  readonly inputs: readonly (Tensor | undefined)[]
  readonly #results: NodeUse['results']
  /** Where external data lies. */
  readonly files: ExternalFiles | undefined
  readonly enter: Enter
  readonly #made = new Set<Tensor>()

  constructor(
    { node, opset, attributes, results }: NodeUse,
    inputs: readonly (Tensor | undefined)[],
    enter: Enter,
    files?: ExternalFiles,
  ) {
    this.node = node
    this.opset = opset
    this.attributes = attributes
    this.inputs = inputs
    this.#results = results
    this.enter = enter
    this.files = files
  }

  /** The row's results, everything else it made disposed. Results that are inputs become views of them. */
  *results(compute: Compute): Computation<readonly Tensor[]> {
    try {
      const computed = compute(this)
      const results = isList(computed) ? computed : yield* computed
      return results.map((result) => (this.#made.delete(result) ? result : result.view()))
    } finally {
      for (const made of this.#made) made.dispose()
    }
  }

  has(i: number): boolean {
    return this.inputs[i] !== undefined
  }

  /** What inference knows of output i, if it is a tensor. */
  expected(i: number): KnownTensor | undefined {
    const known = this.#results[i]
    return known?.kind === 'tensor' ? known : undefined
  }

  /** Input i; the node fails without it. */
  tensor(i: number): Tensor {
    return this.inputs[i] ?? this.fail(`input ${i} is missing.`)
  }

  /** The elements of a small tensor of integers as numbers; undefined where it is left out. */
  integers(i: number): readonly number[] | undefined {
    return this.inputs[i] && elementsOf(this.inputs[i]).map(Number)
  }

  /** The integers of an attribute or an input, whichever the version has. */
  integersOf(argument: Argument): readonly number[] | undefined {
    if (isInput(this, argument)) return this.integers(argument.input)
    return this.attributes.bigints(argument.attribute, undefined)?.map(Number)
  }

  /** An axis counted from the front; negative ones count from the end. */
  axis(axis: number, rank: number): number {
    if (!Number.isInteger(axis) || axis < -rank || axis >= rank) {
      throw new IndexError(`${this.node.opType}: axis ${axis} does not exist in rank ${rank}.`)
    }
    return axis < 0 ? axis + rank : axis
  }

  /** Axes counted from the front, each named once. */
  axes(axes: readonly number[], rank: number): readonly number[] {
    const counted = axes.map((axis) => this.axis(axis, rank))
    if (new Set(counted).size < counted.length) return this.fail(`axes ${axes.join(', ')} name an axis twice.`)
    return counted
  }

  fail(message: string): never {
    throw new OperandError(`${this.node.opType}: ${message}`)
  }

  /** The number of places to count one by one; the node fails where there are too many. */
  places(count: number): number {
    if (count <= MOST_PLACES) return count
    return this.fail(`there would be ${count} places on an axis to count; at most ${MOST_PLACES} are.`)
  }

  /** A tensor that goes when the row ends, unless it is a result. */
  own<T extends Tensor>(made: T): T {
    this.#made.add(made)
    return made
  }

  /** Disposes of a tensor that the row made, before it ends. */
  drop(made: Tensor): void {
    if (this.#made.delete(made)) made.dispose()
  }

  /** Calls a function of the library. */
  *apply(operation: Operation, ...args: readonly unknown[]): Computation<Tensor> {
    const made = yield pending(operation, args)
    // A result that was written into a given tensor is that tensor.
    return args.some((arg) => (arg as { out?: unknown } | undefined)?.out === made) ? made : this.own(made)
  }

  /** A new tensor of one value, which stays. */
  filled(dtype: DType, shape: readonly number[], value: number | bigint | boolean | string): Computation<Tensor> {
    return this.apply(expand, scalarOf(dtype, value), shape)
  }

  /** A tensor stretched to a shape, to be written into: elements `from` other tensors, the node's inputs unless said. */
  *room(
    filled: Tensor,
    shape: readonly number[],
    from: readonly (Tensor | undefined)[] = this.inputs,
    whole = false,
  ): Computation<Tensor> {
    return this.own(yield pending(expand, [filled, shape], { from, whole }))
  }

  /** The tensor with its elements one after another in memory: itself, or a copy. */
  *packed(x: Tensor): Computation<Tensor> {
    return x.isRowMajor ? x : yield* this.apply(identity, x)
  }

  /** The same elements in another shape, copied only where they do not lie one after another. */
  *reshaped(x: Tensor, shape: readonly number[]): Computation<Tensor> {
    const packed = yield* this.packed(x)
    return this.own(packed.reshape([...shape]) as Tensor)
  }
}

const isList = (value: unknown): value is readonly Tensor[] => Array.isArray(value)

/** A tensor of one element. */
export const scalarOf = (dtype: DType, value: number | bigint | boolean | string): Tensor =>
  tensor(value, { dtype }) as Tensor
