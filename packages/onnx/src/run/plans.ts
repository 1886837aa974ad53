// The plans of a program, by the types and shapes of its inputs: the ones that were used last are kept.
import { type Given, type Parts, PlannedRun } from './plan.ts'

/** Plans hold memory, so that few are kept. */
const MOST_PLANS = 8
/** What is known of inputs of other shapes is forgotten when there are many. */
const MOST_KINDS = 256

/** What is known of inputs of certain types and shapes. */
interface Kind {
  /** Whether elements of small inputs decide what is computed, or even those of large ones. */
  needs: 'shapes' | 'guards' | 'elements'
  readonly plans: PlannedRun[]
  /** Plans made, and runs of plans that were there. */
  made: number
  reused: number
}

/** How many plans may be made for each run that uses one again: elements that never repeat are not worth plans. */
const MOST_MADE = 4

const kindOf = (given: Given): string =>
  given.map(([slot, { dtype, shape }]) => `${slot} ${dtype} ${shape.join()}`).join('; ')

export class Plans {
  readonly #parts: Parts
  readonly #kinds = new Map<string, Kind>()
  /** Newest last. */
  #recent: { readonly plan: PlannedRun; readonly kind: Kind }[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The plan for inputs; undefined where the run has to go the general way. */
  find(given: Given): PlannedRun | undefined {
    const kind = this.#kind(kindOf(given))
    if (kind.needs === 'elements') return undefined
    const known = kind.plans.find((plan) => plan.serves(given))
    if (known === undefined) return this.#make(kind, given)
    if (known.busy) return undefined
    kind.reused++
    this.#recent.push(
      ...this.#recent.splice(
        this.#recent.findIndex(({ plan }) => plan === known),
        1,
      ),
    )
    return known
  }

  /** Gives the memory of all plans back; what runs, runs to its end. */
  dispose(): void {
    for (const { plan } of this.#recent) plan.dispose()
    this.#recent = []
    this.#kinds.clear()
  }

  #kind(name: string): Kind {
    let kind = this.#kinds.get(name)
    if (kind === undefined) {
      if (this.#kinds.size >= MOST_KINDS) this.#kinds.delete(this.#kinds.keys().next().value!)
      this.#kinds.set(name, (kind = { needs: 'shapes', plans: [], made: 0, reused: 0 }))
    }
    return kind
  }

  #make(kind: Kind, given: Given): PlannedRun | undefined {
    if (kind.made > MOST_MADE * (kind.reused + 1)) return undefined
    let plan = kind.needs === 'shapes' ? PlannedRun.of(this.#parts, given, false) : undefined
    if (plan === undefined) {
      kind.needs = 'guards'
      plan = PlannedRun.of(this.#parts, given, true)
    }
    if (plan === undefined) {
      kind.needs = 'elements'
      return undefined
    }
    kind.made++
    kind.plans.push(plan)
    this.#recent.push({ plan, kind })
    if (this.#recent.length > MOST_PLANS) this.#forget()
    return plan
  }

  #forget(): void {
    const { plan, kind } = this.#recent.shift()!
    kind.plans.splice(kind.plans.indexOf(plan), 1)
    plan.dispose()
  }
}
