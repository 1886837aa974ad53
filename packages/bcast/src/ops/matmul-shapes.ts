// How shapes make a product of stacks of matrices, and what is said of those that do not.
import { OperandError, wrongOperand } from '../errors/index.ts'
import { formatShape, type Shape } from '../shape/dim.ts'
import type { Resolution } from '../shape/resolve.ts'
import { matmulBatch } from '../shape/rules/index.ts'
import { resolveOrThrow } from '../tensor/resolve.ts'

/** The operator's name in errors. */
export const NAME = 'MatMul'

const swapped = (rank: number): string =>
  [...Array.from({ length: rank - 2 }, (_, axis) => axis), rank - 1, rank - 2].join(', ')

/** The error of sizes that are summed over and differ, with what would make them agree. */
function mismatch(a: Shape, b: Shape, k: number, rows: number): OperandError {
  const [of, by] = [a.length > 1 ? 'columns' : 'elements', b.length > 1 ? 'rows' : 'elements']
  const fix =
    b.length > 1 && b.at(-1) === k
      ? ` b.transpose(${swapped(b.length)}) has ${k} rows.`
      : a.length > 1 && a.at(-2) === rows
        ? ` a.transpose(${swapped(a.length)}) has ${rows} columns.`
        : a.length === 1 && b.length === 1
          ? ' mul(unsqueeze(a, 1), b) is the product of each with each.'
          : ''
  return new OperandError(
    `${NAME}: A is ${formatShape(a)} and B is ${formatShape(b)}; A's ${of} (${k}) must be B's ${by} (${rows}).${fix}`,
    { operator: NAME },
  )
}

/** How the axes before the last two meet; throws where shapes have no product. */
export function batchOf(a: Shape, b: Shape): Resolution {
  for (const [i, { length }] of [a, b].entries()) {
    if (length === 0) {
      throw wrongOperand(NAME, i, 'is a scalar', 'it must have rows or columns; mul(a, b) multiplies by a scalar')
    }
  }
  const batch = resolveOrThrow(matmulBatch, [a, b])
  const [k, inner] = [a.at(-1)!, b.at(b.length > 1 ? -2 : -1)!]
  if (k !== inner) throw mismatch(a, b, k, inner)
  return batch
}

/** The shape of a product. */
export const productShape = (batch: Shape, a: Shape, b: Shape): Shape => [
  ...batch,
  ...(a.length > 1 ? [a.at(-2)!] : []),
  ...(b.length > 1 ? [b.at(-1)!] : []),
]
