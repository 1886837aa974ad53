// The ways to make a call in JavaScript. Each makes the same call or has no form for it; none may give another result.
import * as bcast from 'bcast'
import { broadcastTo, dtypeInfo, fromData, fuse, Tensor } from 'bcast'
import type { Outcome } from './outcome.ts'
import { isAlone, type Question } from './question.ts'

type Call = (...args: unknown[]) => Tensor
type Later = (...args: unknown[]) => Promise<Tensor>

export interface Way {
  readonly name: string
  /** The result, or undefined where the call cannot be made this way. */
  ask(question: Question, wanted: Outcome): Tensor | Promise<Tensor> | undefined
}

const library = bcast as unknown as Readonly<Record<string, Call & { async: Later }>>

/** Arguments of a call: the operands, and options where there are any. */
const argumentsOf = (question: Question, more: object = {}): unknown[] => {
  const { operands, attributes } = question
  const options = { ...attributes, ...more }
  const given = isAlone(question) ? [operands] : operands
  return Object.keys(options).length === 0 ? [...given] : [...given, options]
}

const tensorsOf = ({ operands }: Question): Tensor[] => operands.filter((operand) => operand instanceof Tensor)

/** Operands with the tensors replaced, in their order. */
function replaced({ operands }: Question, by: readonly unknown[]): unknown[] {
  let next = 0
  return operands.map((operand) => (operand instanceof Tensor ? by[next++] : operand))
}

/** A fused function of so many operands. */
function fusedOf(count: number, body: (operands: readonly unknown[]) => unknown): Call & { async: Later } {
  return fuse((...operands) => body(operands), { operands: count }) as never
}

/** The call by a method of its first operand. */
function byMethod(question: Question, operands: readonly unknown[]): unknown {
  const [first, ...others] = argumentsOf({ ...question, operands })
  return (first as Readonly<Record<string, Call>>)[question.name]!(...others)
}

const byFunction = (question: Question, operands: readonly unknown[]): unknown =>
  library[question.name]!(...argumentsOf({ ...question, operands }))

/** The call inside a fused function whose operands are all the tensors. */
const fusedWith = (question: Question, body: typeof byFunction): Call & { async: Later } =>
  fusedOf(tensorsOf(question).length, (operands) => body(question, replaced(question, operands)))

/** A place for a result, of its type and shape and with gaps between its elements. */
function placeFor(wanted: Outcome): Tensor | undefined {
  if ('refused' in wanted) return undefined
  const { dtype, shape } = wanted as { dtype: bcast.DType; shape: readonly number[] }
  const count = 2 * shape.reduce((product, size) => product * size, 1)
  const { array: Elements = Array } = dtypeInfo(dtype)
  return fromData(dtype, new Elements(count) as never, [...shape, 2]).slice(...shape.map(() => null), 0) as Tensor
}

export const ways: readonly Way[] = [
  { name: 'function', ask: (question) => library[question.name]!(...argumentsOf(question)) },
  { name: 'async', ask: (question) => library[question.name]!.async(...argumentsOf(question)) },
  {
    name: 'out',
    ask: (question, wanted) => {
      const out = placeFor(wanted)
      return out && library[question.name]!(...argumentsOf(question, { out }))
    },
  },
  {
    name: 'operands in one array',
    ask: (question) => {
      if (question.row.variadic !== true) return undefined
      return library[question.name]!([...question.operands], ...argumentsOf({ ...question, operands: [] }))
    },
  },
  {
    name: 'function inside fuse',
    ask: (question) => tensorsOf(question)[0] && fusedWith(question, byFunction)(...tensorsOf(question)),
  },
  {
    name: 'method inside fuse',
    ask: (question) => {
      if (!(question.operands[0] instanceof Tensor) || isAlone(question)) return undefined
      return fusedWith(question, byMethod)(...tensorsOf(question))
    },
  },
  {
    name: 'fused, async',
    ask: (question) => tensorsOf(question)[0] && fusedWith(question, byFunction).async(...tensorsOf(question)),
  },
  {
    name: 'fused, into out',
    ask: (question, wanted) => {
      const out = placeFor(wanted)
      return out && tensorsOf(question)[0] && fusedWith(question, byFunction)(...tensorsOf(question), { out })
    },
  },
  {
    name: 'fused, the others captured',
    ask: (question) => {
      const [first, ...others] = tensorsOf(question)
      return first && fusedOf(1, ([traced]) => byFunction(question, replaced(question, [traced, ...others])))(first)
    },
  },
  {
    name: 'a fused function inside another',
    ask: (question) => {
      const inner = fusedWith(question, byFunction)
      const tensors = tensorsOf(question)
      return tensors[0] && fusedOf(tensors.length, (operands) => inner(...operands))(...tensors)
    },
  },
  // Whose operand comes first decides whose expression it seems to be.
  ...[0, -1].map(
    (place): Way => ({
      name: `a fused function that takes an operand of the one around it as operand ${place}`,
      ask: (question) => {
        const tensors = tensorsOf(question)
        const outer = tensors.at(place)
        if (outer === undefined || tensors.length < 2) return undefined
        const others = tensors.toSpliced(place, 1)
        return fusedOf(1, ([taken]) => {
          const inner = fusedOf(others.length, (operands) =>
            byFunction(question, replaced(question, place === 0 ? [taken, ...operands] : [...operands, taken])),
          )
          return inner(...others)
        })(outer)
      },
    }),
  ),
  {
    name: 'operands as views',
    ask: (question) => {
      const seen = tensorsOf(question).map((tensor) => broadcastTo(tensor, [...tensor.shape]))
      return library[question.name]!(...argumentsOf({ ...question, operands: replaced(question, seen) }))
    },
  },
]
