// Which inputs a run of a graph gives. Before IR version 4 every initializer had to be listed among the inputs and was a
// constant all the same; since then one that is listed is the default of its input, which a run may replace.
import type { Graph, Initializer } from './scope.ts'
import type { Value } from './value.ts'

/** The IR version that tells constants from defaults. */
export const DEFAULTS_SINCE = 4

/** Inputs that a run gives, or may give. */
export const givenInputs = ({ inputs, definitions }: Graph): readonly Value[] =>
  inputs.filter(({ name }) => definitions.get(name)?.kind === 'input')

/** What an input is where a run does not give it; undefined where it has to. */
export const defaultOf = ({ definitions, initializers }: Graph, name: string): Initializer | undefined =>
  definitions.get(name)?.kind === 'input' ? initializers.get(name) : undefined
