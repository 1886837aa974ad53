// One question about a derivative: an operator, operands of one shape, the gradient of the result, and the operand whose
// gradient is asked for. The cases are random ones of every operator that has a derivative, behind the table of kinks.

import { isFloat } from '../../../packages/bcast/src/dtype/dtype.ts'
import { allowedTypes, type Row } from '../../../packages/bcast/src/expr/row.ts'
import * as rowModule from '../../../packages/bcast/src/expr/rows/index.ts'
import { choicesOf } from '../../../testing/attributes.ts'
import { kinks } from '../../../testing/kinks.ts'
import { makeRandom, type Random } from '../../../testing/random.ts'
import type { CaseDType, TensorData } from '../case.ts'
import { randomTensor, tensorOf } from '../values.ts'

export interface GradientCase {
  readonly id: number
  /** The row's name. */
  readonly op: string
  readonly attrs: Readonly<Record<string, unknown>>
  readonly inputs: readonly TensorData[]
  /** The gradient of the result. */
  readonly delta: TensorData
  /** The operand whose gradient is asked for. */
  readonly by: number
  /** What PyTorch is known to give, where the case is of the table of kinks. */
  readonly known?: readonly number[]
}

export const rows: ReadonlyMap<string, Row> = new Map(
  Object.values<Row>({ ...rowModule })
    .filter(({ derivative }) => derivative !== undefined)
    .map((row) => [row.name, row]),
)

type Draft = Omit<GradientCase, 'id'>

const directed: readonly Draft[] = kinks.flatMap(({ call, attributes = {}, operands, delta = 1, gradients, torch }) => {
  const { name } = [...rows.values()].find((row) => row.call === call)!
  const shape = [operands[0]!.length]
  const inputs = operands.map((list) => tensorOf(typeof list[0] === 'boolean' ? 'bool' : 'float64', shape, list))
  const deltas = tensorOf(
    'float64',
    shape,
    operands[0]!.map(() => delta),
  )
  return gradients.flatMap((gradient, by): Draft[] => {
    const known = torch?.gradients[by] ?? gradient
    return gradient === null ? [] : [{ op: name, attrs: attributes, inputs, delta: deltas, by, known: known! }]
  })
})

const SIZE = 12

/** Few different values, so that operands tie and meet kinks. */
const coarse = (random: Random, dtype: CaseDType): TensorData =>
  tensorOf(
    dtype,
    [SIZE],
    Array.from({ length: SIZE }, () => random.below(13) / 2 - 3),
  )

function draw(random: Random, row: Row): Draft {
  const attrs = random.pick(choicesOf(row.attributes ?? {}))
  const types = allowedTypes(row.types).filter(isFloat) as CaseDType[]
  const dtype = random.pick(types)
  const count = row.variadic === true ? 1 + random.below(4) : row.operands.length
  const inputs = Array.from({ length: count }, (_, i): TensorData => {
    if (row.call === 'where' && i === 0) return randomTensor(random, 'bool', [SIZE])
    if (row.call === 'pow' && i === 1) return randomTensor(random, dtype, [SIZE], { small: true, special: 0.2 })
    return random.chance(0.4) ? coarse(random, dtype) : randomTensor(random, dtype, [SIZE], { special: 0.2 })
  })
  return {
    op: row.name,
    // The rest of floats has to be asked for.
    attrs: row.call === 'mod' ? { fmod: true } : attrs,
    inputs,
    delta: randomTensor(random, dtype, [SIZE], { small: true, special: 0.1 }),
    by: row.call === 'where' ? 1 + random.below(2) : random.below(count),
  }
}

/** `count` random cases, as many of each operator, and the table of kinks. */
export function gradientCases(count: number, seed: number): GradientCase[] {
  const random = makeRandom(seed)
  const all = [...rows.values()]
  const drawn = Array.from({ length: count }, (_, i) => draw(random, all[i % all.length]!))
  return [...directed, ...drawn].map((draft, id) => ({ ...draft, id }))
}
