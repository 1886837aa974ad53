// Writing the instructions of a program one behind the other, whatever processor runs them.
import type { DType, Instruction, Primitive } from 'bcast/kernels'
import type { Vector } from './vector.ts'

/** Writes an instruction of a type, over operands of types. */
export type Emit<W> = (w: W, operands: readonly Vector[], dtype: DType, from: readonly DType[]) => Vector
export type Emitters<W> = Readonly<Record<Exclude<Primitive, 'input' | 'constant'>, Emit<W>>>

/** Writes instruction `i` of a program, whose operands have their values already. */
export type EmitInstruction<W> = (
  w: W,
  code: readonly Instruction[],
  i: number,
  values: readonly Vector[],
  load: (input: number) => Vector,
) => Vector

export const instructionsOf =
  <W>(emitters: Emitters<W>, constant: (w: W, dtype: DType, value: number | bigint) => Vector): EmitInstruction<W> =>
  (w, code, i, values, load) => {
    const { op, args, dtype, value } = code[i]!
    if (op === 'input') return load(value as number)
    if (op === 'constant') return constant(w, dtype, value!)
    return emitters[op](
      w,
      args.map((arg) => values[arg]!),
      dtype,
      args.map((arg) => code[arg]!.dtype),
    )
  }

/** Which instructions of a program are written. */
export interface Wanted {
  readonly code: readonly Instruction[]
  /** By number. */
  readonly wanted: readonly boolean[]
  /** Those that give the same in every row of a block. */
  readonly still: readonly boolean[]
}

/** Writes instructions for every row of a block, beside the values there are. */
export function emitRows(
  { code, wanted, still }: Wanted,
  values: readonly Vector[][],
  emit: (i: number, own: readonly Vector[], row: number) => Vector,
): void {
  for (const [row, own] of values.entries()) {
    for (let i = 0; i < code.length; i++) {
      if (wanted[i]) own[i] = row > 0 && still[i] ? values[0]![i]! : emit(i, own, row)
    }
  }
}
