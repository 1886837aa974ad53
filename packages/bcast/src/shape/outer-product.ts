// A broadcast that holds and is rarely meant: both operands stretch, so that every element of one meets every element
// of the other.
import type { SymbolicShape } from './dim.ts'
import { applyEdit, type Edit } from './edit.ts'
import { describeFix, type Fix, growsAll, type Problem, sameCore } from './fix.ts'
import { best } from './fixes.ts'
import type { Alignment } from './rule.ts'

/**
 * For `(N)` against `(N,1)`, which holds as `(N,N)`: the respelling that makes them meet element by element. Empty
 * when the result is no larger than an operand, or when no such respelling exists.
 */
export function outerProductFixes(problem: Problem, result: SymbolicShape, alignment: Alignment): Fix[] {
  const { rule, shapes, onto, infer } = problem
  const [a, b] = shapes
  if (shapes.length !== 2 || !sameCore(a!, b!) || !growsAll(shapes, result, alignment)) return []
  const operand = b!.length > a!.length ? 1 : 0
  const target = shapes[1 - operand]!
  const edits: Edit[] = []
  let shape = shapes[operand]!
  while (shape.length > target.length) {
    const edit: Edit = { kind: 'drop', operand, at: shape.lastIndexOf(1) }
    edits.push(edit)
    shape = applyEdit(shape, edit)
  }
  if (edits.length === 0) return []
  const candidate = { rule, shapes: shapes.with(operand, shape), edits }
  const outcome = infer(rule, candidate.shapes, onto)
  if (outcome.verdict === 'error') return []
  const fix = describeFix(problem, candidate, outcome)
  return fix.outer ? [] : best([fix], [])
}
