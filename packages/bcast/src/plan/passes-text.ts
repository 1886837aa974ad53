// How an expression passes over memory, as numbers and as text, for whoever wonders why it is fast or slow.
import type { Prepared, Stage } from '../expr/stages.ts'
import { formatShape } from '../shape/dim.ts'
import { planSweeps, rowsAtOnce, type Sweep } from './sweeps.ts'

/** How a fused function, or a gradient, passes over memory. */
export interface MemoryPasses {
  /** How often memory is passed over. */
  readonly passes: number
  /** Every pass with what it computes, line by line. */
  readonly text: string
}

/** The passes of an expression over so many operands. */
export function describePasses({ stages, results }: Prepared, operands: number): MemoryPasses {
  const sweeps = planSweeps(stages, operands)
  const lines = sweeps.flatMap((sweep, i) => [headOf(sweep, i), ...linesOf(stages, sweep, results, operands)])
  return { passes: sweeps.length, text: lines.join('\n') }
}

function headOf({ rows }: Sweep, i: number): string {
  const each = rows && rowsAtOnce(rows)
  return each === undefined ? `pass ${i + 1}` : `pass ${i + 1}, ${each} of ${rows!.all} rows at a time`
}

function linesOf(
  stages: readonly Stage[],
  { first, end }: Sweep,
  results: readonly number[],
  operands: number,
): string[] {
  return stages.slice(first, end).map((stage, k) => {
    const { inputs, dtype, result } = stage
    const read = [...new Set(inputs.map(({ operand }) => operand))].map((operand) =>
      operand < operands ? `operand ${operand}` : `step ${operand - operands}`,
    )
    const given = results.indexOf(first + k)
    const target = given < 0 ? '' : results.length > 1 ? `, result ${given}` : ', the result'
    return `  step ${first + k}: ${whatOf(stage)} from ${read.join(', ') || 'nothing'} -> ${dtype} ${formatShape(result)}${target}`
  })
}

function whatOf({ program, reduction, call }: Stage): string {
  if (call !== undefined) return call.operation.name
  const computed = program.code.filter(({ op }) => op !== 'input' && op !== 'constant').length
  const instructions = `${computed} instruction${computed === 1 ? '' : 's'}`
  if (reduction === undefined) return `elements, ${instructions},`
  const axes = [...reduction.reduced.keys()].filter((axis) => reduction.reduced[axis])
  return `${reduction.row.name} over axes [${axes.join(', ')}] of elements, ${instructions},`
}
