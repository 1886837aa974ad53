// Which instructions of a program do not depend on some of its operands: what is the same along a row, or in every row.
import type { Instruction } from './ir.ts'

/** Instructions of which no operand has what `has` asks of an input. */
export function without(code: readonly Instruction[], has: (input: number) => boolean): boolean[] {
  const result: boolean[] = []
  for (const { op, args, value } of code) {
    result.push(op === 'input' ? !has(value as number) : args.every((arg) => result[arg]))
  }
  return result
}
