// Defaults of inputs in the explicit rewrite. A rewrite serves every caller, and one may replace a default by other
// elements, so nothing is assumed of them; or they are made constants, and then there is nothing to replace.
import { assumedInputs, type InputShapes } from '../infer/inputs.ts'
import { changed } from '../model/build.ts'
import { defaultOf, givenInputs } from '../model/defaults.ts'
import { type Model, viewModel } from '../model/model.ts'

/** What became of inputs with a default, by name. */
export interface RewrittenDefaults {
  /** Constants of the new model, which no longer takes them. */
  readonly fixed: readonly string[]
  /** Inputs still, of which nothing was assumed. */
  readonly open: readonly string[]
}

/** The model without inputs that would be taken to be their default: what is left of them is a constant. */
export function fixDefaults(
  model: Model,
  shapes: InputShapes,
): { readonly model: Model; readonly fixed: readonly string[] } {
  const fixed = assumedInputs(model.graph, shapes)
  if (fixed.size === 0) return { model, fixed: [] }
  const { graph } = model.proto
  const input = graph!.input.filter(({ name }) => !fixed.has(name))
  return { model: viewModel(changed(model.proto, { graph: changed(graph!, { input }) })), fixed: [...fixed] }
}

/** Inputs that a run may leave out. */
export const openDefaults = ({ graph }: Model): readonly string[] =>
  givenInputs(graph)
    .map(({ name }) => name)
    .filter((name) => defaultOf(graph, name) !== undefined)
