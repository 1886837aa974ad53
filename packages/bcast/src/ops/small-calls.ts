// Calls of an operation that are no programs of their own and repeat, by their arguments.
import { isOptions } from '../shape/options.ts'
import { Tensor } from '../tensor/tensor.ts'
import { type Computation, computeNow } from './computation.ts'
import { areSmall, KeptCall } from './kept-call.ts'
import { RecordedCalls } from './recorded-calls.ts'

/** Calls of one operation that are told apart; the bound is for callers whose shapes never repeat. */
const MAX_CALLS = 64
const NOTHING: { readonly out?: unknown } = {}
/** Elements of an operand that is small. */
const SMALL = 1 << 13

/** What tells the options of a call from others; undefined where they hold what cannot be told apart in a word. */
function optionsKey(options: object): string | undefined {
  let key = ''
  for (const [name, value] of Object.entries(options)) {
    const isPlain = Array.isArray(value)
      ? value.every((each) => typeof each === 'number')
      : typeof value === 'number' || typeof value === 'boolean'
    if (!isPlain) return undefined
    key += ` ${JSON.stringify(name)}:${typeof value} ${Object.is(value, -0) ? '-0' : value}`
  }
  return key
}

function* listed(computation: Computation): Computation<Tensor[]> {
  return [yield* computation]
}

export class SmallCalls {
  readonly #known = new Map<string, KeptCall>()
  readonly #recorded = new RecordedCalls()

  /** The result of a call, the short way where there were others like it. */
  compute(args: readonly unknown[], computation: (...args: readonly unknown[]) => Computation): Tensor {
    const given = isOptions(args.at(-1)) ? (args.at(-1) as { readonly out?: unknown }) : undefined
    const options = given ?? NOTHING
    const operands = given === undefined ? args : args.slice(0, -1)
    if (options.out === undefined && areSmall(operands))
      return this.result(args, computation) ?? computeNow(computation(...args))
    const asked = { operands, outs: [options.out], options }
    const repeated = this.#recorded.repeat(asked)
    if (repeated !== undefined) return repeated[0]!
    const made = computeNow(computation(...args))
    this.#recorded.learn(asked, [made], (own, [out], behind) => computation(...own, { ...behind, out }))
    return made
  }

  /** The result of a call like others before it; undefined where it goes the general way. */
  result(args: readonly unknown[], computation: (...args: readonly unknown[]) => Computation): Tensor | undefined {
    const options = isOptions(args.at(-1)) ? (args.at(-1) as object) : undefined
    const operands = options === undefined ? args : args.slice(0, -1)
    let key = options && optionsKey(options)
    if (options !== undefined && key === undefined) return undefined
    for (const operand of operands) {
      if (!(operand instanceof Tensor) || operand.size > SMALL || Array.isArray(operand.storage)) return undefined
      key = `${key ?? ''};${operand.dtype} ${operand.shape.join()}`
    }
    if (key === undefined) return undefined
    let call = this.#known.get(key)
    if (call === undefined) {
      if (this.#known.size >= MAX_CALLS) this.#known.delete(this.#known.keys().next().value!)
      this.#known.set(key, (call = new KeptCall()))
    }
    const behind = options === undefined ? [] : [options]
    return call.results(operands as readonly Tensor[], (own) => listed(computation(...own, ...behind)))?.[0]
  }
}
