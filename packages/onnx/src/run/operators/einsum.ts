// Einsum as products of matrices: operands are taken two by two, what only one of them has and nobody needs any more is
// summed first, what both have and somebody needs is the batch, and what both have and nobody needs is multiplied away.
import { matmul, type Tensor } from 'bcast'
import { ELLIPSIS, type Equation, equationOf } from '../../infer/attributes/equation.ts'
import { countOf } from '../../model/row-major.ts'
import type { Call } from '../call.ts'
import type { Computation } from '../computation.ts'
import { folded, sums } from '../fold.ts'
import type { KernelRow } from '../row.ts'
import { MULTIPLIED } from '../types.ts'
import { along } from './join.ts'

/** A tensor whose axes have names. */
interface Labelled {
  readonly x: Tensor
  readonly labels: readonly string[]
}

const has = ({ labels }: Labelled, label: string): boolean => labels.includes(label)

const sizeOf = ({ x, labels }: Labelled, label: string): number => x.shape[labels.indexOf(label)]!

/** The labels of all axes; those that ellipses stand for are counted from the right. */
function axesOf(call: Call, tensors: readonly Tensor[]): Equation {
  const { operands, result } = equationOf(call, tensors.length)
  const covered = operands.map((labels, i) => {
    const count = tensors[i]!.rank - labels.filter((label) => label !== ELLIPSIS).length
    const isFit = labels.includes(ELLIPSIS) ? count >= 0 : count === 0
    return isFit ? count : call.fail(`input ${i} has rank ${tensors[i]!.rank}, its part of the equation another.`)
  })
  const spread = (labels: readonly string[], count: number): string[] =>
    labels.flatMap((label) =>
      label === ELLIPSIS ? Array.from({ length: count }, (_, i) => `${ELLIPSIS}${count - i}`) : [label],
    )
  return {
    operands: operands.map((labels, i) => spread(labels, covered[i]!)),
    result: spread(result, Math.max(...covered)),
  }
}

/** The axes in the order of labels, which are all there are. */
function ordered(call: Call, { x, labels }: Labelled, order: readonly string[]): Tensor {
  return call.own(x.transpose(order.map((label) => labels.indexOf(label))) as Tensor)
}

/** Of a label that stands twice, the diagonal. */
function* withoutRepeats(call: Call, { x, labels }: Labelled): Computation<Labelled> {
  const second = labels.findIndex((label, at) => labels.indexOf(label) < at)
  if (second < 0) return { x, labels }
  const first = labels.indexOf(labels[second]!)
  const size = x.shape[first]!
  if (x.shape[second] !== size) call.fail(`label ${labels[second]} has sizes ${size} and ${x.shape[second]}.`)
  const rest = labels.flatMap((_, at) => (at === first || at === second ? [] : [at]))
  const behind = call.own(x.transpose([...rest, first, second]) as Tensor)
  const shape = rest.map((at) => x.shape[at]!)
  const flat = yield* call.reshaped(behind, [...shape, size * size])
  const diagonal = along(call, flat, rest.length, 0, size, size + 1)
  return yield* withoutRepeats(call, { x: diagonal, labels: [...rest.map((at) => labels[at]!), labels[first]!] })
}

/** Without the labels that nobody needs. */
function* summed(call: Call, given: Labelled, isNeeded: (label: string) => boolean): Computation<Labelled> {
  const { x, labels } = given
  const gone = labels.flatMap((label, at) => (isNeeded(label) ? [] : [at]))
  if (gone.length === 0) return given
  const sum = yield* folded(call, sums, x, gone)
  const shape = x.shape.filter((_, at) => !gone.includes(at))
  return { x: yield* call.reshaped(sum, shape), labels: labels.filter(isNeeded) }
}

/** The product of two, summed over what nobody needs. */
function* product(call: Call, a: Labelled, b: Labelled, isNeeded: (label: string) => boolean): Computation<Labelled> {
  const left = yield* summed(call, a, (label) => isNeeded(label) || has(b, label))
  const right = yield* summed(call, b, (label) => isNeeded(label) || has(a, label))
  const shared = left.labels.filter((label) => has(right, label))
  const [batch, away] = [shared.filter(isNeeded), shared.filter((label) => !isNeeded(label))]
  const [rows, columns] = [left, right].map(({ labels }) => labels.filter((label) => !shared.includes(label))) as [
    string[],
    string[],
  ]
  for (const label of away) {
    const [n, m] = [sizeOf(left, label), sizeOf(right, label)]
    if (n !== m) call.fail(`label ${label} has sizes ${n} and ${m}.`)
  }
  const sizes = (of: Labelled, labels: readonly string[]): number[] => labels.map((label) => sizeOf(of, label))
  // As matrices (batch, rows, away) and (batch, away, columns); batches may have a size 1 on one side.
  const asMatrices = (of: Labelled, down: readonly string[], across: readonly string[]): Computation<Tensor> => {
    const shape = [...sizes(of, batch), countOf(sizes(of, down)), countOf(sizes(of, across))]
    return call.reshaped(ordered(call, of, [...batch, ...down, ...across]), shape)
  }
  const matrices = [yield* asMatrices(left, rows, away), yield* asMatrices(right, away, columns)] as const
  const x = yield* call.apply(matmul, ...matrices)
  const shape = [...x.shape.slice(0, batch.length), ...sizes(left, rows), ...sizes(right, columns)]
  return { x: yield* call.reshaped(x, shape), labels: [...batch, ...rows, ...columns] }
}

const einsum: KernelRow = {
  kind: 'kernel',
  name: 'Einsum',
  since: 12,
  types: [[12, MULTIPLIED[1]![1]]],
  typed: 'all',
  views: true,
  *compute(call) {
    const tensors = call.inputs.map((_, i) => call.tensor(i))
    const { operands, result } = axesOf(call, tensors)
    const parts: Labelled[] = []
    for (const [i, labels] of operands.entries()) parts.push(yield* withoutRepeats(call, { x: tensors[i]!, labels }))
    let [whole] = parts as [Labelled]
    for (const [i, part] of parts.entries()) {
      const later = parts.slice(i + 1)
      const isNeeded = (label: string): boolean => result.includes(label) || later.some((each) => has(each, label))
      whole = i === 0 ? yield* summed(call, whole, isNeeded) : yield* product(call, whole, part, isNeeded)
    }
    return [ordered(call, whole, result)]
  },
}

export const einsumRows: readonly KernelRow[] = [einsum]
