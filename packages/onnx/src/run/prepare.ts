// Models made ready to run, and run. Everything that can be known without inputs is settled first: operators that are
// not supported, constants, which nodes become one kernel, and when each value is given back.
import type { Tensor } from 'bcast'
import { StructureError, UnsupportedError, UnsupportedOperatorsError } from '../errors/index.ts'
import { inferShapes } from '../infer/infer.ts'
import { defaultOf, givenInputs } from '../model/defaults.ts'
import type { ExternalFiles } from '../model/external.ts'
import type { Model } from '../model/model.ts'
import type { Node } from '../model/scope.ts'
import type { Value } from '../model/value.ts'
import { checkStructure } from '../structure/check.ts'
import { type Computation, computeLater, computeNow } from './computation.ts'
import { Run } from './execute.ts'
import { Flattening } from './flatten.ts'
import { checkInputs } from './inputs.ts'
import type { Given } from './plan.ts'
import { Plans } from './plans.ts'
import type { Block } from './program.ts'
import { checkSize } from './size.ts'

/** Options of `runModel` and `prepareModel`. */
export interface RunOptions {
  /** Where external data lies. */
  readonly files?: ExternalFiles
  /**
   * Whether a run is planned once for given types and shapes of inputs, in memory that stays until `dispose`; it is
   * unless this is false.
   */
  readonly plan?: boolean
  /** Whether chains and diamonds of element-wise nodes become one kernel each; they do unless this is false. */
  readonly fuse?: boolean
}

/** Tensors by name. */
export type Tensors = Readonly<Record<string, Tensor>>

/** Runs a program: on the calling thread, or with `.async` on the workers. The results are the caller's to dispose. */
export interface RunProgram {
  (inputs: Tensors): Record<string, Tensor>
  readonly async: (inputs: Tensors) => Promise<Record<string, Tensor>>
}

/** What runs as one. */
export interface ProgramStep {
  /** The nodes; several are one kernel. Those of a function or subgraph belong to their own scopes. */
  readonly nodes: readonly Node[]
}

/** A model that is ready to run: `run` takes inputs and gives outputs. */
export interface Program {
  /** What a run takes. */
  readonly inputs: readonly Value[]
  /** Inputs that may be left out, for the model has a default. */
  readonly optional: ReadonlySet<string>
  readonly outputs: readonly Value[]
  /** What the model's graph runs, in order: constants are computed already, and what nothing needs is left out. */
  readonly steps: readonly ProgramStep[]
  readonly run: RunProgram
  /** Gives back the memory that runs keep for the next ones. It can run again, and plans anew. */
  dispose(): void
}

function checkModel(model: Model): void {
  const errors = checkStructure(model).filter(({ severity, code }) => severity === 'error' && code !== 'missing-opset')
  if (errors.length > 0) throw new StructureError(errors.map(({ message }) => message))
  for (const { name, type } of givenInputs(model.graph)) {
    if (type.kind === 'tensor' || type.kind === 'unknown') continue
    throw new UnsupportedError(`input ${JSON.stringify(name)} is a ${type.kind}; only tensors are run.`, type.kind)
  }
}

const stepsOf = ({ steps }: Block): readonly ProgramStep[] =>
  steps.map((step) => ({ nodes: step.kind === 'fused' ? step.nodes.map(({ node }) => node) : [step.node.node] }))

/** Makes a model ready to run any number of times. Throws one error that lists all operators that cannot be run. */
export function prepareModel(model: Model, options: RunOptions = {}): Program {
  checkModel(model)
  checkSize(model)
  const { files, fuse = true, plan = true } = options
  // It serves every run, whichever defaults one replaces.
  const inference = inferShapes(model, { defaults: 'open', ...(files === undefined ? {} : { files }) })
  const flattening = new Flattening(model, inference, { files, fuse })
  const block = flattening.model()
  const unsupported = [...flattening.unsupported.values()]
  if (unsupported.length > 0) throw new UnsupportedOperatorsError(unsupported)
  if (flattening.unmade.length > 0) throw new StructureError(flattening.unmade)
  const { constants, defaults, slots } = flattening
  const plans = plan ? new Plans({ block, slots, constants: [...constants, ...defaults], files }) : undefined
  const { graph } = model
  const { outputs } = graph
  const inputs = givenInputs(graph)
  const optional = new Set(inputs.map(({ name }) => name).filter((name) => defaultOf(graph, name) !== undefined))

  const bySlot = (given: Tensors): Given =>
    inputs.flatMap(({ name }, i) => (Object.hasOwn(given, name) ? [[block.inputs[i]!, given[name]!] as const] : []))
  const named = (results: readonly Tensor[]): Record<string, Tensor> =>
    Object.fromEntries(outputs.map(({ name }, i) => [name, results[i]!]))

  function* running(given: Given): Computation<Record<string, Tensor>> {
    return named(yield* new Run(slots, [...constants, ...defaults, ...given], files).outputs(block))
  }

  const now = (given: Tensors): Record<string, Tensor> => {
    checkInputs(inputs, optional, given)
    const tensors = bySlot(given)
    const planned = plans?.find(tensors)?.run(tensors)
    return planned === undefined ? computeNow(running(tensors)) : named(planned)
  }
  const later = async (given: Tensors): Promise<Record<string, Tensor>> => {
    checkInputs(inputs, optional, given)
    // Views of them, so that what a caller disposes while the workers compute stays for the general way.
    const views = bySlot(given).map(([slot, x]) => [slot, x.view()] as const)
    try {
      const planned = await plans?.find(views)?.runAsync(views)
      return planned === undefined ? await computeLater(running(views)) : named(planned)
    } finally {
      for (const [, view] of views) view.dispose()
    }
  }
  const run = Object.assign(now, { async: later })
  return { inputs, optional, outputs, steps: stepsOf(block), run, dispose: () => plans?.dispose() }
}

/** Makes a model ready and runs it once. */
export interface RunModel {
  (model: Model, inputs: Tensors, options?: RunOptions): Record<string, Tensor>
  readonly async: (model: Model, inputs: Tensors, options?: RunOptions) => Promise<Record<string, Tensor>>
}

/**
 * Runs a model once: tensors by input name in, tensors by output name out.
 *
 * @example
 * ```ts
 * runModel(applyFix(model, checkModel(model).findings[0].fixes[0]), { x: ones([1, 3, 8, 8]) }).y.shape // [1, 3, 8, 8]
 * ```
 */
export const runModel: RunModel = /* @__PURE__ */ Object.assign(
  (model: Model, inputs: Tensors, options?: RunOptions) => prepareModel(model, { ...options, plan: false }).run(inputs),
  {
    async: async (model: Model, inputs: Tensors, options?: RunOptions) =>
      prepareModel(model, { ...options, plan: false }).run.async(inputs),
  },
)
