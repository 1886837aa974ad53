// Shapes as they meet, as plain rows: one for each operand, one column for each axis. The page makes a table of it, a
// copied picture draws it.
import type { Dim, Explanation } from 'bcast'
import { operandLetter } from './figure.ts'

export interface TableCell {
  readonly text: string
  /** Counted from the right. */
  readonly axis: number
  readonly role: 'same' | 'stretched' | 'padded' | 'conflict' | 'unknown' | 'result'
}

export interface TableRow {
  readonly label: string
  readonly cells: readonly TableCell[]
}

/** A size as text: `3`, `N`, `?`, `2..8`. */
export const dimText = (dim: Dim): string => {
  if (dim === null) return '?'
  return typeof dim === 'object' ? `${dim.min}..${dim.max ?? ''}` : String(dim)
}

/** Empty where ranks are unknown or do not fit. */
export function tableOf({ axes, shapes, failure }: Explanation): TableRow[] {
  if (axes.length === 0) return []
  const operands = shapes.map(
    (_, operand): TableRow => ({
      label: operandLetter(operand),
      cells: axes.map(({ axis, operands: cells, result }) => {
        const { size, role } = cells[operand]!
        if (size === undefined) return { axis, role, text: failure === undefined && result !== undefined ? '1' : '' }
        return { axis, role, text: dimText(size) }
      }),
    }),
  )
  if (failure !== undefined) return operands
  const result = axes.map(
    ({ axis, result: size }): TableCell => ({ axis, role: 'result', text: dimText(size ?? null) }),
  )
  return [...operands, { label: 'z', cells: result }]
}

/** What a role is called, for who does not see the marks. */
export const roleWords: Readonly<Record<TableCell['role'], string>> = {
  same: '',
  stretched: 'stretched',
  padded: 'added',
  conflict: 'does not fit',
  unknown: 'not known',
  result: '',
}
