// Shape inference of a model: what is known of every value, which nodes broadcast and how, and which nodes cannot be.
import type { SymbolBounds } from '../dims/index.ts'
import type { ExternalFiles } from '../model/external.ts'
import type { Model } from '../model/model.ts'
import type { Scope } from '../model/scope.ts'
import { Context } from './context.ts'
import type { OpenFrame } from './frame.ts'
import { Inference } from './inference.ts'
import { type Defaults, type InputShapes, inputsOf } from './inputs.ts'
import { Walk } from './walk.ts'

/** Options of `inferShapes`. */
export interface InferOptions {
  /**
   * Shapes of inputs by name: a number fixes an axis, a name makes it that symbol, `null` leaves it as the file
   * declares it. Sizes that the file declares otherwise are overruled; another number of axes is an InputError.
   */
  readonly inputs?: InputShapes
  /**
   * What a size can be that the inputs leave open: at least 1 unless said. `{ min: 0 }` admits empty inputs; then less
   * is certain, for a size of 0 means something else to Reshape. Sizes that data decides may always be 0.
   */
  readonly symbolBounds?: SymbolBounds
  /**
   * What inputs with a default are, where `inputs` does not name them: their default unless said, which a run may
   * replace. `open` says only what holds for every caller.
   */
  readonly defaults?: Defaults
  /** Where external data lies; without it, the elements of external tensors are not known. */
  readonly files?: ExternalFiles
}

/** Nodes are met this many times on average at most, and this many times in any case. */
const ROUNDS = 20
const LEAST_BUDGET = 200_000

function nodesIn(scope: Scope): number {
  let count = scope.nodes.length
  for (const { subgraphs } of scope.nodes) for (const { graph } of subgraphs) count += nodesIn(graph)
  return count
}

/**
 * Infers the shapes of a model's values. Never fails because of the model; the caller's `inputs` must name inputs.
 *
 * @example
 * ```ts
 * inferShapes(model).broadcasts[0].operands.map(({ shape }) => shapeText(shape)) // ['(N,3,8,8)', '(3)']
 * ```
 */
export function inferShapes(model: Model, options: InferOptions = {}): Inference {
  return inferTelling(model, options)
}

/** The same, which tells how much of it is done, from 0 to 1. */
export function inferTelling(model: Model, options: InferOptions, tell?: (done: number) => void): Inference {
  const { inputs = {}, symbolBounds = { min: 1 }, defaults = 'assumed', files } = options
  const count = nodesIn(model.graph)
  const budget = Math.max(LEAST_BUDGET, ROUNDS * count)
  const context = new Context(model, symbolBounds, files, budget)
  const given = inputsOf(context, symbolBounds, inputs, defaults)
  const root: OpenFrame = {
    ...{ scope: model.graph, outer: undefined, caller: undefined, certain: true, given: undefined, depth: 0 },
    ...{ values: new Map(given.known), entered: new Map() },
  }
  // Nodes in functions and in loops are met more than once.
  const told = tell && ((): void => tell(Math.min(1, (budget - context.budget) / count)))
  const walk = new Walk(context, given.asDeclared, told)
  walk.nodes(root)
  return new Inference(root, given, context, (frame, name) => walk.get(frame, name))
}
