// Every operator that has a derivative as the tests try it: with every choice of attributes, the types that have
// gradients, and elements where it is defined.
import { isFloat } from '@bcast/spec'
import type { DType } from 'bcast'
import { choicesOf } from '../../../../testing/attributes.ts'
import type { Attributes } from '../../src/expr/attributes.ts'
import { allowedTypes, type Row } from '../../src/expr/row.ts'
import * as rowModule from '../../src/expr/rows/index.ts'

export const rows: readonly Row[] = Object.values<Row>({ ...rowModule })

export interface Differentiable {
  readonly title: string
  readonly row: Row
  readonly attributes: Attributes
  readonly count: number
  readonly types: readonly DType[]
  /** An operand's element made from an eighth of a whole number. */
  readonly within: (eighths: number, operand: number) => number | boolean
}

const away = (eighths: number): number => (eighths === 0 ? 0.125 : eighths / 8)

/** Where operators have values and slopes, unless that is everywhere. */
const DOMAINS: Readonly<Record<string, (eighths: number, operand: number) => number | boolean>> = {
  where: (eighths, operand) => (operand === 0 ? eighths % 2 === 0 : eighths / 8),
  pow: (eighths, operand) => (operand === 0 ? Math.abs(away(eighths)) : Math.trunc(eighths / 8)),
  log: (eighths) => Math.abs(away(eighths)),
  sqrt: (eighths) => Math.abs(away(eighths)),
  reciprocal: away,
  div: (eighths, operand) => (operand === 0 ? eighths / 8 : away(eighths)),
  mod: (eighths, operand) => (operand === 0 ? eighths / 8 : away(eighths)),
  floorMod: (eighths, operand) => (operand === 0 ? eighths / 8 : away(eighths)),
}

const countsOf = (row: Row): readonly number[] => (row.variadic === true ? [1, 2, 3] : [row.operands.length])

export const differentiable: readonly Differentiable[] = rows
  .filter(({ derivative }) => derivative !== undefined)
  .flatMap((row) =>
    choicesOf(row.attributes ?? {}).flatMap((attributes, choice) =>
      countsOf(row).map((count) => ({
        title: [row.name, row.variadic === true ? `of ${count}` : '', JSON.stringify(attributes)].join(' '),
        row,
        attributes,
        count,
        types: allowedTypes(row.types).filter(
          (dtype) =>
            (isFloat(dtype) || dtype === 'real') &&
            row.refuse?.(dtype, dtype, { ...attributes }) === undefined &&
            // 16-bit floats are computed in float32; one choice of attributes is enough of them.
            (dtype.endsWith('32') || dtype.endsWith('64') || dtype === 'real' || choice < 2),
        ),
        within: DOMAINS[row.call] ?? ((eighths: number) => eighths / 8),
      })),
    ),
  )
  .filter(({ types }) => types.length > 0)

/** The type of an operand where those that share one have `dtype`. */
export const operandType = (row: Row, operand: number, dtype: DType): DType =>
  row.call === 'where' && operand === 0 ? 'bool' : dtype
