// Whether an operand is there before the model runs: a weight, or what nodes make of weights alone. Such a one could be
// stored at full size; any other has to be stretched while the model runs.
import type { Frame } from '../infer/frame.ts'
import type { Inference } from '../infer/inference.ts'
import type { Definition, Node } from '../model/scope.ts'

/** Where an operand that stretches comes from: a constant of the model, or a computation. */
export type Origin = 'constant' | 'computed'

/** Operators that draw numbers: what they make is no constant, whatever they make it of. */
const random = new Set([
  'Bernoulli',
  'Multinomial',
  'RandomNormal',
  'RandomNormalLike',
  'RandomUniform',
  'RandomUniformLike',
])

const draws = ({ opType, subgraphs }: Node): boolean =>
  random.has(opType) || subgraphs.some(({ graph }) => graph.nodes.some(draws))

/** Origins of the values of one model, found once for each walk through a scope. Defaults are constants where inference assumes them. */
export class Origins {
  readonly #constants = new Map<Frame, ReadonlySet<string>>()
  readonly #assumed: ReadonlySet<string>

  constructor({ assumed }: Pick<Inference, 'assumed'>) {
    this.#assumed = assumed
  }

  /** Where a name in a frame comes from. */
  of(frame: Frame, name: string): Origin {
    return this.#isConstant(frame, name) ? 'constant' : 'computed'
  }

  #isConstant(frame: Frame, name: string): boolean {
    for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
      const definition = at.scope.definitions.get(name)
      if (definition !== undefined) return this.#isDefinedConstant(at, name, definition)
    }
    return false
  }

  #isDefinedConstant(frame: Frame, name: string, definition: Definition): boolean {
    if (definition.kind === 'initializer') return true
    if (definition.kind === 'output') return this.#madeIn(frame).has(name)
    const { scope, caller } = frame
    if (scope.kind === 'graph') return caller === undefined && this.#assumed.has(name)
    return caller !== undefined && this.#isConstant(caller.frame, caller.node.inputs[definition.index] ?? '')
  }

  /** The outputs of nodes that are constant, found from the first node to the last. */
  #madeIn(frame: Frame): ReadonlySet<string> {
    const before = this.#constants.get(frame)
    if (before !== undefined) return before
    const made = new Set<string>()
    // Functions that nodes call ask for what was found so far.
    this.#constants.set(frame, made)
    for (const node of frame.scope.nodes) {
      const inner = frame.entered.get(node)
      const isMade =
        inner === undefined
          ? this.#isMadeOfConstants(frame, node)
          : inner.scope.outputs.every(({ name }) => this.#isConstant(inner, name))
      if (isMade) for (const name of node.outputs) made.add(name)
    }
    return made
  }

  #isMadeOfConstants(frame: Frame, node: Node): boolean {
    if (draws(node)) return false
    const read = [...node.inputs, ...node.subgraphs.flatMap(({ graph }) => [...graph.outerNames])]
    return read.every((name) => name === '' || this.#isConstant(frame, name))
  }
}
